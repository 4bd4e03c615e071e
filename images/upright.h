/* What a file tells about its image is brought into agreement with the pixels; for image_read.c. */
#ifndef UPRIGHT_H
#define UPRIGHT_H

#include "images/image.h"

/* Turns the image as its orientation asks, and makes its metadata say that it is upright. Leaves
 * out what does not fit: a profile of other samples, an EXIF block that is none. Returns 0, or
 * ERROR_INPUT when memory is short, with the image freed. */
int image_settle(struct image *image, struct error *error);

#endif
