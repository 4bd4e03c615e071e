/* What the parts of the shading kernels (shade.cl) share: what a group knows of its screen tile,
 * what its items share, and what each of them keeps of its pixels. */
#ifndef SHADE_TILE_H
#define SHADE_TILE_H

#include "kernels/circles/circle.h"

#define BATCH (32 * GROUP) /* circles whose bits a group loads at a time, a word an item */
/* Circles that a group holds in local memory: those of a slice, or where they are not small and
 * taken nearest first, as many as SHADE_SLICES slices can have. */
#define HELD_CIRCLES (NEAREST && !SMALL ? SHADE_SLICES * GROUP : GROUP)

/* Whether few pixels of soft circles are replayed by all items of a group together, FRONTS of them
 * at a time; that takes a SYNC in a branch. */
#define REPLAYS_TOGETHER (SOFT && NEAREST && ITEMS_ARE_THREADS && SYNC_MAY_BE_SKIPPED)
#define FRONTS 4

/* The screen tile of a group and where its candidates are: the same for all items. */
struct shade_tile {
    const struct shade_args *args;
    GLOBAL const float4 *geometry, *paint;
    GLOBAL const float *places;
    GLOBAL const uint *matrix, *lists;
    uint number;                  /* of the band's tiles */
    uint first_column, first_row; /* pixels */
    struct box box;
    uint column_line, row_line; /* of the tile's bin in the matrix of bits */
    uint first;                 /* of its list in `lists` */
    uint count;                 /* of circles in the list, or in the scene */
    uint batches;
    uint is_cut; /* behind the candidates others may come */
    uint is_done;
};

/* Where a walk over the candidates is: at a slice of a batch, GROUP candidates from `from` on. */
struct shade_walk {
    uint batch, from;
};

/* What the items share in local memory. */
struct shade_group {
    /* The circles of the slices held that meet the tile, nearest first. near.w tells whether the
     * circle holds the whole tile; with SMALL it is its radius, with SOFT its soft_rate. Behind
     * them come SHADE_STEP circles that hold nothing, so that loops need no ends. */
    float4 near[HELD_CIRCLES + SHADE_STEP], paints[HELD_CIRCLES + SHADE_STEP];
    uint starts[GROUP + 1];
    ushort found[BATCH]; /* the circles of a batch whose bits are set */
#if NEAREST
    uchar open[TILE * TILE]; /* places of the pixels that sums have not proven */
#endif
#if REPLAYS_TOGETHER
    float4 fronts[FRONTS][GROUP]; /* what circles of a slice that hold a pixel add to it */
#endif
#if SMALL
    uint marks[GROUP / 32][TILE * TILE]; /* bit k % 32 of [k / 32]: circle k holds the pixel */
    float x[TILE], y[TILE];
#endif
};

/* What an item keeps of its SHADE_PIXELS pixels. */
struct shade_own {
    PRIVATE(float, x);
    PRIVATE_ARRAY(float, y, SHADE_PIXELS);
    PRIVATE_ARRAY(float, red, SHADE_PIXELS); /* the sum, or what a replay shows */
    PRIVATE_ARRAY(float, green, SHADE_PIXELS);
    PRIVATE_ARRAY(float, blue, SHADE_PIXELS);
    PRIVATE_ARRAY(float, left, SHADE_PIXELS);  /* transmittance, with NEAREST */
    PRIVATE_ARRAY(float, terms, SHADE_PIXELS); /* with SOFT, of each circle added: 1 + 2.5 left */
    PRIVATE_ARRAY(uint, hits, SHADE_PIXELS);
    PRIVATE_ARRAY(uint, pixel, SHADE_PIXELS);
    PRIVATE(uint, open);  /* a bit for each pixel that is not proven */
    PRIVATE(uint, wants); /* and for each of these that sums of more circles may prove */
};

/* Within ITEMS_OF_TILE: where pixel p of ITEM lies in the tile. On a GPU the pixels p of 32 items,
 * a warp, are a block of 8 columns, since the squarer it is, the fewer circles hold some of it. On
 * the CPU items go along rows, so that what they store are vectors. */
#define ITEMS_OF_TILE ITEMS_GRID(TILE, GROUP / TILE)
#if ITEMS_ARE_THREADS
#define OWN_COLUMN (ITEM / 32 * 8 + ITEM % 8)
#define OWN_ROW(p) ((p) * (GROUP / TILE) + ITEM % 32 / 8)
#else
#define OWN_COLUMN ITEM_COLUMN(TILE)
#define OWN_ROW(p) (ITEM_ROW(TILE) * SHADE_PIXELS + (p))
#endif
#define OWN_PLACE(p) (OWN_ROW(p) * TILE + OWN_COLUMN)

DEVICE uint walk_is_at(struct shade_walk a, struct shade_walk b)
{
    return a.batch == b.batch && a.from == b.from;
}

/* A slice further, in a batch of so many candidates. */
DEVICE struct shade_walk walk_next(struct shade_walk walk, uint amount)
{
    walk.from += GROUP;
    if (walk.from >= amount) {
        walk.from = 0;
        walk.batch++;
    }
    return walk;
}

/* The tile at a place of the grid of groups. From the upper and the lower border inward: tiles
 * there have fewer circles to end early by, and what takes longest is to start first. */
DEVICE struct shade_tile tile_make(const struct shade_args *args, GLOBAL const float *places,
    GLOBAL const uint *lists, GLOBAL const uint *tile_marks, uint group_x, uint group_y)
{
    struct shade_tile tile;
    const uint rows = (args->band.rows + TILE - 1) / TILE;
    const uint row = group_y % 2 ? rows - 1 - group_y / 2 : group_y / 2;
    const uint bin_column = group_x >> args->bin_shift, bin_row = row >> args->bin_shift;
    const uint bin = bin_row * args->columns + bin_column;
    const uint has_list = args->from == FROM_LISTS;
    tile.args = args;
    tile.places = places;
    tile.lists = lists;
    tile.first_column = group_x * TILE;
    tile.first_row = row * TILE;
    tile.box = tile_box(places, args->band, tile.first_column, tile.first_row, TILE, TILE);
    tile.column_line = bin_column * args->words;
    tile.row_line = (args->columns + bin_row) * args->words;
    tile.number = row * ((args->band.width + TILE - 1) / TILE) + group_x;
    tile.is_done = args->repeats && !tile_marks[tile.number];
    tile.first = has_list ? lists[bin] : 0;
    tile.count = has_list ? lists[args->bins + bin] : args->circles;
    tile.is_cut = args->is_front || (has_list && lists[2 * args->bins + bin] < args->list_groups);
    tile.batches = tile.is_done                ? 0
                   : args->from == FROM_MATRIX ? (args->circles + BATCH - 1) / BATCH
                                               : 1;
    return tile;
}

#endif
