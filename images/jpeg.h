/* Reading and writing JPEG by libjpeg. */
#ifndef JPEG_H
#define JPEG_H

#include "images/image.h"
#include "images/output.h"

/* Whether the bytes start like a JPEG file. */
int jpeg_recognise(const void *bytes, size_t size);

/* Reads gray, colour and CMYK; damaged and cut files are refused. Returns 0 or ERROR_INPUT. */
int jpeg_decode(const void *bytes, size_t size, const char *name, uint64_t max_pixels,
    struct image *image, struct error *error);

/* Writes packed pixels of 1 or 3 channels. Returns 0, or -1 where the encoder fails. */
int jpeg_write(struct output *output, const struct image *image, const void *packed);

#endif
