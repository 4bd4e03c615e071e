/* Which way round the tiles of a page lie: writing looks different upside down, whatever the
 * script, and much of it looks the same all over a page. */
#ifndef INK_TURNS_H
#define INK_TURNS_H

#include "stages/unscramble/tiling.h"

/* Finds how the tiles of a page have to be turned so that their ink looks most alike: `quarters`
 * [tile] gets 0 to 3 clockwise, 0 for most of those that have ink and for all others. `ways` is 2
 * (by half), or 4 of square tiles.
 *
 * Patterns of 3 x 3 cells, of which each has ink or not, are counted, in cells of 1, 2, 4 and 8
 * pixels. Each tile is turned to where the logarithms of how often its patterns are met in all
 * others sum up to most, until none is turned any more: once beginning with all as they are, once
 * with the one that has most ink, to which the others come by and by. `lead` [tile] gets by how
 * much that sum is ahead of the next best way, INFINITY without ink. *gain gets by how much more
 * alike all of them are than as they are, likewise. Returns 0, or -1 when memory is short. */
int ink_turns_find(
    const struct tiling *tiling, int ways, uint8_t *quarters, double *lead, double *gain);

#endif
