/* image_decode of any bytes: an image it gives is sound, and all of its pixels can be read. */
#include <stdlib.h>

#include "images/image.h"

#define MAX_PIXELS (1 << 20)

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void check(int condition)
{
    if (!condition)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static volatile uint8_t sink;
    struct error error = {""};
    struct image image;
    if (image_decode(bytes, size, "fuzz", MAX_PIXELS, &image, &error) != 0) {
        check(!image.pixels && error.text[0]);
        return 0;
    }
    check(image.width >= 1 && image.height >= 1);
    const size_t pixels = (size_t)image.width * (size_t)image.height;
    check(pixels <= MAX_PIXELS);
    check(image.channels >= 1 && image.channels <= 4);
    check(image.depth == 8 || image.depth == 16);
    const uint8_t *samples = image.pixels;
    uint8_t sum = 0;
    for (size_t i = 0; i < pixels * image_pixel_size(&image); i++)
        sum = (uint8_t)(sum + samples[i]);
    sink = sum;
    (void)sink;
    image_free(&image);
    return 0;
}
