/* Reading BMP: of Windows and OS/2, of 1 to 32 bits a pixel, run-length encoded too, either way up. */
#ifndef BMP_H
#define BMP_H

#include "images/image.h"
#include "images/input.h"

/* Whether it starts like a BMP file. */
int bmp_recognise(struct input *input);

/* Reads it as 8-bit RGB, or RGBA where it has alpha: a mask for it, or 32 bits a pixel of which the
 * fourth byte is not 0 everywhere. Pixels that a run-length encoded file leaves out have color 0.
 * Returns 0 or ERROR_INPUT. */
int bmp_decode(struct input *input, uint64_t max_pixels, struct image *image, struct error *error);

#endif
