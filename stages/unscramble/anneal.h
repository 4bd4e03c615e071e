/* Searches for a board of less cost by simulated annealing, where refills get stuck. */
#ifndef ANNEAL_H
#define ANNEAL_H

#include "stages/unscramble/refine.h"

/* For how many places at most a round has moves where so many tiles are likely wrong. */
int anneal_places(double wrong);

/* Improves the board, [rows][columns], none of whose places is empty: tiles would leave their
 * neighbors for such a place. About `wrong` of its tiles are not in place: the more, the longer it
 * searches. *cost gets the board's cost. Takes from the options columns, rows, seed and
 * what is called for progress. Places inside of large segments keep their tiles unless a block or
 * the whole board moves. Several times the searches begin anew at what they agree on (agree.h). The
 * result does not depend on the number of threads. Returns 0, or ERROR_INPUT when memory is short.
 * After Kirkpatrick, Gelatt and Vecchi, "Optimization by simulated annealing" (Science 220,
 * 1983). */
int anneal(const struct compatibility *compatibility, const struct refine_options *options,
    double wrong, int32_t *board, int64_t *cost, struct error *error);

#endif
