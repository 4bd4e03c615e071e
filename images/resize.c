/* Other sizes, by stb_image_resize. */
#include <limits.h>
#include <stb_image_resize.h>
#include <stdint.h>

#include "images/image.h"

int image_can_resize(const struct image *from, int width, int height)
{
    const int64_t was = (int64_t)from->width * from->height, is = (int64_t)width * height;
    return (was > is ? was : is) * (int64_t)image_pixel_size(from) <= INT_MAX; /* stb counts so */
}

int image_resize(
    const struct image *from, int width, int height, struct image *to, struct error *error)
{
    const int pixel = (int)image_pixel_size(from);
    if (image_new_in(from->scratch, width, height, from->channels, from->depth, to, error))
        return ERROR_INPUT;
    const int ok =
        stbir_resize(from->pixels, from->width, from->height, from->width * pixel, to->pixels,
            width, height, width * pixel, from->depth == 16 ? STBIR_TYPE_UINT16 : STBIR_TYPE_UINT8,
            4, 3, STBIR_FLAG_ALPHA_USES_COLORSPACE, STBIR_EDGE_CLAMP, STBIR_EDGE_CLAMP,
            STBIR_FILTER_CATMULLROM, STBIR_FILTER_CATMULLROM, STBIR_COLORSPACE_LINEAR, NULL);
    if (ok)
        return 0;
    image_free(to);
    return error_set(error, ERROR_INPUT, "not enough memory to scale the image");
}
