/* Animated WebP, without loss, by libwebp. Times are whole milliseconds: each frame begins at the
 * nearest, so that a film is as long as it should be. A frame that is as the one before makes that
 * one last longer. */
#include "images/film_library.h"

#if HAVE_WEBP
#include <stdlib.h>
#include <webp/encode.h>
#include <webp/mux.h>

#include "images/output.h"

#define LEVEL 2 /* of 0 to 9, which take longer and pack closer */

struct animation {
    struct output output;
    WebPAnimEncoder *encoder;
    int width, height;
    int frames, rate;
};

static int fail(const struct animation *a, struct error *error)
{
    return error_set(error, ERROR_INPUT, "cannot write '%s': libwebp: %s", a->output.name,
        WebPAnimEncoderGetError(a->encoder));
}

static int webp_open(
    const char *path, int width, int height, int rate, void **film, struct error *error)
{
    WebPAnimEncoderOptions options;
    struct animation *a = *film = calloc(1, sizeof(*a));
    if (a && WebPAnimEncoderOptionsInit(&options))
        a->encoder = WebPAnimEncoderNew(width, height, &options);
    if (!a || !a->encoder)
        return error_set(error, ERROR_INPUT, "not enough memory for a frame");
    a->width = width;
    a->height = height;
    a->rate = rate;
    return output_open(path, 1, NULL, &a->output, error);
}

/* When the next frame begins, in milliseconds. */
static int next_time(const struct animation *a)
{
    return (int)(((int64_t)a->frames * 2000 + a->rate) / (2 * (int64_t)a->rate));
}

static int webp_add(void *film, const struct image *frame, struct error *error)
{
    struct animation *a = film;
    WebPConfig config;
    WebPPicture picture;
    if (!WebPConfigInit(&config) || !WebPConfigLosslessPreset(&config, LEVEL) ||
        !WebPPictureInit(&picture))
        return error_set(error, ERROR_INPUT,
            "cannot write '%s': libwebp is another one than that "
            "of the build",
            a->output.name);
    picture.use_argb = 1;
    picture.width = a->width;
    picture.height = a->height;
    const int is_added =
        (frame->channels % 2 ? WebPPictureImportRGBX(&picture, frame->pixels, 4 * a->width)
                             : WebPPictureImportRGBA(&picture, frame->pixels, 4 * a->width)) &&
        WebPAnimEncoderAdd(a->encoder, &picture, next_time(a), &config);
    WebPPictureFree(&picture);
    a->frames++;
    return is_added ? 0 : fail(a, error);
}

static int webp_close(void *film, struct error *error)
{
    struct animation *a = film;
    WebPData file = {NULL, 0};
    if (!WebPAnimEncoderAdd(a->encoder, NULL, next_time(a), NULL) ||
        !WebPAnimEncoderAssemble(a->encoder, &file))
        return fail(a, error);
    output_write(&a->output, file.bytes, file.size);
    WebPDataClear(&file);
    return output_commit(&a->output, error);
}

static void webp_abandon(void *film)
{
    struct animation *a = film;
    if (!a)
        return;
    WebPAnimEncoderDelete(a->encoder);
    output_abandon(&a->output);
    free(a);
}
#endif

const struct film_library FILM_WEBP = {
#if HAVE_WEBP
    .open = webp_open,
    .add = webp_add,
    .close = webp_close,
    .abandon = webp_abandon,
#else
    .missing = "libwebp",
#endif
};
