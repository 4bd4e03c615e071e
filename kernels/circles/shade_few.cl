/* Shades few circles: every pixel tests all of them, farthest first. An item FEW_ROWS rows of
 * FEW_COLUMNS pixels, GROUP apart.
 *
 * Must move: 4 bytes a pixel out. Must do: 12 operations a pixel and circle. */
#include "kernels/circles/circle.h"

#define FEW_PIXELS (FEW_ROWS * FEW_COLUMNS)

KERNEL6(shade_few, GLOBAL const float4 *RESTRICT, geometry, GLOBAL const float4 *RESTRICT, paint,
    GLOBAL const float *RESTRICT, places, GLOBAL uint *RESTRICT, pixels, GLOBAL uint *RESTRICT,
    counts, struct shade_args, args)
{
    const struct band band = args.band;
    ITEMS
    {
        const uint first_column = GROUP_X * GROUP * FEW_COLUMNS + ITEM;
        const uint first_row = GROUP_Y * FEW_ROWS;
        float x[FEW_COLUMNS], y[FEW_ROWS];
        float red[FEW_PIXELS], green[FEW_PIXELS], blue[FEW_PIXELS];
        uint hits[FEW_PIXELS];
        UNROLL(FEW_COLUMNS)
        for (uint i = 0; i < FEW_COLUMNS; i++) {
            const uint column = first_column + i * GROUP;
            x[i] = places[column < band.width ? column : band.width - 1];
        }
        UNROLL(FEW_PIXELS)
        for (uint p = 0; p < FEW_PIXELS; p++) {
            const uint at_row = image_row(band, first_row + p / FEW_COLUMNS);
            GLOBAL const float *behind = background(places, band, at_row);
            y[p / FEW_COLUMNS] = places[band.width + at_row];
            red[p] = behind[0];
            green[p] = behind[1];
            blue[p] = behind[2];
            hits[p] = 0;
        }
        for (uint next = args.circles; next-- > 0;) {
            const float4 circle = geometry[next], flat = paint[next];
            UNROLL(FEW_PIXELS)
            for (uint p = 0; p < FEW_PIXELS; p++) {
                const float dx = x[p % FEW_COLUMNS] - circle.x;
                const float dy = y[p / FEW_COLUMNS] - circle.y;
                const float dd = dx * dx + dy * dy;
                if (dd <= circle.z) {
                    const float4 own = args.soft ? soft_paint(flat, dd, circle.z) : flat;
                    red[p] = own.x + own.w * red[p];
                    green[p] = own.y + own.w * green[p];
                    blue[p] = own.z + own.w * blue[p];
                    hits[p]++;
                }
            }
        }
        UNROLL(FEW_PIXELS)
        for (uint p = 0; p < FEW_PIXELS; p++) {
            const uint column = first_column + p % FEW_COLUMNS * GROUP;
            const uint row = first_row + p / FEW_COLUMNS;
            if (column < band.width && row < band.rows) {
                pixels[row * band.width + column] = to_pixel(red[p], green[p], blue[p]);
                if (args.counts)
                    counts[row * band.width + column] = hits[p];
            }
        }
    }
}
