/* Images: the type that all tools share, reading and writing it. */
#ifndef IMAGE_H
#define IMAGE_H

#include <stddef.h>
#include <stdint.h>

#include "error.h"
#include "images/metadata.h"
#include "images/scratch.h"
#include "progress.h"
#include "words.h"

#define IMAGE_MAX_PIXELS ((uint64_t)1 << 29) /* what is read unless the user allows more */

/* How coarsely a JPEG file kept an image, whose blocks begin at its top left; zeros where it was
 * none. Steps are the mean of the quantization table, as a quarter of its binary logarithm. */
struct jpeg_origin {
    float luminance, color; /* steps */
    int is_halved;          /* whether colors have half the resolution */
};

#define IMAGE_SEVERAL (-1) /* images of a file, which nobody has counted */

/* Pixels are always RGBA in memory, whatever the file holds, so that kernels know one layout. */
struct image {
    int width, height;       /* pixels */
    int channels;            /* what a file of it holds: 1 gray, 2 gray + alpha, 3 RGB, 4 RGBA */
    int depth;               /* bits a channel: 8 or 16 */
    void *pixels;            /* height x width x 4 of uint8_t or uint16_t, rows from the top */
    struct scratch *scratch; /* by which they are allocated, as what is as large should be */
    struct jpeg_origin jpeg;
    int images;    /* pages or frames of the file, of which this is the first, or IMAGE_SEVERAL; 0:
                      there is no other, or it is not known, or the path names one */
    int next_page; /* the number of the second one, by which a path can name it; 0: none can */
    struct metadata metadata; /* of the file that it was read from, and of one it is written to */
    int quality; /* of a file it is written to, 1 to 100; 0: what its format has without */
};

/* Bytes of one pixel in memory. */
static inline size_t image_pixel_size(const struct image *image)
{
    return image->depth == 16 ? 8 : 4;
}

/* Bytes of all of them. */
static inline size_t image_bytes(const struct image *image)
{
    return (size_t)image->width * (size_t)image->height * image_pixel_size(image);
}

/* Sample `at` of the pixels, of which each has four, in the image's depth. */
static inline int image_sample(const struct image *image, size_t at)
{
    return image->depth == 16 ? ((const uint16_t *)image->pixels)[at]
                              : ((const uint8_t *)image->pixels)[at];
}

/* The same in 8 bits, of 16 the upper ones. */
static inline int image_sample_8(const struct image *image, size_t at)
{
    return image_sample(image, at) >> (image->depth - 8);
}

/* Before each row of a tile that a loop of many threads, or a quick one, reads or writes; see
 * scratch_pass. */
static inline void image_pass_row(const struct image *image)
{
    scratch_pass(image->scratch, (size_t)image->width * image_pixel_size(image));
}

/* Copies width x height pixels from (x, y) of an image to (to_x, to_y) of one with the same bits a
 * channel. */
void image_copy_area(const struct image *from, int x, int y, int width, int height,
    const struct image *to, int to_x, int to_y);

/* Allocates an image of zeros. Returns 0, or ERROR_INPUT when memory is short. */
int image_new(
    int width, int height, int channels, int depth, struct image *image, struct error *error);

/* The same of one that may be larger than memory: images/scratch.h, which must outlive it. */
int image_new_in(struct scratch *scratch, int width, int height, int channels, int depth,
    struct image *image, struct error *error);

/* Takes the samples that a file holds out of the `count` pixels from the `first` on, `channels` a
 * pixel, in native order: gray is in R, its alpha in A. */
void image_pack(const struct image *image, size_t first, size_t count, void *packed);

/* Refuses an image that is too large to read, or empty. Returns 0 or ERROR_INPUT. */
int image_check_size(
    int64_t width, int64_t height, const char *name, uint64_t max_pixels, struct error *error);

/* Makes an image of another size by Catmull and Rom's cubic, without regard to gamma. Its metadata
 * are empty, and it counts as no JPEG file. image_can_resize says whether neither is too large, 2
 * GiB in memory. Returns 0, or ERROR_INPUT when memory is short. image_free frees. */
int image_can_resize(const struct image *from, int width, int height);
int image_resize(
    const struct image *from, int width, int height, struct image *to, struct error *error);

/* Frees the pixels and the metadata; a zeroed or freed image is fine. */
void image_free(struct image *image);

/* The names of the formats that are read; of those that are written and can hold the image's size
 * (0 x 0: any), channels and depth (image NULL: any); and the usual extensions of the latter,
 * ".png" for one. */
struct words image_read_formats(void);
struct words image_formats(const struct image *image);
struct words image_extensions(const struct image *image);

/* The libraries that read and write images, with their versions, and those that this build lacks,
 * each as "a, b". */
struct image_libraries {
    struct words_text present, missing;
};
struct image_libraries image_libraries(void);

/* The file that the path of an image leads to, and the number of the page in it, from 0: of
 * "in.tif[2]" that is "in.tif" and 2, unless there is a file "in.tif[2]"; of other paths the path
 * itself and 0. `file` has room for PATH_MAX bytes. Returns whether the path names a page. */
int image_page(const char *path, char *file, int *page);

