/* Video as YUV4MPEG2, which ffmpeg and players read from a pipe. */
#ifndef Y4M_H
#define Y4M_H

#include "images/image.h"
#include "images/output.h"

#define Y4M_EXTENSION ".y4m" /* of the names of such files */

struct y4m {
    struct output output;
    int width, height; /* pixels; 0: not open */
    uint8_t *planes;   /* a frame: Y, U, V, each height x width, or of chroma half the sides */
    int is_halved;     /* that is so */
    int is_bt709;      /* of halved chroma: its colors are by BT.709, not by BT.601 */
};

/* Starts a stream at `rate` frames a second; "-" is standard output. Every frame has the size
 * given. Its colors are in studio range (Y 16 to 235) by ITU-R BT.601, which decoders take, since
 * the format has no place to say another: with full-size chroma (C444), or with is_halved of half
 * the width and height (C420mpeg2); then the sides are even. Returns 0 or ERROR_INPUT. */
int y4m_open(const char *path, int is_halved, int width, int height, int rate, struct y4m *y4m,
    struct error *error);

/* The same, of half the width and height of chroma, into a pipe to an encoder, which the stream
 * takes over, also where it fails; `name` stands in messages. Its colors are by ITU-R BT.709, as
 * the encoder is told. */
int y4m_open_pipe(FILE *pipe, const char *name, int width, int height, int rate, struct y4m *y4m,
    struct error *error);

/* Adds an 8-bit image, in whole numbers: full-size chroma with 8 fractional bits; halved with 16,
 * of two rows, and in them of the pixel at an even column and, half as much, its neighbors. Returns
 * 0 or ERROR_INPUT. */
int y4m_add(struct y4m *y4m, const struct image *frame, struct error *error);

/* Puts the stream in its place. Returns 0, or ERROR_INPUT with nothing changed. */
int y4m_close(struct y4m *y4m, struct error *error);

/* Gives up a stream that is open; nothing is left of it. */
void y4m_abandon(struct y4m *y4m);

#endif
