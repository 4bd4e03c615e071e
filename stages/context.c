/* The context of libtessera, and images on their way in and out. */
#include "stages/context.h"

#include <assert.h>
#include <limits.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

static_assert((int)TESSERA_INPUT == ERROR_INPUT && (int)TESSERA_DEVICE == ERROR_DEVICE &&
                  (int)TESSERA_STOPPED == ERROR_STOPPED,
    "the codes are the same inside and outside");

struct tessera *tessera_new(void)
{
    struct tessera *tessera = calloc(1, sizeof(*tessera));
    if (tessera)
        strcpy(tessera->device_id, "auto");
    return tessera;
}

void tessera_free(struct tessera *tessera)
{
    if (tessera)
        run_end(&tessera->run);
    free(tessera);
}

const char *tessera_version(void)
{
    return VERSION;
}

const char *tessera_error(const struct tessera *tessera)
{
    return tessera->run.error.text;
}

const char *tessera_device(const struct tessera *tessera)
{
    return tessera->used;
}

int tessera_set_device(struct tessera *tessera, const char *device)
{
    struct run *run = &tessera->run;
    run->error.text[0] = 0;
    struct device opened = {0};
    int rc = 0;
    if (!device || strlen(device) >= sizeof(tessera->device_id))
        return context_refuse(
            tessera, "bad device '%.40s': use auto, cpu, cuda, opencl, ...", device ? device : "");
    if (strcmp(device, "auto") != 0)
        rc = device_open(device, 0, tessera->threads, &opened, &run->error);
    if (rc == 0) {
        run_end(run);
        run->device = opened;
        strcpy(tessera->device_id, device);
    }
    return rc == ERROR_USAGE ? ERROR_INPUT : rc;
}

void tessera_set_threads(struct tessera *tessera, int threads)
{
    tessera->threads = threads < 0                    ? 0
                       : threads > DEVICE_MAX_THREADS ? DEVICE_MAX_THREADS
                                                      : threads;
    if (tessera->run.device.backend)
        tessera->run.device.threads = tessera->threads ? tessera->threads : omp_get_max_threads();
}

void tessera_set_progress(struct tessera *tessera,
    int (*progress)(void *context, const char *stage, double share), void *context)
{
    tessera->progress = progress;
    tessera->context = context;
}

void context_begin(struct tessera *tessera)
{
    struct run *run = &tessera->run;
    run->error.text[0] = 0;
    run->device_id = tessera->device_id;
    run->threads = tessera->threads;
    run->progress = tessera->progress;
    run->context = tessera->context;
    run_start(run);
    tessera->outer_threads = omp_get_max_threads();
    if (tessera->threads)
        omp_set_num_threads(tessera->threads); /* of stages on the host */
}

int context_end(struct tessera *tessera, int rc)
{
    struct run *run = &tessera->run;
    omp_set_num_threads(tessera->outer_threads);
    if (run->device.backend && run->stage_count)
        strcpy(tessera->used, run->device.info.id);
    if (rc == 0)
        run->error.text[0] = 0; /* of a device that was replaced, or a search that was stopped */
    run_buffers_free(run);
    if (strcmp(tessera->device_id, "auto") == 0 && !run->device.info.is_gpu)
        run_end(run); /* the next job may be worth a GPU */
    return rc == ERROR_USAGE ? ERROR_INPUT : rc;
}

int context_take_image(
    struct tessera *tessera, const struct tessera_image *from, struct image *image)
{
    if (!from)
        return context_refuse(tessera, "there is no image");
    const int channels = from->channels;
    if (!from->pixels || from->width < 1 || from->height < 1 ||
        (uint64_t)from->width * (uint64_t)from->height > INT_MAX || channels < 1 || channels > 4 ||
        (from->depth != 8 && from->depth != 16))
        return context_refuse(tessera,
            "bad image: %d x %d pixels of %d channels of %d bits; it needs 1 to %d pixels, of 1 to "
            "4 channels of 8 or 16 bits",
            from->width, from->height, channels, from->depth, INT_MAX);
    const int rc =
        image_new(from->width, from->height, channels, from->depth, image, &tessera->run.error);
    if (rc)
        return rc;
    const size_t pixels = (size_t)from->width * (size_t)from->height;
    const uint8_t *bytes = from->pixels;
    const uint16_t *deep = from->pixels;
    for (size_t i = 0; i < pixels; i++)
        for (int c = 0; c < 4; c++) {
            const int own = c < 3 ? (channels < 3 ? 0 : c) : channels - 1;
            const size_t at = i * (size_t)channels + (size_t)own;
            const int is_opaque = c == 3 && channels % 2;
            if (from->depth == 16)
                ((uint16_t *)image->pixels)[4 * i + (size_t)c] = is_opaque ? 65535 : deep[at];
            else
                ((uint8_t *)image->pixels)[4 * i + (size_t)c] = is_opaque ? 255 : bytes[at];
        }
    return 0;
}

int context_give_image(
    struct tessera *tessera, const struct image *from, struct tessera_image *image)
{
    const size_t pixels = (size_t)from->width * (size_t)from->height;
    const size_t channels = (size_t)from->channels;
    *image = (struct tessera_image){from->width, from->height, from->channels, from->depth, NULL};
    image->pixels = malloc(pixels * channels * (size_t)from->depth / 8);
    if (!image->pixels) {
        *image = (struct tessera_image){0};
        return context_refuse(tessera, "not enough memory for %zu pixels", pixels);
    }
    image_pack(from, 0, pixels, image->pixels);
    return 0;
}

void tessera_image_free(struct tessera_image *image)
{
    if (!image)
        return;
    free(image->pixels);
    *image = (struct tessera_image){0};
}
