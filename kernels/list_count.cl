/* How many of a group's LIST_CIRCLES circles each bin has: counts[group][bin]. An item takes a row of
 * bins and goes through its circles. Sets list_start's cursor to 0.
 *
 * Must move: 16 bytes a circle in, a word a bin and group out. Must do: about 30 operations a circle, 5
 * for each bin that it reaches into. */
#include "kernels/lists.h"

#define GROUP LIST_GROUP

KERNEL4(list_count, GLOBAL const float4 *RESTRICT, geometry, GLOBAL uint *RESTRICT, counts,
    GLOBAL uint *RESTRICT, lists, struct bin_args, args)
{
    LOCAL ushort reaches[LIST_CIRCLES];
    LOCAL uint rows[BIN_LINES * LIST_STRIDE];
    LOCAL ushort
        sums[BIN_LINES * (BIN_LINES + 2)]; /* a row's next to one another, in other banks */
    const uint bin_count = args.columns * args.rows;
    LIST_LOAD(reaches, rows, geometry, args);
    ITEMS_TO(args.rows) {
        for (uint column = 0; column < args.columns; column++)
            sums[ITEM * (BIN_LINES + 2) + column] = 0;
        LIST_FOR_EACH(reaches, rows, ITEM, args, sums[ITEM * (BIN_LINES + 2) + column]++);
    }
    SYNC;
    for (uint first = 0; first < bin_count; first += GROUP) {
        ITEMS
        {
            const uint bin = first + ITEM;
            if (bin < bin_count)
                counts[GROUP_X * bin_count + bin] =
                    sums[bin / args.columns * (BIN_LINES + 2) + bin % args.columns];
        }
    }
    if (GROUP_X == 0) {
        ITEMS_TO(1) {
            lists[2 * bin_count] = 0;
        }
    }
}
