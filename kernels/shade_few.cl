/* Shades few circles: every pixel tests all of them, farthest first. An item FEW_ROWS pixels of a
 * column.
 *
 * Must move: 4 bytes a pixel out. Must do: 12 operations a pixel and circle. */
#include "kernels/circles.h"

#define GROUP FEW_GROUP

KERNEL6(shade_few, GLOBAL const float4 *RESTRICT, geometry, GLOBAL const float4 *RESTRICT, paint,
    GLOBAL const float *RESTRICT, places, GLOBAL uint *RESTRICT, pixels, GLOBAL uint *RESTRICT,
    counts, struct shade_args, args)
{
    const struct band band = args.band;
    ITEMS
    {
        const uint column = GROUP_X * GROUP + ITEM, first_row = GROUP_Y * FEW_ROWS;
        const float x = places[column < band.width ? column : band.width - 1];
        float y[FEW_ROWS], red[FEW_ROWS], green[FEW_ROWS], blue[FEW_ROWS];
        uint hits[FEW_ROWS];
        UNROLL(FEW_ROWS)
        for (uint i = 0; i < FEW_ROWS; i++) {
            const uint row = first_row + i < band.rows ? first_row + i : band.rows - 1;
            GLOBAL const float *behind =
                places + band.width + band.height + 3 * (band.first_row + row);
            y[i] = places[band.width + band.first_row + row];
            red[i] = behind[0];
            green[i] = behind[1];
            blue[i] = behind[2];
            hits[i] = 0;
        }
        for (uint next = args.circles; next-- > 0;) {
            const float4 circle = geometry[next], flat = paint[next];
            const float dx = x - circle.x;
            UNROLL(FEW_ROWS)
            for (uint i = 0; i < FEW_ROWS; i++) {
                const float dy = y[i] - circle.y;
                const float dd = dx * dx + dy * dy;
                if (dd <= circle.z) {
                    const float4 own = args.soft ? soft_paint(flat, dd, circle.z) : flat;
                    red[i] = own.x + own.w * red[i];
                    green[i] = own.y + own.w * green[i];
                    blue[i] = own.z + own.w * blue[i];
                    hits[i]++;
                }
            }
        }
        UNROLL(FEW_ROWS)
        for (uint i = 0; i < FEW_ROWS; i++) {
            const uint place = (first_row + i) * band.width + column;
            if (column < band.width && first_row + i < band.rows) {
                pixels[place] = to_pixel(red[i], green[i], blue[i]);
                if (args.counts)
                    counts[place] = hits[i];
            }
        }
    }
}
