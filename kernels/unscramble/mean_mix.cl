/* Adds to each channel of an edge, at all its pixels, a mixture of the means of all channels along
 * the edge: scale[o] * sum over i of weight[i][o] * mean[i], plus bias[o]. Numbers are [pixel]
 * [channel], in steps, with 16 bits, and none below 0; what comes out may be. A group an edge, an
 * item a channel.
 *
 * Must do: two additions a number, a multiplication and an addition a weight. Must move: 2 bytes a
 * number in and out. */
#include "kernels/dialect.h"
#include "kernels/unscramble/unscramble_args.h"

KERNEL4(mean_mix, GLOBAL const uchar *RESTRICT, weights, GLOBAL const float *RESTRICT, scales,
    GLOBAL short *RESTRICT, values, uint, length)
{
    LOCAL int mean[GROUP];
    PRIVATE(ulong, total);
    PRIVATE(int, added);
    GLOBAL short *const value = values + (ulong)GROUP_Y * GROUP * length;
    ITEMS
    {
        MINE(total) = length / 2;
    }
    for (uint p = 0; p < length; p++)
        ITEMS
        {
            MINE(total) += (ulong)value[p * GROUP + ITEM];
        }
    ITEMS
    {
        mean[ITEM] = (int)(MINE(total) / length);
    }
    SYNC;
    ITEMS
    {
        int sum = 0;
        for (uint i = 0; i < GROUP; i++)
            sum += mean[i] * ((int)weights[i * GROUP + ITEM] - NETWORK_ZERO);
        const float most = NETWORK_MOST, steps = (float)sum * scales[ITEM] + scales[GROUP + ITEM];
        /* rounded as a number above 0, where the conversion to an integer does so */
        MINE(added) = (int)(CLAMP(steps, -most, most) + (most + 0.5f)) - NETWORK_MOST;
    }
    for (uint p = 0; p < length; p++)
        ITEMS
        {
            const int sum = value[p * GROUP + ITEM] + MINE(added);
            value[p * GROUP + ITEM] = (short)MIN(sum, NETWORK_MOST);
        }
}
