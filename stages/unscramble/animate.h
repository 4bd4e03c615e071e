/* The assembly of a puzzle, frame by frame. */
#ifndef ANIMATE_H
#define ANIMATE_H

#include "stages/run.h"
#include "stages/unscramble/montage.h"

#define ANIMATION_FRAMES 150 /* the default */

/* Zeros mean the defaults, where there is one. */
struct animation {
    /* Takes frame number `frame` of `frames`, from 0. Returns 0, or an ERROR_ code with the reason
     * in run->error. */
    int (*save)(
        void *context, struct run *run, const struct image *image, uint32_t frame, uint32_t frames);
    void *context;   /* passed to save */
    uint32_t frames; /* until the assembly is whole; 0: 150 */
    uint32_t still;  /* more, of the puzzle as it came, and as many in which the answer stays */
    struct layout layout;
    const uint32_t *order; /* [count] places, of all solutions, as they are filled */
    uint32_t count;        /* the other places stay empty */
};

/* Draws the frames. At the beginning the puzzle stands still; where it makes another frame than its
 * solutions, places without tiles do. Then the first frame has no tiles, the last has all, and the
 * number grows evenly in between; a single frame has all. Time is linear in the pixels of the
 * puzzle and of the frames. Returns 0, ERROR_INPUT or ERROR_STOPPED with the reason in
 * run->error. */
int animate(struct run *run, const struct animation *animation);

#endif
