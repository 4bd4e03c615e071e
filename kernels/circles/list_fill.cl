/* Writes every bin's list: each group appends its circles, in order, from the places that
 * list_start has found for it, unless the list ends before the group.
 *
 * On the CPU items take circles in order. On a GPU a group's entries are sorted by bins in local
 * memory, in passes over as many rows of bins as fit there, if list_count has found that few are of
 * one bin: each bin's entries come in any order, and an entry's rank is how many of the others are
 * of circles before its own.
 *
 * Where a GPU does not sort, GROUP circles are taken at a time, an item each, and how many of those
 * before it reach into a bin too is counted by bits: a circle reaches into a bin where it reaches
 * into its row and into its column. The bins of a circle that reaches into many are shared by TEAM
 * items.
 *
 * Must move: a word a circle in, for each bin and group a word, on a GPU a byte more; out a word
 * for each bin that a circle reaches into. Must do: about 10 operations a circle, on a GPU 40 for
 * each of its bins. */
#define KERNEL_GROUPS 5 /* whose local memory fits a multiprocessor of 228 KiB */

#include "kernels/circles/lists.h"

#define AT_ONCE 4 /* bins, circles, places or entries of an item, that it asks for together */
#define OFTEN 4   /* entries of a bin: a group seldom has more */
#define OWN_WORDS (BIN_LINES * BIN_LINES / 4 / GROUP) /* of bytes that an item adds up, at most */
#define WORDS (GROUP / 32)
#define STRIDE (WORDS + 1)   /* odd, so that lines lie in different banks */
#define MANY_BINS 64         /* a circle of more bins is shared, */
#define TEAM 32              /* by so many items */
#define NO_PLACE 0x80000000u /* from here on places are of lists that have ended */

/* Where a bin's number lies in `ends`, so that items which each go through some bins in a row read
 * from different banks. */
#define SLOT(bin) ((bin) + (bin) / 16)

/* Of GROUP circles, where they are not sorted. */
struct fill_bits {
    uint rows[BIN_LINES * STRIDE];    /* a bit a circle that reaches there, */
    uint columns[BIN_LINES * STRIDE]; /* and there */
    uint ranges[GROUP];
    uint large[GROUP], large_count; /* circles of many bins, in any order */
};

/* What the items share: the bits of circles and the next place of each bin, or NO_PLACE; or the
 * entries of a pass, each bin * 2^16 + circle, counted from the group's first, and `ends`: of bins
 * that a pass has had, where their entries end, counted through all of the group's; of the others
 * where they begin. Ranks read up to OFTEN entries that are none. */
struct fill_group {
    union {
        struct fill_bits bits;
        uint entries[SORTED_ENTRIES + OFTEN];
    } circles;
    union {
        uint places[BIN_LINES * BIN_LINES];
        uint ends[SLOT(BIN_LINES * BIN_LINES)];
    } bins;
    uint sums[GROUP + 1];
};

#if ITEMS_ARE_THREADS

/* The rows of bins of a pass, and which of the group's entries are theirs. */
struct fill_pass {
    uint row, end_row, first_entry, end_entry;
};

/* Byte i of a word. */
DEVICE uint byte_of(uint word, uint i)
{
    return word >> 8 * i & 0xff;
}

/* Sets `ends` to where the entries of each bin begin, of group `number`. An item does so for
 * 4 * own_words bins, none where the group does not sort: a SYNC in a branch would cost more. Ends
 * with a SYNC. */
GROUP_FUNCTION void entries_begin(IN_LOCAL struct fill_group *group, GLOBAL const uint *counts,
    uint number, uint own_words, struct bin_args args)
{
    PRIVATE_ARRAY(uint, words, OWN_WORDS);
    ITEMS
    {
        group->sums[ITEM] = 0;
        UNROLL(OWN_WORDS)
        for (uint i = 0; i < OWN_WORDS; i++) {
            const uint word = ITEM * own_words + i;
            MINE(words[i]) = i < own_words && 4 * word < args.columns * args.rows
                                 ? counts[bytes_place(number, args) + word]
                                 : 0;
            for (uint j = 0; j < 4; j++)
                group->sums[ITEM] += byte_of(MINE(words[i]), j);
        }
    }
    GROUP_SCAN(group->sums);
    ITEMS
    {
        uint end = group->sums[ITEM], bin = 4 * ITEM * own_words;
        UNROLL(OWN_WORDS)
        for (uint i = 0; i < OWN_WORDS; i++)
            for (uint j = 0; j < 4 && i < own_words; j++, bin++) {
                group->bins.ends[SLOT(bin)] = end;
                end += byte_of(MINE(words[i]), j);
            }
    }
    SYNC;
}

