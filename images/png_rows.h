/* The rows of a PNG, which libdeflate inflates faster than libpng; for pngfile.c. */
#ifndef PNG_ROWS_H
#define PNG_ROWS_H

#include "images/image.h"
#include "images/input.h"

#define CHUNK_HEADER 8 /* bytes: a size and a type */

/* Reads all from behind the header of the first IDAT chunk to the end: rows of the image's channels
 * and depth that are not interlaced. The image is as image_new leaves it; after an error it is
 * freed. Returns 0, or ERROR_INPUT. */
int png_rows_read(struct input *input, const unsigned char header[CHUNK_HEADER],
    struct image *image, struct error *error);

#endif
