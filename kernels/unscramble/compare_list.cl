/* Lists the candidates of each edge: of the partners that compare has kept those with the best
 * scores, up to args.candidates with the edge of its own tile; NO_EDGE stands for that, and where
 * there are no more. Of scores that are the same the first are listed. Group (block of own edges,
 * side): PARTS items an edge, each with a part of the splits, find the least score that is listed
 * bit by bit, by counting.
 *
 * Must move: 4 bytes a place and split in, once, and 4 a partner out; it moves the first 27 times,
 * most of them from a cache. Must do: a comparison and an addition each time. */
#include "kernels/unscramble/partners.h"

#if ITEMS_ARE_THREADS
#define PARTS (GROUP / COMPARE_TILES)
#define AT_ONCE 32 /* places whose scores are counted */
#else
#define PARTS 1
#define AT_ONCE 8
/* On the CPU an item is a lane of a vector, of which a group has another number. */
#undef GROUP
#define GROUP COMPARE_TILES
#endif

/* So that unsigned numbers follow each other as the scores do. */
#define ORDER(score) ((uint)(score) ^ 0x80000000u)

/* What the items share in local memory: how many scores of a part are above the least that is
 * listed, and how many reach a bound. */
struct list_group {
    uint above[PARTS][COMPARE_TILES], reach[PARTS][COMPARE_TILES];
};

/* What an item has of its own edge. */
struct list_own {
    PRIVATE(uint, least); /* score that is listed, without its slice */
    PRIVATE(uint, bound);
    PRIVATE(uint, count);
    PRIVATE(uint, ties); /* scores of `least` that the part may list */
};

/* Which edges are the group's. */
struct list_range {
    GLOBAL const int *scores;
    GLOBAL uint *lists; /* [side][tile][args.candidates] */
    uint side, block;
    uint splits; /* of a part */
};

/* Counts the scores of a part that are at least `bound`. */
GROUP_FUNCTION void scores_count(const struct compare_args *args, const struct list_range *range,
    IN_LOCAL uint (*counts)[COMPARE_TILES], struct list_own *own)
{
    ITEMS
    {
        MINE(own->count) = 0;
    }
    for (uint s = 0; s < range->splits; s++)
        for (uint place = 0; place < COMPARE_TILES; place += AT_ONCE)
            ITEMS_GRID(COMPARE_TILES, PARTS)
            {
                const uint split = ITEM_ROW(COMPARE_TILES) * range->splits + s;
                if (PARTS == 1 || split < args->splits) {
                    GLOBAL const int *const scores =
                        range->scores + scores_start(*args, split, range->side, range->block);
                    uint count = MINE(own->count);
                    UNROLL(AT_ONCE)
                    for (uint i = 0; i < AT_ONCE; i++)
                        count +=
                            ORDER(
                                scores[(place + i) * COMPARE_TILES + ITEM_COLUMN(COMPARE_TILES)]) >=
                            MINE(own->bound);
                    MINE(own->count) = count;
                }
            }
    SYNC;
    ITEMS_GRID(COMPARE_TILES, PARTS)
    {
        counts[ITEM_ROW(COMPARE_TILES)][ITEM_COLUMN(COMPARE_TILES)] = MINE(own->count);
    }
    SYNC;
}

DEVICE uint count_all(IN_LOCAL const uint (*counts)[COMPARE_TILES], uint tile)
{
    uint count = 0;
    for (uint part = 0; part < PARTS; part++)
        count += counts[part][tile];
    return count;
}

