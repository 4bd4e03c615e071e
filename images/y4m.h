/* Video as YUV4MPEG2, which ffmpeg and players read from a pipe. */
#ifndef Y4M_H
#define Y4M_H

#include "images/image.h"
#include "images/output.h"

#define Y4M_EXTENSION ".y4m" /* of the names of such files */

struct y4m {
    struct output output;
    int width, height; /* pixels; 0: not open */
    uint8_t *planes;   /* a frame: Y, U, V, each height x width */
};

/* Whether the name is that of such a stream: it ends in Y4M_EXTENSION. */
int y4m_is_name(const char *path);

/* Starts a stream at `rate` frames a second; "-" is standard output. Every frame has the size
 * given. Returns 0 or ERROR_INPUT. */
int y4m_open(
    const char *path, int width, int height, int rate, struct y4m *y4m, struct error *error);

/* Adds an 8-bit image: full-size chroma (C444), ITU-R BT.601 in its studio range (Y 16 to 235),
 * in whole numbers with 8 fractional bits. Returns 0 or ERROR_INPUT. */
int y4m_add(struct y4m *y4m, const struct image *frame, struct error *error);

/* Puts the stream in its place. Returns 0, or ERROR_INPUT with nothing changed. */
int y4m_close(struct y4m *y4m, struct error *error);

/* Gives up a stream that is open; nothing is left of it. */
void y4m_abandon(struct y4m *y4m);

#endif
