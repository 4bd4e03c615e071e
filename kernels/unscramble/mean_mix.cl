/* Adds to each channel of an edge, at all its pixels, a mixture of the means of all channels along
 * the edge: scale[o] * sum over i of weight[i][o] * mean[i], plus bias[o]. A group an edge, an item
 * a channel.
 *
 * Must do: two additions a number, a multiplication and an addition a weight. Must move: 4 bytes a
 * number in and out. */
#include "kernels/dialect.h"
#include "kernels/unscramble/rounded.h"
#include "kernels/unscramble/unscramble_args.h"

KERNEL4(mean_mix, GLOBAL const uchar *RESTRICT, weights, GLOBAL const float *RESTRICT, scales,
    GLOBAL float *RESTRICT, values, uint, length)
{
    LOCAL float mean[GROUP];
    GLOBAL float *const value = values + (ulong)GROUP_Y * GROUP * length;
    ITEMS
    {
        float sum = 0;
        for (uint p = 0; p < length; p++)
            sum += value[ITEM * length + p];
        mean[ITEM] = rounded(sum / (float)length);
    }
    SYNC;
    ITEMS
    {
        float sum = 0;
        for (uint i = 0; i < GROUP; i++)
            sum = MULTIPLY_ADD(mean[i], (float)weights[i * GROUP + ITEM] - NETWORK_ZERO, sum);
        sum = sum * scales[ITEM] + scales[GROUP + ITEM];
        for (uint p = 0; p < length; p++)
            value[ITEM * length + p] += sum;
    }
}
