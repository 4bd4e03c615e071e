/* A layer of the network that looks at edges, along these: for output o of pixel p
 *
 *   sum over k, i of weight[k][i][o] * input[p + k - reach][i]
 *     and over j of weight[j][o] * further[p][j], times scale[o], plus bias[o],
 *
 * from 0 to args.most and rounded, where a pixel beyond the ends is the last one. With args.adds,
 * input[p][o] is added then, up to NETWORK_MOST. Further is what the network began with. Inputs and
 * outputs are [pixel][channel], in steps, with 16 bits; outputs of the last layer are [channel]
 * [pixel], as terms are (stages/unscramble/terms.h). A sum is an integer, which scale and bias
 * turn into steps, and exact, so that all processors agree. Group (run of PIXELS pixels, edge): a
 * product of matrices whose terms, two in a word, go through local memory; each item has ROWS x
 * COLUMNS of the sums.
 *
 * Must do: a multiplication and an addition a weight and pixel, two of each at once where DOT2 is
 * an instruction. Must move: 2 bytes a number in and out, and the weights, 2 bytes each. */
#include "kernels/dialect.h"
#include "kernels/lanes.h"
#include "kernels/unscramble/unscramble_args.h"

#define PIXELS 32
#define ACROSS 32
#define COLUMNS (CONVOLVE_OUTPUTS / ACROSS)
#define PAIRS (CONVOLVE_TERMS / 2)
#define IS_LAST (CONVOLVE_OUTPUTS == NETWORK_OUTPUTS)
#if ITEMS_ARE_THREADS
#define ROWS 8 /* as many sums an item as registers hold */
#else
#define ROWS 4
/* On the CPU an item is a lane of a vector, of which a group has another number. */
#undef GROUP
#define GROUP (PIXELS / ROWS * ACROSS)
#endif
#define SUMS (ROWS * COLUMNS)

/* PAIRS of terms of each pixel, and their weights: in local memory, but on the CPU where they lie,
 * since it has caches. */
#if ITEMS_ARE_THREADS
struct convolve_group {
    int input[PIXELS][PAIRS], weight[PAIRS][CONVOLVE_OUTPUTS];
};
#else
struct convolve_group {
    const int *input[PIXELS];
    const int (*weight)[CONVOLVE_OUTPUTS];
};
#endif

struct convolve_own {
    PRIVATE_ARRAY(int, sum, SUMS);
};

/* PAIRS of terms: those at `first` of a pixel, `width` words each, that is `ahead` less `reach`
 * pixels further on. */
struct convolve_terms {
    GLOBAL const int *first;
    uint width, ahead, reach;
};

/* The terms of an edge from `pair` on: shifts of all inputs or, at the end, the further ones, which
 * are not shifted. */
DEVICE struct convolve_terms terms_from(
    GLOBAL const int *input, GLOBAL const int *further, const struct convolve_args *args, uint pair)
{
    const uint width = args->inputs / 2, shift = pair / width;
    struct convolve_terms terms = {input + pair % width, width, shift, args->shifts / 2};
    if (shift >= args->shifts) {
        terms.first = further + (pair - args->shifts * width);
        terms.width = args->further / 2;
        terms.ahead = terms.reach = 0;
    }
    return terms;
}

DEVICE GLOBAL const int *terms_of_pixel(struct convolve_terms terms, uint pixel, uint length)
{
    const uint ahead = pixel + terms.ahead, at = ahead < terms.reach ? 0 : ahead - terms.reach;
    return terms.first + (ulong)MIN(at, length - 1) * terms.width;
}

#if ITEMS_ARE_THREADS
#define PIXELS_AT_ONCE 8 /* whose terms the items bring, */
#define PAIRS_AT_ONCE 4  /* and the pairs whose weights they bring */
GROUP_FUNCTION void terms_load(struct convolve_terms terms, GLOBAL const int *weights, uint length,
    IN_LOCAL struct convolve_group *group, uint first)
{
    UNROLL(PIXELS / PIXELS_AT_ONCE)
    for (uint p = 0; p < PIXELS; p += PIXELS_AT_ONCE)
        ITEMS_GRID(PAIRS, PIXELS_AT_ONCE)
        {
            const uint at = p + ITEM_ROW(PAIRS), pair = ITEM_COLUMN(PAIRS);
            group->input[at][pair] = terms_of_pixel(terms, first + at, length)[pair];
        }
    UNROLL(PAIRS / PAIRS_AT_ONCE)
    for (uint t = 0; t < PAIRS; t += PAIRS_AT_ONCE)
        ITEMS_GRID(ACROSS, PAIRS_AT_ONCE)
        {
            const uint at = t + ITEM_ROW(ACROSS), lane = ITEM_COLUMN(ACROSS);
            UNROLL(COLUMNS)
            for (uint c = 0; c < COLUMNS; c++)
                group->weight[at][c * ACROSS + lane] =
                    DOT2_BYTES(weights[at * CONVOLVE_OUTPUTS + c * ACROSS + lane]);
        }
}
#else
GROUP_FUNCTION void terms_load(struct convolve_terms terms, const int *weights, uint length,
    struct convolve_group *group, uint first)
{
    for (uint p = 0; p < PIXELS; p++)
        group->input[p] = terms_of_pixel(terms, first + p, length);
    group->weight = (const int(*)[CONVOLVE_OUTPUTS])weights;
}
#endif

