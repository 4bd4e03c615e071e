/* One chain of annealing: its board, and moves of which the cost is found before they are made. */
#ifndef ANNEAL_BOARD_H
#define ANNEAL_BOARD_H

#include "stages/unscramble/problem.h"
#include "stages/unscramble/segments.h"

enum { HEAT_BITS = 8 }; /* of heat that are a fraction */

/* Chains of two threads that share a line of the cache take it from each other with every move.
 * Processors fetch lines in pairs of 64 bytes, and Apple's have lines of 128. */
enum { CACHE_LINES = 128 };

/* What all chains look up. */
struct costs {
    const struct compatibility *c;
    uint16_t *table; /* [edge][width], or NULL; the edges of EMPTY come last */
    int shift; /* the column of an edge is edge >> shift: one for each tile if none is turned */
    size_t width;
    int32_t *beside; /* [place][direction] the place there, or NOTHING */
    int32_t empty;   /* oriented tiles from this one on stand for an empty place */
    /* What a joint costs where one or both of the places are empty. It is not OPEN_COST, which is
     * so low that tiles would leave their neighbors. */
    int empty_cost;
};

struct annealing {
    _Alignas(CACHE_LINES) const struct problem *p;
    const struct costs *costs;
    int32_t *board;    /* [place] an oriented tile, costs->empty or more where none lies */
    int32_t *work;     /* [3][place] work space, for one function at a time */
    int32_t *best;     /* [place] of the board, when the cost was least at the end of a round */
    int32_t *place;    /* [tile], NOTHING where it is not on the board; one more for empty places */
    int32_t *joint[2]; /* [place] what the joints with the places to the right and below cost */
    int32_t *unsettled; /* places of tiles that are not inside of a large segment */
    int unsettled_count;
    int tiles;          /* on the board */
    int most_places;    /* a round has moves for at most so many unsettled ones */
    uint32_t *mark;     /* [place] the number of the last part that it was in */
    uint32_t last_mark; /* the number of the newest part */
    struct segments segments;
    int64_t cost, best_cost;
    int heat; /* in 1 / 2^HEAT_BITS of a cost */
    uint64_t random;
};

struct area {
    int x, y, width, height;
};

/* Two areas change places; where `quarters` is odd, the width of one is the height of the other.
 * What comes to `to` is turned clockwise by `quarters`, what comes to `from` back by as many; with
 * `to` and `from` the same, the area is turned. */
struct move {
    struct area to, from;
    int quarters;
};

/* Two areas that touch slide past each other, however long each is. Both lie in the lines from
 * `line` to `last_line`: rows where direction is 2, columns where it is 3. Along these the one has
 * the places from `first` to before `seam`, the other those from `seam` to before `end`. */
struct slide {
    int direction, line, last_line, first, seam, end;
};

/* The cost of two oriented tiles, b in the given direction from a. */
static inline int edges_cost(const struct costs *costs, int32_t a, int32_t b, int direction)
{
    const int32_t edge = oriented_edge(a, direction), other = oriented_edge(b, direction ^ 2);
    if (costs->table)
        return costs->table[(size_t)edge * costs->width + (size_t)(other >> costs->shift)];
    return edge >= costs->empty || other >= costs->empty ? costs->empty_cost
                                                         : cost_of(costs->c, edge, other);
}

/* Makes what goes with `board`: `place`, `joint`, `tiles` and `cost`. */
void annealing_take_board(struct annealing *s);

/* Makes a move if it costs less, or by chance, the more rarely the more it costs: one that costs
 * `heat` more half of the time. Keeps `cost` up to date. Areas that do not lie on the board, or
 * that overlap, stay where they are; single tiles have to lie on it. */
void annealing_try_move(struct annealing *s, const struct move *m);
void annealing_try_slide(struct annealing *s, const struct slide *n);

/* By how much the cost may rise in a move, drawn anew for each: less than the heat times -log2
 * of a random number, which integers approximate, so that it is the same everywhere. */
int64_t annealing_most_change(struct annealing *s);

/* Puts an oriented tile into a place; what goes with the board is to be made anew. */
static inline void annealing_put(struct annealing *s, int place, int32_t oriented)
{
    s->board[place] = oriented;
    s->place[oriented / 4] = place;
}

/* Finds the costs of the joints inside of an area and around it. */
void annealing_find_joints(struct annealing *s, const struct area *area);

/* A place by its line and by where it lies along it. */
static inline int place_of(const struct annealing *s, int direction, int line, int along)
{
    return direction == SIDE_RIGHT ? line * s->p->columns + along : along * s->p->columns + line;
}

/* The cost of the joint between a place of a line and the previous one. */
static inline int previous_joint(const struct annealing *s, int direction, int line, int along)
{
    return s->joint[direction & 1][place_of(s, direction, line, along - 1)];
}

/* The cost of the joint between a place and the one beside it in a direction. */
static inline int joint_toward(const struct annealing *s, int place, int beside, int direction)
{
    return s->joint[direction & 1][direction < 2 ? beside : place];
}

#endif
