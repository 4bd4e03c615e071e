/* The text of six kernels that shade a screen tile of TILE x TILE pixels: a group a tile, which
 * tile_make chooses, an item SHADE_PIXELS pixels of a column.
 *
 * With NEAREST, circles are taken nearest first, GROUP candidates at a time, of which
 * those are kept that meet the screen tile, and each pixel adds up what they leave to be seen:
 *
 *   sum += transmittance * alpha * color,  transmittance *= 1 - alpha
 *
 * What lies behind can add between transmittance * low and transmittance * high. Where both ends
 * give the same byte, whatever rounding did (shade_prove.h), the pixel is proven and its byte is
 * the reference's. Of the pixels that are left an item takes one (shade_replay.h): circles are
 * replayed farthest first with the reference's own operations from low and from high. A step is
 * monotone in the value behind it, in float32 too, so that the reference's value lies between the
 * two. Where that cannot tell either, more circles are replayed. A replay of all circles of the
 * scene starts from the background and is the reference's computation itself.
 *
 * Candidates may be only the nearest of all circles. Where these prove a pixel neither way, its
 * tile is marked in `tile_marks`, and a later launch shades the marked tiles from all circles.
 *
 * Without NEAREST all pixels are replayed at once, over all candidates; only that can go on from
 * what an earlier launch has painted, and pause before a later one.
 *
 * With SOFT, circles fade toward their edge, see circle.h; sums take nearly what they add, by fewer
 * operations, and the proof knows how nearly. With SMALL, where circles cover few pixels, each
 * circle marks the pixels that it holds; without it, each pixel tests all circles of the tile.
 *
 * Must move: 4 bytes a pixel out, 32 in for each circle listed. Must do, a pixel and circle: 6
 * operations to test, unless the circle holds the whole screen tile, and 7 to add. */
#define KERNEL_GROUPS (NEAREST && SOFT ? 14 : 16)

#include "kernels/circles/shade_blend.h"
#include "kernels/circles/shade_gather.h"
#include "kernels/circles/shade_replay.h"

/* The items' pixels before any circle. */
GROUP_FUNCTION void pixels_start(const struct shade_tile *tile, struct shade_own *own)
{
    const struct band band = tile->args->band;
    GLOBAL const float *const places = tile->places;
    ITEMS_OF_TILE
    {
        const uint column = tile->first_column + OWN_COLUMN;
        const uint inside = column < band.width && !tile->is_done;
        MINE(own->x) = places[column < band.width ? column : band.width - 1];
        MINE(own->open) = inside ? (1u << SHADE_PIXELS) - 1 : 0;
    }
    UNROLL(SHADE_PIXELS)
    for (uint p = 0; p < SHADE_PIXELS; p++)
        ITEMS_OF_TILE
        {
            const uint row = tile->first_row + OWN_ROW(p);
            MINE(own->y[p]) = places[band.width + image_row(band, row)];
            MINE(own->open) &= ~((uint)(row >= band.rows) << p);
            MINE(own->red[p]) = SUM_START;
            MINE(own->green[p]) = SUM_START;
            MINE(own->blue[p]) = SUM_START;
            if (NEAREST)
                MINE(own->left[p]) = 1.0f;
            if (SOFT)
                MINE(own->terms[p]) = 0.0f;
            MINE(own->hits[p]) = 0;
            MINE(own->pixel[p]) = 0;
        }
    ITEMS
    {
        MINE(own->wants) = MINE(own->open);
    }
}

#if NEAREST

/* Adds up candidates nearest first, until few pixels are open or none of the others gains by it.
 * Returns how far it went. The loop has one condition, since PoCL copies what follows it
 * for each. */
GROUP_FUNCTION struct shade_walk candidates_add(const struct shade_tile *tile,
    IN_LOCAL struct shade_group *group, struct shade_held *held, struct shade_own *own,
    IN_LOCAL uint *any)
{
    PRIVATE(uint, wants);
    struct shade_walk walk = {0, 0};
    uint walked = 0; /* circles added up so far */
    uint goes_on = tile->batches > 0;
    while (goes_on) {
        const uint first = slice_append(tile, group, held, walk);
        slice_add(tile, group, own, first, held->listed, walked);
        walked += held->listed - first;
        walk = held->next;
        /* Where sums leave none, only those that want more go on. */
        const uint are_many = SUMS_LEAVE == 0 || MANY(own->open, SHADE_PIXELS, SUMS_LEAVE);
        ITEMS
        {
            MINE(wants) = are_many ? MINE(own->wants) : 0;
        }
        GROUP_ANY(*any, wants);
        goes_on = *any && walk.batch < tile->batches;
    }
    if (walk.batch == tile->batches && !tile->is_cut)
        pixels_prove(tile, own, walked, 1);
    return walk;
}

#else

/* Paints all candidates, farthest first. While a slice is painted, the circles of the next one and
 * the numbers of those after that are on their way. */
