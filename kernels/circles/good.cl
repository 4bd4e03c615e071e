/* The classic exact renderer, for blocks of BLOCK x BLOCK pixels, an item a pixel: each item tests
 * a slice of the circles against the block, a scan turns the counts into places of an ordered list,
 * and each item blends the list, farthest first. In batches, so that any number of circles fits.
 *
 * Must move: 32 bytes a circle and block in, 4 a pixel out. Must do: 7 operations a circle and
 * block, 12 a listed circle and pixel. */
#include "kernels/circles/circle.h"

#define BATCH (GROUP * GOOD_SLICE)

/* Lists the circles of a batch that meet the box, farthest first, and returns how many do. `starts`
 * has GROUP + 1 words, the list BATCH. Ends with a SYNC. */
GROUP_FUNCTION uint batch_list(struct box box, GLOBAL const float4 *geometry, uint circles,
    uint first, IN_LOCAL uint *starts, IN_LOCAL uint *list)
{
    PRIVATE(uint, meets); /* a bit for each circle of the slice */
    ITEMS
    {
        MINE(meets) = 0;
        for (uint i = 0; i < GOOD_SLICE; i++) {
            const uint number = first + ITEM * GOOD_SLICE + i;
            if (number < circles)
                MINE(meets) |= box_meets(box, geometry[circles - 1 - number]) << i;
        }
        starts[ITEM] = BITS(MINE(meets));
    }
    GROUP_SCAN(starts);
    ITEMS
    {
        uint place = starts[ITEM];
        for (uint i = 0; i < GOOD_SLICE; i++)
            if (MINE(meets) >> i & 1)
                list[place++] = circles - 1 - (first + ITEM * GOOD_SLICE + i);
    }
    SYNC;
    return starts[GROUP];
}

KERNEL6(KERNEL_NAME, GLOBAL const float4 *RESTRICT, geometry, GLOBAL const float4 *RESTRICT, paint,
    GLOBAL const float *RESTRICT, places, GLOBAL uint *RESTRICT, pixels, GLOBAL float4 *RESTRICT,
    state, struct good_args, args)
{
    LOCAL uint starts[GROUP + 1], list[BATCH];
    PRIVATE(float, x);
    PRIVATE(float, y);
    PRIVATE(float, red);
    PRIVATE(float, green);
    PRIVATE(float, blue);
    const struct band band = args.band;
    const uint first_column = GROUP_X * BLOCK, first_row = GROUP_Y * BLOCK;
    const struct box box = tile_box(places, band, first_column, first_row, BLOCK, BLOCK);
    ITEMS
    {
        const uint column = first_column + ITEM % BLOCK, row = first_row + ITEM / BLOCK;
        const uint is_seen = column < band.width && row < band.rows;
        const uint at_row = image_row(band, row);
        GLOBAL const float *behind = background(places, band, at_row);
        MINE(x) = places[column < band.width ? column : band.width - 1];
        MINE(y) = places[band.width + at_row];
        MINE(red) = behind[0];
        MINE(green) = behind[1];
        MINE(blue) = behind[2];
        if (args.resumes && is_seen) {
            const float4 before = state[row * band.width + column];
            MINE(red) = before.x;
            MINE(green) = before.y;
            MINE(blue) = before.z;
        }
    }
    /* Circles are stored nearest first: number 0 of the farthest first is the last. */
    for (uint first = 0; first < args.circles; first += BATCH) {
        const uint listed = batch_list(box, geometry, args.circles, first, starts, list);
        for (uint k = 0; k < listed; k++) {
            const float4 circle = geometry[list[k]];
            const float4 flat = paint[list[k]];
            ITEMS
            {
                const float dx = MINE(x) - circle.x, dy = MINE(y) - circle.y;
                const float dd = dx * dx + dy * dy;
                if (dd <= circle.z) {
                    const float4 own = args.soft ? soft_paint(flat, dd, circle.z) : flat;
                    MINE(red) = own.x + own.w * MINE(red);
                    MINE(green) = own.y + own.w * MINE(green);
                    MINE(blue) = own.z + own.w * MINE(blue);
                }
            }
        }
        SYNC;
    }
    ITEMS
    {
        const uint column = first_column + ITEM % BLOCK, row = first_row + ITEM / BLOCK;
        if (column < band.width && row < band.rows) {
            if (args.pauses) {
                float4 now;
                now.x = MINE(red);
                now.y = MINE(green);
                now.z = MINE(blue);
                now.w = 0.0f;
                state[row * band.width + column] = now;
            } else {
                pixels[row * band.width + column] = to_pixel(MINE(red), MINE(green), MINE(blue));
            }
        }
    }
}
