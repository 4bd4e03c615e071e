/* Takes the four edges of each tile out of the scaled gray image: group (tile, side), an item a
 * pixel, from left to right and from top to bottom. Tiles that do not exist get zeros.
 *
 * Must move: 1 byte in and 1 byte out a pixel, 256 pixels a tile. */
#include "kernels/dialect.h"
#include "kernels/unscramble/unscramble_args.h"

KERNEL4(edges, GLOBAL const uchar *, gray, GLOBAL uchar *, edge, uint, columns, uint, tiles)
{
    const uint tile = GROUP_X, side = GROUP_Y;
    const uint left = tile % columns * EDGE_PIXELS, top = tile / columns * EDGE_PIXELS;
    const uint width = columns * EDGE_PIXELS;
    const uint last = EDGE_PIXELS - 1;
    ITEMS
    {
        const uint x = side == SIDE_LEFT ? 0 : side == SIDE_RIGHT ? last : ITEM;
        const uint y = side == SIDE_TOP ? 0 : side == SIDE_BOTTOM ? last : ITEM;
        edge[(tile * SIDES + side) * EDGE_PIXELS + ITEM] =
            tile < tiles ? gray[(top + y) * width + left + x] : (uchar)0;
    }
}
