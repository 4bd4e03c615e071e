/* How the shading kernels (shade.cl) prove the pixels of a screen tile that sums leave open: with
 * one pixel an item, as many rounds of GROUP pixels as that takes. */
#ifndef SHADE_REPLAY_H
#define SHADE_REPLAY_H

#include "kernels/circles/shade_gather.h"

#if NEAREST

/* Pixels of a warp that sums may leave to be replayed: proving the last few by sums pays where
 * circles hold many pixels of the tile at once. */
#define SUMS_LEAVE (SMALL ? 32 : 0)
#define MOST_STEPS (1u << 20) /* that a replay begins farther back */
#define REPLAY_STEP 4         /* circles; not more than SHADE_STEP, which come behind those held */

/* The pixel of an item, and what it shows where the lowest and where the highest value lies behind
 * the circles that are replayed. */
struct shade_pixel {
    PRIVATE(uint, place); /* in the tile, as OWN_PLACE has it */
    PRIVATE(uint, is_open);
    PRIVATE(float, x);
    PRIVATE(float, y);
    PRIVATE(float, left);
    PRIVATE(uint, hits);
    PRIVATE_ARRAY(float, low, 3);
    PRIVATE_ARRAY(float, high, 3);
};

/* Lists the open pixels in `open`. Returns how many there are. Ends with a SYNC. The CPU makes no
 * list where none is open. */
GROUP_FUNCTION uint open_list(IN_LOCAL struct shade_group *group, const struct shade_own *own)
{
    if (!ITEMS_ARE_THREADS && !SOME(own->open))
        return 0;
    ITEMS
    {
        group->starts[ITEM] = BITS(MINE(own->open));
    }
    GROUP_SCAN(group->starts);
    ITEMS_OF_TILE
    {
        uint next = group->starts[ITEM];
        for (uint p = 0; p < SHADE_PIXELS; p++)
            if (MINE(own->open) >> p & 1)
                group->open[next++] = (uchar)OWN_PLACE(p);
    }
    const uint total = group->starts[GROUP];
    SYNC;
    return total;
}

/* Gives each item its pixel of the list, from number `first` on; where there is none, one that no
 * circle holds. */
GROUP_FUNCTION void pixels_take(const struct shade_tile *tile,
    IN_LOCAL const struct shade_group *group, struct shade_pixel *own, uint first, uint total)
{
    const struct band band = tile->args->band;
    ITEMS
    {
        const uint number = first + ITEM < total ? first + ITEM : total - 1;
        const uint place = group->open[number];
        MINE(own->place) = place;
        MINE(own->is_open) = first + ITEM < total;
        const float x = tile->places[tile->first_column + place % TILE];
        MINE(own->x) = first + ITEM < total ? x : BITS_FLOAT(0x7fc00000u);
        MINE(own->y) = tile->places[band.width + band.first_row + tile->first_row + place / TILE];
        MINE(own->left) = (float)(first + ITEM < total);
    }
}

/* Walks nearest first until the circles that come hide what is behind them from every pixel.
 * Returns how far. */
GROUP_FUNCTION struct shade_walk pixels_walk(const struct shade_tile *tile,
    IN_LOCAL struct shade_group *group, struct shade_held *held, struct shade_pixel *own,
    IN_LOCAL uint *any)
{
    PRIVATE(uint, wants);
    struct shade_walk walk = {0, 0};
    uint goes_on = tile->batches > 0;
    while (goes_on) {
        slice_hold(tile, group, held, walk);
        for (uint k = 0; k < held->listed; k++) {
            const float4 circle = group->near[k], flat = group->paints[k];
            ITEMS
            {
                const float dx = MINE(own->x) - circle.x, dy = MINE(own->y) - circle.y;
                const float dd = dx * dx + dy * dy;
                if (dd <= circle.z)
                    MINE(own->left) *= flat.w;
            }
        }
        walk = walk_next(walk, held->amount);
        ITEMS
        {
            MINE(wants) = MINE(own->left) > LEFT_LEAST;
        }
        GROUP_ANY(*any, wants);
        goes_on = *any && walk.batch < tile->batches;
    }
    return walk;
}

/* What lies behind the circles: all that could, or where there are no more, the background. */
GROUP_FUNCTION void pixels_begin(
    const struct shade_tile *tile, struct shade_pixel *own, uint is_background)
{
    const struct shade_args *args = tile->args;
    ITEMS
    {
        GLOBAL const float *behind = background(tile->places, args->band,
            args->band.first_row + tile->first_row + MINE(own->place) / TILE);
        for (uint i = 0; i < 3; i++) {
            MINE(own->low[i]) = is_background ? behind[i] : args->low[i];
            MINE(own->high[i]) = is_background ? behind[i] : args->high[i];
        }
        MINE(own->hits) = 0;
    }
}

