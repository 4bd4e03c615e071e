/* Which way round the tiles of a page lie: writing looks different upside down, whatever the
 * script, and much of it looks the same all over a page. */
#ifndef INK_TURNS_H
#define INK_TURNS_H

#include "stages/unscramble/tiling.h"

/* Finds how the tiles of a page, at most PAGE_MAX_TILES, have to be turned so that their ink looks
 * most alike: `quarters` [tile] gets 0 to 3 clockwise, where no number is met more often than 0, of
 * tiles with ink, and 0 for all others. `ways` is 2 (by half), or 4 of square tiles.
 *
 * Patterns of 3 x 3 cells, of which each has ink or not, are counted, in cells of 1, 2, 4 and 8
 * pixels. Rules, ink that goes straight on for long or to the border of its tile, are left out. The
 * likelihood of a pattern is the natural logarithm of 1 more than how often it is met in the other
 * tiles. Each tile is turned to where the likelihoods of its patterns have the largest sum, until
 * none is turned any more: once beginning with all as they are, once with the one that has most
 * ink, to which the others come by and by. `lead` [tile] gets by how much that sum is ahead of the
 * next best way's, INFINITY where it has no ink, and for the one with most ink, by which the others
 * are turned. *gain gets by how much the sum over all tiles exceeds that of the tiles as they lie
 * in the image, each counted among the others then; 0 if none is turned. Returns 0, or -1 when
 * memory is short. */
int ink_turns_find(
    const struct tiling *tiling, int ways, uint8_t *quarters, double *lead, double *gain);

#endif
