/* A chain of annealing: its memory, where it begins, and its rounds of moves. */
#ifndef ANNEAL_CHAIN_H
#define ANNEAL_CHAIN_H

#include "stages/unscramble/anneal_board.h"

/* Makes what all chains look up. Returns 0, or -1 when memory is short. costs_free frees, after a
 * failure too. */
int costs_make(const struct problem *p, struct costs *costs);
void costs_free(struct costs *costs);

/* Finds `beside` of the costs for a board, which may be another than that of costs_make. */
void costs_find_beside(const struct problem *p, int32_t *beside);

/* Where a chain begins. */
struct annealing_start {
    const int32_t *board; /* [place] */
    int room;             /* for places of the largest board that it may have */
    uint64_t seed;
    int heat;
    int most_places; /* for which a round has moves */
};

/* Makes a chain. Returns 0, or ERROR_INPUT when memory is short. annealing_free frees, after a
 * failure too. */
int annealing_make(const struct problem *p, const struct costs *costs,
    const struct annealing_start *start, struct annealing *s, struct error *error);
void annealing_free(struct annealing *s);

/* Begins at what s->board holds, and takes that for the best. */
void annealing_begin(struct annealing *s, int heat);

enum { ANNEALING_MOVES = 200 }; /* of a round, for each unsettled place */

/* Makes a round of `moves` moves for each place that is not settled, up to `most_places`, then
 * multiplies the heat by `cooling` / 1024. */
void annealing_round(struct annealing *s, int moves, int cooling);

#endif
