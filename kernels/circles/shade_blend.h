/* What the shading kernels (shade.cl) do with the circles of a slice, which lie in `near`: add them
 * up nearest first, or paint them farthest first as the reference does. A circle is given to a
 * pixel by a step, ADD_BEHIND or PAINT_OVER, which is a constant wherever it is named.
 *
 * Each pixel tests all circles of the slice. With SMALL, where circles cover few pixels, each
 * circle marks the pixels that it holds instead, and pixels go through their marks. */
#ifndef SHADE_BLEND_H
#define SHADE_BLEND_H

#include "kernels/circles/shade_prove.h"
#include "kernels/circles/shade_tile.h"

#define ADD_BEHIND 0
#define PAINT_OVER 1

/* ADD_BEHIND: what a circle adds to pixel p, behind those added before. PAINT_OVER: the reference's
 * step, the circle in front of what pixel p shows. */
DEVICE void pixel_blend(struct shade_own *own, uint item, uint p, float4 paint, uint step)
{
    if (step == ADD_BEHIND) {
        const float left = ITS(own->left[p], item);
        ITS(own->red[p], item) = MULTIPLY_ADD(left, paint.x, ITS(own->red[p], item));
        ITS(own->green[p], item) = MULTIPLY_ADD(left, paint.y, ITS(own->green[p], item));
        ITS(own->blue[p], item) = MULTIPLY_ADD(left, paint.z, ITS(own->blue[p], item));
        ITS(own->left[p], item) = left * paint.w;
    } else {
        ITS(own->red[p], item) = paint.x + paint.w * ITS(own->red[p], item);
        ITS(own->green[p], item) = paint.y + paint.w * ITS(own->green[p], item);
        ITS(own->blue[p], item) = paint.z + paint.w * ITS(own->blue[p], item);
    }
}

/* The same for a circle at the squared distance dd, whose color `flat` fades with SOFT. */
DEVICE void circle_blend(
    struct shade_own *own, uint item, uint p, float4 circle, float4 flat, float dd, uint step)
{
    if (!SOFT) {
        pixel_blend(own, item, p, flat, step);
    } else if (step == PAINT_OVER) {
        pixel_blend(own, item, p, soft_paint(flat, dd, circle.z), step);
    } else {
        const float4 paint = soft_paint_nearly(flat, dd * circle.w);
        const float left = ITS(own->left[p], item), part = left * paint.w;
        ITS(own->red[p], item) = MULTIPLY_ADD(part, paint.x, ITS(own->red[p], item));
        ITS(own->green[p], item) = MULTIPLY_ADD(part, paint.y, ITS(own->green[p], item));
        ITS(own->blue[p], item) = MULTIPLY_ADD(part, paint.z, ITS(own->blue[p], item));
        ITS(own->left[p], item) = left - part;
        ITS(own->terms[p], item) = MULTIPLY_ADD(2.5f, left, ITS(own->terms[p], item) + 1.0f);
    }
}

#if SMALL

/* Before any circle. */
GROUP_FUNCTION void marks_start(IN_LOCAL struct shade_group *group, const struct shade_own *own)
{
    ITEMS_OF_TILE
    {
        UNROLL(SHADE_PIXELS)
        for (uint p = 0; p < SHADE_PIXELS; p++) {
            for (uint word = 0; word < GROUP / 32; word++)
                group->marks[word][OWN_PLACE(p)] = 0;
            group->y[OWN_ROW(p)] = MINE(own->y[p]);
        }
        group->x[OWN_COLUMN] = MINE(own->x);
    }
}

/* The last row or column of the tile up to a place, and the first one behind it, or the nearest
 * that the tile has; also where the place is not a number. */
DEVICE uint tile_last(float place)
{
    return (uint)(place > 0.0f ? MIN(place, (float)(TILE - 1)) : 0.0f);
}
DEVICE uint tile_first(float place)
{
    return (uint)(place > 0.0f ? MIN(place, (float)(TILE - 2)) : 0.0f) + (place >= 0.0f);
}

/* An item goes through the pixels of a circle's box, MARK_COLUMNS of a row at a time, and marks
 * those that the circle holds, without a branch for each, which would cost a CPU more than it
 * saves. A pixel beside the box, or one twice, does no harm. Ends with a SYNC. */
GROUP_FUNCTION void pixels_mark(
    const struct shade_tile *tile, IN_LOCAL struct shade_group *group, uint listed)
{
    const struct box box = tile->box;
    const float scale = tile->args->scale;
    ITEMS_ATOMIC
    {
        if (ITEM < listed) {
            const float4 circle = group->near[ITEM];
            const float margin = box_margin(circle, scale);
            const uint first_x = tile_first((circle.x - circle.w - box.left) * scale - margin);
            const uint last_x = tile_last((circle.x + circle.w - box.left) * scale + margin);
            const uint first_y = tile_first((box.top - circle.y - circle.w) * scale - margin);
            const uint last_y = tile_last((box.top - circle.y + circle.w) * scale + margin);
            for (uint next = first_x; next <= last_x; next += MARK_COLUMNS) {
                const uint column = MIN(next, TILE - MARK_COLUMNS);
                float run[MARK_COLUMNS]; /* squared distances in x */
                UNROLL(MARK_COLUMNS)
                for (uint i = 0; i < MARK_COLUMNS; i++) {
                    const float dx = group->x[column + i] - circle.x;
                    run[i] = dx * dx;
                }
                IN_LOCAL uint *marks = &group->marks[ITEM / 32][first_y * TILE + column];
                for (uint row = first_y; row <= last_y; row++, marks += TILE) {
                    const float dy = group->y[row] - circle.y, rise = dy * dy;
                    UNROLL(MARK_COLUMNS)
                    for (uint i = 0; i < MARK_COLUMNS; i++)
                        ATOMIC_OR(&marks[i], (uint)(run[i] + rise <= circle.z) << ITEM % 32);
                }
            }
        }
    }
    SYNC;
}

