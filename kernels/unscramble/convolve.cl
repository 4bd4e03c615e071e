/* A layer of the network that looks at edges, along these: for output o of pixel p
 *
 *   sum over i, k of weight[k][i][o] * input[i][p + k - reach], times scale[o], plus bias[o]
 *
 * where a pixel beyond the ends is the last one. Group (run of PIXELS pixels, edge): a product of
 * matrices whose terms go through local memory; each item has ROWS x COLUMNS of the sums. The terms
 * are added in one order, and their products are exact, so that all processors agree.
 *
 * Must do: a multiplication and an addition a weight and pixel. Must move: 4 bytes a number in and
 * out, and the weights, a byte each. */
#include "kernels/dialect.h"
#include "kernels/unscramble/rounded.h"
#include "kernels/unscramble/unscramble_args.h"

#define PIXELS 32
#define LANES 32
#define COLUMNS (CONVOLVE_OUTPUTS / LANES)
#define TERMS CONVOLVE_TERMS
#if ITEMS_ARE_THREADS
#define ROWS 8 /* as many sums an item as registers hold */
#else
#define ROWS 4
/* On the CPU an item is a lane of a vector, of which a group has another number. */
#undef GROUP
#define GROUP (PIXELS / ROWS * LANES)
#endif
#define SUMS (ROWS * COLUMNS)
#define STEP (PIXELS / ROWS) /* terms that the items bring at once */

struct convolve_group {
    float input[TERMS][PIXELS], weight[TERMS][CONVOLVE_OUTPUTS];
};

struct convolve_own {
    PRIVATE_ARRAY(float, sum, SUMS);
};

/* TERMS of a sum: rows of numbers along the edge, from which each pixel takes the one that is
 * `ahead` less `reach` pixels further on. */
struct convolve_terms {
    GLOBAL const float *row;
    uint ahead, reach;
};

/* The numbers of an edge from `term` on: shifts of all inputs or, at the end, the further ones,
 * which are not shifted. */
DEVICE struct convolve_terms terms_from(GLOBAL const float *input, GLOBAL const float *further,
    const struct convolve_args *args, uint term)
{
    const uint shift = term / args->inputs, shifted = args->shifts * args->inputs;
    struct convolve_terms terms = {
        input + term % args->inputs * args->length, shift, args->shifts / 2};
    if (shift >= args->shifts) {
        terms.row = further + (term - shifted) * args->length;
        terms.ahead = terms.reach = 0;
    }
    return terms;
}

GROUP_FUNCTION void terms_load(struct convolve_terms terms, GLOBAL const uchar *weights,
    uint length, IN_LOCAL struct convolve_group *group, uint first)
{
    for (uint t = 0; t < TERMS; t += STEP) {
        ITEMS_GRID(LANES, STEP)
        {
            const uint at = t + ITEM_ROW(LANES), lane = ITEM_COLUMN(LANES);
            const uint ahead = first + lane + terms.ahead;
            const uint pixel = ahead < terms.reach ? 0 : ahead - terms.reach;
            if (at < TERMS) {
                group->input[at][lane] =
                    rounded(terms.row[at * length + (pixel < length ? pixel : length - 1)]);
                UNROLL(COLUMNS)
                for (uint c = 0; c < COLUMNS; c++)
                    group->weight[at][c * LANES + lane] =
                        (float)weights[at * CONVOLVE_OUTPUTS + c * LANES + lane] - NETWORK_ZERO;
            }
        }
    }
}

GROUP_FUNCTION void sums_start(struct convolve_own *own)
{
    ITEMS
    {
        UNROLL(SUMS)
        for (uint i = 0; i < SUMS; i++)
            MINE(own->sum[i]) = 0;
    }
}

GROUP_FUNCTION void terms_add(IN_LOCAL const struct convolve_group *group, struct convolve_own *own)
{
    ITEMS_GRID(LANES, PIXELS / ROWS)
    {
        const uint lane = ITEM_COLUMN(LANES), row = ITEM_ROW(LANES) * ROWS;
        float sum[SUMS];
        UNROLL(SUMS)
        for (uint i = 0; i < SUMS; i++)
            sum[i] = MINE(own->sum[i]);
        UNROLL(TERMS)
        for (uint t = 0; t < TERMS; t++)
            UNROLL(SUMS)
        for (uint i = 0; i < SUMS; i++)
            sum[i] = MULTIPLY_ADD(group->input[t][row + i / COLUMNS],
                group->weight[t][i % COLUMNS * LANES + lane], sum[i]);
        UNROLL(SUMS)
        for (uint i = 0; i < SUMS; i++)
            MINE(own->sum[i]) = sum[i];
    }
}

GROUP_FUNCTION void sums_store(GLOBAL const float *input, GLOBAL const float *scales,
    GLOBAL float *output, const struct convolve_args *args, const struct convolve_own *own,
    uint first)
{
    ITEMS_GRID(LANES, PIXELS / ROWS)
    {
        const uint lane = ITEM_COLUMN(LANES), row = ITEM_ROW(LANES) * ROWS;
        UNROLL(SUMS)
        for (uint i = 0; i < SUMS; i++) {
            const uint channel = i % COLUMNS * LANES + lane, pixel = first + row + i / COLUMNS;
            float value = MINE(own->sum[i]) * scales[channel] + scales[CONVOLVE_OUTPUTS + channel];
            if (pixel < args->length) {
                if (args->clips && value < 0)
                    value = 0;
                if (args->adds)
                    value += input[channel * args->length + pixel];
                output[channel * args->length + pixel] = value;
            }
        }
    }
}

KERNEL6(KERNEL_NAME, GLOBAL const float *RESTRICT, inputs, GLOBAL const float *RESTRICT, more,
    GLOBAL const uchar *RESTRICT, weights, GLOBAL const float *RESTRICT, scales,
    GLOBAL float *RESTRICT, outputs, struct convolve_args, args)
{
    LOCAL struct convolve_group group;
    struct convolve_own own;
    const uint first = GROUP_X * PIXELS;
    GLOBAL const float *const input = inputs + (ulong)GROUP_Y * args.inputs * args.length;
    GLOBAL const float *const further = more + (ulong)GROUP_Y * args.further * args.length;
    GLOBAL float *const output = outputs + (ulong)GROUP_Y * CONVOLVE_OUTPUTS * args.length;
    const uint terms = args.shifts * args.inputs + args.taken;
    sums_start(&own);
    for (uint term = 0; term < terms; term += TERMS) {
        terms_load(terms_from(input, further, &args, term), weights + term * CONVOLVE_OUTPUTS,
            args.length, &group, first);
        SYNC;
        terms_add(&group, &own);
        SYNC;
    }
    sums_store(input, scales, output, &args, &own, first);
}
