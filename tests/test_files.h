/* What tests of writers share: files with some text, and images that are written in strips. */
#ifndef TEST_FILES_H
#define TEST_FILES_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "images/image.h"

static inline void put_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");
    if (!file || fputs(text, file) < 0 || fclose(file) != 0)
        abort();
}

static inline int file_holds(const char *path, const char *text)
{
    char read[512] = "";
    FILE *file = fopen(path, "rb");
    if (!file)
        return 0;
    const size_t size = fread(read, 1, sizeof(read) - 1, file);
    fclose(file);
    return size == strlen(text) && memcmp(read, text, size) == 0;
}

/* Writes an image in strips of so many rows. Returns what the writer does. */
static inline int write_strips(const char *path, const struct image *image, int rows,
    const struct progress *progress, struct error *error)
{
    struct image_writer *writer;
    int rc = image_writer_open(path, NULL, image, rows, progress, &writer, error);
    if (rc)
        return rc;
    for (int y = 0; rc == 0 && y < image->height; y += rows) {
        struct image strip = *image;
        strip.height = rows < image->height - y ? rows : image->height - y;
        strip.pixels = (unsigned char *)image->pixels +
                       (size_t)y * (size_t)image->width * image_pixel_size(image);
        rc = image_writer_add(writer, &strip, error);
    }
    if (rc == 0)
        return image_writer_close(writer, error);
    image_writer_abandon(writer);
    return rc;
}

#endif
