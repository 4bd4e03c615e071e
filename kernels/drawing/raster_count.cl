/* How many triangles meet each tile. An item a triangle.
 *
 * Must move: 60 bytes a triangle in. Must do: an atomic addition for each tile that it meets. */
#include "kernels/drawing/raster.h"

KERNEL4(raster_count, GLOBAL const float4 *RESTRICT, screen, GLOBAL const uint *RESTRICT, triangles,
    GLOBAL uint *RESTRICT, counts, struct raster_args, args)
{
    ITEMS_ATOMIC
    {
        const uint number = GROUP_X * GROUP + ITEM;
        if (number < args.triangles)
            FOR_TILES(screen, triangles, args, number, ATOMIC_ADD(&counts[tile], 1u));
    }
}
