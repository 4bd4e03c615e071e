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
 * the cheapest boards; the other tiles join the cores by rising cost. Each solution is then laid
 * out freely, and of its board a frame is cut, so that the frames together have a place for every
 * tile and hardly more, at most `most` where that can be, and that the pairs in them cost least.
 * Tiles that fit badly are exchanged between the frames. No side of a frame exceeds the larger of
 * the columns and rows of `options`.
 *
 * With `finds_count` there are at most `count` solutions: numbers from 1 on are tried, and that is
 * kept whose boards cost least, borders included.
 *
 * solutions[count] is ordered by the size of the cores, the largest first; those without tiles are
 * 0 x 0 and come last. How the result depends on the options is as with refine. Returns 0, or an
 * ERROR_ code with the reason. solutions_free frees what `solutions` hold. */
int solutions_split(const struct compatibility *compatibility, const int32_t *buddy,
    const uint8_t *present, const struct refine_options *options, int most, int count,
    int finds_count, struct solution_board *solutions, struct error *error);
void solutions_free(struct solution_board *solutions, int count);

#endif
