/* Gives every bin a place for its list and every block its place in the list: counts[block][bin]
 * becomes where the block's circles start; lists[2 bin] is where the list starts, lists[2 bin + 1] how
 * long it is. Lists lie in no particular order: each takes its place from a common cursor, which
 * stands after them. A group has GROUP / LIST_SEGMENTS bins and cuts their blocks into segments.
 *
 * Must move: a word in twice and out once for each block and bin. */
#include "kernels/kernel.h"

#define GROUP LIST_GROUP
#define BINS (GROUP / LIST_SEGMENTS)

KERNEL3(list_start, GLOBAL uint *RESTRICT, counts, GLOBAL uint *RESTRICT, lists,
    struct list_args, args)
{
    LOCAL uint sums[LIST_SEGMENTS][BINS];
    const uint bin_count = args.columns * args.rows;
    const uint length = (args.blocks + LIST_SEGMENTS - 1) / LIST_SEGMENTS;
    ITEMS
    {
        const uint bin = GROUP_X * BINS + ITEM % BINS, segment = ITEM / BINS;
        const uint first = segment * length;
        const uint end = first + length < args.blocks ? first + length : args.blocks;
        uint sum = 0;
        if (bin < bin_count) {
            UNROLL(8)
            for (uint block = first; block < end; block++)
                sum += counts[block * bin_count + bin];
        }
        sums[segment][ITEM % BINS] = sum;
    }
    SYNC;
    ITEMS_TO(BINS) {
        const uint bin = GROUP_X * BINS + ITEM;
        uint total = 0;
        for (uint segment = 0; segment < LIST_SEGMENTS; segment++)
            total += sums[segment][ITEM];
        if (bin < bin_count) {
            uint start = 2 * bin_count + 1 + ATOMIC_ADD(&lists[2 * bin_count], total);
            lists[2 * bin] = start;
            lists[2 * bin + 1] = total;
            for (uint segment = 0; segment < LIST_SEGMENTS; segment++) {
                const uint sum = sums[segment][ITEM];
                sums[segment][ITEM] = start;
                start += sum;
            }
        }
    }
    SYNC;
    ITEMS
    {
        const uint bin = GROUP_X * BINS + ITEM % BINS, segment = ITEM / BINS;
        const uint first = segment * length;
        const uint end = first + length < args.blocks ? first + length : args.blocks;
        uint start = sums[segment][ITEM % BINS];
        if (bin < bin_count) {
            UNROLL(8)
            for (uint block = first; block < end; block++) {
                const uint count = counts[block * bin_count + bin];
                counts[block * bin_count + bin] = start;
                start += count;
            }
        }
    }
}
