/* FITS: computes, for every two tiles, how well one stands beside or below the other. The kernel
 * reads the edges from constant memory. */
#include <math.h>

#include "images/draw.h"
#include "stages/unscramble/reference.h"
#include "stages/unscramble/unscramble.h"

enum { CELL = 24, LABEL = 36, SCALE = 3 }; /* pixels, of the drawn table */

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

/* The costs in one direction, scaled by the largest of both. */
static void draw_table(
    struct image *snapshot, int left, const uint32_t *fits, int count, int turns, uint32_t largest)
{
    const int pitch = ORIENTED_MOST(turns);
    for (int a = 0; a < count; a++) {
        const int across = LABEL + a * CELL;
        draw_number(snapshot, left + 6, across + 4, SCALE, (unsigned)a, (struct color){0, 0, 0});
        draw_number(snapshot, left + across + 2, 10, SCALE, (unsigned)a, (struct color){0, 0, 0});
        for (int b = 0; b < count; b++) {
            const struct color color = a / turns == b / turns
                                           ? (struct color){224, 224, 224}
                                           : draw_heat(sqrt((double)fits[a * pitch + b] / largest));
            draw_rectangle(snapshot, left + LABEL + b * CELL, across, CELL - 1, CELL - 1, color);
        }
    }
}

int unscramble_fits_snapshot(struct run *run, struct unscramble *u, struct image *snapshot)
{
    const int turns = (int)unscramble_turn_count(u), pitch = ORIENTED_MOST(turns);
    const int count = (int)grid_tiles(u->grid) * turns;
    const int width = LABEL + count * CELL;
    uint32_t fits[ORIENTED_FITS(4)], largest = 1;
    int rc = image_new(DIRECTIONS * width, width, 3, 8, snapshot, &run->error);
    if (rc == 0)
        rc = buffer_download(&u->fits, fits, u->fits.size, &run->error);
    if (rc)
        return rc;
    draw_rectangle(
        snapshot, 0, 0, snapshot->width, snapshot->height, (struct color){255, 255, 255});
    for (int direction = 0; direction < DIRECTIONS; direction++)
        for (int a = 0; a < count; a++)
            for (int b = 0; b < count; b++) {
                const uint32_t fit = fits[(direction * pitch + a) * pitch + b];
                largest = a / turns != b / turns && fit > largest ? fit : largest;
            }
    for (int direction = 0; direction < DIRECTIONS; direction++)
        draw_table(
            snapshot, direction * width, fits + direction * pitch * pitch, count, turns, largest);
    return 0;
}

const struct unscramble_stage FITS = {
    .stage = {"fits", "compare the edges of every two tiles"},
    .run = fits_run,
    .reference = fits_reference,
    .snapshot = unscramble_fits_snapshot,
};