/* The next pass: as many rows as fit, at least one (SORTED_OF_BIN). */
DEVICE struct fill_pass next_pass(
    IN_LOCAL const struct fill_group *group, struct fill_pass last, struct bin_args args)
{
    struct fill_pass pass = {last.end_row, args.rows, last.end_entry, group->sums[GROUP]};
    while (pass.end_entry - pass.first_entry > SORTED_ENTRIES) {
        pass.end_row--;
        pass.end_entry = group->bins.ends[SLOT(pass.end_row * args.columns)];
    }
    return pass;
}

/* Puts an entry of a pass for each bin of a circle behind those that the bin has. Asks for AT_ONCE
 * places before it uses them, so that the waits for them overlap; past the circle's last bin it
 * adds 0, since with a branch each addition would be waited for. */
DEVICE void bins_put(IN_LOCAL struct fill_group *group, const struct fill_pass *pass,
    const struct bins *bins, uint circle, struct bin_args args)
{
    uint own[AT_ONCE], places[AT_ONCE];
    const uint count = bins->rows * bins->columns;
    uint bin = bins->row * args.columns + bins->column, column = 0;
    for (uint i = 0; i < count; i += AT_ONCE) {
        UNROLL(AT_ONCE)
        for (uint k = 0; k < AT_ONCE; k++) {
            own[k] = bin;
            places[k] = ATOMIC_ADD(&group->bins.ends[SLOT(bin)], i + k < count);
            const uint is_last = ++column == bins->columns;
            if (i + k + 1 < count)
                bin += is_last ? args.columns + 1 - bins->columns : 1;
            column = is_last ? 0 : column;
        }
        UNROLL(AT_ONCE)
        for (uint k = 0; k < AT_ONCE; k++)
            if (i + k < count)
                group->circles.entries[places[k] - pass->first_entry] = own[k] << 16 | circle;
    }
}

/* Puts the entries of a pass of `count` circles from number `first` on. Ends with a SYNC. */
GROUP_FUNCTION void entries_put(IN_LOCAL struct fill_group *group, const struct fill_pass *pass,
    GLOBAL const uint *ranges, uint first, uint count, struct bin_args args)
{
    PRIVATE_ARRAY(uint, own, AT_ONCE);
    for (uint i = 0; i < count; i += AT_ONCE * GROUP) {
        UNROLL(AT_ONCE)
        for (uint k = 0; k < AT_ONCE; k++)
            ITEMS
            {
                const uint circle = i + k * GROUP + ITEM;
                MINE(own[k]) = circle < count ? ranges[first + circle] : 0;
            }
        UNROLL(AT_ONCE)
        for (uint k = 0; k < AT_ONCE; k++)
            ITEMS_ATOMIC
            {
                const struct bins bins = bins_of_rows(MINE(own[k]), pass->row, pass->end_row, args);
                bins_put(group, pass, &bins, i + k * GROUP + ITEM, args);
            }
    }
    SYNC;
}

/* Writes the entries of a pass, which are sorted by bins, to the lists that have not ended. */
GROUP_FUNCTION void entries_write(IN_LOCAL const struct fill_group *group,
    const struct fill_pass *pass, GLOBAL const uint *counts, GLOBAL uint *lists, uint number,
    struct bin_args args)
{
    PRIVATE_ARRAY(uint, places, AT_ONCE);
    const uint bin_count = args.columns * args.rows;
    const uint count = pass->end_entry - pass->first_entry;
    IN_LOCAL const uint *const ends = group->bins.ends, *const entries = group->circles.entries;
    for (uint i = 0; i < count; i += AT_ONCE * GROUP) {
        UNROLL(AT_ONCE)
        for (uint k = 0; k < AT_ONCE; k++)
            ITEMS
            {
                MINE(places[k]) = NO_PLACE;
                if (i + k * GROUP + ITEM < count) {
                    const uint bin = entries[i + k * GROUP + ITEM] >> 16;
                    if (args.most == ALL_ENTRIES || number < lists[2 * bin_count + bin])
                        MINE(places[k]) = lists[bin] + counts[number * bin_count + bin];
                }
            }
        UNROLL(AT_ONCE)
        for (uint k = 0; k < AT_ONCE; k++)
            ITEMS
            {
                if (MINE(places[k]) < NO_PLACE) {
                    const uint entry = entries[i + k * GROUP + ITEM], bin = entry >> 16;
                    const uint end = ends[SLOT(bin)] - pass->first_entry;
                    uint other = bin > 0 ? ends[SLOT(bin - 1)] - pass->first_entry : 0, rank = 0;
                    UNROLL(OFTEN)
                    for (uint j = 0; j < OFTEN; j++, other++)
                        rank += (uint)(other < end) & (uint)(entries[other] < entry);
                    UNROLL(1)
                    for (; other < end; other++)
                        rank += entries[other] < entry;
                    lists[MINE(places[k]) + rank] = number * args.group_circles + (entry & 0xffff);
                }
            }
    }
}

