/* EDGES: takes the four edges of each tile from the gray image. */
#include "images/chart.h"
#include "stages/unscramble/reference.h"
#include "stages/unscramble/unscramble.h"

static int edges_run(struct run *run, struct unscramble *u)
{
    const uint32_t columns = u->grid.columns, tiles = grid_tiles(u->grid);
    const int rc = run_buffer(run, &u->edges, EDGE_BYTES, NULL);
    if (rc)
        return rc;
    return DEVICE_LAUNCH(&run->device, KERNEL_edges, SEARCH_TILES, SIDES, &run->error,
        ARGUMENT_BUFFER(&u->gray), ARGUMENT_BUFFER(&u->edges), ARGUMENT(columns), ARGUMENT(tiles));
}

static int edges_reference(struct run *run, struct unscramble *u)
{
    const int rc = run_buffer(run, &u->edges, EDGE_BYTES, NULL);
    if (rc == 0)
        reference_edges(u->gray.memory, u->grid, u->edges.memory);
    return rc;
}

/* A panel for each side: the gray values along it, a row for each tile. */
static int edges_snapshot(struct run *run, struct unscramble *u, struct image *snapshot)
{
    static const char *const NAMES[SIDES] = {[SIDE_LEFT] = "left edge",
        [SIDE_TOP] = "top edge",
        [SIDE_RIGHT] = "right edge",
        [SIDE_BOTTOM] = "bottom edge"};
    uint8_t edges[EDGE_BYTES];
    float values[SIDES][SEARCH_TILES * EDGE_PIXELS];
    struct heat_panel panels[SIDES];
    const struct heat_chart chart = {.columns = EDGE_PIXELS,
        .rows = (int)grid_tiles(u->grid),
        .cell_width = 4,
        .cell_height = 32,
        .panel_count = SIDES,
        .panels = panels,
        .column_label = "pixel along the edge",
        .row_label = "tile",
        .scale = {"gray value", draw_gray, 0, 255, 1, 0}};
    const int rc = buffer_download(&u->edges, edges, sizeof(edges), &run->error);
    for (int side = 0; rc == 0 && side < SIDES; side++) {
        for (int i = 0; i < chart.rows * EDGE_PIXELS; i++)
            values[side][i] =
                edges[(i / EDGE_PIXELS * SIDES + side) * EDGE_PIXELS + i % EDGE_PIXELS];
        panels[side] = (struct heat_panel){NAMES[side], values[side]};
    }
    return rc ? rc : draw_heat_chart(&chart, snapshot, &run->error);
}

const struct unscramble_stage EDGES = {
    .stage = {"edges", "take the four edges of each tile"},
    .run = edges_run,
    .reference = edges_reference,
    .snapshot = edges_snapshot,
};
