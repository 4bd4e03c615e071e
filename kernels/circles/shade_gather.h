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
    if (!SYNC_MAY_BE_SKIPPED || args->from == FROM_MATRIX) {
        ITEMS
        {
            const uint word = b * GROUP + ITEM;
            const uint is_there = args->from == FROM_MATRIX && word < args->words;
            MINE(bits) = is_there ? tile->matrix[tile->column_line + word] &
                                        tile->matrix[tile->row_line + word]
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
        amount = args->from == FROM_MATRIX ? group->starts[GROUP] : tile->count;
        SYNC;
    }
    return amount;
}

/* An item's candidate of the slice that is on its way. */
struct shade_candidate {
    PRIVATE(uint, index); /* of the circle */
    PRIVATE(float4, circle);
    PRIVATE(float4, paint);
};

/* A slice comes into local memory in three steps, between which there may be other work. Finds
 * `count` candidates from `walk` on, an item each. */
GROUP_FUNCTION void slice_find(const struct shade_tile *tile,
    IN_LOCAL const struct shade_group *group, struct shade_candidate *own, struct shade_walk walk,
    uint count)
{
    ITEMS_TO(count) {
        MINE(own->index) = tile->args->from == FROM_MATRIX
                               ? walk.batch * BATCH + group->found[walk.from + ITEM]
                               : tile->lists[tile->first + walk.from + ITEM];
    }
}

/* Loads the circles of the `count` candidates that were found. */
GROUP_FUNCTION void slice_load(
    const struct shade_tile *tile, struct shade_candidate *own, uint count)
{
    ITEMS_TO(count) {
        MINE(own->circle) = tile->geometry[MINE(own->index)];
        MINE(own->paint) = tile->paint[MINE(own->index)];
    }
}

/* Whether slice_put stores an item's circle. On a GPU an item does whose circle meets the tile. The
 * CPU stores every item's, without a branch that it could not foresee: one that does not meet the
 * tile has the rank of the next one that does, which overwrites it; behind the last of these stays
 * some circle, or what was never loaded, which one that holds nothing overwrites. */
#define STORES(meets) (!ITEMS_ARE_THREADS || MINE(meets))

/* Puts the circles of the `count` candidates that meet the tile into `near` and `paints`, in order,
 * from `place` on, behind a SYNC. Returns how many do. Ends with a SYNC. */
GROUP_FUNCTION uint slice_put(const struct shade_tile *tile, IN_LOCAL struct shade_group *group,
    const struct shade_candidate *own, uint count, uint place)
{
    PRIVATE(uint, meets);
    PRIVATE(uint, rank);
    PRIVATE(float, near_w);
    uint listed;
    ITEMS
    {
        MINE(meets) = 0;
    }
    ITEMS_TO(count) {
        MINE(meets) = box_meets(tile->box, MINE(own->circle));
    }
    GROUP_RANK(group->starts, meets, rank, listed);
    ITEMS
    {
        if (!SMALL && STORES(meets)) {
            const float4 circle = MINE(own->circle);
            const float is_inside = box_is_inside(tile->box, circle) ? 1.0f : 0.0f;
            MINE(near_w) = SOFT ? soft_rate(circle.z) : is_inside;
        }
    }
    ITEMS_ATOMIC
    {
        if (STORES(meets)) {
            float4 circle = MINE(own->circle);
            if (!SMALL)
                circle.w = MINE(near_w);
            group->near[place + MINE(rank)] = circle;
            group->paints[place + MINE(rank)] = MINE(own->paint);
        }
    }
    ITEMS_TO(SHADE_STEP) {
        float4 none;
        none.x = none.y = none.w = 0.0f;
        none.z = -1.0f;
        group->near[place + listed + ITEM] = none;
    }
    SYNC;
    return listed;
}

/* All three steps, for the slice at `walk` of a batch of `amount`. */
GROUP_FUNCTION uint slice_gather(const struct shade_tile *tile, IN_LOCAL struct shade_group *group,
    struct shade_walk walk, uint amount, uint place)
{
    struct shade_candidate own;
    const uint rest = walk.from < amount ? amount - walk.from : 0, count = MIN(rest, GROUP);
    slice_find(tile, group, &own, walk, count);
    slice_load(tile, &own, count);
    return slice_put(tile, group, &own, count, place);
}

/* Which circles are in the group's local memory now (struct shade_group). */
struct shade_held {
    uint batch;              /* whose candidates are in `found` */
    uint amount;             /* of them */
    struct shade_walk first; /* slice whose circles are in `near` */
    struct shade_walk next;  /* and the slice after the last of them */
    uint listed;             /* circles of these slices */
};
#define NOTHING 0xffffffffu

/* Loads a batch unless it is held. */
GROUP_FUNCTION void batch_hold(const struct shade_tile *tile, IN_LOCAL struct shade_group *group,
    struct shade_held *held, uint b)
{
    if (!SYNC_MAY_BE_SKIPPED || held->batch != b) {
        held->amount = batch_load(tile, group, b);
        held->batch = b;
    }
}

/* Holds one slice and no other. Ends with a SYNC where it was not held. */
GROUP_FUNCTION void slice_hold(const struct shade_tile *tile, IN_LOCAL struct shade_group *group,
    struct shade_held *held, struct shade_walk walk)
{
    batch_hold(tile, group, held, walk.batch);
    const struct shade_walk next = walk_next(walk, held->amount);
    if (!SYNC_MAY_BE_SKIPPED || !walk_is_at(held->first, walk) || !walk_is_at(held->next, next)) {
        held->listed = slice_gather(tile, group, walk, held->amount, 0);
        held->first = walk;
        held->next = next;
    }
}

/* Whether the slice at `walk` comes next behind those that are held, and has room there. */
DEVICE uint slice_fits(const struct shade_held *held, struct shade_walk walk)
{
    return walk_is_at(held->next, walk) && held->listed <= HELD_CIRCLES - GROUP;
}

/* Holds the slice at `walk`, behind those that are held if it fits, else alone. Returns which of
 * the circles is its first. Ends with a SYNC. */
GROUP_FUNCTION uint slice_append(const struct shade_tile *tile, IN_LOCAL struct shade_group *group,
    struct shade_held *held, struct shade_walk walk)
{
    const uint fits = slice_fits(held, walk), first = fits ? held->listed : 0;
    batch_hold(tile, group, held, walk.batch);
    if (!fits)
        held->first = walk;
    held->listed = first + slice_gather(tile, group, walk, held->amount, first);
    held->next = walk_next(walk, held->amount);
    return first;
}

#endif
