/* How well tile b stands to the right of tile a, or below it: the sum of squared differences of the
 * two edges that meet; 0 where one of them does not exist. Group (a * SEARCH_TILES + b, direction),
 * an item a pixel, a tree of sums.
 *
 * Must move: 2 x 64 bytes of constant memory in, 4 bytes out a pair. Must do: 64 multiply-adds. */
#include "kernels/dialect.h"
#include "kernels/unscramble/unscramble_args.h"

#define ADD(values, i, j) values[i] += values[j]

KERNEL_CONSTANT2(fits, uchar, edge_table, EDGE_BYTES, GLOBAL uint *, fit, uint, tiles)
{
    LOCAL uint squares[GROUP];
    const uint a = GROUP_X / SEARCH_TILES, b = GROUP_X % SEARCH_TILES, direction = GROUP_Y;
    const uint from = (a * SIDES + (direction == BESIDE ? SIDE_RIGHT : SIDE_BOTTOM)) * EDGE_PIXELS;
    const uint to = (b * SIDES + (direction == BESIDE ? SIDE_LEFT : SIDE_TOP)) * EDGE_PIXELS;
    const int are_tiles = a < tiles && b < tiles;
    ITEMS
    {
        const int difference = (int)edge_table[from + ITEM] - (int)edge_table[to + ITEM];
        squares[ITEM] = are_tiles ? (uint)(difference * difference) : 0;
    }
    GROUP_REDUCE(squares, GROUP, ADD);
    ITEMS_TO(1) {
        fit[direction * TILE_PAIRS(1) + a * SEARCH_TILES + b] = squares[0];
    }
}
