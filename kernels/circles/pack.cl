/* Brings the circles of a chunk, which come as x, y, z, r, red, green, blue, alpha, the farthest
 * first, into the form and the order that all kernels read: geometry and paint of circle.h, the
 * nearest first.
 *
 * Must move, a circle: 32 bytes in and 32 out. Must do: 5 operations. */
#include "kernels/circles/circle.h"

KERNEL4(pack, GLOBAL const float4 *RESTRICT, circles, GLOBAL float4 *RESTRICT, geometry,
    GLOBAL float4 *RESTRICT, paint, struct pack_args, args)
{
    ITEMS
    {
        const uint i = GROUP_X * GROUP + ITEM;
        if (i < args.circles) {
            const uint from = 2 * (args.circles - 1 - i);
            const float4 place = circles[from], color = circles[from + 1];
            const float factor = args.soft ? 1.0f : color.w;
            float4 g, p;
            g.x = place.x;
            g.y = place.y;
            g.z = place.w * place.w;
            g.w = place.w;
            p.x = args.white ? factor : factor * color.x;
            p.y = args.white ? factor : factor * color.y;
            p.z = args.white ? factor : factor * color.z;
            p.w = args.soft ? color.w : 1.0f - color.w;
            geometry[i] = g;
            paint[i] = p;
        }
    }
}
