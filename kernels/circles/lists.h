/* What the kernels bin and list_* share: which bins a circle may touch, and what list_fill
 * sorts. */
#ifndef LISTS_H
#define LISTS_H

#include "kernels/circles/circle.h"

/* Groups of list_count and list_fill. */
DEVICE uint list_groups(struct bin_args args)
{
    return (args.circles + args.group_circles - 1) / args.group_circles;
}

/* A bin's number from 1 up, 0 for what lies before the first, count + 1 for what lies behind the
 * last, or is not a number since it is too far away. */
DEVICE uint bin_number(float bin, uint count)
{
    const float most = bin < (float)count ? bin : (float)count;
    return (uint)(most > 0.0f ? most : 0.0f) + !(bin < 0.0f);
}

/* The first and last column and the first and last row of the bins that the box around a circle
 * reaches into, numbered by bin_number, a byte each. */
DEVICE uint bin_range(float4 g, struct bin_args args)
{
    const float margin = box_margin(g, args.scale);
    const float left = ((g.x - g.w) - args.left) * args.scale - margin;
    const float right = ((g.x + g.w) - args.left) * args.scale + margin;
    const float top = (args.top - (g.y + g.w)) * args.scale - margin;
    const float bottom = (args.top - (g.y - g.w)) * args.scale + margin;
    return bin_number(left * args.bins_a_pixel, args.columns) |
           bin_number(right * args.bins_a_pixel, args.columns) << 8 |
           bin_number(top * args.bins_a_pixel, args.rows) << 16 |
           bin_number(bottom * args.bins_a_pixel, args.rows) << 24;
}

/* The bins that a circle reaches into, counted from 0: `rows` from `row` on, `columns` from
 * `column` on. A range of 0 has none. */
struct bins {
    uint row, rows, column, columns;
};

/* Of these, those from row `first_row` on and before `end_row`, which count from 0. A range counts
 * from 1, see bin_number. */
DEVICE struct bins bins_of_rows(uint range, uint first_row, uint end_row, struct bin_args args)
{
    struct bins bins;
    const uint column = range & 0xff, last_column = range >> 8 & 0xff;
    const uint row = range >> 16 & 0xff, last_row = range >> 24;
    bins.column = column > 1 ? column - 1 : 0;
    bins.row = row > first_row ? row - 1 : first_row;
    const uint end_column = MIN(last_column, args.columns), own_end_row = MIN(last_row, end_row);
    bins.columns = end_column > bins.column ? end_column - bins.column : 0;
    bins.rows = own_end_row > bins.row ? own_end_row - bins.row : 0;
    return bins;
}

DEVICE struct bins bins_of(uint range, struct bin_args args)
{
    return bins_of_rows(range, 0, args.rows, args);
}

/* On a GPU list_fill sorts SORTED_ENTRIES entries of a group at a time in local memory, where no
 * bin has more of them than SORTED_OF_BIN: so a row of BIN_LINES bins always fits. With what else
 * it has there they fill 42 of the 48 KiB that groups have on NVIDIA's GPUs, or 31 of the 32 that
 * every GPU has. */
#define SORTED_ENTRIES (HAS_PTX ? 6144 : 3328)
#define SORTED_OF_BIN 32

/* The buffer `counts` is three arrays one behind the other: words [group][bin], how many entries
 * the bin has of the group, which list_start turns into how many it has of the groups before; bytes
 * [group][bin], whole words a group, the first of the two for a GPU that sorts; and words [group],
 * whether it does. These are the places of a group in the second and third, in words. */
DEVICE uint bytes_place(uint group_number, struct bin_args args)
{
    const uint bin_count = args.columns * args.rows;
    return list_groups(args) * bin_count + group_number * ((bin_count + 3) / 4);
}

DEVICE uint sorted_place(uint group_number, struct bin_args args)
{
    return bytes_place(list_groups(args), args) + group_number;
}

/* Circles that are not larger than bins reach into up to 2 x 2 of them: their corners, 0 to 3. */
#define CORNERS 4

DEVICE uint bins_are_corners(const struct bins *bins)
{
    return bins->rows <= 2 && bins->columns <= 2;
}

DEVICE uint corner_is_there(const struct bins *bins, uint corner)
{
    return corner / 2 < bins->rows && corner % 2 < bins->columns;
}

/* The number of a corner's bin; of one that is not there, of another corner's. */
DEVICE uint corner_bin(const struct bins *bins, uint corner, struct bin_args args)
{
    const uint row = bins->row + (corner / 2 < bins->rows ? corner / 2 : 0);
    const uint column = bins->column + (corner % 2 < bins->columns ? corner % 2 : 0);
    return row * args.columns + column;
}

/* Adds 1 to the count of each bin that a circle reaches into. */
DEVICE void bins_count(IN_LOCAL uint *counts, const struct bins *bins, struct bin_args args)
{
    if (bins_are_corners(bins)) {
        UNROLL(CORNERS)
        for (uint corner = 0; corner < CORNERS; corner++)
            if (corner_is_there(bins, corner))
                ATOMIC_COUNT(&counts[corner_bin(bins, corner, args)]);
    } else {
        for (uint row = bins->row; row < bins->row + bins->rows; row++)
            for (uint column = bins->column; column < bins->column + bins->columns; column++)
                ATOMIC_COUNT(&counts[row * args.columns + column]);
    }
}

#endif
