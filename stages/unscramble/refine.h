/* Searches for boards of less cost: empties places and refills them, many times. */
#ifndef REFINE_H
#define REFINE_H

#include "stages/unscramble/board.h"

/* Zeros mean the defaults, but for columns and rows. */
struct refine_options {
    int columns, rows;
    int chains;     /* searches side by side, the result depends on it; 0: 4, or 14 on a board of
                     * 2000 to 10,000 places if none is empty. These 14, and the 4 of larger boards
                     * without empty places, do a quarter of the effort each. */
    int effort;     /* refills of each chain, 0: as many as the seconds allow; without these as many
                     * as are usual for so many tiles */
    double seconds; /* at most, 0: no limit */
    uint64_t seed;
    /* The run whose ranks share the regions of a large board; NULL: this process is alone. */
    struct run *run;
    /* Called now and then, by one thread, with the share of the work that is done and the least
     * cost so far. A result other than 0 ends the search. NULL: not called. */
    int (*progress)(void *context, double done, int64_t cost);
    void *context;
};

/* Improves the board, [rows][columns] of oriented tiles or NOTHING; *cost gets its cost. `buddy`
 * has for each edge the one that is its best partner both ways, or NOTHING; `present` says for each
 * tile whether there is one, NULL: there are all. The result depends on the options except
 * `seconds` (unless that ends the search), and not on the number of threads. Returns 0, or an
 * ERROR_ code: of memory that is short, or of `run`. */
int refine(const struct compatibility *compatibility, const int32_t *buddy, const uint8_t *present,
    const struct refine_options *options, int32_t *board, int64_t *cost, struct error *error);

#endif
