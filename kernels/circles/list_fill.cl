/* Writes every bin's list: each group appends its circles, in order, from the places that
 * list_start has found for it. An item takes a row of bins, as in list_count.
 *
 * Must move: 16 bytes a circle and a word a bin and group in, a word for each bin that a circle
 * reaches into out. */
#include "kernels/circles/lists.h"

KERNEL4(list_fill, GLOBAL const float4 *RESTRICT, geometry, GLOBAL const uint *RESTRICT, starts,
    GLOBAL uint *RESTRICT, lists, struct bin_args, args)
{
    LOCAL ushort reaches[LIST_CIRCLES];
    LOCAL uint rows[BIN_LINES * LIST_STRIDE];
    LOCAL uint places[BIN_LINES * (BIN_LINES + 1)];
    const uint bin_count = args.columns * args.rows;
    LIST_LOAD(reaches, rows, geometry, args);
    for (uint first = 0; first < bin_count; first += GROUP) {
        ITEMS
        {
            const uint bin = first + ITEM;
            if (bin < bin_count)
                places[bin / args.columns * (BIN_LINES + 1) + bin % args.columns] =
                    starts[GROUP_X * bin_count + bin];
        }
    }
    SYNC;
    ITEMS_TO(args.rows) {
        LIST_FOR_EACH(reaches, rows, ITEM, args,
            lists[places[ITEM * (BIN_LINES + 1) + column]++] = GROUP_X * LIST_CIRCLES + i);
    }
}
