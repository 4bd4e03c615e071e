/* FITS: computes, for every two tiles, how well one stands beside or below the other. The kernel
 * reads the edges from constant memory. */
#include <math.h>

#include "images/chart.h"
#include "stages/unscramble/reference.h"
#include "stages/unscramble/unscramble.h"

#define CHART_SIDE 432 /* pixels, at most, of a panel of the snapshot */

static int fits_run(struct run *run, struct unscramble *u)
{
    const uint32_t tiles = grid_tiles(u->grid);
    const int rc = run_buffer(run, &u->pair_costs, PAIR_COSTS(1) * sizeof(uint32_t), NULL);
    if (rc)
        return rc;
    return DEVICE_LAUNCH(&run->device, KERNEL_fits, TILE_PAIRS(1), DIRECTIONS, &run->error,
        ARGUMENT_CONSTANT(&u->edges), ARGUMENT_BUFFER(&u->pair_costs), ARGUMENT(tiles));
}

static int fits_reference(struct run *run, struct unscramble *u)
{
    const int rc = run_buffer(run, &u->pair_costs, PAIR_COSTS(1) * sizeof(uint32_t), NULL);
    if (rc == 0)
        reference_fits(u->edges.memory, u->grid, u->pair_costs.memory);
    return rc;
}

int unscramble_draw_pairs(
    struct run *run, struct unscramble *u, const char *title, double unit, struct image *snapshot)
{
    const int turns = (int)unscramble_turn_count(u), pitch = ORIENTED_MAX(turns);
    const int count = (int)grid_tiles(u->grid) * turns;
    uint32_t costs[PAIR_COSTS(4)];
    float values[PAIR_COSTS(4)], largest = 0;
    const int rc = buffer_download(&u->pair_costs, costs, u->pair_costs.size, &run->error);
    for (int i = 0; rc == 0 && i < DIRECTIONS * count * count; i++) {
        const int a = i / count % count, b = i % count;
        const uint32_t cost = costs[(i / count / count * pitch + a) * pitch + b];
        values[i] = a / turns == b / turns ? NAN : (float)sqrt(cost / unit);
        largest = fmaxf(largest, values[i]);
    }
    const struct heat_panel panels[DIRECTIONS] = {
        [BESIDE] = {"neighbor to the right", values + BESIDE * count * count},
        [BELOW] = {"neighbor below", values + BELOW * count * count}};
    const struct heat_chart chart = {.columns = count,
        .rows = count,
        .cell_width = CHART_SIDE / count,
        .cell_height = CHART_SIDE / count,
        .panel_count = DIRECTIONS,
        .panels = panels,
        .column_label =
            turns > 1 ? "oriented tile that is the neighbor" : "tile that is the neighbor",
        .row_label = turns > 1 ? "oriented tile" : "tile",
        .scale = {title, draw_heat, 0, largest > 0 ? (double)largest : 1, 0, 0}};
    return rc ? rc : draw_heat_chart(&chart, snapshot, &run->error);
}

static int fits_snapshot(struct run *run, struct unscramble *u, struct image *snapshot)
{
    return unscramble_draw_pairs(
        run, u, "root mean square difference of gray values", EDGE_PIXELS, snapshot);
}

const struct unscramble_stage FITS = {
    .stage = {"fits", "compare the edges of every two tiles"},
    .run = fits_run,
    .reference = fits_reference,
    .snapshot = fits_snapshot,
};
