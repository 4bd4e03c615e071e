/* Slips on a board with empty places: areas of tiles move by one place, into empty ones. */
#ifndef SLIP_H
#define SLIP_H

#include "stages/unscramble/problem.h"

/* Boards with a longer side do not slip: work space grows with the third power of the longer side,
 * and time with the fourth, at most. */
#define SLIP_LENGTH 128

/* Work space for slips of boards of that size; no side is longer than SLIP_LENGTH. Returns NULL
 * when memory is short. slip_free frees, and takes NULL. */
struct slip *slip_make(int columns, int rows);
void slip_free(struct slip *slip);

/* Finds the areas that make a board of the size that `slip` is for, [rows][columns] of oriented
 * tiles, cost least when their tiles move by one place in a direction (SIDE_), if each area saves
 * more than TIE_COST. A line of places along the direction has one run at most, which ends before
 * an empty place; an area is the runs of lines beside each other, which overlap. Returns [place]
 * whether its tile moves, which the next call overwrites, or NULL where none does. */
const uint8_t *slip_find(
    struct slip *slip, const struct problem *p, const int32_t *board, int direction);

#endif