GROUP_FUNCTION void candidates_paint(
    const struct shade_tile *tile, IN_LOCAL struct shade_group *group, struct shade_own *own)
{
    struct shade_candidate candidate;
    for (uint b = tile->batches; b-- > 0;) {
        const uint amount = batch_load(tile, group, b), slices = (amount + GROUP - 1) / GROUP;
        /* Before the first slice `walk` wraps, with nothing to find. */
        struct shade_walk walk = {b, (slices - 1) * GROUP};
        uint count = slices > 0 ? amount - walk.from : 0; /* of this slice; others: GROUP */
        slice_find(tile, group, &candidate, walk, count);
        slice_load(tile, &candidate, count);
        walk.from -= GROUP;
        slice_find(tile, group, &candidate, walk, slices > 1 ? GROUP : 0);
        for (uint slice = slices; slice-- > 0; count = GROUP) {
            const uint listed = slice_put(tile, group, &candidate, count, 0);
            slice_load(tile, &candidate, slice > 0 ? GROUP : 0);
            walk.from -= GROUP;
            slice_find(tile, group, &candidate, walk, slice > 1 ? GROUP : 0);
            slice_paint(tile, group, own, listed);
        }
    }
}

/* Pixels show the background, or what an earlier launch left in `state`. */
GROUP_FUNCTION void pixels_show_background(
    const struct shade_tile *tile, struct shade_own *own, GLOBAL const float4 *state)
{
    const struct band band = tile->args->band;
    ITEMS_OF_TILE
    {
        const uint column = tile->first_column + OWN_COLUMN;
        UNROLL(SHADE_PIXELS)
        for (uint p = 0; p < SHADE_PIXELS; p++) {
            const uint row = tile->first_row + OWN_ROW(p);
            GLOBAL const float *behind = background(tile->places, band, image_row(band, row));
            MINE(own->red[p]) = behind[0];
            MINE(own->green[p]) = behind[1];
            MINE(own->blue[p]) = behind[2];
            if (tile->args->resumes && (MINE(own->open) >> p & 1)) {
                const float4 before = state[row * band.width + column];
                MINE(own->red[p]) = before.x;
                MINE(own->green[p]) = before.y;
                MINE(own->blue[p]) = before.z;
            }
        }
    }
}

/* Pixels get the bytes of what they show. */
GROUP_FUNCTION void bytes_make(struct shade_own *own)
{
    ITEMS
    {
        UNROLL(SHADE_PIXELS)
        for (uint p = 0; p < SHADE_PIXELS; p++)
            MINE(own->pixel[p]) =
                to_pixel(MINE(own->red[p]), MINE(own->green[p]), MINE(own->blue[p]));
    }
}

#endif

/* Writes the tile's pixels that lie in the band, and where asked for, `state` and `hits`. With
 * NEAREST, pixels that are open are left to pixels_settle. */
GROUP_FUNCTION void pixels_store(const struct shade_tile *tile, const struct shade_own *own,
    GLOBAL uint *pixels, GLOBAL float4 *state, GLOBAL uint *hits)
{
    const struct band band = tile->args->band;
    UNROLL(SHADE_PIXELS)
    for (uint p = 0; p < SHADE_PIXELS; p++)
        ITEMS_OF_TILE
        {
            const INDEX column = (INDEX)tile->first_column + OWN_COLUMN;
            const uint row = tile->first_row + OWN_ROW(p);
            const INDEX place = row * band.width + column;
            const uint is_open = NEAREST & MINE(own->open) >> p;
            if (row < band.rows && column < band.width && !is_open && !tile->is_done) {
                pixels[place] = MINE(own->pixel[p]);
                if (!NEAREST && tile->args->pauses) {
                    float4 now;
                    now.x = MINE(own->red[p]);
                    now.y = MINE(own->green[p]);
                    now.z = MINE(own->blue[p]);
                    now.w = 0.0f;
                    state[place] = now;
                }
                if (tile->args->wants_hits)
                    hits[place] = MINE(own->hits[p]);
            }
        }
}

KERNEL10(KERNEL_NAME, GLOBAL const float4 *RESTRICT, geometry, GLOBAL const float4 *RESTRICT, paint,
    GLOBAL const float *RESTRICT, places, GLOBAL const uint *RESTRICT, matrix,
    GLOBAL const uint *RESTRICT, lists, GLOBAL uint *RESTRICT, pixels, GLOBAL float4 *RESTRICT,
    state, GLOBAL uint *RESTRICT, hits, GLOBAL uint *RESTRICT, tile_marks, struct shade_args, args)
{
    LOCAL struct shade_group group;
    struct shade_own own;
    struct shade_tile tile = tile_make(&args, places, lists, tile_marks, GROUP_X, GROUP_Y);
    tile.geometry = geometry;
    tile.paint = paint;
    tile.matrix = matrix;
    pixels_start(&tile, &own);
#if SMALL
    marks_start(&group, &own);
#endif
#if NEAREST
    struct shade_held held = {NOTHING, 0, {NOTHING, 0}, {NOTHING, 0}, 0};
    VOTE(any);
    const struct shade_walk walk = candidates_add(&tile, &group, &held, &own, &any);
    pixels_store(&tile, &own, pixels, state, hits);
    const uint total = open_list(&group, &own);
    const uint are_left = pixels_settle(&tile, &group, &held, pixels, hits, total, walk, &any);
    ITEMS_TO(args.marks) {
        tile_marks[tile.number] = are_left;
    }
#else
    pixels_show_background(&tile, &own, state);
    candidates_paint(&tile, &group, &own);
    bytes_make(&own);
    pixels_store(&tile, &own, pixels, state, hits);
#endif
}