/* What a pixel shows, with a circle in front of it if that holds it. */
DEVICE float shows(uint holds, float added, float left, float behind)
{
    const float together = added + left * behind;
    return holds ? together : behind;
}

/* A circle in front of what a pixel shows, if it holds that. */
DEVICE void pixel_cover(struct shade_pixel *own, uint item, uint holds, float4 paint)
{
    ITS(own->low[0], item) = shows(holds, paint.x, paint.w, ITS(own->low[0], item));
    ITS(own->low[1], item) = shows(holds, paint.y, paint.w, ITS(own->low[1], item));
    ITS(own->low[2], item) = shows(holds, paint.z, paint.w, ITS(own->low[2], item));
    ITS(own->high[0], item) = shows(holds, paint.x, paint.w, ITS(own->high[0], item));
    ITS(own->high[1], item) = shows(holds, paint.y, paint.w, ITS(own->high[1], item));
    ITS(own->high[2], item) = shows(holds, paint.z, paint.w, ITS(own->high[2], item));
    ITS(own->hits, item) += holds;
}

/* Paints the first `count` circles held, farthest first, as the reference does. Circles that do not
 * fade take no branch, so that a GPU reads and tests some while it still adds those before. Ends
 * with a SYNC. */
GROUP_FUNCTION void circles_replay_each(
    IN_LOCAL const struct shade_group *group, struct shade_pixel *own, uint count)
{
    for (uint k = (count + REPLAY_STEP - 1) / REPLAY_STEP * REPLAY_STEP; k > 0; k -= REPLAY_STEP) {
        UNROLL(REPLAY_STEP)
        for (uint i = 1; i <= REPLAY_STEP; i++) {
            const float4 circle = group->near[k - i], flat = group->paints[k - i];
            ITEMS
            {
                const float dx = MINE(own->x) - circle.x, dy = MINE(own->y) - circle.y;
                const float dd = dx * dx + dy * dy;
                const uint holds = dd <= circle.z;
                float4 paint = flat;
                if (SOFT && holds)
                    paint = soft_paint(flat, dd, circle.z);
                pixel_cover(own, ITEM, holds, paint);
            }
        }
    }
    SYNC;
}

#if REPLAYS_TOGETHER

#define MOST_TOGETHER (4 * FRONTS) /* pixels, up to which this is faster */

/* What circles_replay_each does, for the items from `first` to before `end`, FRONTS at most, whose
 * pixels in the list begin with number `at`: for one of them after the other, all items work out
 * what the circles of a slice add to it. */
GROUP_FUNCTION void circles_replay_together(const struct shade_tile *tile,
    IN_LOCAL struct shade_group *group, struct shade_pixel *own, uint count, uint at, uint first,
    uint end)
{
    PRIVATE(float4, front);
    PRIVATE(uint, holds);
    PRIVATE(uint, rank);
    PRIVATE(uint, fronts);
    uint total;
    GLOBAL const float *const x = tile->places + tile->first_column;
    GLOBAL const float *const y =
        tile->places + tile->args->band.width + tile->args->band.first_row + tile->first_row;
    for (uint slice = (count + GROUP - 1) / GROUP; slice-- > 0;) {
        for (uint i = first; i < end; i++) {
            const uint place = group->open[at + i - first];
            ITEMS
            {
                const uint k = slice * GROUP + ITEM;
                MINE(holds) = 0;
                if (k < count) {
                    const float4 circle = group->near[k];
                    const float dx = x[place % TILE] - circle.x, dy = y[place / TILE] - circle.y;
                    const float dd = dx * dx + dy * dy;
                    MINE(holds) = dd <= circle.z;
                    if (MINE(holds))
                        MINE(front) = soft_paint(group->paints[k], dd, circle.z);
                }
            }
            GROUP_RANK(group->starts, holds, rank, total);
            ITEMS
            {
                if (MINE(holds))
                    group->fronts[i - first][MINE(rank)] = MINE(front);
                if (ITEM == i)
                    MINE(fronts) = total;
            }
            SYNC;
        }
        ITEMS_BETWEEN(first, end)
        {
            for (uint k = MINE(fronts); k-- > 0;)
                pixel_cover(own, ITEM, 1, group->fronts[ITEM - first][k]);
        }
        SYNC;
    }
}

#endif

/* Paints the first `count` circles held, by one of these, over the pixels of the `pixels` first
 * items, which in the list begin with number `at`. */
GROUP_FUNCTION void circles_replay(const struct shade_tile *tile,
    IN_LOCAL struct shade_group *group, struct shade_pixel *own, uint count, uint at, uint pixels)
{
#if REPLAYS_TOGETHER
    if (pixels <= MOST_TOGETHER) {
        for (uint i = 0; i < pixels; i += FRONTS)
            circles_replay_together(tile, group, own, count, at + i, i, MIN(pixels, i + FRONTS));
        return;
    }
#endif
    (void)tile;
    (void)at;
    (void)pixels;
    circles_replay_each(group, own, count);
}

