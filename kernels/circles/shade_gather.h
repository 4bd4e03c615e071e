/* How the shading kernels (shade.cl) find the circles of a screen tile. Candidates are the set bits
 * of the bin in the matrix of bits, BATCH circles at a time, or the bin's list, which is one
 * batch. */
#ifndef SHADE_GATHER_H
#define SHADE_GATHER_H

#include "kernels/circles/shade_tile.h"

/* Loads batch b: the numbers of the circles whose bits are set go to `found`; of a list there is
 * nothing to load. Returns how many candidates the batch has. */
GROUP_FUNCTION uint batch_load(
    const struct shade_tile *tile, IN_LOCAL struct shade_group *group, uint b)
{
    PRIVATE(uint, bits);
    const struct shade_args *args = tile->args;
    uint amount = tile->count;
    if (!SYNC_MAY_BE_SKIPPED || args->from == FROM_BINS) {
        ITEMS
        {
            const uint word = b * GROUP + ITEM;
            const uint is_there = args->from == FROM_BINS && word < args->words;
            MINE(bits) =
                is_there ? tile->bins[tile->column_line + word] & tile->bins[tile->row_line + word]
                         : 0;
            group->starts[ITEM] = BITS(MINE(bits));
        }
        GROUP_SCAN(group->starts);
        ITEMS
        {
            uint place = group->starts[ITEM];
            for (uint rest = MINE(bits); rest; rest &= rest - 1)
                group->found[place++] = (ushort)(ITEM * 32 + (uint)LOWEST_BIT(rest));
        }
        amount = args->from == FROM_BINS ? group->starts[GROUP] : tile->count;
        SYNC;
    }
    return amount;
}

/* Puts those of GROUP candidates of batch b, from number `from` on and before `amount`, that meet
 * the tile into `near` and `paints`, in order. Returns how many do. Ends with a SYNC. */
GROUP_FUNCTION uint chunk_gather(const struct shade_tile *tile, IN_LOCAL struct shade_group *group,
    uint b, uint from, uint amount)
{
    PRIVATE(float4, circle_own);
    PRIVATE(float4, paint_own);
    PRIVATE(uint, meets);
    PRIVATE(uint, rank);
    uint listed;
    ITEMS
    {
        const uint candidate = from + ITEM;
        MINE(meets) = 0;
        if (candidate < amount) {
            const uint index = tile->args->from == FROM_BINS ? b * BATCH + group->found[candidate]
                                                             : tile->lists[tile->first + candidate];
            MINE(circle_own) = tile->geometry[index];
            MINE(paint_own) = tile->paint[index];
            MINE(meets) = box_meets(tile->box, MINE(circle_own));
        }
    }
    GROUP_RANK(group->starts, meets, rank, listed);
    ITEMS
    {
        if (MINE(meets)) {
            float4 circle = MINE(circle_own);
            if (!SMALL)
                circle.w = !SOFT && box_is_inside(tile->box, circle) ? 1.0f : 0.0f;
            group->near[MINE(rank)] = circle;
            group->paints[MINE(rank)] = MINE(paint_own);
        }
    }
    ITEMS_TO(SHADE_STEP) {
        float4 none;
        none.x = none.y = none.w = 0.0f;
        none.z = -1.0f;
        group->near[listed + ITEM] = none;
    }
    SYNC;
    return listed;
}

/* Which batch and which chunk of it the group holds in local memory. */
struct shade_held {
    uint batch, from;
    uint amount; /* of candidates of the batch */
    uint listed; /* circles of the chunk */
};
#define NOTHING 0xffffffffu

/* Loads a batch unless it is held. */
GROUP_FUNCTION void batch_hold(const struct shade_tile *tile, IN_LOCAL struct shade_group *group,
    struct shade_held *held, uint b)
{
    if (!SYNC_MAY_BE_SKIPPED || held->batch != b) {
        held->amount = batch_load(tile, group, b);
        held->batch = b;
        held->from = NOTHING;
    }
}

/* Gathers a chunk, from candidate `from` of batch b on, unless it is held. Ends with a SYNC where
 * it does. */
GROUP_FUNCTION void chunk_hold(const struct shade_tile *tile, IN_LOCAL struct shade_group *group,
    struct shade_held *held, uint b, uint from)
{
    batch_hold(tile, group, held, b);
    if (!SYNC_MAY_BE_SKIPPED || held->from != from) {
        held->listed = chunk_gather(tile, group, b, from, held->amount);
        held->from = from;
    }
}

#endif