/* Blends the marks of each pixel and takes them away, from the first on with ADD_BEHIND, from the
 * last on with PAINT_OVER; `wants_hits` tells whether they are hits to count. */
GROUP_FUNCTION void marks_blend(
    IN_LOCAL struct shade_group *group, struct shade_own *own, uint step, uint wants_hits)
{
    for (uint i = 0; i < GROUP / 32; i++) {
        const uint word = step == ADD_BEHIND ? i : GROUP / 32 - 1 - i;
        ITEMS_OF_TILE
        {
            UNROLL(SHADE_PIXELS)
            for (uint p = 0; p < SHADE_PIXELS; p++) {
                const uint place = OWN_PLACE(p);
                uint bits = group->marks[word][place];
                group->marks[word][place] = 0;
                if (wants_hits && (MINE(own->open) >> p & 1))
                    MINE(own->hits[p]) += BITS(bits);
                while (bits) {
                    const uint bit =
                        step == ADD_BEHIND ? (uint)LOWEST_BIT(bits) : (uint)HIGHEST_BIT(bits);
                    pixel_blend(own, ITEM, p, group->paints[word * 32 + bit], step);
                    bits ^= 1u << bit;
                }
            }
        }
    }
}

/* Adds the slice, all that is held, behind `walked` circles, and looks which pixels are proven. */
GROUP_FUNCTION void slice_add(const struct shade_tile *tile, IN_LOCAL struct shade_group *group,
    struct shade_own *own, uint first, uint listed, uint walked)
{
    pixels_mark(tile, group, listed);
    marks_blend(group, own, ADD_BEHIND, tile->args->wants_hits);
    pixels_prove(tile, own, walked + listed - first, 0);
}

/* Paints the slice; counts hits unless they were counted when it was added. */
GROUP_FUNCTION void slice_paint(const struct shade_tile *tile, IN_LOCAL struct shade_group *group,
    struct shade_own *own, uint listed)
{
    pixels_mark(tile, group, listed);
    marks_blend(group, own, PAINT_OVER, !NEAREST && tile->args->wants_hits);
}

#else

/* Gives each pixel that circle k of the slice holds its step. */
GROUP_FUNCTION void pixels_blend(
    IN_LOCAL const struct shade_group *group, struct shade_own *own, uint k, uint step)
{
    const float4 circle = group->near[k], flat = group->paints[k];
    if (!SOFT && circle.w > 0.0f) {
        ITEMS
        {
            UNROLL(SHADE_PIXELS)
            for (uint p = 0; p < SHADE_PIXELS; p++)
                pixel_blend(own, ITEM, p, flat, step);
        }
    } else {
        ITEMS
        {
            const float dx = MINE(own->x) - circle.x;
            UNROLL(SHADE_PIXELS)
            for (uint p = 0; p < SHADE_PIXELS; p++) {
                const float dy = MINE(own->y[p]) - circle.y;
                const float dd = dx * dx + dy * dy;
                if (dd <= circle.z)
                    circle_blend(own, ITEM, p, circle, flat, dd, step);
            }
        }
    }
}

/* Adds SHADE_STEP circles of the slice, from `first` on, to the hits of the pixels that are
 * open. */
GROUP_FUNCTION void hits_count(
    IN_LOCAL const struct shade_group *group, struct shade_own *own, uint first)
{
    for (uint i = 0; i < SHADE_STEP; i++) {
        const float4 circle = group->near[first + i];
        ITEMS
        {
            const float dx = MINE(own->x) - circle.x;
            for (uint p = 0; p < SHADE_PIXELS; p++) {
                const float dy = MINE(own->y[p]) - circle.y;
                MINE(own->hits[p]) += (uint)(dx * dx + dy * dy <= circle.z) & MINE(own->open) >> p;
            }
        }
    }
}

/* Adds the slice, which is the circles held from `first` on, behind `walked` others, and looks now
 * and then which pixels are proven, until none wants more. */
GROUP_FUNCTION void slice_add(const struct shade_tile *tile, IN_LOCAL struct shade_group *group,
    struct shade_own *own, uint first, uint listed, uint walked)
{
    for (uint k = first; k < listed && SOME(own->wants); k += SHADE_STEP) {
        UNROLL(4)
        for (uint i = 0; i < SHADE_STEP; i++)
            pixels_blend(group, own, k + i, ADD_BEHIND);
        if (tile->args->wants_hits)
            hits_count(group, own, k);
        pixels_prove(tile, own, walked + k - first + SHADE_STEP, 0);
    }
}

/* Paints the slice; counts hits unless they were counted when it was added. */
GROUP_FUNCTION void slice_paint(const struct shade_tile *tile, IN_LOCAL struct shade_group *group,
    struct shade_own *own, uint listed)
{
    for (uint k = (listed + SHADE_STEP - 1) / SHADE_STEP * SHADE_STEP; k > 0 && SOME(own->open);
         k -= SHADE_STEP) {
        UNROLL(4)
        for (uint i = 1; i <= SHADE_STEP; i++)
            pixels_blend(group, own, k - i, PAINT_OVER);
        if (!NEAREST && tile->args->wants_hits)
            hits_count(group, own, k - SHADE_STEP);
    }
}

#endif

#endif
