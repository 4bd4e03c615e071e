/* COSTS: makes the table that SEARCH goes by: how much each two tiles cost beside and below each
 * other. */
#include <stdlib.h>

#include "stages/unscramble/compare.h"
#include "stages/unscramble/flat.h"
#include "stages/unscramble/unscramble.h"

#define USUAL 1000          /* the absolute cost of a pair that is as bad as the second best */
#define ABSOLUTE_MAX 20000U /* of a pair */
#define FLAT_COST_SHARE 16  /* what a cost counts still between flat edges: one of so many */
#define PARTNERS 48         /* that an edge can have, all of them: 4 sides of SEARCH_TILES */

/* The place in the table of oriented tile b beside or below oriented tile a. */
static size_t place_of(uint32_t turns, int direction, uint32_t a, uint32_t b)
{
    const size_t pitch = ORIENTED_MAX(turns);
    return ((size_t)direction * pitch + a) * pitch + b;
}

/* The directions of oriented.h toward the right and the bottom. */
static int toward(int direction)
{
    return direction == BESIDE ? SIDE_RIGHT : SIDE_BOTTOM;
}

/* The edge that a tile of the table shows toward a direction. */
static int32_t edge_of(uint32_t turns, uint32_t member, int direction)
{
    const uint32_t oriented = member / turns * 4 + member % turns * (4 / turns);
    return oriented_edge((int32_t)oriented, direction);
}

/* Two edges that are flat say nothing by being alike: so are the sides of an image that has a
 * border, or a white margin. They cost what the second best costs, and a little more where they are
 * less alike, which decides between joints that are all flat. */
static void take_flat_costs(const struct unscramble *u, int is_strip, uint32_t *costs)
{
    const uint32_t turns = unscramble_turn_count(u), count = grid_tiles(u->grid) * turns;
    const uint32_t least = TIE_COST + (is_strip ? USUAL : 0);
    const struct tiling tiling = unscramble_tiling(u);
    uint8_t flat[4 * SEARCH_TILES];
    flat_find(&tiling, flat);
    for (int direction = 0; direction < DIRECTIONS; direction++)
        for (uint32_t a = 0; a < count; a++)
            for (uint32_t b = 0; b < count; b++) {
                uint32_t *cost = &costs[place_of(turns, direction, a, b)];
                if (a / turns != b / turns && *cost < least &&
                    flat[edge_of(turns, a, toward(direction))] &&
                    flat[edge_of(turns, b, toward(direction) ^ 2)])
                    *cost = least + *cost / FLAT_COST_SHARE;
            }
}

static void take_relative_costs(const struct unscramble *u, uint32_t *costs)
{
    const uint32_t turns = unscramble_turn_count(u), count = grid_tiles(u->grid) * turns;
    for (int direction = 0; direction < DIRECTIONS; direction++)
        for (uint32_t a = 0; a < count; a++)
            for (uint32_t b = 0; b < count; b++)
                if (a / turns != b / turns)
                    costs[place_of(turns, direction, a, b)] =
                        (uint32_t)cost_of(&u->compatibility, edge_of(turns, a, toward(direction)),
                            edge_of(turns, b, toward(direction) ^ 2));
}

/* The sum of the differences from the inner pixels of an edge to its outermost, where these steps
 * are greatest. */
static uint64_t greatest_steps(const struct terms *terms, int direction)
{
    uint64_t greatest = 0;
    for (int edge = 0; edge < 4 * terms->tiles; edge++) {
        const uint16_t *is = terms_of(terms, edge, 0), *expected = terms_of(terms, edge, 1);
        uint64_t sum = 0;
        if ((edge & 1) != (direction == BELOW)) /* the odd sides are the top and the bottom */
            continue;
        for (int i = 0; i < terms->channels * terms->length[edge & 1]; i++)
            sum += (uint64_t)abs(is[i] - expected[i]);
        greatest = sum > greatest ? sum : greatest;
    }
    return greatest;
}

/* The mean second best sum of differences of the edges that have one. Edges of two tiles that
 * cannot be turned have none: then it is what sums of true neighbors hardly exceed and of others
 * do, twice what the steps inside of both tiles are. At least 1. */
static uint64_t usual_sum(const struct unscramble *u, int direction, const struct terms *terms,
    const struct partner *list)
{
    const uint32_t turns = unscramble_turn_count(u), count = grid_tiles(u->grid) * turns;
    uint64_t sum = 0, edges = 0;
    for (uint32_t a = 0; a < count; a++) {
        const struct partner *second = &list[edge_of(turns, a, toward(direction)) * PARTNERS + 1];
        if (second->edge != NOTHING) {
            sum += (uint64_t)second->cost;
            edges++;
        }
    }
    const uint64_t usual = edges ? sum / edges : 4 * greatest_steps(terms, direction);
    return usual ? usual : 1;
}

