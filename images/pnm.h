/* Reading portable anymaps: PBM, PGM and PPM, plain and raw (netpbm's pbm(5), pgm(5), ppm(5)). */
#ifndef PNM_H
#define PNM_H

#include "images/image.h"
#include "images/input.h"

/* Whether it starts like a PNM file: P1 to P6. */
int pnm_recognise(struct input *input);

/* Reads the first picture. Bitmaps become 8-bit gray; a sample range other than 255 or 65535 is
 * scaled to the full 8 or 16 bits, rounded. Returns 0 or ERROR_INPUT. */
int pnm_decode(struct input *input, uint64_t max_pixels, struct image *image, struct error *error);

#endif
