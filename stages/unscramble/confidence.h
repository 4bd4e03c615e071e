/* How sure each place of an answer is, and an image that shows it. */
#ifndef CONFIDENCE_H
#define CONFIDENCE_H

#include "images/draw.h"
#include "stages/unscramble/compatibility.h"
#include "stages/unscramble/permutation.h"

/* The confidence of each place of a board [rows][columns] of oriented tiles, from 0 to 1: the mean,
 * over its neighbors, of the confidence in the two edges a and b that touch,
 *
 *     (2 + margin(a) + margin(b)) / 8 + (1/2 if a and b are best buddies)
 *
 * where margin(a), from -1 to 1, is (the cost of the best other candidate of a - the cost of a and
 * b) / FAR_COST. So it never falls when the pair gets cheaper or the others dearer:
 * best buddies have more than 3/4, other pairs at most 3/8, a tie on both sides 1/4. 0 for a tile
 * without neighbors and for an empty place. `buddy` as buddies_find makes it. */
void confidence_of_board(const struct compatibility *compatibility, const int32_t *buddy,
    const int32_t *board, int columns, int rows, float *confidence);

/* The places with a tile, the surest first, of equal ones the first. order[places]; *count gets
 * how many there are. Returns 0, or ERROR_INPUT when memory is short. */
int confidence_order(const struct placed *placed, const float *confidence, uint32_t places,
    uint32_t *order, uint32_t *count, struct error *error);

/* Draws the places of a solution as a heat map (draw_heat), those without a tile dark gray. Tiles
 * keep their shape; the image has at most 1200 pixels a side, unless tiles would then have less
 * than 3 pixels a side. Returns 0 or ERROR_INPUT; image_free frees. */
int confidence_draw(struct grid grid, const struct placed *placed, const float *confidence,
    uint32_t tile_width, uint32_t tile_height, struct image *image, struct error *error);

#endif
