/* Boards, [rows][columns] of pieces, with NOTHING at empty places: their cost, making and cropping
 * one. */
#ifndef BOARD_H
#define BOARD_H

#include "stages/unscramble/fill.h"
#include "stages/unscramble/tree.h"

/* The sum of the costs of all neighbors on a board [rows][columns] of pieces; OPEN_COST between a
 * tile and an empty place. */
int64_t board_cost(
    const struct compatibility *compatibility, const int32_t *board, int columns, int rows);

/* Fills the frame round the largest piece of the forest. Returns 0 or ERROR_INPUT. */
int board_from_forest(const struct forest *forest, struct fill *fill, int32_t *board);

/* Cuts off the outer columns and rows of a board that are empty; the board moves to the front of
 * its memory. */
void board_crop(int32_t *board, int *columns, int *rows);

#endif
