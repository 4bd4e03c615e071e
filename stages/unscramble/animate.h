/* The assembly of a puzzle, frame by frame. */
#ifndef ANIMATE_H
#define ANIMATE_H

#include "images/draw.h"
#include "stages/run.h"
#include "stages/unscramble/permutation.h"

#define ANIMATION_FRAMES 150    /* the default */
#define ANIMATION_MAX_SIDE 1280 /* pixels of a frame */

/* Zeros mean the defaults, where there is one. */
struct animation {
    /* Takes frame number `frame` of `frames`, from 0. Returns 0, or an ERROR_ code with the reason
     * in run->error. */
    int (*save)(
        void *context, struct run *run, const struct image *image, uint32_t frame, uint32_t frames);
    void *context;        /* passed to save */
    uint32_t frames;      /* until the assembly is whole; 0: 150 */
    uint32_t still;       /* more, in which it stays */
    struct color missing; /* of places that are empty, in the end or so far */

    const struct image *puzzle; /* 8 or 16 bits; its tiles are numbered from its top left corner */
    uint32_t tile_width, tile_height;
    const struct permutation *permutation; /* turns by quarters: the tiles are square */
    const uint32_t *order; /* [count] places, of all solutions, as they are filled */
    uint32_t count;        /* the other places stay empty */
};

/* Draws the frames. The first has no tiles, the last has all, and the number grows evenly in
 * between; a single frame has all. The sides of frames are even, at most 1280 pixels, and no longer
 * than those of the solutions, but at least 2; pixels are means over the tiles' pixels, without
 * alpha. Several solutions lie side by side, in lines that make about a square. Time is linear in
 * the pixels of the puzzle and of the frames.
 * Returns 0, ERROR_INPUT or ERROR_STOPPED with the reason in run->error. */
int animate(struct run *run, const struct animation *animation);

#endif
