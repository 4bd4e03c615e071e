/* Compares every edge with all that it may touch, by the squared distance of their signatures, and
 * keeps the best for each place in the slices of a split (partners.h). Group (split + args.splits *
 * block of own edges, side): a product of matrices of bytes, whose factors go through local memory;
 * each item has SUMS of the sums. From a sum of products the score is made by taking away
 * half the square of the partner; half the own square would be the same for all partners.
 *
 * Must do: a multiplication and an addition a pair and byte, of which matrix units do 16 for each
 * of 128 pairs at once, other GPUs four, and the CPU two. Must move: a byte of every edge in, and 4
 * bytes a place and split out; it moves the bytes of all partners once a block of own edges. */
#define KERNEL_GROUPS 1

#include "kernels/lanes.h"
#include "kernels/unscramble/partners.h"

/* An item stands in a lane of a row of items, ACROSS x DOWN of them. OWN(lane, row, i) is the own
 * edge of its sum i, PLACE(lane, row, i) the place of that sum's partner. */
#if HAS_MATRIX_UNITS
/* A term has four bytes. A row of items is a warp, with the sums of 32 own edges by 32 others: 2 x
 * 4 matrices of 16 x 8, of each of which an item has four. */
#define ACROSS 32
#define DOWN 16
#define SUMS 32
#define OWN(lane, row, i) ((row) / 4 * 32 + (i) / 16 * 16 + (i) / 2 % 2 * 8 + (lane) / 4)
#define PLACE(lane, row, i) ((row) % 4 * 32 + (i) / 4 % 4 * 8 + (lane) % 4 * 2 + (i) % 2)
#define ROW_STRIDE (COMPARE_TILES + 8) /* so that the items of a warp ask different banks */
#define TERMS_A_WORD 1
#define TERM(word, i) ((int)(word))
#elif ITEMS_ARE_THREADS
/* A term has four bytes; as many sums an item as registers hold, its columns in runs that one load
 * fetches. */
#define ACROSS 16
#define ROWS 4
#define COLUMNS 8
#define RUN 4
#define DOWN (COMPARE_TILES / ROWS)
#define SUMS (ROWS * COLUMNS)
#define OWN(lane, row, i) ((row)*ROWS + (i) / COLUMNS)
#define PLACE(lane, row, i) \
    ((i) % COLUMNS / RUN * (RUN * ACROSS) + (lane)*RUN + (i) % COLUMNS % RUN)
#define ROW_STRIDE COMPARE_TILES
#define TERMS_A_WORD 1
#define TERM(word, i) ((int)(word))
#define ADD_PRODUCTS(a, b, sum) DOT4(a, b, sum)
#else
/* A term has two bytes, as halves of an int. */
#define ACROSS COMPARE_TILES
#define SUMS 8
#define DOWN (COMPARE_TILES / SUMS)
#define OWN(lane, row, i) ((row)*SUMS + (i))
#define PLACE(lane, row, i) (lane)
#define ROW_STRIDE COMPARE_TILES
#define TERMS_A_WORD 2
#define TERM(word, i) halves_of((word) >> 16 * (i))
#define ADD_PRODUCTS(a, b, sum) DOT2(a, b, sum)
/* On the CPU an item is a lane of a vector, of which a group has another number. */
#undef GROUP
#define GROUP (DOWN * ACROSS)
#endif

#define TERMS (COMPARE_ROWS * TERMS_A_WORD)
#define ROWS_AT_ONCE 4          /* that the items fetch */
#define AHEAD ITEMS_ARE_THREADS /* chunks that are on their way while one is worked on */

/* What the items share in local memory. */
struct compare_group {
    ALIGNED(16) int own[TERMS][ROW_STRIDE];
    ALIGNED(16) int partner[TERMS][ROW_STRIDE];
};

/* The sums of an item, and the best scores so far. */
struct compare_own {
    PRIVATE_ARRAY(int, sum, SUMS);
    PRIVATE_ARRAY(int, best, SUMS);
};

