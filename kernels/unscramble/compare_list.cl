/* Lists for each edge those of the partners that compare has kept which have the best scores, up to
 * args.listed with the edge of its own tile, which is left out; NO_EDGE stands where there are
 * no more. Of scores that are the same the first are listed. Group (block of own edges, side), an
 * item for each own edge, which finds the least score that is listed bit by bit, by counting.
 *
 * Must move: 4 bytes a place and split in, once, and 4 a partner out; it moves the first 26 times,
 * most of them from a cache. Must do: a comparison and an addition each time. */
#include "kernels/unscramble/partners.h"

#define AT_ONCE 8 /* places whose scores are counted */

/* So that unsigned numbers follow each other as the scores do. */
#define ORDER(score) ((uint)(score) ^ 0x80000000u)

/* What an item has of its own edge. */
struct list_own {
    PRIVATE(uint, least); /* score that is listed, without its slice */
    PRIVATE(uint, bound);
    PRIVATE(uint, count);
    PRIVATE(uint, ties); /* scores of `least` that are listed */
};

/* Which edges are the group's. */
struct list_group {
    GLOBAL const int *scores;
    GLOBAL uint *lists; /* [side][tile][args.listed] */
    uint side, block;
};

/* Counts the scores of at least `bound`. */
GROUP_FUNCTION void scores_count(
    const struct compare_args *args, const struct list_group *group, struct list_own *own)
{
    ITEMS
    {
        MINE(own->count) = 0;
    }
    for (uint split = 0; split < args->splits; split++) {
        GLOBAL const int *const scores =
            group->scores + scores_start(*args, split, group->side, group->block);
        for (uint place = 0; place < COMPARE_TILES; place += AT_ONCE)
            ITEMS
            {
                uint count = MINE(own->count);
                UNROLL(AT_ONCE)
                for (uint i = 0; i < AT_ONCE; i++)
                    count += ORDER(scores[(place + i) * COMPARE_TILES + ITEM]) >= MINE(own->bound);
                MINE(own->count) = count;
            }
    }
}

/* Finds the largest number that args->listed scores reach. */
GROUP_FUNCTION void least_find(
    const struct compare_args *args, const struct list_group *group, struct list_own *own)
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
        scores_count(args, group, own);
        ITEMS
        {
            if (MINE(own->count) >= args->listed)
                MINE(own->least) = MINE(own->bound);
        }
    }
    ITEMS
    {
        MINE(own->bound) = MINE(own->least) + COMPARE_SLICES;
    }
    scores_count(args, group, own);
    ITEMS
    {
        MINE(own->ties) = args->listed - MINE(own->count);
    }
}

/* Lists the partners of a split that reach it. */
GROUP_FUNCTION void partners_list(const struct compare_args *args, const struct list_group *group,
    struct list_own *own, uint split)
{
    GLOBAL const int *const scores =
        group->scores + scores_start(*args, split, group->side, group->block);
    const uint blocks = tile_blocks(*args), begin = first_slice(*args, split);
    for (uint place = 0; place < COMPARE_TILES; place++)
        ITEMS
        {
            const uint score = ORDER(scores[place * COMPARE_TILES + ITEM]);
            const uint least = MINE(own->least), ties = MINE(own->ties);
            const uint is_tie = score / COMPARE_SLICES == least / COMPARE_SLICES;
            if (score >= least && (!is_tie || ties > 0)) {
                const uint slice = begin + score % COMPARE_SLICES;
                const uint tile = slice % blocks * COMPARE_TILES + place;
                MINE(own->ties) = ties - is_tie;
                if (tile < args->tiles &&
                    tile != (args->first + group->block) * COMPARE_TILES + ITEM) {
                    group->lists[list_start(
                                     *args, group->side, group->block * COMPARE_TILES + ITEM) +
                                 MINE(own->count)] =
                        4 * tile + slice_side(*args, group->side, slice);
                    MINE(own->count) += 1;
                }
            }
        }
}

KERNEL3(compare_list, GLOBAL const int *RESTRICT, scores, GLOBAL uint *RESTRICT, lists,
    struct compare_args, args)
{
    struct list_own own;
    const struct list_group group = {scores, lists, GROUP_Y, GROUP_X};
    least_find(&args, &group, &own);
    ITEMS
    {
        MINE(own.count) = 0;
    }
    for (uint split = 0; split < args.splits; split++)
        partners_list(&args, &group, &own, split);
    ITEMS
    {
        GLOBAL uint *const list = lists + list_start(args, GROUP_Y, GROUP_X * COMPARE_TILES + ITEM);
        for (uint i = MINE(own.count); i < args.listed; i++)
            list[i] = NO_EDGE;
    }
}
