/* The best partners of every edge, those with the least sums of absolute differences. Group (part
 * of the partners + args.splits * block of own edges, side): a product of matrices with |a - b| in
 * place of a * b, whose terms go through local memory; each item has ROWS x COLUMNS of the sums.
 * Then one item for each own edge looks through its sums for partners that belong in its list.
 *
 * Must do: a subtraction and an addition a pair and term. Must move: 2 bytes a term of every edge
 * in, 8 a key out; it moves 2 a term of every partner once a block of COMPARE_TILES own edges. */
#define KERNEL_GROUPS 2

#include "kernels/unscramble/keys.h"

#if ITEMS_ARE_THREADS
/* Floats, exact below 2^24, since a GPU takes the absolute value for nothing when it adds them. As
 * many sums an item as registers hold, its columns in runs that one load fetches. */
#define LANES 16
#define ROWS 8
#define COLUMNS 8
#define RUN 4
#define TERMS_AT_ONCE 2 /* that items fetch */
typedef float term_type;
typedef float part_type;
typedef float sum_type;
#define TERM(x) BITS_FLOAT(0x4b000000u | (x)) /* 2^23 + x */
#define DIFFERENCE(a, b) ABS((a) - (b))
#define PART(sum) (sum)
#define SUM(sum, part) (part)
#else
/* 16 bits, of which a vector holds most: an item is a lane. */
#define LANES 32
#define ROWS 4
#define COLUMNS 1
#define RUN 1
#define TERMS_AT_ONCE COMPARE_TERMS
#undef GROUP
#define GROUP (COMPARE_TILES / ROWS * LANES)
typedef ushort term_type;
typedef ushort part_type;
typedef uint sum_type;
#define TERM(x) (x)
#define DIFFERENCE(a, b) magnitude((short)((a) - (b)))
#define PART(sum) 0
#define SUM(sum, part) ((sum) + (part))
DEVICE ushort magnitude(short x)
{
    return (ushort)ABS_INT(x);
}
#endif

#define PARTNERS (LANES * COLUMNS)
#define SUMS (ROWS * COLUMNS)
/* The partner that an item in `lane` has in its column c. */
#define PARTNER(lane, c) ((c) / RUN * (RUN * LANES) + (lane)*RUN + (c) % RUN)

/* Of a side's edges; an index that is no constant would put the arguments into slow memory. */
DEVICE uint side_terms(struct compare_args args, uint side)
{
    return side & 1 ? args.terms[1] : args.terms[0];
}

/* Where the strips of a side's block begin. */
DEVICE ulong strips_start(struct compare_args args, uint side, uint block)
{
    const uint blocks = (args.tiles + COMPARE_TILES - 1) / COMPARE_TILES;
    const ulong terms = (ulong)((side + 1) / 2) * args.terms[0] + side / 2 * args.terms[1];
    return (terms * blocks + (ulong)block * side_terms(args, side)) * COMPARE_TILES;
}

