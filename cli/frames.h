/* Where a tool's images or meshes go: one file, a numbered file for each frame, or a video. */
#ifndef FRAMES_H
#define FRAMES_H

#include <limits.h>
#include <stdint.h>

#include "images/film.h"
#include "images/parts.h"
#include "stages/run.h"

/* Zeros, but for the output, mean one image. */
struct frames {
    const char *output;   /* path; frames get their number put in, unless it is a video */
    const char *format;   /* of the output; NULL: by the extension of its name */
    int quality;          /* of images, 1 to 100; 0: what their format has without */
    int are_asked;        /* more than an image: files are numbered */
    uint32_t first, last; /* what is asked for */
    int rate;             /* of a video, frames a second; 0: 60 */
    struct film film;
    char path[PATH_MAX];         /* of the image that `writer` writes, row by row */
    struct image_writer *writer; /* or NULL */
};

/* Whether the output is a video: by the format, else by its name; frames to standard output are
 * one. What may be an image, too, is a video where frames are asked for. */
int frames_are_video(const struct frames *frames);

/* The file for a frame. Returns 0 or ERROR_INPUT. */
int frames_path(
    const struct frames *frames, uint32_t frame, char path[PATH_MAX], struct error *error);

/* Refuses images of that size (0 x 0: any), channels and depth that the output cannot take, where
 * at most so many rows of one are there at a time: a video and some formats need all. Returns 0,
 * ERROR_INPUT or ERROR_USAGE. */
int frames_check_image(
    const struct frames *frames, const struct image *whole, int most_rows, struct error *error);

/* Writes the image of a frame, which reports to `progress`, or adds it to the video, which is
 * whole after the last frame. Returns 0 or an ERROR_ code. */
int frames_save(struct run *run, struct frames *frames, const struct image *image, uint32_t frame,
    const struct progress *progress);

/* The same of an image of that height whose rows come one after the other, these from `first_row`
 * on, which frames_check_image has let pass. */
int frames_save_rows(struct run *run, struct frames *frames, const struct image *rows,
    int first_row, int height, uint32_t frame, const struct progress *progress);

/* Begins an image of that size, which all ranks write; `rest` may take `memory` bytes. Where its
 * format is written by one process, parts->count is 0: see images/parts.h. */
int frames_open_parts(struct run *run, struct frames *frames, const struct image *whole,
    uint64_t memory, uint32_t frame, const struct progress *progress, struct image_parts *parts);

/* Ends it, when all parts are made, with the rest. */
int frames_save_rest(struct run *run, struct frames *frames, const struct image *rest);

/* Gives up a video or an image that is not whole. */
void frames_abandon(struct frames *frames);

#endif
