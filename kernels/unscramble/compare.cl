/* Compares every edge with all that it may touch, by the squared distance of their signatures, and
 * keeps the best for each place in the slices of a split (partners.h). Group (split + args.splits *
 * block of own edges, side): a product of matrices of bytes, whose factors go through local memory;
 * each item has ROWS x COLUMNS of the sums. From a sum of products the score is made by taking away
 * half the square of the partner; half the own square would be the same for all partners.
 *
 * Must do: a multiplication and an addition a pair and byte, of which a GPU does four at once and
 * the CPU two. Must move: a byte of every edge in, and 4 bytes a place and split out; it moves the
 * bytes of all partners once a block of own edges. */
#define KERNEL_GROUPS 1

#include "kernels/lanes.h"
#include "kernels/unscramble/partners.h"

#if ITEMS_ARE_THREADS
/* A term has four bytes; as many sums an item as registers hold, its columns in runs that one load
 * fetches. */
#define ACROSS 16
#define ROWS 4
#define COLUMNS 8
#define RUN 4
#define TERMS_A_WORD 1
#define TERM(word, i) ((int)(word))
#define ADD_PRODUCTS(a, b, sum) DOT4(a, b, sum)
#else
/* A term has two bytes, as halves of an int. */
#define ACROSS COMPARE_TILES
#define ROWS 8
#define COLUMNS 1
#define RUN 1
#define TERMS_A_WORD 2
#define TERM(word, i) halves_of((word) >> 16 * (i))
#define ADD_PRODUCTS(a, b, sum) DOT2(a, b, sum)
/* On the CPU an item is a lane of a vector, of which a group has another number. */
#undef GROUP
#define GROUP (COMPARE_TILES / ROWS * ACROSS)
#endif

#define TERMS (COMPARE_ROWS * TERMS_A_WORD)
#define TERMS_AT_ONCE COMPARE_ROWS
#define ROWS_AT_ONCE 4 /* that the items fetch */
#define SUMS (ROWS * COLUMNS)
/* The place of the partner that an item in `lane` has in its column c. */
#define PLACE(lane, c) ((c) / RUN * (RUN * ACROSS) + (lane)*RUN + (c) % RUN)

/* What the items share in local memory. */
struct compare_group {
    int own[TERMS][COMPARE_TILES], partner[TERMS][COMPARE_TILES];
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
    ITEMS_GRID(ACROSS, COMPARE_TILES / ROWS)
    {
        UNROLL(SUMS)
        for (uint i = 0; i < SUMS; i++)
            MINE(own->best[i]) = -0x7fffffff - 1;
    }
}

/* Brings COMPARE_ROWS rows of the own edges, from the last that are left on backwards, and of the
 * partners to local memory. */
GROUP_FUNCTION void terms_load(GLOBAL const uint *mine, GLOBAL const uint *theirs,
    IN_LOCAL struct compare_group *group, uint left)
{
    UNROLL(COMPARE_ROWS)
    for (uint r = 0; r < COMPARE_ROWS; r += ROWS_AT_ONCE) {
        ITEMS_GRID(COMPARE_TILES, ROWS_AT_ONCE)
        {
            const uint tile = ITEM_COLUMN(COMPARE_TILES), row = r + ITEM_ROW(COMPARE_TILES);
            const uint word = mine[(left - 1 - row) * COMPARE_TILES + tile];
            const uint other = theirs[row * COMPARE_TILES + tile];
            UNROLL(TERMS_A_WORD)
            for (uint i = 0; i < TERMS_A_WORD; i++) {
                group->own[row * TERMS_A_WORD + i][tile] = TERM(word, i);
                group->partner[row * TERMS_A_WORD + i][tile] = TERM(other, i);
            }
        }
    }
}

GROUP_FUNCTION void sums_start(GLOBAL const uint *halves, struct compare_own *own)
{
    ITEMS_GRID(ACROSS, COMPARE_TILES / ROWS)
    {
        const uint lane = ITEM_COLUMN(ACROSS);
        UNROLL(SUMS)
        for (uint i = 0; i < SUMS; i++)
            MINE(own->sum[i]) = -(int)halves[PLACE(lane, i % COLUMNS)];
    }
}

/* Adds the products of the terms in local memory. */
GROUP_FUNCTION void products_add(
    IN_LOCAL const struct compare_group *group, struct compare_own *own)
{
    for (uint first = 0; first < TERMS; first += TERMS_AT_ONCE) {
        ITEMS_GRID_BY_LANES(ACROSS, COMPARE_TILES / ROWS)
        {
            const uint lane = ITEM_COLUMN(ACROSS), row = ITEM_ROW(ACROSS) * ROWS;
            ints sum[SUMS];
            UNROLL(SUMS)
            for (uint i = 0; i < SUMS; i++)
                sum[i] = INTS(MINE(own->sum[i]));
            UNROLL(TERMS_AT_ONCE)
            for (uint t = 0; t < TERMS_AT_ONCE; t++)
                UNROLL(SUMS)
            for (uint i = 0; i < SUMS; i++)
                sum[i] = ADD_PRODUCTS(group->own[first + t][row + i / COLUMNS],
                    INTS(group->partner[first + t][PLACE(lane, i % COLUMNS)]), sum[i]);
            UNROLL(SUMS)
            for (uint i = 0; i < SUMS; i++)
                SET_INTS(MINE(own->sum[i]), sum[i]);
        }
    }
}

/* Keeps the scores that are the best so far; `slice` is its number in the split. */
GROUP_FUNCTION void best_keep(struct compare_own *own, uint slice)
{
    ITEMS_GRID(ACROSS, COMPARE_TILES / ROWS)
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
    ITEMS_GRID(ACROSS, COMPARE_TILES / ROWS)
    {
        const uint lane = ITEM_COLUMN(ACROSS), row = ITEM_ROW(ACROSS) * ROWS;
        UNROLL(SUMS)
        for (uint i = 0; i < SUMS; i++)
            scores[PLACE(lane, i % COLUMNS) * COMPARE_TILES + row + i / COLUMNS] =
                MINE(own->best[i]);
    }
}

KERNEL3(compare, GLOBAL const uint *RESTRICT, words, GLOBAL int *RESTRICT, scores,
    struct compare_args, args)
{
    LOCAL struct compare_group group;
    struct compare_own own;
    const uint side = GROUP_Y, split = GROUP_X % args.splits, block = GROUP_X / args.splits;
    const uint begin = first_slice(args, split), end = first_slice(args, split + 1);
    GLOBAL const uint *const mine = words + signatures_start(args, side, args.first + block);
    best_start(&own);
    for (uint slice = begin; slice < end; slice++) {
        const uint other = slice_side(args, side, slice);
        GLOBAL const uint *const theirs =
            words + signatures_start(args, other, slice % tile_blocks(args));
        sums_start(theirs + args.rows * COMPARE_TILES, &own);
        for (uint row = 0; row < args.rows; row += COMPARE_ROWS) {
            terms_load(mine, theirs + row * COMPARE_TILES, &group, args.rows - row);
            SYNC;
            products_add(&group, &own);
            SYNC;
        }
        best_keep(&own, slice - begin);
    }
    best_store(scores + scores_start(args, split, side, block), &own);
}
