/* COSTS: makes the table that SEARCH goes by: how much each two tiles cost beside and below each
 * other. */
#include <limits.h>
#include <stdlib.h>

#include "stages/unscramble/compare.h"
#include "stages/unscramble/unscramble.h"

#define USUAL 1000           /* the absolute cost of a pair that is as bad as the second best */
#define ABSOLUTE_MOST 20000U /* of a pair */

/* The place in the table of tile b beside or below tile a. */
static size_t place_of(int direction, uint32_t a, uint32_t b)
{
    return (size_t)direction * FIT_DIRECTION + a * MAX_TILES + b;
}

/* The directions of oriented.h toward the right and the bottom. */
static int toward(int direction)
{
    return direction == BESIDE ? 2 : 3;
}

static void take_relative_costs(const struct unscramble *u, uint32_t costs[FIT_COUNT])
{
    const uint32_t tiles = grid_tiles(u->grid);
    for (int direction = 0; direction < DIRECTIONS; direction++)
        for (uint32_t a = 0; a < tiles; a++)
            for (uint32_t b = 0; b < tiles; b++)
                if (a != b)
                    costs[place_of(direction, a, b)] = (uint32_t)cost_of(&u->compatibility,
                        oriented_edge((int32_t)(4 * a), toward(direction)),
                        oriented_edge((int32_t)(4 * b), toward(direction) ^ 2));
}

/* Adds the sums of differences of all pairs in one direction, where the mean second best of all
 * edges that have one is USUAL. */
static void add_sums(
    int direction, uint32_t tiles, const struct partner *list, int width, uint32_t costs[FIT_COUNT])
{
    const int side = toward(direction);
    uint64_t sum = 0, count = 0;
    for (uint32_t a = 0; a < tiles; a++) {
        const struct partner *second = &list[(4 * a + (uint32_t)side) * (uint32_t)width + 1];
        if (second->edge != NOTHING) {
            sum += (uint64_t)second->cost;
            count++;
        }
    }
    const uint64_t usual = count && sum > count ? sum / count : 1;
    for (uint32_t a = 0; a < tiles; a++) {
        const struct partner *partner = &list[(4 * a + (uint32_t)side) * (uint32_t)width];
        for (int i = 0; i < width && partner[i].edge != NOTHING; i++) {
            const uint64_t cost = USUAL * (uint64_t)partner[i].cost / usual;
            costs[place_of(direction, a, (uint32_t)partner[i].edge / 4)] +=
                cost < ABSOLUTE_MOST ? (uint32_t)cost : ABSOLUTE_MOST;
        }
    }
}

/* In a strip of tiles all orders that go round alike have all joints but one in common: the
 * border of the image takes the place of one. Costs that are relative to what else an edge could
 * have do not tell a border from a joint, so how bad a joint is in itself is added. */
static int add_absolute_costs(struct run *run, struct unscramble *u, uint32_t costs[FIT_COUNT])
{
    const uint32_t tiles = grid_tiles(u->grid);
    const int direction = u->grid.rows == 1 ? BESIDE : BELOW, width = MAX_TILES;
    struct partner *list = malloc((size_t)tiles * SIDES * (size_t)width * sizeof(*list));
    struct strips strips = {0};
    int rc =
        list ? 0 : error_set(&run->error, ERROR_INPUT, "not enough memory to compare the tiles");
    if (rc == 0)
        rc = strips_make(&u->puzzle, (int)u->grid.columns, (int)u->grid.rows, (int)u->tile_width,
            (int)u->tile_height, 0, &strips, &run->error);
    if (rc == 0)
        rc = compare_edges(run, &strips, TURNS_NONE, NULL, 1, width, list);
    if (rc == 0)
        add_sums(direction, tiles, list, width, costs);
    strips_free(&strips);
    free(list);
    return rc;
}

static void take_page_costs(const struct unscramble *u, uint32_t costs[FIT_COUNT])
{
    const uint32_t tiles = grid_tiles(u->grid);
    for (int direction = 0; direction < DIRECTIONS; direction++)
        for (uint32_t a = 0; a < tiles; a++)
            for (uint32_t b = 0; b < tiles; b++)
                costs[place_of(direction, a, b)] =
                    (uint32_t)u->page.cost[direction == BELOW][a * tiles + b];
}

static int costs_run(struct run *run, struct unscramble *u)
{
    const int is_strip = u->grid.columns == 1 || u->grid.rows == 1;
    uint32_t costs[FIT_COUNT] = {0};
    const int is_page = u->page.tiles > 0;
    if (is_page)
        take_page_costs(u, costs);
    else
        take_relative_costs(u, costs);
    int rc =
        !is_page && is_strip && grid_tiles(u->grid) > 1 ? add_absolute_costs(run, u, costs) : 0;
    if (rc == 0)
        rc = run_buffer(run, &u->fits, sizeof(costs), NULL);
    return rc ? rc : buffer_upload(&u->fits, costs, sizeof(costs), &run->error);
}

const struct unscramble_stage COSTS = {
    .stage = {"costs", "make a table of what every two tiles cost together"},
    .run = costs_run,
    .snapshot = unscramble_fits_snapshot,
};
