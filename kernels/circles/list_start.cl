/* Gives every bin a place for its list and every group its place in the list: counts[group][bin]
 * becomes where the group's circles start; lists[2 bin] is where the list starts, lists[2 bin + 1]
 * how long it is. Lists lie in no particular order: each takes its place from a common cursor,
 * which stands after them. A group has GROUP / LIST_SEGMENTS bins and cuts their groups into
 * segments.
 *
 * Must move: a word in twice and out once for each group and bin. */
#include "kernels/circles/circles_args.h"
#include "kernels/dialect.h"

#define BINS (GROUP / LIST_SEGMENTS)
#define BLOCK 8

KERNEL3(
    list_start, GLOBAL uint *RESTRICT, counts, GLOBAL uint *RESTRICT, lists, struct bin_args, args)
{
    LOCAL uint sums[LIST_SEGMENTS][BINS];
    const uint bin_count = args.columns * args.rows;
    const uint groups =
        (args.circles + args.group_circles - 1) / args.group_circles; /* of list_count */
    const uint length = (groups + LIST_SEGMENTS - 1) / LIST_SEGMENTS;
    ITEMS
    {
        const uint bin = GROUP_X * BINS + ITEM % BINS, segment = ITEM / BINS;
        const uint first = segment * length;
        const uint end = first + length < groups ? first + length : groups;
        uint sum = 0;
        if (bin < bin_count) {
            UNROLL(8)
            for (uint group = first; group < end; group++)
                sum += counts[group * bin_count + bin];
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
        const uint end = first + length < groups ? first + length : groups;
        uint start = sums[segment][ITEM % BINS];
        /* By blocks, so that their loads are under way at once. */
        for (uint block = first; bin < bin_count && block < end; block += BLOCK) {
            uint own[BLOCK];
            UNROLL(BLOCK)
            for (uint i = 0; i < BLOCK; i++)
                own[i] = block + i < end ? counts[(block + i) * bin_count + bin] : 0;
            UNROLL(BLOCK)
            for (uint i = 0; i < BLOCK; i++) {
                if (block + i < end)
                    counts[(block + i) * bin_count + bin] = start;
                start += own[i];
            }
        }
    }
}
