/* FITS: computes, for every two tiles, how well one stands beside or below the other. The kernel
 * reads the edges from constant memory. */
#include <math.h>

#include "images/draw.h"
#include "stages/unscramble/reference.h"
#include "stages/unscramble/unscramble.h"

static int fits_run(struct run *run, struct unscramble *u)
{
    const uint32_t tiles = grid_tiles(u->grid);
    const int rc = run_buffer(run, &u->fits, FIT_COUNT * sizeof(uint32_t), NULL);
    if (rc)
        return rc;
    return DEVICE_LAUNCH(&run->device, KERNEL_fits, FIT_DIRECTION, DIRECTIONS, &run->error,
        ARGUMENT_CONSTANT(&u->edges), ARGUMENT_BUFFER(&u->fits), ARGUMENT(tiles));
}

static int fits_reference(struct run *run, struct unscramble *u)
{
    const int rc = run_buffer(run, &u->fits, FIT_COUNT * sizeof(uint32_t), NULL);
    if (rc == 0)
        reference_fits(u->edges.memory, u->grid, u->fits.memory);
    return rc;
}

int unscramble_fits_snapshot(struct run *run, struct unscramble *u, struct image *snapshot)
{
    enum { CELL = 24, LABEL = 36, SCALE = 3 };
    const int tiles = (int)grid_tiles(u->grid), table = LABEL + tiles * CELL;
    uint32_t fits[FIT_COUNT], largest = 1;
    int rc = image_new(DIRECTIONS * table, table, 3, 8, snapshot, &run->error);
    if (rc == 0)
        rc = buffer_download(&u->fits, fits, sizeof(fits), &run->error);
    if (rc)
        return rc;
    draw_rectangle(
        snapshot, 0, 0, snapshot->width, snapshot->height, (struct color){255, 255, 255});
    for (int direction = 0; direction < DIRECTIONS; direction++)
        for (int a = 0; a < tiles; a++)
            for (int b = 0; b < tiles; b++) {
                const uint32_t fit = fits[direction * FIT_DIRECTION + a * MAX_TILES + b];
                largest = a != b && fit > largest ? fit : largest;
            }
    for (int direction = 0; direction < DIRECTIONS; direction++)
        for (int a = 0; a < tiles; a++) {
            const int left = direction * table, across = LABEL + a * CELL;
            draw_number(
                snapshot, left + 6, across + 4, SCALE, (unsigned)a, (struct color){0, 0, 0});
            draw_number(
                snapshot, left + across + 2, 10, SCALE, (unsigned)a, (struct color){0, 0, 0});
            for (int b = 0; b < tiles; b++) {
                const uint32_t fit = fits[direction * FIT_DIRECTION + a * MAX_TILES + b];
                const struct color color =
                    a == b ? (struct color){224, 224, 224} : draw_heat(sqrt((double)fit / largest));
                draw_rectangle(
                    snapshot, left + LABEL + b * CELL, across, CELL - 1, CELL - 1, color);
            }
        }
    return 0;
}

const struct unscramble_stage FITS = {
    .stage = {"fits", "compare the edges of every two tiles"},
    .run = fits_run,
    .reference = fits_reference,
    .snapshot = unscramble_fits_snapshot,
};
