/* One chain of annealing: a board, and the moves that change it by chance. */
#ifndef ANNEAL_MOVES_H
#define ANNEAL_MOVES_H

#include "stages/unscramble/fill.h"
#include "stages/unscramble/problem.h"
#include "stages/unscramble/segments.h"

enum { HEAT_BITS = 8 }; /* of heat that are a fraction */

/* Chains of two threads that share a line of the cache take it from each other with every move.
 * Processors fetch lines in pairs of 64 bytes, and Apple's have lines of 128. */
enum { CACHE_LINES = 128 };

/* Shared by all chains. */
struct costs {
    const struct compatibility *c;
    uint16_t *table; /* [edge][width], or NULL */
    int shift; /* the column of an edge is edge >> shift: one for each tile if none is turned */
    size_t width;
};

struct annealing {
    _Alignas(CACHE_LINES) const struct problem *p;
    const struct costs *costs;
    int32_t *board;  /* [place] */
    int32_t *copy;   /* [2][place] tiles while they move */
    int32_t *best;   /* [place] of the board, when the cost was least at the end of a round */
    int32_t *place;  /* [tile], NOTHING where it is not on the board */
    int32_t *joint[2]; /* [place] the cost of the joints with the places to the right and below */
    int32_t *active; /* places that are not settled */
    int active_count;
    int most_places; /* for which a round has moves */
    struct segments segments;
    struct fill fill;
    int64_t cost, best_cost;
    int heat; /* in 1 / 2^HEAT_BITS of a cost */
    uint64_t random;
};

/* Makes what goes with `board`: `place` and `joint`. */
void annealing_take_board(struct annealing *s);

/* Tries a move that chance chooses. Most begin at a place in `active`: a tile comes beside it from
 * anywhere, or its tile goes anywhere. A move is made where it costs less, or by chance, the more
 * rarely the more it costs: one that costs `heat` more half of the time. Keeps `cost` up to date.
 */
void annealing_move(struct annealing *s);

#endif
