/* Tiles that may be turned: the numbers that all parts of the solver share.
 *
 * Tiles are numbered from 0. Sides are numbered clockwise from SIDE_LEFT, 0, to SIDE_BOTTOM, 3;
 * side ^ 2 is the opposite one. Edge e = 4 * tile + side. The oriented tile o = 4 * tile + turn is
 * a tile that is turned clockwise by `turn` quarters; toward direction d (numbered as the sides) it
 * shows side (d - turn) mod 4. */
#ifndef UNSCRAMBLE_ORIENTED_H
#define UNSCRAMBLE_ORIENTED_H

#include <stdint.h>

#include "kernels/unscramble/unscramble_args.h"

enum turns {
    TURNS_NONE, /* tiles stand as they are */
    TURNS_HALF, /* each may be upside down */
    TURNS_ANY,  /* each may be turned by any number of quarters; tiles are square */
};

/* In how many ways a tile may lie, 4 / so many quarters apart. */
static inline int turns_count(enum turns turns)
{
    return turns == TURNS_ANY ? 4 : turns == TURNS_HALF ? 2 : 1;
}

/* Stands for no tile, no edge, or no oriented tile. */
#define NOTHING (-1)

/* The edge that an oriented tile shows toward a direction. */
static inline int32_t oriented_edge(int32_t oriented, int direction)
{
    return (oriented & ~3) | ((direction - oriented) & 3);
}

/* The oriented tile that shows an edge toward a direction. */
static inline int32_t oriented_by_edge(int32_t edge, int direction)
{
    return (edge & ~3) | ((direction - edge) & 3);
}

/* The same tile, turned clockwise by some more quarters. */
static inline int32_t oriented_turned(int32_t oriented, int quarters)
{
    return (oriented & ~3) | ((oriented + quarters) & 3);
}

/* The step (x, y) turned clockwise by some quarters. */
static inline void step_turned(int quarters, int x, int y, int *turned_x, int *turned_y)
{
    static const int cosine[4] = {1, 0, -1, 0}, sine[4] = {0, 1, 0, -1};
    *turned_x = cosine[quarters] * x - sine[quarters] * y;
    *turned_y = sine[quarters] * x + cosine[quarters] * y;
}

/* Which pixel of an area comes to (x, y) when the area is turned clockwise by `quarters`, after
 * which it is of width x height. */
static inline void source_of(
    int quarters, int width, int height, int x, int y, int *from_x, int *from_y)
{
    const int right = width - 1 - x, bottom = height - 1 - y;
    *from_x = quarters == 0 ? x : quarters == 1 ? y : quarters == 2 ? right : bottom;
    *from_y = quarters == 0 ? y : quarters == 1 ? right : quarters == 2 ? bottom : x;
}

/* Makes a box, of least x, y, greatest x, y, hold a place. */
static inline void box_extend(int *box, int x, int y)
{
    box[0] = x < box[0] ? x : box[0];
    box[1] = y < box[1] ? y : box[1];
    box[2] = x > box[2] ? x : box[2];
    box[3] = y > box[3] ? y : box[3];
}

/* Whether the box fits a frame, turned by a quarter where tiles may be. */
static inline int box_fits(const int *box, int columns, int rows, enum turns turns)
{
    const int w = box[2] - box[0] + 1, h = box[3] - box[1] + 1;
    return (w <= columns && h <= rows) || (turns == TURNS_ANY && w <= rows && h <= columns);
}

/* The root of a member's set in a disjoint-set forest, with path halving. */
static inline int32_t root_of(int32_t *parent, int32_t member)
{
    while (parent[member] != member)
        member = parent[member] = parent[parent[member]];
    return member;
}

/* Joins the sets of two members; the root of the latter stands for both. */
static inline void sets_join(int32_t *parent, int32_t a, int32_t b)
{
    parent[root_of(parent, a)] = root_of(parent, b);
}

#endif
