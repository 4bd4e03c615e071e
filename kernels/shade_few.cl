/* Shades few circles: every pixel tests all of them, farthest first. An item FEW_ROWS pixels of a
 * column.
 *
 * Must move: 4 bytes a pixel out. Must do: 12 operations a pixel and circle. */
#include "kernels/circles.h"

#define GROUP FEW_GROUP

KERNEL6(shade_few, GLOBAL const float4 *RESTRICT, geometry, GLOBAL const float4 *RESTRICT, paint,
    GLOBAL const float *RESTRICT, places, GLOBAL uint *RESTRICT, pixels, GLOBAL uint *RESTRICT, counts,
    struct shade_args, args)
{
    ITEMS
    {
        const uint width = args.band.width, column = GROUP_X * GROUP + ITEM;
        const float x = places[column < width ? column : width - 1];
        for (uint i = 0; i < FEW_ROWS; i++) {
            const uint row = GROUP_Y * FEW_ROWS + i;
            if (column < width && row < args.band.rows) {
                const uint at_row = args.band.first_row + row;
                const float y = places[width + at_row];
                GLOBAL const float *behind = places + width + args.band.height + 3 * at_row;
                float red = behind[0], green = behind[1], blue = behind[2];
                uint hits = 0;
                for (uint next = args.circles; next-- > 0;) {
                    const float4 circle = geometry[next], flat = paint[next];
                    const float dx = x - circle.x, dy = y - circle.y;
                    const float dd = dx * dx + dy * dy;
                    if (dd <= circle.z) {
                        const float4 own = args.soft ? soft_paint(flat, dd, circle.z) : flat;
                        red = own.x + own.w * red;
                        green = own.y + own.w * green;
                        blue = own.z + own.w * blue;
                        hits++;
                    }
                }
                pixels[row * width + column] = to_pixel(red, green, blue);
                if (args.counts)
                    counts[row * width + column] = hits;
            }
        }
    }
}
