/* Ranks the candidates that compare_list has listed for an edge by what the pairs cost, and keeps
 * the best. The cost of two edges is the sum over both ways to look at them, what one is beside
 * what the other expects, over all pixels along the edge and all channels, of |a - b|; or, where a
 * network made the terms (LEARNED), of q / (1 + q), q the squared distance of four channels. Floats
 * are added in one order: of a pixel way by way, then pixel by pixel. Group (tile, side); items are
 * pixels of several partners, then partners.
 *
 * Must move: 2 bytes a term of the partners in. Must do: a subtraction and an addition a term; for
 * a network also a multiplication, and a division for every four. */
#include "kernels/unscramble/partners.h"

#if LEARNED
#define CHANNELS 4 /* that are looked at together */
#define AT_ONCE 32 /* pixels */
#define OWN (NETWORK_OUTPUTS * AT_ONCE)
typedef float sum_type;
#define COST(sum) ((int)(LEARNED_STEPS * (sum)))
#else
#define AT_ONCE 256 /* terms */
#define OWN AT_ONCE
typedef int sum_type;
#define COST(sum) (sum)
#endif

/* Items share an edge's terms, LANES of them, or on the CPU vectors go along them. */
#if ITEMS_ARE_THREADS
#define LANES 32
#define RUN 1 /* pixels that an item adds up at a time */
#else
#define LANES 1
#define RUN 16
/* On the CPU an item is a lane of a vector, of which a group has another number. */
#undef GROUP
#define GROUP COLOR_CANDIDATES
#endif
#define PARTNERS (GROUP / LANES)         /* that are looked at, at a time */
#define SUMS (LEARNED ? AT_ONCE : LANES) /* of a partner, to be added in their order */

/* What the items share in local memory. */
struct rank_group {
    sum_type sum[COLOR_CANDIDATES][SUMS + 1];
    uint edge[COLOR_CANDIDATES];
    ulong key[COLOR_CANDIDATES]; /* the cost in the high word, the edge in the low one */
    sum_type own[OWN];           /* terms, as they stand opposite to those of the partners */
};

#if LEARNED
/* What a pixel adds, by the first of some channels: terms of `mine` are AT_ONCE apart, of `theirs`
 * `length`. */
DEVICE float pixel_cost(IN_LOCAL const float *mine, GLOBAL const ushort *theirs, uint length)
{
    float q = 0;
    UNROLL(CHANNELS)
    for (uint i = 0; i < CHANNELS; i++) {
        const float difference = mine[i * AT_ONCE] - (float)theirs[i * length];
        q += difference * difference;
    }
    q *= 1.0f / (FEATURE_STEPS * FEATURE_STEPS);
    return q / (1 + q);
}

/* Adds up what pixels cost: both ways, by CHANNELS channels at a time. */
DEVICE void pixels_sum(const struct compare_args *args, IN_LOCAL const float *mine,
    GLOBAL const ushort *theirs, uint length, uint count, float *sum)
{
    for (uint i = 0; i < count; i++)
        sum[i] = 0;
    for (uint way = 0; way < 2; way++)
        for (uint c = 0; c < args->channels; c += CHANNELS)
            for (uint i = 0; i < count; i++)
                sum[i] += pixel_cost(mine + (way * args->channels + c) * AT_ONCE + i,
                    theirs + ((1 - way) * args->channels + c) * length + i, length);
}

/* The sums of up to AT_ONCE pixels of all partners go to local memory in the order of the own
 * edge's pixels; the partners' run backwards. A last run of less than RUN pixels begins earlier
 * and makes some of the run before it anew, to the same sums. */
