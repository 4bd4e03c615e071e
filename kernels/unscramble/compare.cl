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

/* What the items share in local memory. */
struct compare_group {
    term_type own[COMPARE_TERMS][COMPARE_TILES], partner[COMPARE_TERMS][PARTNERS];
    uint found[COMPARE_TILES][LANES + 1]; /* sums of a column of the items */
    ulong worst[COMPARE_TILES];           /* the last key of an own edge's list */
};

/* The sums of an item. */
struct compare_own {
    PRIVATE_ARRAY(sum_type, sum, SUMS);
};

/* Which lists are the group's. */
struct compare_lists {
    GLOBAL ulong *lists;
    uint split, side, block;
};

/* The list of own edge `tile` of the group's block. */
DEVICE GLOBAL ulong *own_list(
    const struct compare_args *args, const struct compare_lists *lists, uint tile)
{
    return lists->lists +
           list_start(*args, lists->split, lists->side, lists->block * COMPARE_TILES + tile);
}

GROUP_FUNCTION void lists_start(const struct compare_args *args, const struct compare_lists *lists,
    IN_LOCAL struct compare_group *group, uint rows)
{
    ITEMS_TO(rows) {
        GLOBAL ulong *list = own_list(args, lists, ITEM);
        for (uint i = 0; i < args->width; i++)
            list[i] = NO_KEY;
        group->worst[ITEM] = NO_KEY;
    }
}

/* Brings COMPARE_TERMS terms of the own edges, from `mine` on backwards, and of the partners to
 * local memory: the own edge's terms stand opposite to those of the partner. */
GROUP_FUNCTION void terms_load(GLOBAL const ushort *mine, GLOBAL const ushort *theirs,
    IN_LOCAL struct compare_group *group, uint terms, uint term)
{
    UNROLL(COMPARE_TERMS)
    for (uint t = 0; t < COMPARE_TERMS; t += TERMS_AT_ONCE) {
        ITEMS_GRID(COMPARE_TILES, TERMS_AT_ONCE)
        {
            const uint tile = ITEM_COLUMN(COMPARE_TILES), at = t + ITEM_ROW(COMPARE_TILES);
            group->own[at][tile] = TERM(mine[(terms - 1 - term - at) * COMPARE_TILES + tile]);
        }
        ITEMS_GRID(PARTNERS, TERMS_AT_ONCE)
        {
            const uint tile = ITEM_COLUMN(PARTNERS), at = t + ITEM_ROW(PARTNERS);
            group->partner[at][tile] = TERM(theirs[(term + at) * COMPARE_TILES + tile]);
        }
    }
}

GROUP_FUNCTION void sums_start(struct compare_own *own, uint rows)
{
    ITEMS_GRID(LANES, (rows + ROWS - 1) / ROWS)
    {
        UNROLL(SUMS)
        for (uint i = 0; i < SUMS; i++)
            MINE(own->sum[i]) = 0;
    }
}

/* Adds the terms in local memory. */
GROUP_FUNCTION void terms_add(
    IN_LOCAL const struct compare_group *group, struct compare_own *own, uint rows)
{
    ITEMS_GRID(LANES, (rows + ROWS - 1) / ROWS)
    {
        const uint lane = ITEM_COLUMN(LANES), row = ITEM_ROW(LANES) * ROWS;
        part_type part[SUMS];
        UNROLL(SUMS)
        for (uint i = 0; i < SUMS; i++)
            part[i] = PART(MINE(own->sum[i]));
        UNROLL(COMPARE_TERMS)
        for (uint t = 0; t < COMPARE_TERMS; t++)
            UNROLL(SUMS)
        for (uint i = 0; i < SUMS; i++)
            part[i] += DIFFERENCE(
                group->own[t][row + i / COLUMNS], group->partner[t][PARTNER(lane, i % COLUMNS)]);
        UNROLL(SUMS)
        for (uint i = 0; i < SUMS; i++)
            MINE(own->sum[i]) = SUM(MINE(own->sum[i]), part[i]);
    }
}

