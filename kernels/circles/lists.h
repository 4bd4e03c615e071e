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
DEVICE uint bin_range(float4 g, struct bin_args args)
{
    const float margin = box_margin(g, args.scale);
    const float left = ((g.x - g.w) - args.left) * args.scale - margin;
    const float right = ((g.x + g.w) - args.left) * args.scale + margin;
    const float top = (args.top - (g.y + g.w)) * args.scale - margin;
    const float bottom = (args.top - (g.y - g.w)) * args.scale + margin;
    return bin_clamp(left * args.bins_a_pixel, args.columns) |
           bin_clamp(right * args.bins_a_pixel, args.columns) << 8 |
           bin_clamp(top * args.bins_a_pixel, args.rows) << 16 |
           bin_clamp(bottom * args.bins_a_pixel, args.rows) << 24;
}

/* The first bin of those, and the one behind the last, from a byte of bin_range. */
DEVICE uint range_first(uint number)
{
    return number > 1 ? number - 1 : 0;
}
DEVICE uint range_end(uint number, uint count)
{
    return number < count ? number : count;
}

#endif