GROUP_FUNCTION void partners_sum(const struct compare_args *args, const struct edge_terms *terms,
    IN_LOCAL struct rank_group *group, uint own, uint first)
{
    const uint length = args->length[own & 1];
    const uint count = length - first < AT_ONCE ? length - first : AT_ONCE;
    GLOBAL const ushort *const mine = terms_of(*args, terms, own) + first + count - 1;
    for (uint n = 0; n < 2 * args->channels * AT_ONCE; n += GROUP)
        ITEMS
        {
            const uint number = (n + ITEM) / AT_ONCE, pixel = (n + ITEM) % AT_ONCE;
            if (number < 2 * args->channels && pixel < count)
                group->own[n + ITEM] = (float)*(mine + number * length - pixel);
        }
    SYNC;
    for (uint p = 0; p < args->candidates; p += PARTNERS)
        ITEMS_ATOMIC
        {
            const uint partner = p + ITEM / LANES, from = ITEM % LANES * (AT_ONCE / LANES);
            const uint edge = partner < args->candidates ? group->edge[partner] : NO_EDGE;
            const uint left = edge != NO_EDGE && from < count ? count - from : 0;
            const uint pixels = left < AT_ONCE / LANES ? left : AT_ONCE / LANES;
            GLOBAL const ushort *const theirs =
                terms_of(*args, terms, edge != NO_EDGE ? edge : own) + length - first - count;
            for (uint i = pixels; i < AT_ONCE / LANES; i++)
                group->sum[partner][from + i] = 0;
            for (uint next = 0; next < pixels; next += RUN) {
                const uint at = from + (next + RUN < pixels || pixels < RUN ? next : pixels - RUN);
                float sum[RUN];
                if (pixels < RUN)
                    pixels_sum(args, group->own + at, theirs + at, length, pixels, sum);
                else
                    pixels_sum(args, group->own + at, theirs + at, length, RUN, sum);
                for (uint i = 0; i < RUN && i < pixels; i++)
                    group->sum[partner][count - 1 - at - i] = sum[i];
            }
        }
}
#define COUNT(args, side) ((args).length[(side)&1])
#else
/* The sums of up to AT_ONCE terms of all partners go to local memory. */
GROUP_FUNCTION void partners_sum(const struct compare_args *args, const struct edge_terms *terms,
    IN_LOCAL struct rank_group *group, uint own, uint first)
{
    const uint length = args->length[own & 1], numbers = args->channels * length;
    const uint count = 2 * numbers - first < AT_ONCE ? 2 * numbers - first : AT_ONCE;
    GLOBAL const ushort *const mine = terms_of(*args, terms, own);
    ITEMS_TO(count) {
        const uint term = (first + ITEM) % numbers, way = (first + ITEM) / numbers;
        const uint opposite = term / length * length + length - 1 - term % length;
        group->own[ITEM] = mine[(1 - way) * numbers + opposite];
    }
    SYNC;
    for (uint p = 0; p < args->candidates; p += PARTNERS)
        ITEMS_ATOMIC
        {
            const uint partner = p + ITEM / LANES;
            const uint edge = partner < args->candidates ? group->edge[partner] : NO_EDGE;
            GLOBAL const ushort *const theirs =
                terms_of(*args, terms, edge != NO_EDGE ? edge : own) + first;
            int sum = 0;
            for (uint i = ITEM % LANES; i < (edge != NO_EDGE ? count : 0); i += LANES)
                sum += ABS_INT(group->own[i] - (int)theirs[i]);
            group->sum[partner][ITEM % LANES] = sum;
        }
}
#define COUNT(args, side) (2 * (args).channels * (args).length[(side)&1])
#endif

/* Writes the partners to their places by cost, then by edge. */
GROUP_FUNCTION void partners_rank(
    const struct compare_args *args, IN_LOCAL const struct rank_group *group, GLOBAL int *ranked)
{
    ITEMS_TO(args->candidates) {
        const ulong key = group->key[ITEM];
        uint rank = 0;
        for (uint i = 0; i < args->candidates; i++)
            rank += group->key[i] < key;
        if (rank < args->width) {
            ranked[2 * rank] = (int)group->edge[ITEM];
            ranked[2 * rank + 1] = (int)(key >> 32);
        }
    }
}

KERNEL6(KERNEL_NAME, GLOBAL const ushort *RESTRICT, upright, GLOBAL const ushort *RESTRICT, level,
    GLOBAL const int *RESTRICT, tiles, GLOBAL const uint *RESTRICT, lists, GLOBAL int *RESTRICT,
    ranked, struct compare_args, args)
{
    LOCAL struct rank_group group;
    PRIVATE(sum_type, sum);
    const struct edge_terms terms = {upright, level, tiles};
    const uint own = 4 * (args.first * COMPARE_TILES + GROUP_X) + GROUP_Y;
    ITEMS_TO(args.candidates) {
        group.edge[ITEM] = lists[list_start(args, GROUP_Y, GROUP_X) + ITEM];
        MINE(sum) = 0;
    }
    SYNC;
    for (uint first = 0; first < COUNT(args, GROUP_Y); first += AT_ONCE) {
        partners_sum(&args, &terms, &group, own, first);
        SYNC;
        ITEMS_TO(args.candidates) {
            for (uint i = 0; i < SUMS; i++)
                MINE(sum) += group.sum[ITEM][i];
        }
        SYNC;
    }
    ITEMS_TO(args.candidates) {
        const uint edge = group.edge[ITEM];
        /* No two are the same. */
        group.key[ITEM] = edge == NO_EDGE ? (ulong)0x7fffffff << 32 | (NO_EDGE - ITEM)
                                          : (ulong)COST(MINE(sum)) << 32 | edge;
    }
    SYNC;
    partners_rank(
        &args, &group, ranked + 2 * (ulong)args.width * (SIDES * (ulong)GROUP_X + GROUP_Y));
}
