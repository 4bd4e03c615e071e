/* Colors as CSS and SVG write them. */
#ifndef COLOR_H
#define COLOR_H

/* Reads a color of CSS (https://www.w3.org/TR/css-color-4/): #rgb, #rgba, #rrggbb, #rrggbbaa, a
 * name, transparent, rgb(...) or hsl(...); or "none", as SVG calls no paint, which is transparent.
 * Gives red, green, blue, and alpha, by which they are not multiplied, each 0 to 1. Returns 0, or
 * -1 where the text is none of these. */
int color_parse(const char *text, float rgba[4]);

#endif
