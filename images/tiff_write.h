/* Writing TIFF files: tiles of an image and of its reductions; for tiff.c. */
#ifndef TIFF_WRITE_H
#define TIFF_WRITE_H

#include "images/formats.h"

/* As the members of struct image_format. */
int tiff_check(const char *path, struct error *error);
int tiff_begin(struct image_writer *writer, struct error *error);
int tiff_add(struct image_writer *writer, const struct image *strip, struct error *error);
int tiff_end(struct image_writer *writer, struct error *error);
void tiff_release(struct image_writer *writer, int is_in_place);

#endif
