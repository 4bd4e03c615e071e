/* Drawing on 8-bit RGB images, for the snapshots of stages. */
#ifndef DRAW_H
#define DRAW_H

#include "images/image.h"

struct color {
    uint8_t red, green, blue;
};

/* A color for a value from 0 (dark violet) to 1 (yellow), after matplotlib's map "viridis". */
struct color draw_heat(double value);

/* The same for values to both sides of a middle: from blue by light gray at 0.5 to red. */
struct color draw_diverging(double value);

/* The same from black to white. */
struct color draw_gray(double value);

/* Fills a rectangle of pixels; what lies outside the image is left out. */
void draw_rectangle(struct image *image, int x, int y, int width, int height, struct color color);

/* A copy as 8-bit RGB with no side above max_side, by taking every n-th pixel. *step gets n.
 * Returns 0 or ERROR_INPUT. */
int draw_reduced_copy(
    const struct image *image, int max_side, struct image *copy, int *step, struct error *error);

#endif
