/* Writes every bin's list: each group appends its circles, in order, from the places that
 * list_start has found for it, unless the list ends before the group.
 *
 * On the CPU items take circles in order. On a GPU GROUP circles are taken at a time, an item each,
 * and how many of those before it reach into a bin too is counted by bits: a circle reaches into a
 * bin where it reaches into its row and into its column. The bins of a circle that reaches into
 * many are shared by TEAM items.
 *
 * Must move: 16 bytes a circle and a word a bin and group in, a word for each bin that a circle
 * reaches into out. Must do: about 30 operations a circle, on a GPU 30 for each of its bins. */
#define KERNEL_GROUPS 6

#include "kernels/circles/lists.h"

#define WORDS (GROUP / 32)
#define STRIDE (WORDS + 1)   /* odd, so that lines lie in different banks */
#define MANY_BINS 64         /* above which items share a circle's bins, */
#define TEAM 32              /* so many */
#define NO_PLACE 0x80000000u /* from here on places are of lists that have ended */

/* What the items share. */
struct fill_group {
    uint places[BIN_LINES * BIN_LINES]; /* of the next circle of each bin, or NO_PLACE */
    uint rows[BIN_LINES * STRIDE],
        columns[BIN_LINES * STRIDE]; /* a bit a circle that reaches there */
    uint ranges[GROUP];
    uint large[GROUP], large_count; /* circles of many bins, in any order */
};

/* The bins that a circle reaches into: rows and columns, and how many they are. */
struct fill_bins {
    uint row, end_row, column, end_column;
    uint count;
};

DEVICE struct fill_bins bins_of(uint range, struct bin_args args)
{
    struct fill_bins bins;
    bins.row = range_first(range >> 16 & 0xff);
    bins.end_row = range_end(range >> 24, args.rows);
    bins.column = range_first(range & 0xff);
    bins.end_column = range_end(range >> 8 & 0xff, args.columns);
    bins.count = bins.end_row > bins.row && bins.end_column > bins.column
                     ? (bins.end_row - bins.row) * (bins.end_column - bins.column)
                     : 0;
    return bins;
}

#if ITEMS_ARE_THREADS

/* Puts a circle's number at a place of a list, unless that has ended. */
DEVICE void place_set(GLOBAL uint *lists, uint place, uint number)
{
    if (place < NO_PLACE)
        lists[place] = number;
}

/* Appends circle `number` to the list of a bin. */
DEVICE void bin_append(IN_LOCAL const struct fill_group *group, uint row, uint column, uint number,
    GLOBAL uint *lists, struct bin_args args)
{
    const uint circle = number % GROUP, last = circle / 32;
    IN_LOCAL const uint *rows = &group->rows[row * STRIDE];
    IN_LOCAL const uint *columns = &group->columns[column * STRIDE];
    uint place = group->places[row * args.columns + column];
    for (uint word = 0; word < last; word++)
        place += BITS(rows[word] & columns[word]);
    place += BITS(rows[last] & columns[last] & ((1u << circle % 32) - 1));
    place_set(lists, place, number);
}

/* bin_append for a circle of up to 2 x 2 bins, all at once. */
DEVICE void bins_append(IN_LOCAL const struct fill_group *group, const struct fill_bins *bins,
    uint number, GLOBAL uint *lists, struct bin_args args)
{
    const uint circle = number % GROUP, last = circle / 32;
    const uint row = bins->row, below = bins->end_row - 1;
    const uint column = bins->column, right = bins->end_column - 1;
    IN_LOCAL const uint *places = &group->places[row * args.columns];
    IN_LOCAL const uint *places_below = &group->places[below * args.columns];
    uint a = places[column], b = places[right], c = places_below[column], d = places_below[right];
    for (uint word = 0; word <= last; word++) {
        const uint before = word < last ? ~0u : (1u << circle % 32) - 1;
        const uint in_row = group->rows[row * STRIDE + word] & before;
        const uint in_below = group->rows[below * STRIDE + word] & before;
        const uint in_column = group->columns[column * STRIDE + word];
        const uint in_right = group->columns[right * STRIDE + word];
        a += BITS(in_row & in_column);
        b += BITS(in_row & in_right);
        c += BITS(in_below & in_column);
        d += BITS(in_below & in_right);
    }
    place_set(lists, a, number);
    place_set(lists, right > column ? b : NO_PLACE, number);
    place_set(lists, below > row ? c : NO_PLACE, number);
    place_set(lists, right > column && below > row ? d : NO_PLACE, number);
}

/* Counts a circle for those that come after. */
DEVICE void bin_add(IN_LOCAL struct fill_group *group, uint row, uint column, struct bin_args args)
{
    ATOMIC_COUNT(&group->places[row * args.columns + column]);
}

/* Whether the list of one of the bins at the corners has not ended, or there are bins between. */
DEVICE uint may_be_listed(
    IN_LOCAL const struct fill_group *group, const struct fill_bins *bins, struct bin_args args)
{
    const uint first = bins->row * args.columns, last = (bins->end_row - 1) * args.columns;
    const uint left = bins->column, right = bins->end_column - 1;
    return bins->end_row - bins->row > 2 || bins->end_column - bins->column > 2 ||
           MIN(MIN(group->places[first + left], group->places[first + right]),
               MIN(group->places[last + left], group->places[last + right])) < NO_PLACE;
}

