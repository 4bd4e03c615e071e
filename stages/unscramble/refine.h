/* Searches for boards of less total cost: takes tiles out and fills again, many times. */
#ifndef REFINE_H
#define REFINE_H

#include "stages/unscramble/fill.h"
#include "stages/unscramble/tree.h"

/* Zeros mean the defaults. */
struct refine_options {
    int columns, rows;
    int chains;     /* independent searches a round, 0: 4; the result depends on it */
    int effort;     /* refills of each chain, 0: as many as the seconds allow, or 500 */
    double seconds; /* most time, 0: no limit */
    uint64_t seed;
    /* Called now and then by one thread; anything but 0 ends the search. NULL: none. */
    int (*progress)(void *context, double done, int64_t cost);
    void *context;
};

/* The sum of the costs of all neighbours on a board [rows][columns] of pieces; OPEN_COST between a
 * tile and an empty place. */
int64_t board_cost(
    const struct compatibility *compatibility, const int32_t *board, int columns, int rows);

/* Fills the frame round the largest piece of the forest. Returns 0 or ERROR_INPUT. */
int board_from_forest(const struct forest *forest, struct fill *fill, int32_t *board);

/* Betters the board, [rows][columns]. The result depends on the options but for `seconds`, not on
 * the number of threads. Returns 0, or ERROR_INPUT when memory is short. */
int refine(const struct compatibility *compatibility, const int32_t *buddy, const uint8_t *present,
    const struct refine_options *options, int32_t *board, int64_t *cost, struct error *error);

#endif
