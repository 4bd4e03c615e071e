/* How well edges of tiles fit: for each edge its best partners, with costs. */
#ifndef COMPATIBILITY_H
#define COMPATIBILITY_H

#include <stdlib.h>

#include "stages/run.h"
#include "stages/unscramble/dissimilarity.h"
#include "stages/unscramble/oriented.h"
#include "stages/unscramble/strips.h"

/* Costs, in thousandths of the score that the second best partner has. They are printed in units of
 * TIE_COST. */
#define TIE_COST 750   /* of a pair that fits as well as the best other partners of its edges */
#define OPEN_COST 375  /* of an edge beside an empty place: two are as bad as a tie */
#define POOR_COST 1000 /* from here on two edges are not taken for neighbors */
#define FAR_COST 1500  /* the largest there is */

struct partner {
    int32_t edge; /* NOTHING where there are no more */
    int32_t cost; /* 0 to FAR_COST; before COMPATIBILITY as compare_edges says */
};

struct pair_cost {
    int32_t a, b, cost; /* a < b */
};

/* What is known of the pairs that an edge's list does not have. */
struct unlisted {
    int16_t cost;     /* such a pair costs at least this */
    int16_t color[3]; /* the mean Lab of the outermost pixels, as the dissimilarity sees them, in
                       * 1 / LAB_SCALE; color[0] is NO_COLOR unless the last two partners that
                       * compare_edges listed were equally good, so that others may be, too */
};
#define NO_COLOR INT16_MIN

struct compatibility {
    int tiles;
    int width; /* partners of each edge */
    enum turns turns;
    enum dissimilarity dissimilarity; /* of all but settled tiles; of pages and regions unset */
    struct partner *list;             /* [4 * tiles][width], ascending by cost, then by edge */
    struct unlisted *unlisted;        /* [4 * tiles] */
    /* Made by compatibility_index. */
    uint64_t *table; /* all pairs of the lists, hashed: pair_key, and the cost in its low bits */
    int shift;       /* the table has 1 << (32 - shift) places */
    uint8_t *filter; /* a Bloom filter, a byte for each place: may a pair be listed */
};

/* Makes the costs of the partners that compare_edges has listed, `width` for each edge, at most
 * LEARNED_CANDIDATES, by the dissimilarity, which is not DISSIMILARITY_AUTO and looks at the strips
 * `seen`; the costs in the list are the network's, where it was asked. Takes the list over, which
 * malloc made, also where it fails. Reports to `progress` (NULL: nobody watches).
 * compatibility_index has to follow before cost_of is called. Returns 0, ERROR_STOPPED, or
 * ERROR_INPUT when memory is short. compatibility_free frees. */
int compatibility_make(const struct strips *seen, enum turns turns,
    enum dissimilarity dissimilarity, int width, struct partner *list,
    const struct progress *progress, struct compatibility *compatibility, struct error *error);

void compatibility_free(struct compatibility *compatibility);

/* Orders an edge's list by cost, then by edge. */
void partners_sort(struct partner *list, int width);

/* Makes the table and the filter, which cost_of asks for, from the lists. Returns 0, or -1 when
 * memory is short. */
int compatibility_index(struct compatibility *compatibility);

/* The order of two struct pair_cost for qsort: by cost, then by edges. */
int pair_order(const void *x, const void *y);

static inline const struct partner *partners_of(
    const struct compatibility *compatibility, int32_t edge)
{
    return compatibility->list + (int64_t)edge * compatibility->width;
}

/* A pair of edges, whichever is first, above COST_BITS for its cost: small, since the table is read
 * in no order, so that it pays for every byte that no cache holds. */
#define COST_BITS 12
#define EDGE_BITS 26
#define NO_PAIR UINT64_MAX /* a place of the table that is free */
static inline uint64_t pair_key(int32_t a, int32_t b)
{
    const uint64_t less = (uint64_t)(a < b ? a : b), more = (uint64_t)(a < b ? b : a);
    return less << (EDGE_BITS + COST_BITS) | more << COST_BITS;
}

static inline uint32_t pair_hash(int32_t a, int32_t b)
{
    const uint32_t less = (uint32_t)(a < b ? a : b), more = (uint32_t)(a < b ? b : a);
    return (less * 0x9e3779b1u ^ more * 0x85ebca6bu) * 0xc2b2ae35u;
}

/* What a pair costs more for each 1 / LAB_SCALE between the mean colors of its edges, so that a
 * difference of 0.4 makes a tie the largest cost. A score of blend rises by no less where the
 * second best steps from tile to tile are 0. */
#define COLOR_COST 50

/* The cost of a pair in no list: the larger of what is known of its edges' unlisted pairs. But a
 * list of equal partners, such as those of a white sky or of an area of a drawing, says nothing of
 * edges that differ from them. So where both lists end like that, the pair costs more, the more the
 * colors differ. */
static inline int32_t unlisted_cost(const struct compatibility *compatibility, int32_t a, int32_t b)
{
    const struct unlisted *x = &compatibility->unlisted[a], *y = &compatibility->unlisted[b];
    int32_t cost = x->cost > y->cost ? x->cost : y->cost;
    if (x->color[0] != NO_COLOR && y->color[0] != NO_COLOR)
        for (int i = 0; i < 3; i++)
            cost += COLOR_COST * abs(x->color[i] - y->color[i]);
    return cost < FAR_COST ? cost : FAR_COST;
}

/* The cost of two edges touching, the same both ways, where one is in the other's list; else
 * NOTHING. */
static inline int32_t listed_cost(const struct compatibility *compatibility, int32_t a, int32_t b)
{
    const uint64_t key = pair_key(a, b), cost_mask = (1u << COST_BITS) - 1;
    const uint32_t hash = pair_hash(a, b), mask = 0xffffffffu >> compatibility->shift;
    const uint32_t bit = hash >> (compatibility->shift - 3);
    if (!(compatibility->filter[bit >> 3] >> (bit & 7) & 1))
        return NOTHING;
    for (uint32_t i = hash >> compatibility->shift;; i = (i + 1) & mask) {
        const uint64_t pair = compatibility->table[i];
        if ((pair & ~cost_mask) == key)
            return (int32_t)(pair & cost_mask);
        if (pair == NO_PAIR)
            return NOTHING;
    }
}

/* The cost of two edges touching. */
static inline int32_t cost_of(const struct compatibility *compatibility, int32_t a, int32_t b)
{
    const int32_t cost = listed_cost(compatibility, a, b);
    return cost == NOTHING ? unlisted_cost(compatibility, a, b) : cost;
}

#endif
