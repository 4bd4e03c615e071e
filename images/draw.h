/* Drawing on 8-bit RGB images, for the snapshots of stages. */
#ifndef DRAW_H
#define DRAW_H

#include "images/image.h"

#define DRAW_DIGIT_WIDTH 4 /* pixels at scale 1, the gap included */
#define DRAW_DIGIT_HEIGHT 5

struct color {
    uint8_t red, green, blue;
};

/* A color for a value from 0 (dark violet) to 1 (yellow), after matplotlib's map "viridis". */
struct color draw_heat(double value);

/* The same for values to both sides of a middle: from blue by light gray at 0.5 to red. */
struct color draw_diverging(double value);

/* Fills a rectangle of pixels; what lies outside the image is left out. */
void draw_rectangle(struct image *image, int x, int y, int width, int height, struct color color);

/* Writes a number of 3 x 5 pixel digits, each pixel scale x scale, its top left corner at x, y. */
void draw_number(struct image *image, int x, int y, int scale, unsigned number, struct color color);

/* The same for a text of digits and "-+.e"; other characters are left out. */
void draw_text(struct image *image, int x, int y, int scale, const char *text, struct color color);

/* A bar of the colors that `map` has for 0 to 1 at the right border, with the values that its ends
 * and its middle stand for; as large as the image asks for, DRAW_BAR_WIDTH(its height) pixels
 * with three characters a value. */
#define DRAW_BAR_WIDTH(height) (34 * ((height) / 360 + 1))
void draw_color_bar(struct image *image, struct color (*map)(double value), double low, double high,
    struct color text);

/* A copy as 8-bit RGB with no side above max_side, by taking every n-th pixel. *step gets n.
 * Returns 0 or ERROR_INPUT. */
int draw_reduced_copy(
    const struct image *image, int max_side, struct image *copy, int *step, struct error *error);

#endif