/* Tells the user that the file of an image which was read has others: writes a line. Returns
 * whether it has. */
int image_tell_others(const struct image *image, const char *path, struct error *line);

/* Reads a file of one of image_read_formats, of a GIF the first frame; "-" is standard input. Of a
 * TIFF file it is the first page, or the one that the path names as image_page has it.
 * The first bytes decide which; more than max_pixels are refused before decoding. The image is
 * turned as the file says it is to be seen, and its metadata then say that it is upright. Reading
 * reports to `progress` (NULL: nobody watches). Returns 0, ERROR_INPUT or ERROR_STOPPED. */
int image_read(const char *path, uint64_t max_pixels, const struct progress *progress,
    struct image *image, struct error *error);

/* The same of an image that may be larger than memory; its pixels are those of `scratch`. */
int image_read_in(struct scratch *scratch, const char *path, uint64_t max_pixels,
    const struct progress *progress, struct image *image, struct error *error);

/* The same from memory; name stands in messages. */
int image_decode(const void *bytes, size_t size, const char *name, uint64_t max_pixels,
    struct image *image, struct error *error);

/* The folder of the tiles that belongs to a DeepZoom image, behind links: "a_files" to "a.dzi". The
 * caller frees it; NULL where memory is short. */
char *image_tiles(const char *path);

/* Whether the path leads to a DeepZoom image, so that whoever reads it reads its tiles, too. */
int image_has_tiles(const char *path);

/* Whether the format named, or with NULL that of the path's extension, is one of images that are
 * written, were it not for a library that this build lacks; "-" is one. */
int image_is_name(const char *path, const char *format);

/* Whether files of that format, chosen as image_write does, keep what PNG tells of colors. */
int image_keeps_png_colors(const char *path, const char *format);

/* Refuses a format, chosen as image_write does, in which images have no quality. Returns 0,
 * ERROR_INPUT or ERROR_USAGE. */
int image_check_quality(const char *path, const char *format, struct error *error);

/* Checks, before any work is done, that path can be written and that its format can hold the
 * image's size (0 x 0: any), channels and depth (image NULL: any). The format is the one named,
 * or with NULL the one of the path's extension ("-" gives PNG). Returns 0, ERROR_INPUT or
 * ERROR_USAGE. */
int image_check_output(
    const char *path, const char *format, const struct image *image, struct error *error);

/* The same of an image of which at most so many rows are there at a time: formats that need all
 * pixels at once are refused where these are fewer than the image has. */
int image_check_rows(const char *path, const char *format, const struct image *image, int most_rows,
    struct error *error);

/* Writes the image under a temporary name and renames it when whole; "-" is standard output.
 * Refuses what image_check_output refuses. BMP stores gray as equal R, G and B; JPEG is written at
 * quality 95, and WebP without loss, unless the image has a quality. Files get the image's
 * metadata, as far as their format can hold it; the size that its EXIF block tells is set
 * to the image's. Writing reports to `progress` (NULL: nobody watches). Returns 0, ERROR_INPUT,
 * ERROR_USAGE or ERROR_STOPPED. */
int image_write(const char *path, const char *format, const struct image *image,
    const struct progress *progress, struct error *error);

/* Writes the image as a PNG file into memory, which the caller frees; `name` stands in messages.
 * Returns 0, or ERROR_INPUT with no bytes. */
int image_encode(
    const struct image *image, const char *name, char **bytes, size_t *size, struct error *error);

/* The same as image_write of an image whose pixels come strip by strip, rows from the top, so that
 * it may be larger than memory. `whole` says the size, channels and depth; its pixels are not
 * looked at, and its metadata must outlive the writer. A strip has at most `most_rows` rows;
 * formats that need all pixels at once are refused where these are fewer than the image has.
 * Writing reports the share of the whole to `progress` (NULL: nobody watches), which must outlive
 * the writer, as `path` must. Returns as image_write; on failure there is nothing to abandon. */
struct image_writer;
int image_writer_open(const char *path, const char *format, const struct image *whole,
    int most_rows, const struct progress *progress, struct image_writer **writer,
    struct error *error);

/* The same of an image that several processes write, of which this is the first: images/parts.h.
 * What is added then is the rest, which may take `memory` bytes. Where the image is not written so,
 * parts->count is 0, and there is no writer. */
struct image_parts;
int image_writer_open_parts(const char *path, const char *format, const struct image *whole,
    uint64_t memory, const struct progress *progress, struct image_writer **writer,
    struct image_parts *parts, struct error *error);

/* Writes the next strip->height rows, of the width, channels and depth of the whole. The file does
 * not depend on how it is cut into strips; strips of some hundred rows use all threads. Returns 0,
 * ERROR_INPUT or ERROR_STOPPED; after a failure the writer is to be abandoned. */
int image_writer_add(struct image_writer *writer, const struct image *strip, struct error *error);

/* Puts the file in its place when all rows are added, and frees the writer. Returns 0, ERROR_INPUT
 * or ERROR_STOPPED; after a failure nothing is left behind. */
int image_writer_close(struct image_writer *writer, struct error *error);

/* Gives up: nothing is left behind. NULL is fine. */
void image_writer_abandon(struct image_writer *writer);

#endif
