#include "stages/unscramble/line.h"

#include <stdlib.h>
#include <string.h>

#include "random.h"
#include "stages/unscramble/oriented.h"

struct line {
    const int32_t *cost;
    int tiles;
    int32_t *order, *work; /* [tiles] */
};

/* The cost of the tiles at two places, neighbors or not; 0 beyond the ends. */
static inline int64_t joint(const struct line *l, int a, int b)
{
    return a < 0 || b >= l->tiles
               ? 0
               : l->cost[(size_t)l->order[a] * (size_t)l->tiles + (size_t)l->order[b]];
}

/* What it adds to the cost that the segments first .. second - 1 and second .. end - 1 change
 * places. */
static inline int64_t exchange_cost(const struct line *l, int first, int second, int end)
{
    return joint(l, first - 1, second) + joint(l, end - 1, first) + joint(l, second - 1, end) -
           joint(l, first - 1, first) - joint(l, second - 1, second) - joint(l, end - 1, end);
}

static void exchange(struct line *l, int first, int second, int end)
{
    const size_t before = (size_t)(second - first), behind = (size_t)(end - second);
    memcpy(l->work, l->order + first, before * sizeof(*l->order));
    memmove(l->order + first, l->order + second, behind * sizeof(*l->order));
    memcpy(l->order + first + behind, l->work, before * sizeof(*l->order));
}

/* Makes the exchange that helps most, as long as one helps. Returns the change of the cost. */
static int64_t improve(struct line *l)
{
    int64_t sum = 0, best;
    do {
        int at[3] = {0};
        best = 0;
        for (int i = 0; i < l->tiles; i++)
            for (int j = i + 1; j < l->tiles; j++)
                for (int k = j + 1; k <= l->tiles; k++) {
                    const int64_t change = exchange_cost(l, i, j, k);
                    if (change < best) {
                        best = change;
                        at[0] = i;
                        at[1] = j;
                        at[2] = k;
                    }
                }
        if (best < 0)
            exchange(l, at[0], at[1], at[2]);
        sum += best;
    } while (best < 0);
    return sum;
}

struct end_pair {
    int32_t cost, a, b;
};

static int cheapest_first(const void *x, const void *y)
{
    const struct end_pair *p = x, *q = y;
    if (p->cost != q->cost)
        return p->cost < q->cost ? -1 : 1;
    return p->a != q->a ? (p->a > q->a) - (p->a < q->a) : (p->b > q->b) - (p->b < q->b);
}

/* Joins ends, the cheapest first, to one line. next, parent: [tiles]. */
static void join_ends(struct line *l, struct end_pair *pairs, int32_t *next, int32_t *parent)
{
    int count = 0, at = 0;
    uint8_t has_previous[LINE_MOST] = {0};
    for (int a = 0; a < l->tiles; a++) {
        next[a] = NOTHING;
        parent[a] = a;
        for (int b = 0; b < l->tiles; b++)
            if (a != b)
                pairs[count++] = (struct end_pair){
                    l->cost[(size_t)a * (size_t)l->tiles + (size_t)b], a, b};
    }
    qsort(pairs, (size_t)count, sizeof(*pairs), cheapest_first);
    for (int i = 0; i < count; i++) {
        const int a = pairs[i].a, b = pairs[i].b;
        if (next[a] != NOTHING || has_previous[b] || root_of(parent, a) == root_of(parent, b))
            continue;
        next[a] = b;
        has_previous[b] = 1;
        parent[root_of(parent, a)] = root_of(parent, b);
    }
    for (int a = 0; a < l->tiles; a++)
        for (int b = a; !has_previous[a] && b != NOTHING; b = next[b])
            l->order[at++] = b;
}

/* As many changes by chance as take about a second together. */
static int count_kicks(int tiles)
{
    const int64_t room = 50000000 / ((int64_t)tiles * tiles * tiles);
    return tiles < 3 ? 0 : room > 200 ? 200 : (int)room;
}

int line_order(const int32_t *cost, int tiles, uint64_t seed, int32_t *order)
{
    const size_t size = (size_t)tiles;
    int32_t *room = malloc(4 * size * sizeof(*room));
    struct end_pair *pairs = malloc(size * size * sizeof(*pairs));
    if (!room || !pairs) {
        free(room);
        free(pairs);
        return -1;
    }
    struct line l = {cost, tiles, order, room};
    int32_t *best = room + size;
    join_ends(&l, pairs, room + 2 * size, room + 3 * size);
    improve(&l);
    for (int kick = count_kicks(tiles); kick > 0; kick--) {
        memcpy(best, order, size * sizeof(*order));
        const int i = (int)(random_bits(&seed) % (size - 2));
        const int j = i + 1 + (int)(random_bits(&seed) % (uint64_t)(tiles - i - 2));
        const int k = j + 1 + (int)(random_bits(&seed) % (uint64_t)(tiles - j - 1));
        int64_t change = exchange_cost(&l, i, j, k);
        exchange(&l, i, j, k);
        change += improve(&l);
        if (change >= 0)
            memcpy(order, best, size * sizeof(*order));
    }
    free(room);
    free(pairs);
    return 0;
}

void line_center(const int32_t *cost, int tiles, const uint8_t *blank, int32_t *order)
{
    int32_t work[LINE_MOST];
    struct line l = {cost, tiles, order, work};
    int first = 0, end = tiles;
    while (first < tiles && blank[order[first]])
        first++;
    while (end > first && blank[order[end - 1]])
        end--;
    const int behind = tiles - end, move = (behind - first) / 2;
    if (move > 0 && exchange_cost(&l, 0, end, end + move) <= 0)
        exchange(&l, 0, end, end + move);
    else if (move < 0 && exchange_cost(&l, 0, -move, tiles) <= 0)
        exchange(&l, 0, -move, tiles);
}
