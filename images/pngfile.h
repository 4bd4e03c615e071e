/* Reading PNG, and writing what stb cannot, by libpng. */
#ifndef PNGFILE_H
#define PNGFILE_H

#include "images/image.h"
#include "images/input.h"
#include "images/output.h"

/* Whether it starts like a PNG file. */
int pngfile_recognise(struct input *input);

/* Reads any PNG; checksums are checked, damaged and cut files refused. Fewer than 8 bits become 8, a
 * palette RGB, a transparent colour alpha. Returns 0 or ERROR_INPUT. */
int pngfile_decode(
    struct input *input, uint64_t max_pixels, struct image *image, struct error *error);

/* Writes packed pixels of any channels and depth. Returns 0, or -1 where the encoder fails. */
int pngfile_write(struct output *output, const struct image *image, const void *packed);

#endif
