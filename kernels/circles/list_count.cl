/* How many of a group's circles each bin has: counts[group][bin]. Sets list_start's
 * cursor to 0.
 *
 * Must move: 16 bytes a circle in, a word a bin and group out. Must do: about 30 operations a
 * circle, 1 for each bin that it reaches into. */
#include "kernels/circles/lists.h"

KERNEL4(list_count, GLOBAL const float4 *RESTRICT, geometry, GLOBAL uint *RESTRICT, counts,
    GLOBAL uint *RESTRICT, lists, struct bin_args, args)
{
    LOCAL uint sums[BIN_LINES * BIN_LINES];
    const uint bin_count = args.columns * args.rows;
    for (uint first = 0; first < bin_count; first += GROUP) {
        ITEMS
        {
            if (first + ITEM < bin_count)
                sums[first + ITEM] = 0;
        }
    }
    SYNC;
    for (uint first = 0; first < args.group_circles; first += GROUP) {
        ITEMS_ATOMIC
        {
            const uint circle = GROUP_X * args.group_circles + first + ITEM;
            if (circle < args.circles) {
                const uint range = bin_range(geometry[circle], args);
                const uint row_end = range_end(range >> 24, args.rows);
                const uint column_end = range_end(range >> 8 & 0xff, args.columns);
                for (uint row = range_first(range >> 16 & 0xff); row < row_end; row++)
                    for (uint column = range_first(range & 0xff); column < column_end; column++)
                        ATOMIC_COUNT(&sums[row * args.columns + column]);
            }
        }
    }
    SYNC;
    for (uint first = 0; first < bin_count; first += GROUP) {
        ITEMS
        {
            if (first + ITEM < bin_count)
                counts[GROUP_X * bin_count + first + ITEM] = sums[first + ITEM];
        }
    }
    if (GROUP_X == 0) {
        ITEMS_TO(1) {
            lists[LIST_WORDS * bin_count] = 0;
        }
    }
}
