/* Ranks the partners that compare_list has listed for an edge by what they cost together, and keeps
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
typedef float sum_type;
#define COST(sum) ((int)(LEARNED_STEPS * (sum)))
#else
#define AT_ONCE 256 /* terms */
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
#define GROUP COMPARE_LISTED
#endif
#define PARTNERS (GROUP / LANES)         /* that are looked at, at a time */
#define SUMS (LEARNED ? AT_ONCE : LANES) /* of a partner, to be added in their order */

/* What the items share in local memory. */
struct rank_group {
    sum_type sum[COMPARE_LISTED][SUMS + 1];
    uint edge[COMPARE_LISTED];
    ulong key[COMPARE_LISTED]; /* the cost in the high word, the edge in the low one */
#if !LEARNED
    int own[AT_ONCE]; /* terms, as they stand opposite to those of the partners */
#endif
};

/* The terms of edges: [2 * tile + (side >> 1)][is, expects][channel][pixel], of left and right
 * sides, and of top and bottom ones. */
struct rank_terms {
    GLOBAL const ushort *upright, *level;
    GLOBAL const int *tiles; /* those that are compared */
};

DEVICE GLOBAL const ushort *terms_of(
    struct compare_args args, const struct rank_terms *terms, uint edge)
{
    const uint side = edge & 3, length = args.length[side & 1];
    return (side & 1 ? terms->level : terms->upright) +
           (2 * (ulong)terms->tiles[edge >> 2] + (side >> 1)) * 2 * args.channels * length;
}

#if LEARNED
/* What two pixels that touch add, by the first of some channels. */
DEVICE float pixel_cost(GLOBAL const ushort *a, GLOBAL const ushort *b, uint length, float square)
{
    float q = 0;
    UNROLL(CHANNELS)
    for (uint i = 0; i < CHANNELS; i++) {
        const float difference = (float)((int)a[i * length] - (int)b[i * length]);
        q += difference * difference;
    }
    q *= square;
    return q / (1 + q);
}

/* Adds up what pixels cost that touch, from a[0] and b[0] on, those of b backwards: both ways, by
 * CHANNELS channels at a time. */
DEVICE void pixels_sum(const struct compare_args *args, GLOBAL const ushort *a,
    GLOBAL const ushort *b, uint length, uint count, float *sum)
{
    const uint numbers = args->channels * length;
    for (uint i = 0; i < count; i++)
        sum[i] = 0;
    for (uint way = 0; way < 2; way++)
        for (uint c = 0; c < args->channels; c += CHANNELS)
            for (uint i = 0; i < count; i++)
                sum[i] += pixel_cost(a + way * numbers + c * length + i,
                    b + (1 - way) * numbers + c * length - i, length, args->square);
}

/* The sums of up to AT_ONCE pixels of all partners go to local memory. A last run of less than RUN
 * pixels begins earlier and makes some of the run before it anew, to the same sums. */
GROUP_FUNCTION void partners_sum(const struct compare_args *args, const struct rank_terms *terms,
    IN_LOCAL struct rank_group *group, uint own, uint first)
{
    const uint length = args->length[own & 1];
    GLOBAL const ushort *const mine = terms_of(*args, terms, own);
    for (uint p = 0; p < args->listed; p += PARTNERS)
        ITEMS_ATOMIC
        {
            const uint partner = p + ITEM / LANES, from = ITEM % LANES * (AT_ONCE / LANES);
            const uint edge = partner < args->listed ? group->edge[partner] : NO_EDGE;
            const uint k = first + from;
            const uint left = edge != NO_EDGE && k < length ? length - k : 0;
            const uint count = left < AT_ONCE / LANES ? left : AT_ONCE / LANES;
            GLOBAL const ushort *const theirs =
                terms_of(*args, terms, edge != NO_EDGE ? edge : own) + length - 1;
            for (uint i = count; i < AT_ONCE / LANES; i++)
                group->sum[partner][from + i] = 0;
            for (uint next = 0; next < count; next += RUN) {
                const uint at = next + RUN < count || count < RUN ? next : count - RUN;
                float sum[RUN];
                if (count < RUN)
                    pixels_sum(args, mine + k + at, theirs - k - at, length, count, sum);
                else
                    pixels_sum(args, mine + k + at, theirs - k - at, length, RUN, sum);
                for (uint i = 0; i < RUN && i < count; i++)
                    group->sum[partner][from + at + i] = sum[i];
            }
        }
}
#define COUNT(args, side) ((args).length[(side)&1])
#else
/* The sums of up to AT_ONCE terms of all partners go to local memory. */
GROUP_FUNCTION void partners_sum(const struct compare_args *args, const struct rank_terms *terms,
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
    for (uint p = 0; p < args->listed; p += PARTNERS)
        ITEMS_ATOMIC
        {
            const uint partner = p + ITEM / LANES;
            const uint edge = partner < args->listed ? group->edge[partner] : NO_EDGE;
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
    ITEMS_TO(args->listed) {
        const ulong key = group->key[ITEM];
        uint rank = 0;
        for (uint i = 0; i < args->listed; i++)
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
    const struct rank_terms terms = {upright, level, tiles};
    const uint own = 4 * (args.first * COMPARE_TILES + GROUP_X) + GROUP_Y;
    ITEMS_TO(args.listed) {
        group.edge[ITEM] = lists[list_start(args, GROUP_Y, GROUP_X) + ITEM];
        MINE(sum) = 0;
    }
    SYNC;
    for (uint first = 0; first < COUNT(args, GROUP_Y); first += AT_ONCE) {
        partners_sum(&args, &terms, &group, own, first);
        SYNC;
        ITEMS_TO(args.listed) {
            for (uint i = 0; i < SUMS; i++)
                MINE(sum) += group.sum[ITEM][i];
        }
        SYNC;
    }
    ITEMS_TO(args.listed) {
        const uint edge = group.edge[ITEM];
        /* No two are the same. */
        group.key[ITEM] = edge == NO_EDGE ? (ulong)0x7fffffff << 32 | (NO_EDGE - ITEM)
                                          : (ulong)COST(MINE(sum)) << 32 | edge;
    }
    SYNC;
    partners_rank(
        &args, &group, ranked + 2 * (ulong)args.width * (SIDES * (ulong)GROUP_X + GROUP_Y));
}
