/* The formats of image files; for images/ alone. */
#ifndef FORMATS_H
#define FORMATS_H

#include "images/image.h"
#include "images/input.h"
#include "images/output.h"
#include "images/parts.h"

#define MAX_EXTENSIONS 3
#define LIBRARY_TEXT 64
#define FILE_TOO_LONG "the file is longer than an image that is allowed; raise max-pixels"

/* What a file of some format can hold: a bit set of counts of channels. */
enum { HOLDS_GRAY = 1 << 1, HOLDS_GRAY_ALPHA = 1 << 2, HOLDS_RGB = 1 << 3, HOLDS_RGBA = 1 << 4 };

/* An image that is written, in strips of rows from the top. */
struct image_writer {
    const struct image_format *format;
    struct output output;
    struct image whole; /* without its pixels */
    int most_rows;      /* of a strip */
    int rows;           /* that have been added */
    void *state;        /* of the format */
};

struct image_format {
    const char *name; /* as --format takes it */
    const char
        *extensions[MAX_EXTENSIONS]; /* of the names of such files, ".png", the usual one first */

    /* Opens the library that reads or writes such files, before anything else is asked of it.
     * Returns 0 or ERROR_INPUT with the reason alone. NULL: it is always open, or there is none. */
    int (*open)(struct error *error);
    /* Tells its name and version. NULL: there is none. */
    void (*tell_library)(char text[LIBRARY_TEXT]);
    /* The library that this build lacks for them, so that nothing follows but `recognize`; or
     * NULL. */
    const char *missing;

    /* Whether a file starts like one of this format. Where a format has no mark to know it by,
     * NULL: it is tried when no other recognizes the file, so there can be one such format. */
    int (*recognize)(struct input *input);
    /* Reads a file, an image of more than max_pixels excepted. Returns 0, ERROR_INPUT or
     * ERROR_STOPPED. NULL: files are only written by this row. */
    int (*decode)(
        struct input *input, uint64_t max_pixels, struct image *image, struct error *error);

    int keeps_png_colors; /* files have a place for metadata.colors */
    int takes_quality;    /* the writer heeds whole.quality */

    int has_pages; /* the number of the page in `input` is heeded */

    /* The most that a file holds, if it is written. */
    unsigned channels; /* HOLDS_ */
    int max_depth;     /* bits a channel */
    int max_side;      /* pixels */
    int is_whole;      /* it is written from one strip, which is the whole image */

    /* Refuses a path to which files of the format cannot be written. Returns 0 or ERROR_INPUT.
     * NULL: output_check refuses all. */
    int (*check)(const char *path, struct error *error);

    /* Writes a file: what stands before the rows, each strip, whose first row is writer->rows, and
     * what stands behind them. Each returns 0 or ERROR_INPUT; where the output has failed, that is
     * kept there, and they return as if done. NULL: nothing to do; without `add` files are only
     * read. */
    int (*begin)(struct image_writer *writer, struct error *error);
    /* Begins in place of `begin` a file that several processes write, and says how in `parts`, or
     * leaves it; the rows of the rest, which may take so many bytes, are added then. NULL: one
     * process writes all files. */
    int (*begin_parts)(struct image_writer *writer, uint64_t memory, struct image_parts *parts,
        struct error *error);
    int (*add)(struct image_writer *writer, const struct image *strip, struct error *error);
    int (*end)(struct image_writer *writer, struct error *error);
    /* Frees the state, which may be half made, or NULL, of a file that is in its place or given up;
     * the output is closed. NULL: there is none. */
    void (*release)(struct image_writer *writer, int is_in_place);
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
    FORMAT(IMAGE_PNM) \
    FORMAT(IMAGE_TIFF) \
    FORMAT(IMAGE_WEBP) \
    FORMAT(IMAGE_JXL) \
    FORMAT(IMAGE_AVIF) \
    FORMAT(IMAGE_DZI)
#define IMAGE_FORMAT_EXTERN(format) extern const struct image_format format;
IMAGE_FORMATS(IMAGE_FORMAT_EXTERN)

/* Whether memory has the least significant byte first. */
static inline int is_little_endian(void)
{
    const uint16_t one = 1;
    return *(const uint8_t *)&one == 1;
}

#define STB_MAX_SIDE (1 << 14) /* pixels, since stb counts bytes in an int */

/* The message that an encoder has failed. Returns ERROR_INPUT. */
int image_encoder_failed(const struct image_writer *writer, struct error *error);

/* Writes an image of 8 bits by one of stb's encoders. Returns as image_format.add. */
typedef int stb_encoder(void (*write)(void *context, void *bytes, int size), void *context,
    int width, int height, int channels, const void *packed);
int stb_write(stb_encoder *encode, struct image_writer *writer, const struct image *image,
    struct error *error);

#endif
