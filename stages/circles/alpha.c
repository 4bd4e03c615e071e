/* The alpha of an image whose background is not opaque. The rows begun with are painted twice:
 * first white circles on a gray as light as the background's alpha, whose bytes are the pixels'
 * alpha, then the colors, on the background's color times its alpha. So these bytes are colors
 * times alpha, and are divided by it in the end. */
#include <stdlib.h>

#include "stages/circles/circles.h"

enum {
    BLUE = 2,
    ALPHA = 3
}; /* of a pixel. Blue is read, since soft circles tint white in red and green alone. */

int circles_channels(const struct circles *c)
{
    return c->scene.transmittance > 0 ? 4 : 3;
}

int circles_start_layer(struct run *run, struct circles *c, int paints_alpha)
{
    const size_t rows = (c->end_row - c->begin_row) / c->result.samples;
    uint8_t *alpha = realloc(c->alpha, rows * c->result.width);
    if (!alpha)
        return error_set(&run->error, ERROR_INPUT, "not enough memory for an image's alpha");
    c->alpha = alpha;
    c->paints_alpha = paints_alpha;
    c->band_row = c->begin_row;
    c->chunk_first = c->chunk_end = 0;
    c->is_planned = 0;
    return 0;
}

/* Colors beyond white are more than alpha. */
static uint8_t divide(unsigned color, unsigned alpha)
{
    const unsigned share = alpha ? (255 * color + alpha / 2) / alpha : 0;
    return (uint8_t)(share < 255 ? share : 255);
}

void circles_finish_layer(struct circles *c, uint8_t *pixels, size_t count)
{
    const size_t row = (c->band_row - c->begin_row) / c->result.samples;
    uint8_t *alpha = c->alpha + row * c->result.width;
    for (size_t i = 0; i < count; i++, pixels += 4) {
        if (c->paints_alpha) {
            alpha[i] = pixels[BLUE];
            continue;
        }
        for (int j = 0; j < 3; j++)
            pixels[j] = divide(pixels[j], alpha[i]);
        pixels[ALPHA] = alpha[i];
    }
}
