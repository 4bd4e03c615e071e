/* Boards: [rows][columns] of oriented tiles, NOTHING at empty places. Making one, its cost, and
 * cropping it. */
#ifndef BOARD_H
#define BOARD_H

#include "stages/unscramble/fill.h"
#include "stages/unscramble/problem.h"
#include "stages/unscramble/tree.h"

/* The cost of a board: the sum over all pairs of neighbors, with OPEN_COST between a tile and an
 * empty place. */
int64_t board_cost(
    const struct compatibility *compatibility, const int32_t *board, int columns, int rows);

/* Makes a board of the tiles that are `present` (NULL: all): puts the largest component of the
 * forest into the frame and fills the places around it. Of more than LARGE_PLACES, if there is a
 * tile for each, it also packs the components (pack.h), and then, up to four times and as long as
 * more sure buddies (tree.h) touch, what these hold together on the board so far, joined anew
 * (forest_join). Takes the board on which most of these touch. Returns as fill_make does. */
int board_from_forest(const struct problem *p, const uint8_t *present, const struct forest *forest,
    int32_t *board, struct error *error);

/* Cuts off the outer columns and rows of a board that are empty. What is left moves to the front of
 * the board's memory. */
void board_crop(int32_t *board, int *columns, int *rows);

/* Turns areas of up to 8 x 8 places by half, each where it is, if that costs less. A row of tiles
 * at the border of the image has few joints that tell which way round it lies, and neither refills
 * nor exchanges turn it as a whole. Returns what that saves. */
int64_t board_turn_areas(const struct problem *p, int32_t *board);

#endif