/* Appends the `count` circles of group `number`. Where count is 0 it makes one pass of no entries,
 * so that no SYNC stands in a branch. */
GROUP_FUNCTION void entries_append(IN_LOCAL struct fill_group *group, GLOBAL const uint *ranges,
    GLOBAL const uint *counts, GLOBAL uint *lists, uint number, uint count, struct bin_args args)
{
    const uint own_words = count > 0 ? (args.columns * args.rows + 4 * GROUP - 1) / (4 * GROUP) : 0;
    struct fill_pass pass = {0, 0, 0, 0};
    entries_begin(group, counts, number, own_words, args);
    do {
        pass = next_pass(group, pass, args);
        SYNC; /* all know the pass, and have written the last one */
        entries_put(group, &pass, ranges, number * args.group_circles, count, args);
        entries_write(group, &pass, counts, lists, number, args);
    } while (pass.end_row < args.rows);
}

/* Whether a circle reaches into a bin whose list has not ended, as far as its corners tell. */
DEVICE uint may_be_listed(
    IN_LOCAL const struct fill_group *group, const struct bins *bins, struct bin_args args)
{
    uint least = NO_PLACE;
    UNROLL(CORNERS)
    for (uint corner = 0; corner < CORNERS; corner++)
        least = MIN(least, group->bins.places[corner_bin(bins, corner, args)]);
    return !bins_are_corners(bins) || least < NO_PLACE;
}

/* Sets the bits of GROUP circles from number `first` on. Starts behind a SYNC and ends with one. */
GROUP_FUNCTION void bits_set(IN_LOCAL struct fill_group *group, GLOBAL const uint *ranges,
    uint first, uint end, struct bin_args args)
{
    IN_LOCAL struct fill_bits *const bits = &group->circles.bits;
    for (uint line = 0; line < BIN_LINES * STRIDE; line += GROUP) {
        ITEMS
        {
            if (line + ITEM < BIN_LINES * STRIDE)
                bits->rows[line + ITEM] = bits->columns[line + ITEM] = 0;
        }
    }
    ITEMS_TO(1) {
        bits->large_count = 0;
    }
    SYNC;
    ITEMS_ATOMIC
    {
        const uint word = ITEM / 32, bit = 1u << ITEM % 32;
        uint range = first + ITEM < end ? ranges[first + ITEM] : 0;
        struct bins bins = bins_of(range, args);
        const uint has_bins = bins.rows > 0 && bins.columns > 0;
        if (args.most < ALL_ENTRIES && has_bins && !may_be_listed(group, &bins, args))
            range = bins.rows = bins.columns = 0;
        bits->ranges[ITEM] = range;
        for (uint row = bins.row; row < bins.row + bins.rows; row++)
            ATOMIC_OR(&bits->rows[row * STRIDE + word], bit);
        for (uint column = bins.column; column < bins.column + bins.columns; column++)
            ATOMIC_OR(&bits->columns[column * STRIDE + word], bit);
        if (bins.rows * bins.columns > MANY_BINS)
            bits->large[ATOMIC_ADD(&bits->large_count, 1)] = ITEM;
    }
    SYNC;
}

/* Appends circle `number` to the list of a bin, unless that has ended. */
DEVICE void bin_append(IN_LOCAL const struct fill_group *group, uint row, uint column, uint number,
    GLOBAL uint *lists, struct bin_args args)
{
    const uint circle = number % GROUP, last = circle / 32;
    IN_LOCAL const uint *rows = &group->circles.bits.rows[row * STRIDE];
    IN_LOCAL const uint *columns = &group->circles.bits.columns[column * STRIDE];
    uint place = group->bins.places[row * args.columns + column];
    for (uint word = 0; word < last; word++)
        place += BITS(rows[word] & columns[word]);
    place += BITS(rows[last] & columns[last] & ((1u << circle % 32) - 1));
    if (place < NO_PLACE)
        lists[place] = number;
}

