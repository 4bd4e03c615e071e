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
static inline int place_beside(int columns, int rows, int place, int direction)
{
    const int x = place % columns, y = place / columns;
    switch (direction) {
    case SIDE_LEFT:
        return x ? place - 1 : NOTHING;
    case SIDE_TOP:
        return y ? place - columns : NOTHING;
    case SIDE_RIGHT:
        return x + 1 < columns ? place + 1 : NOTHING;
    default:
        return y + 1 < rows ? place + columns : NOTHING;
    }
}

/* The cost between what lies at two places beside each other, b in the given direction from a. */
static inline int joint_cost(const struct compatibility *c, int32_t a, int32_t b, int direction)
{
    if (a == NOTHING || b == NOTHING)
        return a == b ? 0 : OPEN_COST;
    return cost_of(c, oriented_edge(a, direction), oriented_edge(b, direction ^ 2));
}

/* What two tiles beside each other cost less than a tie; 0 where one place is empty. */
static inline int joint_gain(const struct compatibility *c, int32_t a, int32_t b, int direction)
{
    return a == NOTHING || b == NOTHING ? 0 : TIE_COST - joint_cost(c, a, b, direction);
}

#endif
