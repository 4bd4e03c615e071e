/* Puzzles of square pieces: what all parts of the solver share.
 *
 * Tiles are numbered from 0. Sides are numbered clockwise: 0 left, 1 top, 2 right, 3 bottom; edge
 * e = 4 * tile + side. A piece p = 4 * tile + turn is a tile that is turned clockwise by `turn`
 * quarters; toward direction d (numbered as the sides) it shows side (d - turn) mod 4. */
#ifndef UNSCRAMBLE_PIECES_H
#define UNSCRAMBLE_PIECES_H

#include <stdint.h>

enum turns {
    TURNS_NONE, /* tiles stand as they are */
    TURNS_HALF, /* each may be upside down */
    TURNS_ANY,  /* each may be turned by any number of quarters; tiles are square */
};

/* No tile, edge or piece. */
#define NOTHING (-1)

/* The edge that a piece shows toward a direction. */
static inline int32_t piece_edge(int32_t piece, int direction)
{
    return (piece & ~3) | ((direction - piece) & 3);
}

/* The piece that shows an edge toward a direction. */
static inline int32_t edge_piece(int32_t edge, int direction)
{
    return (edge & ~3) | ((direction - edge) & 3);
}

/* The same piece, turned clockwise by some more quarters. */
static inline int32_t piece_turned(int32_t piece, int quarters)
{
    return (piece & ~3) | ((piece + quarters) & 3);
}

/* The step (x, y) turned clockwise by some quarters. */
static inline void step_turned(int quarters, int x, int y, int *turned_x, int *turned_y)
{
    static const int cosine[4] = {1, 0, -1, 0}, sine[4] = {0, 1, 0, -1};
    *turned_x = cosine[quarters] * x - sine[quarters] * y;
    *turned_y = sine[quarters] * x + cosine[quarters] * y;
}

/* The root of a set in a forest of parents, whose paths it halves. */
static inline int32_t root_of(int32_t *parent, int32_t member)
{
    while (parent[member] != member)
        member = parent[member] = parent[parent[member]];
    return member;
}

/* Whether two sides can touch when tiles may be turned so. */
static inline int sides_match(enum turns turns, int a, int b)
{
    return turns == TURNS_ANY || (turns == TURNS_HALF ? ((a ^ b) & 1) == 0 : ((a ^ b) & 3) == 2);
}

#endif