KERNEL3(compare, GLOBAL const ushort *RESTRICT, strips, GLOBAL ulong *RESTRICT, lists,
    struct compare_args, args)
{
    LOCAL term_type own[COMPARE_TERMS][COMPARE_TILES], partner[COMPARE_TERMS][PARTNERS];
    LOCAL uint found[COMPARE_TILES][LANES + 1];
    LOCAL ulong worst[COMPARE_TILES];
    PRIVATE_ARRAY(sum_type, sum, SUMS);
    const uint side = GROUP_Y, split = GROUP_X % args.splits, block = GROUP_X / args.splits;
    const uint first = (args.first + block) * COMPARE_TILES;
    const uint rows = args.tiles - first < COMPARE_TILES ? args.tiles - first : COMPARE_TILES;
    const uint terms = side_terms(args, side);
    const uint blocks = (args.tiles + COMPARE_TILES - 1) / COMPARE_TILES;
    const uint begin = (uint)((ulong)split * args.others * blocks / args.splits);
    const uint end = (uint)((ulong)(split + 1) * args.others * blocks / args.splits);
    GLOBAL const ushort *const mine = strips + strips_start(args, side, args.first + block);
    ITEMS_TO(rows) {
        GLOBAL ulong *list = lists + list_start(args, split, side, block * COMPARE_TILES + ITEM);
        for (uint i = 0; i < args.width; i++)
            list[i] = NO_KEY;
        worst[ITEM] = NO_KEY;
    }
    for (uint slice = begin * (COMPARE_TILES / PARTNERS); slice < end * (COMPARE_TILES / PARTNERS);
         slice++) {
        const uint other = side ^ 2 ^ slice * PARTNERS / COMPARE_TILES / blocks * args.step;
        const uint start = slice * PARTNERS % (blocks * COMPARE_TILES);
        GLOBAL const ushort *const theirs =
            strips + strips_start(args, other, start / COMPARE_TILES) + start % COMPARE_TILES;
        ITEMS_GRID(LANES, (rows + ROWS - 1) / ROWS)
        {
            UNROLL(SUMS)
            for (uint i = 0; i < SUMS; i++)
                MINE(sum[i]) = 0;
        }
        for (uint term = 0; term < terms; term += COMPARE_TERMS) {
            /* The own edge's terms backwards: what stands opposite to those of the partner. */
            UNROLL(COMPARE_TERMS)
            for (uint t = 0; t < COMPARE_TERMS; t += TERMS_AT_ONCE) {
                ITEMS_GRID(COMPARE_TILES, TERMS_AT_ONCE)
                {
                    const uint tile = ITEM_COLUMN(COMPARE_TILES), at = t + ITEM_ROW(COMPARE_TILES);
                    own[at][tile] = TERM(mine[(terms - 1 - term - at) * COMPARE_TILES + tile]);
                }
                ITEMS_GRID(PARTNERS, TERMS_AT_ONCE)
                {
                    const uint tile = ITEM_COLUMN(PARTNERS), at = t + ITEM_ROW(PARTNERS);
                    partner[at][tile] = TERM(theirs[(term + at) * COMPARE_TILES + tile]);
                }
            }
            SYNC;
            ITEMS_GRID(LANES, (rows + ROWS - 1) / ROWS)
            {
                const uint lane = ITEM_COLUMN(LANES), row = ITEM_ROW(LANES) * ROWS;
                part_type part[SUMS];
                UNROLL(SUMS)
                for (uint i = 0; i < SUMS; i++)
                    part[i] = PART(MINE(sum[i]));
                UNROLL(COMPARE_TERMS)
                for (uint t = 0; t < COMPARE_TERMS; t++)
                    UNROLL(SUMS)
                for (uint i = 0; i < SUMS; i++)
                    part[i] += DIFFERENCE(
                        own[t][row + i / COLUMNS], partner[t][PARTNER(lane, i % COLUMNS)]);
                UNROLL(SUMS)
                for (uint i = 0; i < SUMS; i++)
                    MINE(sum[i]) = SUM(MINE(sum[i]), part[i]);
            }
            SYNC;
        }
        UNROLL(COLUMNS)
        for (uint c = 0; c < COLUMNS; c++) {
            ITEMS_GRID(LANES, (rows + ROWS - 1) / ROWS)
            {
                const uint lane = ITEM_COLUMN(LANES), row = ITEM_ROW(LANES) * ROWS;
                UNROLL(ROWS)
                for (uint r = 0; r < ROWS; r++)
                    found[row + r][lane] = (uint)MINE(sum[r * COLUMNS + c]);
            }
            SYNC;
            ITEMS_TO(rows) {
                uint least = found[ITEM][0];
                UNROLL(LANES)
                for (uint i = 1; i < LANES; i++)
                    least = found[ITEM][i] < least ? found[ITEM][i] : least;
                for (uint i = least <= worst[ITEM] >> 32 ? 0 : LANES; i < LANES;) {
                    ulong key = NO_KEY;
                    /* All items of a GPU's warp find one before any puts it into its list. */
                    while (i < LANES && key >= worst[ITEM]) {
                        const uint tile = start + PARTNER(i, c);
                        if (tile < args.tiles && tile != first + ITEM)
                            key = (ulong)found[ITEM][i] << 32 | (4 * tile + other);
                        i++;
                    }
                    if (key < worst[ITEM]) {
                        GLOBAL ulong *list =
                            lists + list_start(args, split, side, block * COMPARE_TILES + ITEM);
                        list_insert(list, args.width, key);
                        worst[ITEM] = list[args.width - 1];
                    }
                }
            }
            SYNC;
        }
    }
}
