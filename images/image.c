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
