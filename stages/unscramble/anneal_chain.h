/* A chain of annealing: its memory, where it begins, and its rounds of moves. */
#ifndef ANNEAL_CHAIN_H
#define ANNEAL_CHAIN_H

#include "stages/unscramble/anneal_board.h"

/* Makes what all chains look up. Returns 0, or -1 when memory is short. costs_free frees, after a
 * failure too. */
int costs_make(const struct problem *p, struct costs *costs);
void costs_free(struct costs *costs);

/* Where a chain begins. */
struct annealing_start {
    const int32_t *board;   /* [place], full */
    const uint8_t *present; /* [tile] whether it is on the board */
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

/* Makes a round of moves, then multiplies the heat by `cooling` / 1024. */
void annealing_round(struct annealing *s, int cooling);

#endif
