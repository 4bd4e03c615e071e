#include "stages/unscramble/loops.h"

#include <stdlib.h>
#include <string.h>

enum {
    WIDTH = 10, /* partners that stay of each edge */
    TRIED = 5,  /* of each of two edges, to close a square */
    NO_SQUARE = 3 * POOR_COST
};

/* The sum of the three other pairs of the cheapest square that holds the pair of edges a and b, of
 * two tiles side by side, and two tiles above them (SIDE_TOP) or below (SIDE_BOTTOM); NO_SQUARE
 * where none costs less. */
static int square_cost(const struct compatibility *c, int32_t a, int32_t b, int direction)
{
    const int32_t left = oriented_by_edge(a, SIDE_RIGHT);
    const int32_t right = oriented_by_edge(b, SIDE_LEFT);
    const struct partner *over_left = partners_of(c, oriented_edge(left, direction));
    const struct partner *over_right = partners_of(c, oriented_edge(right, direction));
    const int tried = TRIED < c->width ? TRIED : c->width;
    int least = NO_SQUARE;
    for (int i = 0; i < tried && over_left[i].edge != NOTHING; i++) {
        const int32_t p = oriented_by_edge(over_left[i].edge, direction ^ 2);
        if (p >> 2 == b >> 2)
            continue;
        for (int j = 0; j < tried && over_right[j].edge != NOTHING; j++) {
            const int32_t q = oriented_by_edge(over_right[j].edge, direction ^ 2);
            const int sum = over_left[i].cost + over_right[j].cost;
            if (sum >= least)
                break;
            if (q >> 2 == a >> 2 || q >> 2 == p >> 2)
                continue;
            const int32_t last =
                listed_cost(c, oriented_edge(p, SIDE_RIGHT), oriented_edge(q, SIDE_LEFT));
            if (last != NOTHING && sum + last < least)
                least = sum + last;
        }
    }
    return least;
}

int loops_make(
    const struct compatibility *compatibility, struct compatibility *looped, struct error *error)
{
    const struct compatibility *c = compatibility;
    const int edges = 4 * c->tiles, width = WIDTH < c->width ? WIDTH : c->width;
    *looped = *c;
    looped->width = width;
    looped->list = malloc((size_t)edges * (size_t)width * sizeof(*looped->list));
    looped->unlisted = malloc((size_t)edges * sizeof(*looped->unlisted));
    looped->table = NULL;
    looped->filter = NULL;
    const int count = looped->list && looped->unlisted ? edges : 0;
#pragma omp parallel for schedule(dynamic, 64)
    for (int e = 0; e < count; e++) {
        struct partner *list = looped->list + (int64_t)e * width;
        memcpy(list, partners_of(c, e), (size_t)width * sizeof(*list));
        for (int i = 0; i < width && list[i].edge != NOTHING; i++) {
            const int six = square_cost(c, e, list[i].edge, SIDE_TOP) +
                            square_cost(c, e, list[i].edge, SIDE_BOTTOM);
            list[i].cost = (list[i].cost + six / 6) / 2;
        }
        partners_sort(list, width);
        looped->unlisted[e] = c->unlisted[e]; /* the color says how the longer list ends */
        looped->unlisted[e].cost = (int16_t)list[width - 1].cost;
    }
    if (count && compatibility_index(looped) == 0)
        return 0;
    compatibility_free(looped);
    return error_set(error, ERROR_INPUT, "not enough memory to compare squares of tiles");
}