/* Paints the candidates before `walk`, farthest first, first those that are held, over the pixels
 * of the `pixels` first items, which in the list begin with number `at`. */
GROUP_FUNCTION void pixels_replay(const struct shade_tile *tile, IN_LOCAL struct shade_group *group,
    struct shade_held *held, struct shade_pixel *own, struct shade_walk walk, uint at, uint pixels)
{
    const uint are_held = walk_is_at(held->next, walk);
    circles_replay(tile, group, own, are_held ? held->listed : 0, at, pixels);
    if (are_held)
        walk = held->first;
    for (uint b = walk.batch + (walk.from > 0); b-- > 0;) {
        batch_hold(tile, group, held, b);
        const uint end = b == walk.batch && walk.from < held->amount ? walk.from : held->amount;
        for (uint next = (end + GROUP - 1) / GROUP; next-- > 0;) {
            const struct shade_walk slice = {b, next * GROUP};
            slice_hold(tile, group, held, slice);
            circles_replay(tile, group, own, held->listed, at, pixels);
        }
    }
}

/* Stores the pixels whose byte is the same from both ends; they are open no more. */
GROUP_FUNCTION void pixels_prove_ends(
    const struct shade_tile *tile, struct shade_pixel *own, GLOBAL uint *pixels, GLOBAL uint *hits)
{
    const struct band band = tile->args->band;
    ITEMS
    {
        const uint low = to_pixel(MINE(own->low[0]), MINE(own->low[1]), MINE(own->low[2]));
        const uint high = to_pixel(MINE(own->high[0]), MINE(own->high[1]), MINE(own->high[2]));
        const uint column = tile->first_column + MINE(own->place) % TILE;
        const uint row = tile->first_row + MINE(own->place) / TILE;
        if (MINE(own->is_open) && low == high) {
            pixels[row * band.width + column] = low;
            if (tile->args->wants_hits)
                hits[row * band.width + column] = MINE(own->hits);
            MINE(own->is_open) = 0;
        }
    }
}

/* So many slices of a list behind `walk`, or batches. */
DEVICE struct shade_walk walk_further(
    const struct shade_tile *tile, struct shade_walk walk, uint steps)
{
    const uint has_list = tile->args->from == FROM_LISTS;
    const uint from = has_list ? walk.from + steps * GROUP : 0;
    const uint batch = has_list ? from >= tile->count : walk.batch + steps;
    walk.batch = MIN(batch, tile->batches);
    walk.from = walk.batch < tile->batches ? from : 0;
    return walk;
}

/* Proves and stores the `total` pixels of the list, whose sums went as far as `added`, or less far
 * where sums leave some. The circles that tell most are replayed from both ends of what may lie
 * behind; where that cannot tell, from a slice farther back, if it fits behind those that are held,
 * else from one step farther back, then four, sixteen and so on. The next pixels begin where the
 * last ones ended. In the end all are from the background, which is what the reference computes, or
 * where others may come behind them, from both ends once more. Returns whether pixels are left
 * then. */
GROUP_FUNCTION uint pixels_settle(const struct shade_tile *tile, IN_LOCAL struct shade_group *group,
    struct shade_held *held, GLOBAL uint *pixels, GLOBAL uint *hits, uint total,
    struct shade_walk added, IN_LOCAL uint *any)
{
    struct shade_pixel own;
    struct shade_walk walk = added;
    uint are_left = 0, steps = 1;
    for (uint first = 0; first < total; first += GROUP) {
        pixels_take(tile, group, &own, first, total);
        if (WARPS * SUMS_LEAVE > 0 && added.batch < tile->batches)
            walk = pixels_walk(tile, group, held, &own, any);
        uint goes_on = 1;
        while (goes_on) {
            const uint is_last = walk.batch == tile->batches;
            pixels_begin(tile, &own, is_last && !tile->is_cut);
            pixels_replay(tile, group, held, &own, walk, first, MIN(total - first, GROUP));
            pixels_prove_ends(tile, &own, pixels, hits);
            GROUP_ANY(*any, own.is_open);
            are_left |= *any && is_last;
            goes_on = *any && !is_last;
            if (SYNC_MAY_BE_SKIPPED && goes_on && slice_fits(held, walk)) {
                slice_append(tile, group, held, walk);
                walk = held->next;
            } else if (goes_on) {
                walk = walk_further(tile, walk, steps);
                steps = steps < MOST_STEPS ? 4 * steps : steps;
            }
        }
    }
    return are_left;
}

#endif

#endif
