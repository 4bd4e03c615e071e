/* Shades few circles: every pixel tests all of them, farthest first. An item a pixel of a row.
 *
 * Must move: 4 bytes a pixel out. Must do: 12 operations a pixel and circle. */
#include "kernels/circles.h"

#define GROUP FEW_GROUP

KERNEL6(shade_few, GLOBAL const float4 *RESTRICT, geometry, GLOBAL const float4 *RESTRICT, paint,
    GLOBAL const float *RESTRICT, places, GLOBAL uint *RESTRICT, pixels, GLOBAL uint *RESTRICT, counts,
    struct shade_args, args)
{
    const uint row = GROUP_Y, at_row = args.band.first_row + row;
    const float y = places[args.band.width + at_row];
    GLOBAL const float *behind = places + args.band.width + args.band.height + 3 * at_row;
    ITEMS
    {
        const uint column = GROUP_X * GROUP + ITEM;
        if (column < args.band.width) {
            const float x = places[column];
            float red = behind[0], green = behind[1], blue = behind[2];
            uint hits = 0;
            for (uint i = args.circles; i-- > 0;) {
                const float4 circle = geometry[i], flat = paint[i];
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
            pixels[row * args.band.width + column] = to_pixel(red, green, blue);
            if (args.counts)
                counts[row * args.band.width + column] = hits;
        }
    }
}
