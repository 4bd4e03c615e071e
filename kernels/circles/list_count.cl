/* How many of a group's circles each bin has: counts[group][bin]; and, for list_fill, which bins
 * each circle reaches into: ranges[circle], as bin_range has it, and what a GPU sorts by: see
 * bytes_place in lists.h. Sets list_start's cursor to 0.
 *
 * Must move: 16 bytes a circle in, a word a circle out, for each bin and group a word, on a GPU a
 * byte more. Must do: about 30 operations a circle, 1 for each bin that it reaches into. */
#include "kernels/circles/lists.h"

KERNEL5(list_count, GLOBAL const float4 *RESTRICT, geometry, GLOBAL uint *RESTRICT, ranges,
    GLOBAL uint *RESTRICT, counts, GLOBAL uint *RESTRICT, lists, struct bin_args, args)
{
    LOCAL uint sums[BIN_LINES * BIN_LINES];
    PRIVATE(uint, range);
    PRIVATE(uint, is_many);
    VOTE(many);
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
        ITEMS
        {
            const uint circle = GROUP_X * args.group_circles + first + ITEM;
            MINE(range) = 0;
            if (circle < args.circles)
                ranges[circle] = MINE(range) = bin_range(geometry[circle], args);
        }
        ITEMS_ATOMIC
        {
            const struct bins bins = bins_of(MINE(range), args);
            bins_count(sums, &bins, args);
        }
    }
    ITEMS
    {
        MINE(is_many) = 0;
    }
    SYNC;
    for (uint first = 0; first < bin_count; first += GROUP) {
        ITEMS
        {
            if (first + ITEM < bin_count) {
                const uint sum = sums[first + ITEM];
                counts[GROUP_X * bin_count + first + ITEM] = sum;
                MINE(is_many) |= sum > SORTED_OF_BIN;
            }
        }
    }
    for (uint first = 0; ITEMS_ARE_THREADS && first < bin_count; first += 4 * GROUP) {
        ITEMS
        {
            const uint bin = first + 4 * ITEM;
            uint bytes = 0; /* are not read where a sum has more bits: then is_many is set */
            for (uint i = 0; i < 4 && bin + i < bin_count; i++)
                bytes |= sums[bin + i] << 8 * i;
            if (bin < bin_count)
                counts[bytes_place(GROUP_X, args) + bin / 4] = bytes;
        }
    }
    GROUP_ANY(many, is_many);
    ITEMS_TO(1) {
        counts[sorted_place(GROUP_X, args)] = !many;
        if (GROUP_X == 0)
            lists[LIST_WORDS * bin_count] = 0;
    }
}