GROUP_FUNCTION void sums_start(struct convolve_own *own)
{
    ITEMS
    {
        UNROLL(SUMS)
        for (uint i = 0; i < SUMS; i++)
            MINE(own->sum[i]) = 0;
    }
}

GROUP_FUNCTION void terms_add(
    IN_LOCAL const struct convolve_group *group, struct convolve_own *own, uint rows)
{
    ITEMS_GRID_BY_LANES(ACROSS, rows)
    {
        const uint lane = ITEM_COLUMN(ACROSS), row = ITEM_ROW(ACROSS) * ROWS;
        ints sum[SUMS];
        UNROLL(SUMS)
        for (uint i = 0; i < SUMS; i++)
            sum[i] = INTS(MINE(own->sum[i]));
        UNROLL(PAIRS)
        for (uint t = 0; t < PAIRS; t++)
            UNROLL(SUMS)
        for (uint i = 0; i < SUMS; i++)
            sum[i] = DOT2(group->input[row + i / COLUMNS][t],
                INTS(group->weight[t][i % COLUMNS * ACROSS + lane]), sum[i]);
        UNROLL(SUMS)
        for (uint i = 0; i < SUMS; i++)
            SET_INTS(MINE(own->sum[i]), sum[i]);
    }
}

GROUP_FUNCTION void sums_store(GLOBAL const short *input, GLOBAL const float *scales,
    GLOBAL short *output, const struct convolve_args *args, const struct convolve_own *own,
    uint first, uint rows)
{
    UNROLL(SUMS)
    for (uint i = 0; i < SUMS; i++) {
        const uint channel = i % COLUMNS * ACROSS;
        GLOBAL const float *const scale = scales + channel, *const bias = scale + CONVOLVE_OUTPUTS;
        ITEMS_GRID(ACROSS, rows)
        {
            const uint lane = ITEM_COLUMN(ACROSS);
            const uint pixel = first + ITEM_ROW(ACROSS) * ROWS + i / COLUMNS;
            const ulong at = (ulong)pixel * CONVOLVE_OUTPUTS + channel;
            const float steps = (float)MINE(own->sum[i]) * scale[lane] + bias[lane];
            int value = (int)(CLAMP(steps, 0.0f, args->most) + 0.5f);
            if (pixel < args->length) {
                if (args->adds) {
                    value += (input + at)[lane];
                    value = MIN(value, NETWORK_MOST);
                }
                if (IS_LAST)
                    output[(ulong)(channel + lane) * args->length + pixel] = (short)value;
                else
                    (output + at)[lane] = (short)value;
            }
        }
    }
}

KERNEL6(KERNEL_NAME, GLOBAL const short *RESTRICT, inputs, GLOBAL const short *RESTRICT,
    further_inputs, GLOBAL const int *RESTRICT, weights, GLOBAL const float *RESTRICT, scales,
    GLOBAL short *RESTRICT, outputs, struct convolve_args, args)
{
    LOCAL struct convolve_group group;
    struct convolve_own own;
    const uint first = GROUP_X * PIXELS, left = args.length - first;
    const uint rows = (MIN(left, PIXELS) + ROWS - 1) / ROWS;
    GLOBAL const short *const input = inputs + (ulong)GROUP_Y * args.inputs * args.length;
    GLOBAL const short *const further =
        further_inputs + (ulong)GROUP_Y * args.further * args.length;
    GLOBAL short *const output = outputs + (ulong)GROUP_Y * CONVOLVE_OUTPUTS * args.length;
    const uint pairs = (args.shifts * args.inputs + args.taken) / 2;
    uint pair = 0;
    sums_start(&own);
    do { /* at least once, since a loop that may not begin is a branch around SYNC */
        terms_load(terms_from((GLOBAL const int *)input, (GLOBAL const int *)further, &args, pair),
            weights + pair * CONVOLVE_OUTPUTS, args.length, &group, first);
        SYNC;
        terms_add(&group, &own, rows);
        SYNC;
        pair += PAIRS;
    } while (pair < pairs);
    sums_store(input, scales, output, &args, &own, first, rows);
}
