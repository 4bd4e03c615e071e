/* Lets the boards of annealing loosen in a field that is wider than they are. */
#ifndef ANNEAL_SPREAD_H
#define ANNEAL_SPREAD_H

#include "stages/unscramble/anneal_chain.h"

/* A field begins with a margin of empty places around the board, and loses a column or a row of
 * places now and then until it has the size of the board. Parts that are right in themselves find
 * room in it to come past each other, which on a full board costs more than any heat allows at
 * which they last. */
struct spread {
    struct problem field; /* its columns and rows, as they are now */
    struct costs costs;   /* those of the board, but for `beside` */
    int columns, rows;    /* of the board */
};

enum { SPREAD_ROUNDS = 64 };

/* How many places the field of a board has at first. */
int spread_places(int columns, int rows);

/* Returns 0, or -1 when memory is short. spread_free frees, after a failure too. */
int spread_make(const struct problem *p, const struct costs *costs, struct spread *spread);
void spread_free(struct spread *spread);

/* Puts the best board of each of `count` chains into the middle of a field. The chains need room
 * for its places, and go by `spread` until they get their own problem and costs back. */
void spread_begin(struct spread *spread, struct annealing *chains, int count);

/* Runs one of the rounds, from 0 to SPREAD_ROUNDS - 1, after the last of which the boards of the
 * chains are full. */
void spread_round(struct spread *spread, int round, struct annealing *chains, int count);

#endif
