#include "images/image.h"

#include <inttypes.h>
#include <stdlib.h>

int image_new(
    int width, int height, int channels, int depth, struct image *image, struct error *error)
{
    *image = (struct image){.width = width, .height = height, .channels = channels, .depth = depth};
    image->pixels = calloc((size_t)width * (size_t)height, image_pixel_size(image));
    if (!image->pixels)
        return error_set(
            error, ERROR_INPUT, "not enough memory for an image of %d x %d pixels", width, height);
    return 0;
}

void image_pack(const struct image *image, size_t first, size_t count, void *packed)
{
    const size_t channels = (size_t)image->channels;
    const size_t source[4] = {0, channels == 2 ? 3 : 1, 2, 3};
    for (size_t i = 0; i < count; i++)
        for (size_t c = 0; c < channels; c++) {
            const size_t to = i * channels + c, from = 4 * (first + i) + source[c];
            if (image->depth == 16)
                ((uint16_t *)packed)[to] = ((const uint16_t *)image->pixels)[from];
            else
                ((uint8_t *)packed)[to] = ((const uint8_t *)image->pixels)[from];
        }
}

void image_free(struct image *image)
{
    free(image->pixels);
    *image = (struct image){0};
}

int image_check_size(
    int64_t width, int64_t height, const char *name, uint64_t max_pixels, struct error *error)
{
    if (width < 1 || height < 1)
        return error_set(error, ERROR_INPUT, "cannot read '%s': it has no pixels", name);
    if ((uint64_t)width * (uint64_t)height > max_pixels)
        return error_set(error, ERROR_INPUT,
            "cannot read '%s': %" PRId64 " x %" PRId64 " pixels are more than %" PRIu64
            "; allow more",
            name, width, height, max_pixels);
    return 0;
}
