/* Copies the tiles of a picture into the order found; what the tiles do not cover (a strip at the
 * right and at the bottom) stays where it is. Group (y, column): the part of row y that lies in
 * that column of tiles, or in the strip beside the last.
 *
 * Must move: 4 (8 deep) bytes a pixel in and out. */
#include "kernels/kernel.h"

#define GROUP ASSEMBLE_GROUP

KERNEL4(assemble, GLOBAL const uint *RESTRICT, picture, GLOBAL uint *RESTRICT, result,
    GLOBAL const uint *RESTRICT, order, struct assemble_args, a)
{
    const uint y = GROUP_X, column = GROUP_Y, row = y / a.tile_height;
    const uint strip = column == a.columns;
    const uint width = strip ? a.row_words - column * a.tile_words : a.tile_words;
    const ulong to = (ulong)y * a.row_words + column * a.tile_words;
    ulong from = to;
    if (!strip && row < a.rows) {
        const uint tile = order[row * a.columns + column];
        const uint source_y = tile / a.columns * a.tile_height + y % a.tile_height;
        from = (ulong)source_y * a.row_words + tile % a.columns * a.tile_words;
    }
    const uint rounds = width / GROUP, rest = width % GROUP;
    UNROLL(4)
    for (uint i = 0; i < rounds; i++) {
        ITEMS
        {
            result[to + i * GROUP + ITEM] = picture[from + i * GROUP + ITEM];
        }
    }
    ITEMS_TO(rest) {
        result[to + width - rest + ITEM] = picture[from + width - rest + ITEM];
    }
}