/* Appends the circles whose bits are set (step 0), or counts them for those behind (step 1). Ends
 * with a SYNC. */
GROUP_FUNCTION void circles_list(IN_LOCAL struct fill_group *group, GLOBAL uint *lists, uint first,
    uint step, struct bin_args args)
{
    IN_LOCAL const struct fill_bits *const bits = &group->circles.bits;
    ITEMS_ATOMIC
    {
        const struct bins bins = bins_of(bits->ranges[ITEM], args);
        const uint rows = bins.rows * bins.columns > MANY_BINS ? 0 : bins.rows;
        for (uint row = bins.row; row < bins.row + rows; row++)
            for (uint column = bins.column; column < bins.column + bins.columns; column++)
                if (step == 0)
                    bin_append(group, row, column, first + ITEM, lists, args);
                else
                    ATOMIC_COUNT(&group->bins.places[row * args.columns + column]);
    }
    ITEMS_ATOMIC
    {
        for (uint i = ITEM / TEAM; i < bits->large_count; i += GROUP / TEAM) {
            const uint circle = bits->large[i];
            const struct bins bins = bins_of(bits->ranges[circle], args);
            for (uint k = ITEM % TEAM; k < bins.rows * bins.columns; k += TEAM) {
                const uint row = bins.row + k / bins.columns;
                const uint column = bins.column + k % bins.columns;
                if (step == 0)
                    bin_append(group, row, column, first + circle, lists, args);
                else
                    ATOMIC_COUNT(&group->bins.places[row * args.columns + column]);
            }
        }
    }
    SYNC;
}

/* Appends GROUP circles from number `first` on and before `end`, all at once. */
GROUP_FUNCTION void circles_append(IN_LOCAL struct fill_group *group, GLOBAL const uint *ranges,
    GLOBAL uint *lists, uint first, uint end, struct bin_args args)
{
    bits_set(group, ranges, first, end, args);
    circles_list(group, lists, first, 0, args);
    circles_list(group, lists, first, 1, args);
}

#else

/* Appends GROUP circles from number `first` on and before `end`, one after the other. */
GROUP_FUNCTION void circles_append(IN_LOCAL struct fill_group *group, GLOBAL const uint *ranges,
    GLOBAL uint *lists, uint first, uint end, struct bin_args args)
{
    ITEMS_ATOMIC
    {
        const struct bins bins = bins_of(first + ITEM < end ? ranges[first + ITEM] : 0, args);
        for (uint row = bins.row; row < bins.row + bins.rows; row++)
            for (uint column = bins.column; column < bins.column + bins.columns; column++)
                if (group->bins.places[row * args.columns + column] < NO_PLACE)
                    lists[group->bins.places[row * args.columns + column]++] = first + ITEM;
    }
}

#endif

KERNEL4(list_fill, GLOBAL const uint *RESTRICT, ranges, GLOBAL const uint *RESTRICT, counts,
    GLOBAL uint *RESTRICT, lists, struct bin_args, args)
{
    LOCAL struct fill_group group;
    PRIVATE(uint, wants);
    VOTE(any);
    const uint bin_count = args.columns * args.rows;
    const uint first = GROUP_X * args.group_circles;
    const uint is_sorted = ITEMS_ARE_THREADS && counts[sorted_place(GROUP_X, args)];
    ITEMS
    {
        MINE(wants) = 0;
    }
    UNROLL(8)
    for (uint i = 0; i < bin_count; i += GROUP) {
        ITEMS
        {
            const uint bin = i + ITEM;
            if (bin < bin_count) {
                const uint is_there =
                    args.most == ALL_ENTRIES || GROUP_X < lists[2 * bin_count + bin];
                if (!is_sorted)
                    group.bins.places[bin] =
                        is_there ? lists[bin] + counts[GROUP_X * bin_count + bin] : NO_PLACE;
                MINE(wants) |= is_there;
            }
        }
    }
    GROUP_ANY(any, wants);
    const uint end = any ? MIN(args.circles, first + args.group_circles) : first;
#if ITEMS_ARE_THREADS
    entries_append(&group, ranges, counts, lists, GROUP_X, is_sorted ? end - first : 0, args);
#endif
    for (uint i = is_sorted ? end : first; i < end; i += GROUP)
        circles_append(&group, ranges, lists, i, end, args);
}