/* Finds the largest number that args->candidates scores reach. */
GROUP_FUNCTION void least_find(const struct compare_args *args, const struct list_range *range,
    IN_LOCAL struct list_group *group, struct list_own *own)
{
    ITEMS
    {
        MINE(own->least) = 0;
    }
    for (uint bit = 0x80000000u; bit >= COMPARE_SLICES; bit >>= 1) {
        ITEMS
        {
            MINE(own->bound) = MINE(own->least) | bit;
        }
        scores_count(args, range, group->reach, own);
        ITEMS_GRID(COMPARE_TILES, PARTS)
        {
            if (count_all(group->reach, ITEM_COLUMN(COMPARE_TILES)) >= args->candidates)
                MINE(own->least) = MINE(own->bound);
        }
    }
    ITEMS
    {
        MINE(own->bound) = MINE(own->least) + COMPARE_SLICES;
    }
    scores_count(args, range, group->above, own);
    ITEMS
    {
        MINE(own->bound) = MINE(own->least);
    }
    scores_count(args, range, group->reach, own);
}

/* Finds where in the list a part begins, and how many ties it may list: those before it take
 * theirs first. */
GROUP_FUNCTION void parts_start(
    const struct compare_args *args, IN_LOCAL const struct list_group *group, struct list_own *own)
{
    ITEMS_GRID(COMPARE_TILES, PARTS)
    {
        const uint tile = ITEM_COLUMN(COMPARE_TILES);
        uint ties = args->candidates - count_all(group->above, tile), first = 0;
        for (uint part = 0; part < ITEM_ROW(COMPARE_TILES); part++) {
            const uint above = group->above[part][tile], equal = group->reach[part][tile] - above;
            first += above + MIN(equal, ties);
            ties -= MIN(equal, ties);
        }
        MINE(own->count) = first;
        MINE(own->ties) = ties;
    }
}

/* Lists the partners of the s-th split of each part whose scores reach own->least. */
GROUP_FUNCTION void partners_list(
    const struct compare_args *args, const struct list_range *range, struct list_own *own, uint s)
{
    const uint blocks = tile_blocks(*args), own_tile = (args->first + range->block) * COMPARE_TILES;
    for (uint place = 0; place < COMPARE_TILES; place++)
        ITEMS_GRID(COMPARE_TILES, PARTS)
        {
            const uint split = ITEM_ROW(COMPARE_TILES) * range->splits + s;
            const uint column = ITEM_COLUMN(COMPARE_TILES);
            if (PARTS == 1 || split < args->splits) {
                GLOBAL const int *const scores =
                    range->scores + scores_start(*args, split, range->side, range->block);
                const uint score = ORDER(scores[place * COMPARE_TILES + column]);
                const uint least = MINE(own->least), ties = MINE(own->ties);
                const uint is_tie = score / COMPARE_SLICES == least / COMPARE_SLICES;
                if (score >= least && (!is_tie || ties > 0)) {
                    const uint slice = first_slice(*args, split) + score % COMPARE_SLICES;
                    const uint tile = slice % blocks * COMPARE_TILES + place;
                    const uint is_other = tile < args->tiles && tile != own_tile + column;
                    MINE(own->ties) = ties - is_tie;
                    range->lists[list_start(
                                     *args, range->side, range->block * COMPARE_TILES + column) +
                                 MINE(own->count)] =
                        is_other ? 4 * tile + slice_side(*args, range->side, slice) : NO_EDGE;
                    MINE(own->count) += 1;
                }
            }
        }
}

KERNEL3(compare_list, GLOBAL const int *RESTRICT, scores, GLOBAL uint *RESTRICT, lists,
    struct compare_args, args)
{
    LOCAL struct list_group group;
    struct list_own own;
    const struct list_range range = {
        scores, lists, GROUP_Y, GROUP_X, (args.splits + PARTS - 1) / PARTS};
    least_find(&args, &range, &group, &own);
    parts_start(&args, &group, &own);
    for (uint s = 0; s < range.splits; s++)
        partners_list(&args, &range, &own, s);
    ITEMS_BETWEEN(GROUP - COMPARE_TILES, GROUP)
    {
        const uint tile = GROUP_X * COMPARE_TILES + ITEM % COMPARE_TILES;
        GLOBAL uint *const list = lists + list_start(args, GROUP_Y, tile);
        for (uint i = MINE(own.count); i < args.candidates; i++)
            list[i] = NO_EDGE;
    }
}
