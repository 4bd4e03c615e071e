/* Finding how a shuffled image was cut, from the seams between its tiles alone. */
#ifndef FIND_GRID_H
#define FIND_GRID_H

#include "images/image.h"
#include "stages/unscramble/permutation.h"

#define GRID_MIN_TILE 4   /* pixels; smaller tiles are not looked for */
#define GRID_CANDIDATES 5 /* that a guess names, at most */

/* A way in which the image may have been cut. A tile is the image's size / the grid, rounded
 * down; what is left over at the right and at the bottom belongs to no tile.
 *
 * The evidence is in pixels of seams. A pixel of a seam, with the step between its two neighbors
 * and their own slopes, counts log(p(pixels that were apart) / p(neighbors)), divided by what
 * pixels that were apart count on average. So a grid that is right has about as much evidence as
 * its seams have pixels; a seam too many takes evidence away, and a single tile has none. */
struct grid_candidate {
    struct grid grid;
    uint32_t tile_width, tile_height; /* pixels */
    double evidence;
};

struct grid_guess {
    int is_sure;    /* whether candidates[0] is the grid beyond doubt; a single tile never is */
    int is_likely;  /* whether it is worth trying; so it is where it is sure */
    uint32_t count; /* of candidates, from 1 on */
    struct grid_candidate candidates[GRID_CANDIDATES]; /* the best first */
};

/* Guesses the grid of a shuffled image of any size, depth and number of channels. One that blurred
 * seams show (scaled_grid.h) comes first; its tiles may have a part of a pixel more. Grids with the
 * same seams, as 84 and 83 columns of 8 pixels of 672 where there is one row, cannot be told apart:
 * such a guess is not sure. Takes time and memory by the number of pixels: 4 bytes each.
 * Returns 0 or ERROR_INPUT. */
int grid_find(const struct image *image, struct grid_guess *guess, struct error *error);

#endif
