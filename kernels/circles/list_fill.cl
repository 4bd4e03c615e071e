/* Writes every bin's list: each group appends its circles, in order, from the places that
 * list_start has found for it.
 *
 * On the CPU items take circles in order. On a GPU GROUP circles are taken at a time, an item each,
 * and how many of those before it reach into a bin too is counted by bits: a circle reaches into a
 * bin where it reaches into its row and into its column. Circles that reach into many bins are
 * listed by all items together.
 *
 * Must move: 16 bytes a circle and a word a bin and group in, a word for each bin that a circle
 * reaches into out. Must do: about 30 operations a circle, on a GPU 30 for each of its bins. */
#include "kernels/circles/lists.h"

#define WORDS (GROUP / 32)
#define STRIDE (WORDS + 1) /* odd, so that lines lie in different banks */
#define MANY_BINS 64       /* above which all items share a circle's bins */

/* What the items share. */
struct fill_group {
    uint places[BIN_LINES * BIN_LINES]; /* of the next circle of each bin */
    uint rows[BIN_LINES * STRIDE],
        columns[BIN_LINES * STRIDE]; /* a bit a circle that reaches there */
    uint reaches[GROUP];
    uint large[GROUP], large_count; /* circles of many bins, in any order */
};

/* The bins that a circle reaches into. */
struct fill_bins {
    uint row, column, width; /* the first ones, columns */
    uint count;
};

DEVICE struct fill_bins bins_of(uint reach, struct bin_args args)
{
    const uint end_row = reach_end(reach >> 24, args.rows);
    const uint end_column = reach_end(reach >> 8 & 0xff, args.columns);
    struct fill_bins bins;
    bins.row = reach_first(reach >> 16 & 0xff);
    bins.column = reach_first(reach & 0xff);
    bins.width = end_column > bins.column ? end_column - bins.column : 0;
    bins.count = end_row > bins.row ? (end_row - bins.row) * bins.width : 0;
    return bins;
}

#if ITEMS_ARE_THREADS

/* Appends circle `number`, of which `bins` are some, to the list of the k-th of these. */
DEVICE void bin_append(IN_LOCAL struct fill_group *group, struct fill_bins bins, uint k,
    uint number, GLOBAL uint *lists, struct bin_args args)
{
    const uint row = bins.row + k / bins.width, column = bins.column + k % bins.width;
    const uint circle = number % GROUP, last = circle / 32;
    uint rank = BITS(group->rows[row * STRIDE + last] & group->columns[column * STRIDE + last] &
                     ((1u << circle % 32) - 1));
    for (uint word = 0; word < last; word++)
        rank += BITS(group->rows[row * STRIDE + word] & group->columns[column * STRIDE + word]);
    lists[group->places[row * args.columns + column] + rank] = number;
}

/* Counts it for those that come after. */
DEVICE void bin_count(
    IN_LOCAL struct fill_group *group, struct fill_bins bins, uint k, struct bin_args args)
{
    const uint row = bins.row + k / bins.width, column = bins.column + k % bins.width;
    ATOMIC_COUNT(&group->places[row * args.columns + column]);
}

/* Appends GROUP circles from number `first` on, all at once. Starts behind a SYNC and ends with
 * one. */
GROUP_FUNCTION void circles_append(IN_LOCAL struct fill_group *group, GLOBAL const float4 *geometry,
    GLOBAL uint *lists, uint first, struct bin_args args)
{
    for (uint line = 0; line < BIN_LINES * STRIDE; line += GROUP) {
        ITEMS
        {
            if (line + ITEM < BIN_LINES * STRIDE)
                group->rows[line + ITEM] = group->columns[line + ITEM] = 0;
        }
    }
    ITEMS_TO(1) {
        group->large_count = 0;
    }
    SYNC;
    ITEMS_ATOMIC
    {
        const uint circle = first + ITEM;
        const uint reach = circle < args.circles ? bin_reach(geometry[circle], args) : 0;
        const struct fill_bins bins = bins_of(reach, args);
        group->reaches[ITEM] = reach;
        for (uint k = 0; k < bins.count; k += bins.width)
            ATOMIC_OR(
                &group->rows[(bins.row + k / bins.width) * STRIDE + ITEM / 32], 1u << ITEM % 32);
        for (uint k = 0; k < bins.width; k++)
            ATOMIC_OR(&group->columns[(bins.column + k) * STRIDE + ITEM / 32], 1u << ITEM % 32);
        if (bins.count > MANY_BINS)
            group->large[ATOMIC_ADD(&group->large_count, 1)] = ITEM;
    }
    SYNC;
    const uint large_count = group->large_count;
    for (uint step = 0; step < 2; step++) { /* append, count */
        ITEMS_ATOMIC
        {
            const struct fill_bins bins = bins_of(group->reaches[ITEM], args);
            for (uint k = 0; k < bins.count && bins.count <= MANY_BINS; k++)
                if (step == 0)
                    bin_append(group, bins, k, first + ITEM, lists, args);
                else
                    bin_count(group, bins, k, args);
        }
        for (uint i = 0; i < large_count; i++) {
            const uint circle = group->large[i];
            const struct fill_bins bins = bins_of(group->reaches[circle], args);
            for (uint from = 0; from < bins.count; from += GROUP) {
                ITEMS_ATOMIC
                {
                    if (from + ITEM < bins.count && step == 0)
                        bin_append(group, bins, from + ITEM, first + circle, lists, args);
                    else if (from + ITEM < bins.count)
                        bin_count(group, bins, from + ITEM, args);
                }
            }
        }
        SYNC;
    }
}

#else

/* Appends GROUP circles from number `first` on, one after the other. */
GROUP_FUNCTION void circles_append(IN_LOCAL struct fill_group *group, GLOBAL const float4 *geometry,
    GLOBAL uint *lists, uint first, struct bin_args args)
{
    ITEMS_ATOMIC
    {
        const uint circle = first + ITEM;
        const uint reach = circle < args.circles ? bin_reach(geometry[circle], args) : 0;
        const struct fill_bins bins = bins_of(reach, args);
        for (uint k = 0; k < bins.count; k += bins.width)
            for (uint i = 0; i < bins.width; i++) {
                const uint row = bins.row + k / bins.width;
                lists[group->places[row * args.columns + bins.column + i]++] = circle;
            }
    }
}

#endif

KERNEL4(list_fill, GLOBAL const float4 *RESTRICT, geometry, GLOBAL const uint *RESTRICT, starts,
    GLOBAL uint *RESTRICT, lists, struct bin_args, args)
{
    LOCAL struct fill_group group;
    const uint bin_count = args.columns * args.rows;
    for (uint first = 0; first < bin_count; first += GROUP) {
        ITEMS
        {
            if (first + ITEM < bin_count)
                group.places[first + ITEM] = starts[GROUP_X * bin_count + first + ITEM];
        }
    }
    for (uint i = 0; i < LIST_CIRCLES; i += GROUP)
        circles_append(&group, geometry, lists, GROUP_X * LIST_CIRCLES + i, args);
}
