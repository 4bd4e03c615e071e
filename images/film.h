/* Videos: YUV4MPEG2, which is written here, animated WebP and GIF by libraries, and what phones and
 * browsers play by a running ffmpeg. */
#ifndef FILM_H
#define FILM_H

#include <sys/types.h>

#include "images/y4m.h"

struct film_library;

/* Pixels, but for YUV4MPEG2: ffmpeg takes less than 2^28 with 128 added to each side, and some
 * encoders sides up to 16383 only. */
#define FILM_MAX_SIDE 16254

/* A video at work; a zeroed one is none. */
struct film {
    struct y4m stream; /* the file, or what the encoder reads */
    int is_open;
    pid_t encoder;                     /* 0: none, it is YUV4MPEG2 */
    int messages;                      /* the file that the encoder's messages go to */
    struct output output;              /* the encoder's file */
    const struct film_library *writer; /* that writes it, or NULL */
    void *animation;                   /* of the library */
    struct image padded;               /* a frame with even sides, where that given has not */
};

/* The names of the formats, "y4m" first; they are also the extensions of files, behind a dot. */
struct words film_formats(void);

/* Adds the libraries that write films, with their versions, and those that this build lacks,
 * without those that image_libraries tells of. */
void film_libraries(struct words *present, struct words *missing);

/* Whether the format named, or with NULL that of the path's extension, is one of a video. */
int film_is_name(const char *path, const char *format);

/* Whether the video, of the format named, or with NULL that of the path's extension, or y4m, keeps
 * the alpha of its frames. */
int film_has_alpha(const char *path, const char *format);

/* Checks, before any work is done, that the video can be written: the format is the one named, or
 * with NULL that of the path's extension, or y4m, and it holds frames of that size (0 x 0: any).
 * Returns 0 or ERROR_INPUT. */
int film_check(const char *path, const char *format, int width, int height, struct error *error);

/* Starts a video at `rate` frames a second. Every frame has the size given. For an encoder, odd
 * sides are made even: the last column or row is repeated. Of films that need an encoder a process
 * has one at a time. The path, which stands in messages, must outlive it. Returns 0 or
 * ERROR_INPUT. */
int film_open(const char *path, const char *format, int width, int height, int rate,
    struct film *film, struct error *error);

/* Adds an 8-bit image. Returns 0, or ERROR_INPUT or ERROR_STOPPED after which the film is to be
 * abandoned. */
int film_add(struct film *film, const struct image *frame, struct error *error);

/* Puts the video in its place when it is whole. Returns 0, or ERROR_INPUT or ERROR_STOPPED with
 * nothing changed. */
int film_close(struct film *film, struct error *error);

/* Ends the encoder that runs, if one does: it may hang, and who writes to it hangs with it. For
 * handlers of signals that ask the program to stop. The film then ends with ERROR_STOPPED. */
void film_interrupt(void);

/* Gives up: nothing is left behind. A zeroed film is fine. */
void film_abandon(struct film *film);

#endif
