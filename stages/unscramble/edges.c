/* EDGES: takes the four edges of each tile from the gray image. */
#include "images/draw.h"
#include "stages/unscramble/reference.h"
#include "stages/unscramble/unscramble.h"

static int edges_run(struct run *run, struct unscramble *u)
{
    const uint32_t columns = u->grid.columns, tiles = grid_tiles(u->grid);
    const int rc = run_buffer(run, &u->edges, EDGE_BYTES, NULL);
    if (rc)
        return rc;
    return DEVICE_LAUNCH(&run->device, KERNEL_edges, MAX_TILES, SIDES, &run->error,
        ARGUMENT_BUFFER(&u->gray), ARGUMENT_BUFFER(&u->edges), ARGUMENT(columns), ARGUMENT(tiles));
}

static int edges_reference(struct run *run, struct unscramble *u)
{
    const int rc = run_buffer(run, &u->edges, EDGE_BYTES, NULL);
    if (rc == 0)
        reference_edges(u->gray.memory, u->grid, u->edges.memory);
    return rc;
}

/* Draws a row for each tile: its number, then its left, top, right and bottom edge as strips. */
static int edges_snapshot(struct run *run, struct unscramble *u, struct image *snapshot)
{
    enum { PIXEL = 3, STRIP = 18, GAP = 6, LABEL = 36 };
    const int tiles = (int)grid_tiles(u->grid);
    uint8_t edges[EDGE_BYTES];
    int rc = image_new(LABEL + SIDES * (EDGE_PIXELS * PIXEL + GAP), GAP + tiles * (STRIP + GAP), 3,
        8, snapshot, &run->error);
    if (rc == 0)
        rc = buffer_download(&u->edges, edges, sizeof(edges), &run->error);
    if (rc)
        return rc;
    draw_rectangle(
        snapshot, 0, 0, snapshot->width, snapshot->height, (struct color){255, 255, 255});
    for (int tile = 0; tile < tiles; tile++) {
        const int y = GAP + tile * (STRIP + GAP);
        draw_number(snapshot, GAP, y + 1, 3, (unsigned)tile, (struct color){0, 0, 0});
        for (int side = 0; side < SIDES; side++)
            for (int i = 0; i < EDGE_PIXELS; i++) {
                const uint8_t gray = edges[(tile * SIDES + side) * EDGE_PIXELS + i];
                draw_rectangle(snapshot, LABEL + side * (EDGE_PIXELS * PIXEL + GAP) + i * PIXEL, y,
                    PIXEL, STRIP, (struct color){gray, gray, gray});
            }
    }
    return 0;
}

const struct unscramble_stage EDGES = {
    .stage = {"edges", "take the four edges of each tile"},
    .run = edges_run,
    .reference = edges_reference,
    .snapshot = edges_snapshot,
};
