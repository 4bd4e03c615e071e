#include "images/image.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define PACK_PIXELS ((size_t)1 << 14) /* that a thread packs at a time */
#define PACK_PARALLEL 4               /* such parts; fewer are packed before other threads wake */

int image_new_in(struct scratch *scratch, int width, int height, int channels, int depth,
    struct image *image, struct error *error)
{
    *image = (struct image){
        .width = width, .height = height, .channels = channels, .depth = depth, .scratch = scratch};
    image->pixels = scratch_new(scratch, image_bytes(image), error);
    return image->pixels ? 0 : ERROR_INPUT;
}

void image_copy_area(const struct image *from, int x, int y, int width, int height,
    const struct image *to, int to_x, int to_y)
{
    const size_t pixel = image_pixel_size(to), row = (size_t)from->width,
                 to_row = (size_t)to->width;
    const size_t first = (size_t)y * row + (size_t)x,
                 to_first = (size_t)to_y * to_row + (size_t)to_x;
    for (size_t i = 0; i < (size_t)height; i++) {
        image_pass_row(from);
        image_pass_row(to);
        memcpy((char *)to->pixels + (to_first + i * to_row) * pixel,
            (const char *)from->pixels + (first + i * row) * pixel, (size_t)width * pixel);
    }
}

int image_new(
    int width, int height, int channels, int depth, struct image *image, struct error *error)
{
    return image_new_in(NULL, width, height, channels, depth, image, error);
}

/* The samples of 8 or 16 bits that a file holds of pixels; inlined for each number of channels. */
#define PACK(name, type) \
    static inline __attribute__((always_inline)) void name( \
        const type *restrict from, size_t count, size_t channels, type *restrict to) \
    { \
        const size_t alpha = channels == 2 ? 3 : 1; \
        for (size_t i = 0; i < count; i++) \
            for (size_t c = 0; c < channels; c++) \
                to[i * channels + c] = from[4 * i + (c == 1 ? alpha : c)]; \
    } \
    static void name##_any( \
        const type *restrict from, size_t count, int channels, type *restrict to) \
    { \
        if (channels == 1) \
            name(from, count, 1, to); \
        else if (channels == 2) \
            name(from, count, 2, to); \
        else if (channels == 3) \
            name(from, count, 3, to); \
        else \
            name(from, count, 4, to); \
    }
PACK(pack8, uint8_t)
PACK(pack16, uint16_t)

static void pack_part(const struct image *image, size_t first, size_t count, void *packed)
{
    if (image->depth == 16)
        pack16_any((const uint16_t *)image->pixels + 4 * first, count, image->channels, packed);
    else
        pack8_any((const uint8_t *)image->pixels + 4 * first, count, image->channels, packed);
}

void image_pack(const struct image *image, size_t first, size_t count, void *packed)
{
    const size_t parts = (count + PACK_PIXELS - 1) / PACK_PIXELS;
    const size_t size = (size_t)(image->channels * image->depth / 8);
    if (parts < PACK_PARALLEL) {
        pack_part(image, first, count, packed);
        return;
    }
#pragma omp parallel for
    for (size_t part = 0; part < parts; part++) {
        const size_t begin = part * PACK_PIXELS;
        const size_t length = count - begin < PACK_PIXELS ? count - begin : PACK_PIXELS;
        pack_part(image, first + begin, length, (unsigned char *)packed + begin * size);
    }
}

void image_free(struct image *image)
{
    scratch_free(image->scratch, image->pixels);
    metadata_free(&image->metadata);
    *image = (struct image){0};
}

int image_tell_others(const struct image *image, const char *path, struct error *line)
{
    const char *const things = image->next_page ? "pages" : "frames";
    char count[16] = "several";
    if (image->images == 0)
        return 0;
    if (image->images != IMAGE_SEVERAL)
        snprintf(count, sizeof(count), "%d", image->images);
    const int length = snprintf(line->text, sizeof(line->text),
        "'%s' has %s %s, of which the first is read", path, count, things);
    const size_t used = (size_t)length < sizeof(line->text) ? (size_t)length : sizeof(line->text);
    if (image->next_page && strcmp(path, "-") == 0)
        snprintf(line->text + used, sizeof(line->text) - used,
            "; another can be read where the file is named");
    else if (image->next_page)
        snprintf(line->text + used, sizeof(line->text) - used, "; name another as '%s[%d]'", path,
            image->next_page);
    return 1;
}

int image_check_size(
    int64_t width, int64_t height, const char *name, uint64_t max_pixels, struct error *error)
{
    if (width < 1 || height < 1)
        return error_set(error, ERROR_INPUT, "cannot read '%s': it has no pixels", name);
    if ((uint64_t)width * (uint64_t)height > max_pixels)
        return error_set(error, ERROR_INPUT,
            "cannot read '%s': %" PRId64 " x %" PRId64 " pixels are more than %" PRIu64
            "; raise max-pixels",
            name, width, height, max_pixels);
    return 0;
}