/* Adds the sums of differences of all pairs in one direction, where the usual one is USUAL. */
static void add_sums(const struct unscramble *u, int direction, const struct terms *terms,
    const struct partner *list, uint32_t *costs)
{
    const uint32_t turns = unscramble_turn_count(u), count = grid_tiles(u->grid) * turns;
    const uint64_t usual = usual_sum(u, direction, terms, list);
    for (uint32_t a = 0; a < count; a++) {
        const struct partner *partner = &list[edge_of(turns, a, toward(direction)) * PARTNERS];
        for (int i = 0; i < PARTNERS && partner[i].edge != NOTHING; i++) {
            const int32_t b = oriented_by_edge(partner[i].edge, toward(direction) ^ 2);
            const uint64_t cost = USUAL * (uint64_t)partner[i].cost / usual;
            costs[place_of(
                turns, direction, a, (uint32_t)b / 4 * turns + (uint32_t)b % 4 / (4 / turns))] +=
                cost < ABSOLUTE_MAX ? (uint32_t)cost : ABSOLUTE_MAX;
        }
    }
}

/* In a strip of tiles all orders that go round alike have all joints but one in common: the
 * border of the image takes the place of one. Costs that are relative to what else an edge could
 * have do not tell a border from a joint, so how bad a joint is in itself is added. */
static int add_absolute_costs(struct run *run, struct unscramble *u, uint32_t *costs)
{
    const size_t edges = (size_t)grid_tiles(u->grid) * SIDES;
    struct partner *list = malloc(edges * PARTNERS * sizeof(*list));
    const struct tiling tiling = unscramble_tiling(u);
    struct strips strips = {0};
    struct terms terms = {0};
    int rc =
        list ? 0 : error_set(&run->error, ERROR_INPUT, "not enough memory to compare the tiles");
    if (rc == 0)
        rc = strips_make(&tiling, &strips, &run->error);
    if (rc == 0)
        rc = terms_of_strips(&strips, 1, &terms, &run->error);
    if (rc == 0)
        rc = compare_edges(run, &terms, unscramble_turns(u), NULL, PARTNERS, list);
    if (rc == 0)
        add_sums(u, u->grid.rows == 1 ? BESIDE : BELOW, &terms, list, costs);
    terms_free(&terms);
    strips_free(&strips);
    free(list);
    return rc;
}

static void take_page_costs(const struct unscramble *u, uint32_t *costs)
{
    const uint32_t tiles = grid_tiles(u->grid);
    for (int direction = 0; direction < DIRECTIONS; direction++)
        for (uint32_t a = 0; a < tiles; a++)
            for (uint32_t b = 0; b < tiles; b++)
                costs[place_of(1, direction, a, b)] =
                    (uint32_t)u->page.cost[direction == BELOW][a * tiles + b];
}

static int costs_run(struct run *run, struct unscramble *u)
{
    const int is_strip = u->grid.columns == 1 || u->grid.rows == 1;
    const int is_page = u->page.tiles > 0;
    const size_t size = PAIR_COSTS(unscramble_turn_count(u)) * sizeof(uint32_t);
    uint32_t *costs = calloc(1, size);
    if (!costs)
        return error_set(&run->error, ERROR_INPUT, "not enough memory to compare the tiles");
    if (is_page)
        take_page_costs(u, costs);
    else
        take_relative_costs(u, costs);
    int rc =
        !is_page && is_strip && grid_tiles(u->grid) > 1 ? add_absolute_costs(run, u, costs) : 0;
    if (rc == 0 && !is_page)
        take_flat_costs(u, is_strip, costs);
    if (rc == 0)
        rc = run_buffer(run, &u->pair_costs, size, NULL);
    if (rc == 0)
        rc = buffer_upload(&u->pair_costs, costs, size, &run->error);
    free(costs);
    return rc;
}

static int costs_snapshot(struct run *run, struct unscramble *u, struct image *snapshot)
{
    return unscramble_draw_pairs(run, u, "square root of the cost", USUAL, snapshot);
}

const struct unscramble_stage COSTS = {
    .stage = {"costs", "make a table of what every two tiles cost together"},
    .run = costs_run,
    .snapshot = costs_snapshot,
};
