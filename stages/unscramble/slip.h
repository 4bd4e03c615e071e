/* Slips on a board with empty places: areas of tiles move by one place, into empty ones. */
#ifndef SLIP_H
#define SLIP_H

#include "stages/unscramble/problem.h"

/* Longer boards do not slip: work space and time grow with the square of the length and more. */
#define SLIP_LENGTH 128

/* Work space for slips of boards of that size. Returns NULL when memory is short. slip_free frees,
 * and takes NULL. */
struct slip *slip_make(int columns, int rows);
void slip_free(struct slip *slip);

/* Finds the areas that make the board [rows][columns] of oriented tiles cost least when their tiles
 * move by one place in a direction, if each area saves more than a tie. An area is a run of places
 * before an empty one in each of some lines along the direction; the runs of lines beside each
 * other overlap. Returns [place] whether its tile moves, which the next call overwrites, or NULL
 * where none does. */
const uint8_t *slip_find(
    struct slip *slip, const struct problem *p, const int32_t *board, int direction);

#endif
