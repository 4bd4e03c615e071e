/* Lines of text on 8-bit RGB images, in DejaVu Sans, which is in the program (images/font). */
#ifndef TEXT_H
#define TEXT_H

#include "images/draw.h"

/* Where a line of text stands and how it looks. */
struct text_style {
    double x, y;   /* pixels; the point lies halfway between the baseline and the top of capitals */
    double before; /* share of the line that lies before the point: 0, 0.5 or 1 */
    double size;   /* of an em, pixels: capitals are 0.73 of it high, digits 0.64 wide */
    int is_upward; /* is read from the bottom to the top */
    struct color color;
};

/* Writes a line in UTF-8; characters that the font lacks are empty boxes. What lies outside the
 * image is left out. */
void draw_text(struct image *image, const struct text_style *style, const char *text);

/* How long the line is, in pixels. */
double text_width(const char *text, double size);

#endif
