/* Reading DeepZoom images, in dzi_read.c, for the row of the format in dzi.c. */
#ifndef DZI_H
#define DZI_H

#include "images/formats.h"

/* Whether a file starts like a DeepZoom image, which is XML. */
int dzi_recognize(struct input *input);

/* Reads the last level, which is the image itself; as image_format.decode. */
int dzi_decode(struct input *input, uint64_t max_pixels, struct image *image, struct error *error);

#endif