/* Sets the bits of GROUP circles from number `first` on. Starts behind a SYNC and ends with one. */
GROUP_FUNCTION void circles_mark(IN_LOCAL struct fill_group *group, GLOBAL const float4 *geometry,
    uint first, struct bin_args args)
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
        const uint circle = first + ITEM, word = ITEM / 32, bit = 1u << ITEM % 32;
        uint range = circle < args.circles ? bin_range(geometry[circle], args) : 0;
        struct fill_bins bins = bins_of(range, args);
        if (args.most < ALL_ENTRIES && bins.count > 0 && !may_be_listed(group, &bins, args)) {
            range = 0;
            bins = bins_of(range, args);
        }
        group->ranges[ITEM] = range;
        for (uint row = bins.row; row < bins.end_row; row++)
            ATOMIC_OR(&group->rows[row * STRIDE + word], bit);
        for (uint column = bins.column; column < bins.end_column; column++)
            ATOMIC_OR(&group->columns[column * STRIDE + word], bit);
        if (bins.count > MANY_BINS)
            group->large[ATOMIC_ADD(&group->large_count, 1)] = ITEM;
    }
    SYNC;
}

/* Appends the circles that are marked (step 0), then counts them (step 1). Ends with a SYNC. */
GROUP_FUNCTION void circles_list(IN_LOCAL struct fill_group *group, GLOBAL uint *lists, uint first,
    uint step, struct bin_args args)
{
    ITEMS_ATOMIC
    {
        const struct fill_bins bins = bins_of(group->ranges[ITEM], args);
        const uint are_few = bins.end_row - bins.row <= 2 && bins.end_column - bins.column <= 2;
        const uint end_row = bins.count > MANY_BINS || (step == 0 && are_few) ? 0 : bins.end_row;
        if (step == 0 && are_few && bins.count > 0)
            bins_append(group, &bins, first + ITEM, lists, args);
        for (uint row = bins.row; row < end_row; row++)
            for (uint column = bins.column; column < bins.end_column; column++)
                if (step == 0)
                    bin_append(group, row, column, first + ITEM, lists, args);
                else
                    bin_add(group, row, column, args);
    }
    ITEMS_ATOMIC
    {
        for (uint i = ITEM / TEAM; i < group->large_count; i += GROUP / TEAM) {
            const uint circle = group->large[i];
            const struct fill_bins bins = bins_of(group->ranges[circle], args);
            const uint width = bins.end_column - bins.column;
            for (uint k = ITEM % TEAM; k < bins.count; k += TEAM) {
                const uint row = bins.row + k / width, column = bins.column + k % width;
                if (step == 0)
                    bin_append(group, row, column, first + circle, lists, args);
                else
                    bin_add(group, row, column, args);
            }
        }
    }
    SYNC;
}

/* Appends GROUP circles from number `first` on, all at once. */
GROUP_FUNCTION void circles_append(IN_LOCAL struct fill_group *group, GLOBAL const float4 *geometry,
    GLOBAL uint *lists, uint first, struct bin_args args)
{
    circles_mark(group, geometry, first, args);
    circles_list(group, lists, first, 0, args);
    circles_list(group, lists, first, 1, args);
}

#else

/* Appends GROUP circles from number `first` on, one after the other. */
GROUP_FUNCTION void circles_append(IN_LOCAL struct fill_group *group, GLOBAL const float4 *geometry,
    GLOBAL uint *lists, uint first, struct bin_args args)
{
    ITEMS_ATOMIC
    {
        const uint circle = first + ITEM;
        const uint range = circle < args.circles ? bin_range(geometry[circle], args) : 0;
        const struct fill_bins bins = bins_of(range, args);
        for (uint row = bins.row; row < bins.end_row; row++)
            for (uint column = bins.column; column < bins.end_column; column++)
                if (group->places[row * args.columns + column] < NO_PLACE)
                    lists[group->places[row * args.columns + column]++] = circle;
    }
}

#endif

KERNEL4(list_fill, GLOBAL const float4 *RESTRICT, geometry, GLOBAL const uint *RESTRICT, before,
    GLOBAL uint *RESTRICT, lists, struct bin_args, args)
{
    LOCAL struct fill_group group;
    PRIVATE(uint, wants);
    VOTE(any);
    const uint bin_count = args.columns * args.rows;
    ITEMS
    {
        MINE(wants) = 0;
    }
    UNROLL(8)
    for (uint first = 0; first < bin_count; first += GROUP) {
        ITEMS
        {
            const uint bin = first + ITEM;
            if (bin < bin_count) {
                const uint place = lists[bin] + before[GROUP_X * bin_count + bin];
                const uint is_there =
                    args.most == ALL_ENTRIES || GROUP_X < lists[2 * bin_count + bin];
                group.places[bin] = is_there ? place : NO_PLACE;
                MINE(wants) |= is_there;
            }
        }
    }
    GROUP_ANY(any, wants);
    const uint end = any ? args.group_circles : 0;
    for (uint i = 0; i < end; i += GROUP)
        circles_append(&group, geometry, lists, GROUP_X * args.group_circles + i, args);
}
