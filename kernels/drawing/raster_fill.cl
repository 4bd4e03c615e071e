/* Writes the list of each tile of a band: the triangles that meet it, in any order. `places` has
 * where each list begins and afterward where it ends. An item a triangle.
 *
 * Must move: 60 bytes a triangle in, a word out for each tile that it meets. */
#include "kernels/drawing/raster.h"

KERNEL5(raster_fill, GLOBAL const float4 *RESTRICT, screen, GLOBAL const uint *RESTRICT, triangles,
    GLOBAL uint *RESTRICT, places, GLOBAL uint *RESTRICT, lists, struct raster_args, args)
{
    ITEMS_ATOMIC
    {
        const uint number = GROUP_X * GROUP + ITEM;
        if (number < args.triangles)
            FOR_TILES(
                screen, triangles, args, number, lists[ATOMIC_ADD(&places[tile], 1u)] = number);
    }
}
