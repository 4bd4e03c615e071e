/* Searches for a board of less cost by simulated annealing, where refills get stuck. */
#ifndef ANNEAL_H
#define ANNEAL_H

#include "stages/unscramble/refine.h"

/* For how many places at most a round of annealing makes moves, where about `wrong` tiles are not
 * in place. */
int anneal_places(double wrong);

/* Improves a full board, [rows][columns]: beside an empty place a tile costs less, so that tiles
 * would leave their neighbors for it. About `wrong` of its tiles are not in place: the more, the
 * longer it searches. *cost gets the board's cost. Of the options it takes columns, rows, seed,
 * progress and context. Places inside of large segments keep their tiles unless a block or the
 * whole board moves. Three times the chains begin anew at what they agree on (agree.h). The
 * result does not depend on the number of threads. Returns 0, or ERROR_INPUT when memory is short.
 * After Kirkpatrick, Gelatt and Vecchi, "Optimization by simulated annealing" (Science 220,
 * 1983). */
int anneal(const struct compatibility *compatibility, const struct refine_options *options,
    double wrong, int32_t *board, int64_t *cost, struct error *error);

#endif
