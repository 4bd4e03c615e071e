/* Searches for boards of less total cost: takes tiles out and fills again, many times. */
#ifndef REFINE_H
#define REFINE_H

#include "stages/unscramble/board.h"

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

/* Betters the board, [rows][columns]. The result depends on the options but for `seconds`, not on
 * the number of threads. Returns 0, or ERROR_INPUT when memory is short. */
int refine(const struct compatibility *compatibility, const int32_t *buddy, const uint8_t *present,
    const struct refine_options *options, int32_t *board, int64_t *cost, struct error *error);

#endif
