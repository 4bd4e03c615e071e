/* The jump of a joint: how much more pixels change across it than beside it. It is near 1 where two
 * tiles belong together, whatever other tiles there are, and mostly above 3 where they do not. */
#ifndef JUMPS_H
#define JUMPS_H

#include "stages/unscramble/oriented.h"
#include "stages/unscramble/tiling.h"

struct jumps {
    uint8_t *is_misfit; /* [place] whether the pixels of its tile jump at all of its joints */
    int misfits;        /* how many there are */
    int wraps[AXES];    /* whether opposite borders of the board fit together as its tiles do */
    int is_split;       /* whether pixels jump at all joints of a seam through the whole board */
};

/* Judges a board, [rows][columns] of oriented tiles or NOTHING. Returns 0, or ERROR_INPUT when
 * memory is short. jumps_free frees. How the limits were found is said in docs/bench/jumps.md. */
int jumps_find(const struct tiling *tiling, const int32_t *board, int columns, int rows,
    struct jumps *jumps, struct error *error);
void jumps_free(struct jumps *jumps);

#endif
