/* Puzzles of several images: says which tiles belong to which, and solves each by itself. */
#ifndef SOLUTIONS_H
#define SOLUTIONS_H

#include "stages/unscramble/refine.h"

struct solution_board {
    int columns, rows;
    int32_t *board; /* [rows][columns] of oriented tiles, NOTHING at empty places */
};

/* Splits the tiles among `count` solutions and solves each. The cores of the solutions are the
 * largest components, joined along all best buddies or along those below some cost, whichever gives
 * the cheapest boards; the other tiles join the cores by rising cost. Among the frames that hold a
 * core and hardly more places than the solution has tiles, the one of least cost is taken; neither
 * side of it exceeds the larger of the columns and rows of `options`. solutions[count] is ordered
 * by the size of the cores, the largest first; a solution without tiles is 0 x 0. How the result
 * depends on the options is as with refine. Returns 0, or an ERROR_ code with the reason.
 * solutions_free frees what `solutions` hold. */
int solutions_split(const struct compatibility *compatibility, const int32_t *buddy,
    const uint8_t *present, const struct refine_options *options, int count,
    struct solution_board *solutions, struct error *error);
void solutions_free(struct solution_board *solutions, int count);

#endif
