/* Searches for a board of less cost by simulated annealing, where refills get stuck. */
#ifndef ANNEAL_H
#define ANNEAL_H

#include "stages/unscramble/refine.h"

/* About how many seconds two processors take to anneal a board of `tiles` tiles of which about
 * `wrong` are not in place. */
double anneal_seconds(double wrong, double tiles);

/* Improves a board, [rows][columns] of oriented tiles, on which no place may be NOTHING. About
 * `wrong` of its tiles are not in place: the more, the longer it searches. *cost gets the board's
 * cost. Of the options it takes columns, rows, seed, progress and context. Most moves begin at a
 * place that is not inside of a large segment: a tile comes beside it from anywhere, or its tile
 * goes anywhere. Where many tiles are wrong, all of them loosen in a wider field several times
 * (anneal_loosen.h), unless all chains have found boards of the same cost. The result does not
 * depend on the number of threads. Returns 0, or ERROR_INPUT when memory is short. After
 * Kirkpatrick, Gelatt and Vecchi, "Optimization by simulated annealing" (Science 220, 1983). */
int anneal(const struct compatibility *compatibility, const struct refine_options *options,
    double wrong, int32_t *board, int64_t *cost, struct error *error);

#endif
