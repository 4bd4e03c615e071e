/* Gives every bin a place for its list and every group of circles its place in the list:
 * counts[group][bin] becomes how many entries are before those of the group, as far as the list
 * goes, and the words of each bin (LIST_WORDS) are set. Lists lie in no particular order: each
 * takes its place from a common cursor, which stands after these words.
 *
 * A list ends with a group that makes it `most` entries long, which hide what is behind them nearly
 * everywhere; beside a border of the image, where circles are half as dense, with twice as many.
 *
 * A group of items has BINS bins and looks at LIST_SEGMENTS times BLOCK groups of circles at a
 * time.
 *
 * Must move: a word in and one out for each group and bin, until the lists end. */
#include "kernels/circles/lists.h"

#define BINS (GROUP / LIST_SEGMENTS)
#define BLOCK 8
#define GROUPS_AT_ONCE (LIST_SEGMENTS * BLOCK)

/* What the items share, by the bins of the group. */
struct start_group {
    uint sums[LIST_SEGMENTS][BINS];
    uint before[2][BINS]; /* entries before those at work, and before the next */
    uint length[BINS], groups[BINS];
};

/* The entries with which the list of a bin may end. */
DEVICE uint bin_most(uint bin, struct bin_args args)
{
    const uint column = bin % args.columns, row = bin / args.columns;
    const uint sides = (uint)(column == 0 || column + 1 == args.columns) +
                       (uint)(row == 0 || row + 1 == args.rows);
    return args.most == ALL_ENTRIES ? ALL_ENTRIES : args.most << sides;
}

KERNEL3(
    list_start, GLOBAL uint *RESTRICT, counts, GLOBAL uint *RESTRICT, lists, struct bin_args, args)
{
    LOCAL struct start_group group;
    PRIVATE_ARRAY(uint, own, BLOCK);
    PRIVATE(uint, wants);
    VOTE(any);
    const uint bin_count = args.columns * args.rows;
    const uint groups = list_groups(args);
    uint turn = 0, goes_on = 1;
    ITEMS_TO(BINS) {
        group.before[0][ITEM] = 0;
        group.length[ITEM] = ALL_ENTRIES;
        group.groups[ITEM] = groups;
    }
    SYNC;
    for (uint first = 0; goes_on; first += GROUPS_AT_ONCE, turn = 1 - turn) {
        ITEMS
        {
            const uint bin = GROUP_X * BINS + ITEM % BINS;
            const uint from = first + ITEM / BINS * BLOCK;
            uint sum = 0;
            UNROLL(BLOCK)
            for (uint i = 0; i < BLOCK; i++) {
                MINE(own[i]) =
                    bin < bin_count && from + i < groups ? counts[(from + i) * bin_count + bin] : 0;
                sum += MINE(own[i]);
            }
            group.sums[ITEM / BINS][ITEM % BINS] = sum;
        }
        SYNC;
        ITEMS
        {
            const uint bin = GROUP_X * BINS + ITEM % BINS, segment = ITEM / BINS;
            const uint from = first + segment * BLOCK, most = bin_most(bin, args);
            uint before = group.before[turn][ITEM % BINS];
            for (uint i = 0; i < segment; i++)
                before += group.sums[i][ITEM % BINS];
            UNROLL(BLOCK)
            for (uint i = 0; i < BLOCK; i++) {
                const uint next = before + MINE(own[i]);
                if (bin < bin_count && from + i < groups && before < most) {
                    counts[(from + i) * bin_count + bin] = before;
                    if (next >= most) {
                        group.length[ITEM % BINS] = next;
                        group.groups[ITEM % BINS] = from + i + 1;
                    }
                }
                before = next;
            }
            if (segment == LIST_SEGMENTS - 1)
                group.before[1 - turn][ITEM % BINS] = before;
            MINE(wants) = segment == LIST_SEGMENTS - 1 && bin < bin_count && before < most;
        }
        GROUP_ANY(any, wants);
        goes_on = any && first + GROUPS_AT_ONCE < groups;
    }
    ITEMS_TO(BINS) {
        const uint bin = GROUP_X * BINS + ITEM;
        if (bin < bin_count) {
            const uint length =
                group.length[ITEM] < ALL_ENTRIES ? group.length[ITEM] : group.before[turn][ITEM];
            GLOBAL uint *const cursor = &lists[LIST_WORDS * bin_count];
            lists[bin] = LIST_WORDS * bin_count + 1 + ATOMIC_ADD(cursor, length);
            lists[bin_count + bin] = length;
            lists[2 * bin_count + bin] = group.groups[ITEM];
        }
    }
}
