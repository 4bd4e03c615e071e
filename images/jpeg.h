/* Reading and writing JPEG by libjpeg. */
#ifndef JPEG_H
#define JPEG_H

#include "images/image.h"
#include "images/input.h"
#include "images/output.h"

/* Whether it starts like a JPEG file. */
int jpeg_recognise(struct input *input);

/* Reads gray, colour and CMYK; damaged and cut files are refused. Returns 0 or ERROR_INPUT. */
int jpeg_decode(struct input *input, uint64_t max_pixels, struct image *image, struct error *error);

/* Writes packed pixels of 1 or 3 channels. Returns 0, or -1 where the encoder fails. */
int jpeg_write(struct output *output, const struct image *image, const void *packed);

#endif
