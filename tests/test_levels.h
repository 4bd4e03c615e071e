/* Noise, and the levels of an image by their definition, one pixel after the other. */
#ifndef TEST_LEVELS_H
#define TEST_LEVELS_H

#include <stdlib.h>

#include "images/image.h"
#include "tests/test_random.h"

static inline unsigned get_sample(const struct image *image, size_t i)
{
    return image->depth == 16 ? ((const uint16_t *)image->pixels)[i]
                              : ((const uint8_t *)image->pixels)[i];
}

static inline void set_sample(struct image *image, size_t i, unsigned value)
{
    if (image->depth == 16)
        ((uint16_t *)image->pixels)[i] = (uint16_t)value;
    else
        ((uint8_t *)image->pixels)[i] = (uint8_t)value;
}

static inline struct image make_empty(int width, int height, int channels, int depth)
{
    struct error error;
    struct image image;
    if (image_new(width, height, channels, depth, &image, &error))
        abort();
    return image;
}

/* Noise as a reader would give it: gray has R = G = B, what has no alpha is opaque. Much alpha is
 * 0. */
static inline struct image make_noise(int width, int height, int channels, int depth)
{
    struct image image = make_empty(width, height, channels, depth);
    const unsigned full = depth == 16 ? 65535 : 255;
    for (size_t i = 0; i < (size_t)width * (size_t)height; i++) {
        for (size_t c = 0; c < 3; c++)
            set_sample(&image, 4 * i + c,
                channels <= 2 && c ? get_sample(&image, 4 * i) : next_random() >> 9 & full);
        const unsigned alpha = next_random() >> 9;
        set_sample(&image, 4 * i + 3, channels % 2 ? full : alpha & 0x80 ? 0 : alpha & full);
    }
    return image;
}

/* The next level by its definition: the mean of those of 2 x 2 pixels that there are, rounded. */
static inline struct image halve(const struct image *image)
{
    struct image half =
        make_empty((image->width + 1) / 2, (image->height + 1) / 2, image->channels, image->depth);
    for (int y = 0; y < half.height; y++)
        for (int x = 0; x < half.width; x++) {
            uint64_t count = 0, alpha = 0, sum[4] = {0}, weighted[4] = {0};
            for (int v = 2 * y; v < 2 * y + 2 && v < image->height; v++)
                for (int u = 2 * x; u < 2 * x + 2 && u < image->width; u++) {
                    const size_t at = 4 * ((size_t)v * (size_t)image->width + (size_t)u);
                    count++;
                    alpha += get_sample(image, at + 3);
                    for (size_t c = 0; c < 4; c++) {
                        sum[c] += get_sample(image, at + c);
                        weighted[c] +=
                            (uint64_t)get_sample(image, at + c) * get_sample(image, at + 3);
                    }
                }
            for (size_t c = 0; c < 4; c++) {
                const int is_weighted = c < 3 && alpha && image->channels % 2 == 0;
                const uint64_t above = is_weighted ? weighted[c] : sum[c];
                const uint64_t below = is_weighted ? alpha : count;
                set_sample(&half, 4 * ((size_t)y * (size_t)half.width + (size_t)x) + c,
                    (unsigned)((2 * above + below) / (2 * below)));
            }
        }
    return half;
}

#endif
