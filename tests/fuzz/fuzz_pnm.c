/* The same as fuzz_image.c for PNM alone: a 'P' is put in front, so that the input is the rest. */
#include <stdlib.h>
#include <string.h>

#include "images/image.h"

#define MAX_PIXELS (1 << 20)

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void check(int condition)
{
    if (!condition)
        abort();
}

/* Gray is in R, G and B; what PNM reads is opaque. */
static void check_pixels(const struct image *image)
{
    for (size_t i = 0; i < 4 * (size_t)image->width * (size_t)image->height; i += 4) {
        const uint8_t *eight = (const uint8_t *)image->pixels + i;
        const uint16_t *sixteen = (const uint16_t *)image->pixels + i;
        check(image->depth == 8 ? eight[3] == 255 : sixteen[3] == 65535);
        if (image->channels == 1)
            check(image->depth == 8 ? eight[0] == eight[1] && eight[0] == eight[2]
                                    : sixteen[0] == sixteen[1] && sixteen[0] == sixteen[2]);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct error error = {""};
    struct image image;
    uint8_t *text = malloc(size + 1);
    if (!text)
        return 0;
    text[0] = 'P';
    if (size)
        memcpy(text + 1, bytes + (bytes[0] == 'P'), size - (bytes[0] == 'P'));
    const size_t length = size ? size + (bytes[0] != 'P') : 1;
    const int rc = size > 0 && text[1] >= '1' && text[1] <= '6'
                       ? image_decode(text, length, "fuzz", MAX_PIXELS, &image, &error)
                       : ERROR_INPUT;
    free(text);
    if (rc)
        return 0;
    check(image.width >= 1 && image.height >= 1 &&
          (uint64_t)image.width * (uint64_t)image.height <= MAX_PIXELS);
    check(image.channels == 1 || image.channels == 3);
    check(image.depth == 8 || image.depth == 16);
    check_pixels(&image);
    image_free(&image);
    return 0;
}
