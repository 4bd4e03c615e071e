/* Lets the boards of annealing loosen in a field that is wider than they are. */
#ifndef ANNEAL_LOOSEN_H
#define ANNEAL_LOOSEN_H

#include "stages/unscramble/anneal_chain.h"

/* A field begins with a margin of empty places around the board, and loses a column or a row now
 * and then until it has the size of the board. On a full board parts
 * that are right in themselves could pass each other only at a heat that would break them up; the
 * empty places give them room. */
struct loosening {
    const struct problem *board; /* that of the full board */
    const struct costs *board_costs;
    struct problem field; /* its columns and rows, as they are now */
    struct costs costs;   /* those of the board, but for `beside` */
};

enum { LOOSENING_ROUNDS = 64 };

/* How many places the field of a board has at first. Chains need room for as many. */
int loosening_places(int columns, int rows);

/* `board` and `costs` have to live as long as `loosening`. Returns 0, or -1 when memory is short.
 * loosening_free frees, after a failure too. */
int loosening_make(
    const struct problem *board, const struct costs *costs, struct loosening *loosening);
void loosening_free(struct loosening *loosening);

/* Puts the best board of each of `count` chains, none of whose places is empty, into the middle of
 * a field. From now on the chains go by `loosening`, and their `best` and `best_cost` mean
 * nothing. */
void loosening_begin(struct loosening *loosening, struct annealing *chains, int count);

/* Runs a round of all chains; to be called once for each round, from 0 to LOOSENING_ROUNDS - 1.
 * After the last the boards are full again. */
void loosening_round(struct loosening *loosening, int round, struct annealing *chains, int count);

/* Lets the chains go on with their own problem and costs, from these full boards, at a heat. */
void loosening_end(
    const struct loosening *loosening, struct annealing *chains, int count, int heat);

#endif