#if !ITEMS_ARE_THREADS
/* The two lowest bytes of a word, as numbers of 16 bits. */
DEVICE int halves_of(uint bytes)
{
    const int low = (int)(signed char)bytes, high = (int)(signed char)(bytes >> 8);
    return (int)(((uint)low & 0xffff) | (uint)high << 16);
}
#endif

GROUP_FUNCTION void best_start(struct compare_own *own)
{
    ITEMS_GRID(ACROSS, DOWN)
    {
        UNROLL(SUMS)
        for (uint i = 0; i < SUMS; i++)
            MINE(own->best[i]) = -0x7fffffff - 1;
    }
}

/* Which edges a group compares: those of a block with those of the slices of a split. */
struct compare_range {
    GLOBAL const uint *words, *own; /* all signatures, and those of the block */
    uint side, first, chunks;       /* first slice; COMPARE_ROWS rows are a chunk */
};

DEVICE GLOBAL const uint *slice_words(
    struct compare_args args, const struct compare_range *range, uint slice)
{
    return range->words +
           signatures_start(args, slice_side(args, range->side, slice), slice % tile_blocks(args));
}

/* Brings a chunk to local memory, number n of all slices: rows of the partners, and the rows of the
 * own edges that stand opposite to them. */
GROUP_FUNCTION void terms_load(struct compare_args args, const struct compare_range *range,
    IN_LOCAL struct compare_group *group, uint n)
{
    const uint first = n % range->chunks * COMPARE_ROWS;
    GLOBAL const uint *const own = range->own + (args.rows - 1 - first) * COMPARE_TILES;
    GLOBAL const uint *const partner =
        slice_words(args, range, range->first + n / range->chunks) + first * COMPARE_TILES;
#if HAS_MATRIX_UNITS
    ITEMS_GRID(COMPARE_TILES / 4, COMPARE_ROWS)
    {
        const uint tile = 4 * ITEM_COLUMN(COMPARE_TILES / 4), row = ITEM_ROW(COMPARE_TILES / 4);
        COPY_ASYNC(&group->own[row][tile], own - row * COMPARE_TILES + tile);
        COPY_ASYNC(&group->partner[row][tile], partner + row * COMPARE_TILES + tile);
    }
#else
    UNROLL(COMPARE_ROWS / ROWS_AT_ONCE)
    for (uint r = 0; r < COMPARE_ROWS; r += ROWS_AT_ONCE) {
        ITEMS_GRID(COMPARE_TILES, ROWS_AT_ONCE)
        {
            const uint tile = ITEM_COLUMN(COMPARE_TILES), row = r + ITEM_ROW(COMPARE_TILES);
            const uint word = (own - row * COMPARE_TILES)[tile];
            const uint other = partner[row * COMPARE_TILES + tile];
            UNROLL(TERMS_A_WORD)
            for (uint i = 0; i < TERMS_A_WORD; i++) {
                group->own[row * TERMS_A_WORD + i][tile] = TERM(word, i);
                group->partner[row * TERMS_A_WORD + i][tile] = TERM(other, i);
            }
        }
    }
#endif
}

GROUP_FUNCTION void sums_start(GLOBAL const uint *halves, struct compare_own *own)
{
    ITEMS_GRID(ACROSS, DOWN)
    {
        UNROLL(SUMS)
        for (uint i = 0; i < SUMS; i++)
            MINE(own->sum[i]) = -(int)halves[PLACE(ITEM_COLUMN(ACROSS), ITEM_ROW(ACROSS), i)];
    }
}