/* Column c of the items' sums goes to local memory. */
GROUP_FUNCTION void sums_show(
    IN_LOCAL struct compare_group *group, const struct compare_own *own, uint rows, uint c)
{
    ITEMS_GRID(LANES, (rows + ROWS - 1) / ROWS)
    {
        const uint lane = ITEM_COLUMN(LANES), row = ITEM_ROW(LANES) * ROWS;
        UNROLL(ROWS)
        for (uint r = 0; r < ROWS; r++)
            group->found[row + r][lane] = (uint)MINE(own->sum[r * COLUMNS + c]);
    }
}

/* Puts those of the partners that sums_show shows, which are tiles from `start` on with their edges
 * `other`, into the lists in which they belong. The own tiles begin at `first`. */
GROUP_FUNCTION void partners_keep(const struct compare_args *args,
    const struct compare_lists *lists, IN_LOCAL struct compare_group *group, uint first, uint rows,
    uint start, uint other, uint c)
{
    ITEMS_TO(rows) {
        uint least = group->found[ITEM][0];
        UNROLL(LANES)
        for (uint i = 1; i < LANES; i++)
            least = group->found[ITEM][i] < least ? group->found[ITEM][i] : least;
        for (uint i = least <= group->worst[ITEM] >> 32 ? 0 : LANES; i < LANES;) {
            ulong key = NO_KEY;
            /* All items of a GPU's warp find one before any puts it into its list. */
            while (i < LANES && key >= group->worst[ITEM]) {
                const uint tile = start + PARTNER(i, c);
                if (tile < args->tiles && tile != first + ITEM)
                    key = (ulong)group->found[ITEM][i] << 32 | (4 * tile + other);
                i++;
            }
            if (key < group->worst[ITEM]) {
                GLOBAL ulong *list = own_list(args, lists, ITEM);
                list_insert(list, args->width, key);
                group->worst[ITEM] = list[args->width - 1];
            }
        }
    }
}

KERNEL3(compare, GLOBAL const ushort *RESTRICT, strips, GLOBAL ulong *RESTRICT, lists,
    struct compare_args, args)
{
    LOCAL struct compare_group group;
    struct compare_own own;
    const uint side = GROUP_Y, split = GROUP_X % args.splits, block = GROUP_X / args.splits;
    const struct compare_lists own_lists = {lists, split, side, block};
    const uint first = (args.first + block) * COMPARE_TILES;
    const uint rows = args.tiles - first < COMPARE_TILES ? args.tiles - first : COMPARE_TILES;
    const uint terms = side_terms(args, side);
    const uint blocks = (args.tiles + COMPARE_TILES - 1) / COMPARE_TILES;
    const uint begin = (uint)((ulong)split * args.others * blocks / args.splits);
    const uint end = (uint)((ulong)(split + 1) * args.others * blocks / args.splits);
    GLOBAL const ushort *const mine = strips + strips_start(args, side, args.first + block);
    lists_start(&args, &own_lists, &group, rows);
    for (uint slice = begin * (COMPARE_TILES / PARTNERS); slice < end * (COMPARE_TILES / PARTNERS);
         slice++) {
        const uint other = side ^ 2 ^ slice * PARTNERS / COMPARE_TILES / blocks * args.step;
        const uint start = slice * PARTNERS % (blocks * COMPARE_TILES);
        GLOBAL const ushort *const theirs =
            strips + strips_start(args, other, start / COMPARE_TILES) + start % COMPARE_TILES;
        sums_start(&own, rows);
        for (uint term = 0; term < terms; term += COMPARE_TERMS) {
            terms_load(mine, theirs, &group, terms, term);
            SYNC;
            terms_add(&group, &own, rows);
            SYNC;
        }
        UNROLL(COLUMNS)
        for (uint c = 0; c < COLUMNS; c++) {
            sums_show(&group, &own, rows, c);
            SYNC;
            partners_keep(&args, &own_lists, &group, first, rows, start, other, c);
            SYNC;
        }
    }
}
