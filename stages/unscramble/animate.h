/* The assembly of a puzzle as a video, or as numbered pictures. */
#ifndef ANIMATE_H
#define ANIMATE_H

#include "images/draw.h"
#include "stages/run.h"
#include "stages/unscramble/permutation.h"

#define ANIMATION_FRAMES 150 /* the default */

/* Zeros mean the defaults, where there is one. */
struct animation {
    /* Where it goes: a name that ends in .y4m and "-" (standard output) get a video, 30 frames a
     * second, in which the whole picture stays for a second more; else each frame gets a picture,
     * a-0001.png, a-0002.png, ... for a.png. */
    const char *output;
    uint32_t frames;       /* until the picture is whole; 0: 150 */
    struct colour missing; /* of places that are empty, in the end or so far */

    const struct image *puzzle; /* 8 or 16 bits; its tiles are numbered from its top left corner */
    uint32_t tile_width, tile_height;
    const struct permutation *permutation; /* turns by quarters: the tiles are square */
    const uint32_t *order;                 /* [count] places, of all pictures, as they are filled */
    uint32_t count;                        /* the other places stay empty */
};

/* Whether one file gets all frames. */
int animation_is_video(const struct animation *animation);

/* Refuses, before any work is done, an output that cannot be written. Returns as output_check. */
int animation_check_output(const struct animation *animation, struct error *error);

/* Writes it. The first frame has no tiles, the last has all, and each between them as many more; a
 * single one has all. Frames have even sides of at most 1280 pixels, also where the picture is
 * smaller; pixels are means over tiles' pixels, without alpha. Several pictures lie side by side,
 * in lines that make about a square. Time is linear in the pixels of the puzzle and of the frames.
 * Returns 0, ERROR_INPUT or ERROR_STOPPED with the reason in run->error; a video that is not whole
 * leaves nothing, pictures that were written stay. */
int animate(struct run *run, const struct animation *animation);

#endif
