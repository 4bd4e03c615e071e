/* Costs of squares of tiles, against a search of all squares. */
#include <stdlib.h>
#include <string.h>

#include "cli/tap.h"
#include "random.h"
#include "stages/unscramble/loops.h"
#include "tests/test_sides.h"

enum { TILES = 14, EDGES = 4 * TILES, LISTED = 24, KEPT = 10, NEAR = 5 };

/* Random costs, the same both ways, of all edges that can meet, with the best in the lists. */
static void make(uint64_t random, enum turns turns, struct compatibility *c)
{
    static int32_t cost[EDGES][EDGES];
    *c = (struct compatibility){.tiles = TILES, .width = LISTED, .turns = turns};
    c->list = malloc(EDGES * LISTED * sizeof(*c->list));
    c->unlisted = malloc(EDGES * sizeof(*c->unlisted));
    for (int a = 0; a < EDGES; a++)
        for (int b = 0; b <= a; b++)
            cost[a][b] = cost[b][a] = (int32_t)(random_bits(&random) % FAR_COST);
    for (int a = 0; a < EDGES; a++) {
        struct partner all[EDGES];
        int count = 0;
        for (int b = 0; b < EDGES; b++)
            if (a >> 2 != b >> 2 && sides_match(turns, a & 3, b & 3))
                all[count++] = (struct partner){b, cost[a][b]};
        while (count < LISTED)
            all[count++] = (struct partner){NOTHING, FAR_COST};
        partners_sort(all, count);
        memcpy(c->list + a * LISTED, all, LISTED * sizeof(*all));
        c->unlisted[a] = (struct unlisted){(int16_t)all[LISTED - 1].cost,
            {(int16_t)(a % 3 ? a % 5 : NO_COLOR), (int16_t)(a % 7), (int16_t)-a}};
    }
    compatibility_index(c);
}

/* The place of an edge among the best NEAR of another, or NEAR. */
static int rank(const struct compatibility *c, int32_t edge, int32_t other)
{
    int i = 0;
    while (i < NEAR && partners_of(c, edge)[i].edge != other)
        i++;
    return i;
}

/* The cheapest three pairs that close a square with a (looking right) and b (looking left), with
 * every two oriented tiles on top of them, or below. */
static int reference(const struct compatibility *c, int32_t a, int32_t b, int direction)
{
    const int32_t left = oriented_by_edge(a, 2), right = oriented_by_edge(b, 0);
    int least = 3 * POOR_COST;
    for (int32_t p = 0; p < EDGES; p++)
        for (int32_t q = 0; q < EDGES; q++) {
            const int32_t to_p = oriented_edge(p, direction ^ 2);
            const int32_t to_q = oriented_edge(q, direction ^ 2);
            const int32_t from_a = oriented_edge(left, direction);
            const int32_t from_b = oriented_edge(right, direction);
            if (p >> 2 == q >> 2 || p >> 2 == b >> 2 || q >> 2 == a >> 2 ||
                rank(c, from_a, to_p) == NEAR || rank(c, from_b, to_q) == NEAR ||
                listed_cost(c, oriented_edge(p, 2), oriented_edge(q, 0)) == NOTHING)
                continue;
            const int sum = cost_of(c, from_a, to_p) + cost_of(c, from_b, to_q) +
                            cost_of(c, oriented_edge(p, 2), oriented_edge(q, 0));
            least = sum < least ? sum : least;
        }
    return least;
}

/* What a pair costs that is in none of the shorter lists: the worst of the two, and 50 for each
 * step between the colors of edges that have one. */
static int expect_unlisted(const struct compatibility *looped, int32_t a, int32_t b)
{
    const int worst_a = partners_of(looped, a)[KEPT - 1].cost;
    const int worst_b = partners_of(looped, b)[KEPT - 1].cost;
    int cost = worst_a > worst_b ? worst_a : worst_b;
    if (a % 3 && b % 3)
        cost += 50 * (abs(a % 5 - b % 5) + abs(a % 7 - b % 7) + abs(a - b));
    return cost < FAR_COST ? cost : FAR_COST;
}

int main(void)
{
    for (enum turns turns = TURNS_NONE; turns <= TURNS_ANY; turns++) {
        struct compatibility c, looped;
        struct error error;
        int wrong = 0, squares = 0;
        make(7 + turns, turns, &c);
        int rc = loops_make(&c, &looped, &error);
        for (int32_t a = 0; rc == 0 && a < EDGES; a++)
            for (int i = 0; i < KEPT && partners_of(&c, a)[i].edge != NOTHING; i++) {
                const struct partner *kept = &partners_of(&c, a)[i];
                const int above = reference(&c, a, kept->edge, 1);
                const int below = reference(&c, a, kept->edge, 3);
                const int cost = (kept->cost + (above + below) / 6) / 2;
                squares += (above < 3 * POOR_COST) + (below < 3 * POOR_COST);
                wrong += cost_of(&looped, a, kept->edge) != cost;
                wrong += i && partners_of(&looped, a)[i].cost < partners_of(&looped, a)[i - 1].cost;
            }
        tap_check(rc == 0 && !wrong && squares > 50, "squares of tiles, turns %d", (int)turns);
        int unlisted = 0, between = 0;
        for (int32_t a = 0; rc == 0 && a < EDGES; a++)
            for (int32_t b = 0; b < EDGES; b++)
                if (listed_cost(&looped, a, b) == NOTHING) {
                    const int cost = cost_of(&looped, a, b);
                    wrong += cost != expect_unlisted(&looped, a, b);
                    between += cost > TIE_COST && cost < FAR_COST;
                    unlisted++;
                }
        tap_check(rc == 0 && !wrong && between > 50, "%d unlisted pairs, turns %d: %d wrong",
            unlisted, (int)turns, wrong);
        compatibility_free(&c);
        compatibility_free(&looped);
    }
    return tap_finish();
}
