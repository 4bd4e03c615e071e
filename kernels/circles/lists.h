/* What bin, list_count and list_fill share: which bins a circle may touch. */
#ifndef LISTS_H
#define LISTS_H

#include "kernels/circles/circle.h"

/* A bin's number from 1 up, 0 for what lies before the first, count + 1 for what lies behind the
 * last. */
DEVICE uint bin_clamp(float bin, uint count)
{
    return bin < 0.0f ? 0 : bin < (float)count ? (uint)bin + 1 : count + 1;
}

/* The first and last column and the first and last row of the bins that the box around a circle
 * reaches into, numbered by bin_clamp, a byte each. */
DEVICE uint bin_reach(float4 g, struct bin_args args)
{
    const float size = (float)args.bin_size;
    const float margin = box_margin(g, args.scale);
    const float left = ((g.x - g.w) - args.left) * args.scale - margin;
    const float right = ((g.x + g.w) - args.left) * args.scale + margin;
    const float top = (args.top - (g.y + g.w)) * args.scale - margin;
    const float bottom = (args.top - (g.y - g.w)) * args.scale + margin;
    return bin_clamp(left / size, args.columns) | bin_clamp(right / size, args.columns) << 8 |
           bin_clamp(top / size, args.rows) << 16 | bin_clamp(bottom / size, args.rows) << 24;
}

/* The first bin of those, and the one behind the last, from a byte of bin_reach. */
DEVICE uint reach_first(uint number)
{
    return number > 1 ? number - 1 : 0;
}
DEVICE uint reach_end(uint number, uint count)
{
    return number < count ? number : count;
}

/* For the LIST_CIRCLES circles of a group: LOCAL ushort reaches[LIST_CIRCLES] gets the columns that
 * each reaches into, as in bin_reach, and LOCAL uint rows[BIN_LINES * LIST_STRIDE] a bit for each
 * circle in every row that it reaches into. */
#define LIST_WORDS (LIST_CIRCLES / 32)
#define LIST_STRIDE (LIST_WORDS + 1) /* odd, so that rows lie in different banks */
#define LIST_LOAD(reaches, rows, geometry, args) \
    for (uint first_ = 0; first_ < BIN_LINES * LIST_STRIDE; first_ += GROUP) { \
        ITEMS \
        { \
            if (first_ + ITEM < BIN_LINES * LIST_STRIDE) \
                rows[first_ + ITEM] = 0; \
        } \
    } \
    SYNC; \
    for (uint first_ = 0; first_ < LIST_CIRCLES; first_ += GROUP) { \
        ITEMS_ATOMIC \
        { \
            const uint i_ = first_ + ITEM, circle_ = GROUP_X * LIST_CIRCLES + i_; \
            if (circle_ < args.circles) { \
                const uint reach_ = bin_reach(geometry[circle_], args); \
                const uint end_ = reach_end(reach_ >> 24, args.rows); \
                reaches[i_] = (ushort)(reach_ & 0xffff); \
                for (uint row_ = reach_first(reach_ >> 16 & 0xff); row_ < end_; row_++) \
                    ATOMIC_OR(&rows[row_ * LIST_STRIDE + i_ / 32], 1u << i_ % 32); \
            } \
        } \
    } \
    SYNC

/* Runs a statement for each circle i of the group that reaches into a row of bins, in order, and
 * each column of bins that it reaches into there. */
#define LIST_FOR_EACH(reaches, rows, row, args, statement) \
    for (uint word_ = 0; word_ < LIST_WORDS; word_++) \
        for (uint bits_ = rows[(row)*LIST_STRIDE + word_]; bits_; bits_ &= bits_ - 1) { \
            const uint i = word_ * 32 + (uint)LOWEST_BIT(bits_); \
            const uint end_ = reach_end(reaches[i] >> 8, args.columns); \
            for (uint column = reach_first(reaches[i] & 0xff); column < end_; column++) { \
                statement; \
            } \
        }

#endif