/* Adds the products of the terms in local memory. */
#if HAS_MATRIX_UNITS
#define DEEP 4 /* terms, of four bytes, that MULTIPLY_BYTES multiplies */
GROUP_FUNCTION void products_add(
    IN_LOCAL const struct compare_group *group, struct compare_own *own)
{
    ITEMS_GRID(ACROSS, DOWN)
    {
        const uint lane = ITEM_COLUMN(ACROSS), row = ITEM_ROW(ACROSS), first = lane % DEEP;
        UNROLL(TERMS / DEEP)
        for (uint t = first; t < TERMS; t += DEEP) {
            int a[4], b[4];
            UNROLL(4)
            for (uint k = 0; k < 4; k++) {
                a[k] = group->own[t][row / 4 * 32 + k * 8 + lane / 4];
                b[k] = group->partner[t][row % 4 * 32 + k * 8 + lane / 4];
            }
            UNROLL(SUMS / 4)
            for (uint i = 0; i < SUMS; i += 4)
                MULTIPLY_BYTES(MINE(own->sum[i]), MINE(own->sum[i + 1]), MINE(own->sum[i + 2]),
                    MINE(own->sum[i + 3]), a[i / 16 * 2], a[i / 16 * 2 + 1], b[i / 4 % 4]);
        }
    }
}
#else
#define TERMS_AT_ONCE COMPARE_ROWS
GROUP_FUNCTION void products_add(
    IN_LOCAL const struct compare_group *group, struct compare_own *own)
{
    for (uint first = 0; first < TERMS; first += TERMS_AT_ONCE) {
        ITEMS_GRID_BY_LANES(ACROSS, DOWN)
        {
            const uint lane = ITEM_COLUMN(ACROSS), row = ITEM_ROW(ACROSS);
            ints sum[SUMS];
            UNROLL(SUMS)
            for (uint i = 0; i < SUMS; i++)
                sum[i] = INTS(MINE(own->sum[i]));
            UNROLL(TERMS_AT_ONCE)
            for (uint t = 0; t < TERMS_AT_ONCE; t++)
                UNROLL(SUMS)
            for (uint i = 0; i < SUMS; i++)
                sum[i] = ADD_PRODUCTS(group->own[first + t][OWN(lane, row, i)],
                    INTS(group->partner[first + t][PLACE(lane, row, i)]), sum[i]);
            UNROLL(SUMS)
            for (uint i = 0; i < SUMS; i++)
                SET_INTS(MINE(own->sum[i]), sum[i]);
        }
    }
}
#endif

/* Keeps the scores that are the best so far; `slice` is its number in the split. */
GROUP_FUNCTION void best_keep(struct compare_own *own, uint slice)
{
    ITEMS_GRID(ACROSS, DOWN)
    {
        UNROLL(SUMS)
        for (uint i = 0; i < SUMS; i++) {
            const int score = MINE(own->sum[i]) * COMPARE_SLICES + (int)slice;
            MINE(own->best[i]) = score > MINE(own->best[i]) ? score : MINE(own->best[i]);
        }
    }
}

GROUP_FUNCTION void best_store(GLOBAL int *scores, const struct compare_own *own)
{
    ITEMS_GRID(ACROSS, DOWN)
    {
        const uint lane = ITEM_COLUMN(ACROSS), row = ITEM_ROW(ACROSS);
        UNROLL(SUMS)
        for (uint i = 0; i < SUMS; i++)
            scores[PLACE(lane, row, i) * COMPARE_TILES + OWN(lane, row, i)] = MINE(own->best[i]);
    }
}

KERNEL3(compare, GLOBAL const uint *RESTRICT, words, GLOBAL int *RESTRICT, scores,
    struct compare_args, args)
{
    LOCAL struct compare_group groups[AHEAD + 1];
    struct compare_own own;
    const uint side = GROUP_Y, split = GROUP_X % args.splits, block = GROUP_X / args.splits;
    const uint first = first_slice(args, split), slices = first_slice(args, split + 1) - first;
    const struct compare_range range = {words,
        words + signatures_start(args, side, args.first + block), side, first,
        args.rows / COMPARE_ROWS};
    const uint count = slices * range.chunks;
    best_start(&own);
    if (AHEAD)
        terms_load(args, &range, &groups[0], 0);
    for (uint n = 0; n < count; n++) {
        const uint slice = n / range.chunks, chunk = n % range.chunks, next = n + AHEAD;
        COPIES_WAIT;
        SYNC;
        if (next < count)
            terms_load(args, &range, &groups[next % (AHEAD + 1)], next);
        if (chunk == 0)
            sums_start(slice_words(args, &range, first + slice) + args.rows * COMPARE_TILES, &own);
        products_add(&groups[n % (AHEAD + 1)], &own);
        if (chunk + 1 == range.chunks)
            best_keep(&own, slice);
    }
    best_store(scores + scores_start(args, split, side, block), &own);
}
