/* What a search for a board goes by: the costs, and the places of the board. */
#ifndef PROBLEM_H
#define PROBLEM_H

#include "stages/unscramble/compatibility.h"

/* Beyond so many places a search takes so long that boards are packed (board.h), refined by regions
 * (refine.h) and not annealed. */
#define LARGE_PLACES 10000

struct problem {
    const struct compatibility *c;
    const int32_t *buddy; /* [edge] the buddy of each, or NOTHING; only refills and boards that are
                           * made of a forest read it, else it may be NULL */
    int columns, rows;
    const uint8_t *fixed; /* [place] keeps its tile; NULL: none does */
};

/* The place next to another in a direction, or NOTHING outside the board. */
static inline int place_beside(const struct problem *p, int place, int direction)
{
    const int x = place % p->columns, y = place / p->columns;
    switch (direction) {
    case SIDE_LEFT:
        return x ? place - 1 : NOTHING;
    case SIDE_TOP:
        return y ? place - p->columns : NOTHING;
    case SIDE_RIGHT:
        return x + 1 < p->columns ? place + 1 : NOTHING;
    default:
        return y + 1 < p->rows ? place + p->columns : NOTHING;
    }
}

/* The cost between two neighbors, b in the given direction from a. */
static inline int joint_cost(const struct problem *p, int32_t a, int32_t b, int direction)
{
    if (a == NOTHING || b == NOTHING)
        return a == b ? 0 : OPEN_COST;
    return cost_of(p->c, oriented_edge(a, direction), oriented_edge(b, direction ^ 2));
}

#endif
