/* The formats of image files; for images/ alone. */
#ifndef FORMATS_H
#define FORMATS_H

#include "images/image.h"
#include "images/input.h"
#include "images/output.h"

#define MAX_EXTENSIONS 3

/* What a file of some format can hold: a bit set of counts of channels. */
enum { HOLDS_GRAY = 1 << 1, HOLDS_GRAY_ALPHA = 1 << 2, HOLDS_RGB = 1 << 3, HOLDS_RGBA = 1 << 4 };

struct image_format {
    const char *name; /* as --format takes it */
    const char
        *extensions[MAX_EXTENSIONS]; /* of the names of such files, ".png", the usual one first */

    /* Whether a file starts like one of this format. Where a format has no mark to know it by,
     * NULL: it is tried when no other recognizes the file, so there can be one such format. */
    int (*recognize)(struct input *input);
    /* Reads a file, an image of more than max_pixels excepted. Returns 0, ERROR_INPUT or
     * ERROR_STOPPED. NULL: files are only written by this row. */
    int (*decode)(
        struct input *input, uint64_t max_pixels, struct image *image, struct error *error);

    /* The most that a file holds, if it is written. */
    unsigned channels; /* HOLDS_ */
    int max_depth;     /* bits a channel */
    int max_side;      /* pixels */
    /* Writes a file. Returns 0, or -1 where the encoder fails. NULL: files are only read. */
    int (*write)(struct output *output, const struct image *image);
};

/* The formats, each of which a file of images/ defines, in the order in which messages list
 * them. */
#define IMAGE_FORMATS(FORMAT) \
    FORMAT(IMAGE_PNG) \
    FORMAT(IMAGE_JPEG) \
    FORMAT(IMAGE_BMP) \
    FORMAT(IMAGE_TGA) \
    FORMAT(IMAGE_GIF) \
    FORMAT(IMAGE_PSD) \
    FORMAT(IMAGE_HDR) \
    FORMAT(IMAGE_PIC) \
    FORMAT(IMAGE_PGM) \
    FORMAT(IMAGE_PPM) \
    FORMAT(IMAGE_PNM)
#define IMAGE_FORMAT_EXTERN(format) extern const struct image_format format;
IMAGE_FORMATS(IMAGE_FORMAT_EXTERN)

/* Whether memory has the least significant byte first. */
static inline int is_little_endian(void)
{
    const uint16_t one = 1;
    return *(const uint8_t *)&one == 1;
}

#define STB_MAX_SIDE (1 << 14) /* pixels, since stb counts bytes in an int */

/* Writes an image of 8 bits by one of stb's encoders. Returns 0 or -1, as image_format.write. */
typedef int stb_encoder(void (*write)(void *context, void *bytes, int size), void *context,
    int width, int height, int channels, const void *packed);
int stb_write(stb_encoder *encode, struct output *output, const struct image *image);

#endif
