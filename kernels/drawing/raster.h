/* What raster_count, raster_fill and raster share: which samples a triangle covers. Places are
 * whole parts of a sample, edge functions exact, so that a sample on a side that two triangles
 * share belongs to one. */
#ifndef RASTER_H
#define RASTER_H

#include "kernels/dialect.h"
#include "kernels/drawing/drawing_args.h"

struct setup {
    /* Edge functions, of the side opposite to each corner: twice the area that the side spans with
     * a sample, at a sample's center, and what it grows by to the next column and row, in
     * SAMPLE_PARTS. Covered is what has `least` everywhere: 0 for a left or upper side, to which
     * its samples belong. */
    LONG e[3];
    int a[3], b[3], least[3];
    float depth[3]; /* of each corner, greater is nearer; over twice the area of the triangle */
    uint number;
    uint is_short; /* edge functions fit into an int in all of the tile that begins at the sample */
    uint left, right, top, bottom; /* samples of the image within its box, or none */
};

/* The first sample whose center is not before a place, and the one behind the last not after it. */
DEVICE uint sample_first(int place)
{
    return place <= SAMPLE_PARTS / 2 ? 0 : (uint)(place + SAMPLE_PARTS / 2 - 1) / SAMPLE_PARTS;
}
DEVICE uint sample_end(int place, uint count)
{
    const uint end = place < SAMPLE_PARTS / 2 ? 0 : (uint)(place + SAMPLE_PARTS / 2) / SAMPLE_PARTS;
    return end < count ? end : count;
}

DEVICE int least_of(int a, int b, int c)
{
    const int least = a < b ? a : b;
    return least < c ? least : c;
}

/* Not the negative of the least of the negatives: ptxas of CUDA 13.0 and the driver's of 580 drop a
 * sign of that when they make it one instruction (VIMNMX3). */
DEVICE int most_of(int a, int b, int c)
{
    const int most = a > b ? a : b;
    return most > c ? most : c;
}

/* Of a triangle, the edge functions at the sample in `column` and `row`. */
DEVICE struct setup setup_make(GLOBAL const float4 *screen, GLOBAL const uint *triangles,
    struct raster_args args, uint number, uint column, uint row)
{
    GLOBAL const uint *const vertices = triangles + (ulong)number * TRIANGLE_WORDS;
    const int at_x = (int)(column * SAMPLE_PARTS + SAMPLE_PARTS / 2);
    const int at_y = (int)(row * SAMPLE_PARTS + SAMPLE_PARTS / 2);
    struct setup t;
    int x[3], y[3];
    UNROLL(3)
    for (uint i = 0; i < 3; i++) {
        const float4 place = screen[vertices[i]];
        x[i] = (int)place.x;
        y[i] = (int)place.y;
        t.depth[i] = place.z;
    }
    const LONG area = (LONG)(x[1] - x[0]) * (y[2] - y[0]) - (LONG)(y[1] - y[0]) * (x[2] - x[0]);
    const int turn = area < 0 ? -1 : 1; /* seen from behind */
    UNROLL(3)
    for (uint i = 0; i < 3; i++) {
        const uint from = (i + 1) % 3, to = (i + 2) % 3;
        t.a[i] = turn * (y[from] - y[to]);
        t.b[i] = turn * (x[to] - x[from]);
        t.e[i] = (LONG)t.a[i] * (at_x - x[from]) + (LONG)t.b[i] * (at_y - y[from]);
        t.least[i] = t.a[i] > 0 || (t.a[i] == 0 && t.b[i] > 0) ? 0 : 1;
        t.depth[i] = t.depth[i] / (float)(turn * area);
    }
    t.number = number;
    t.is_short = 1;
    UNROLL(3)
    for (uint i = 0; i < 3; i++) {
        const LONG reach = ((LONG)ABS_INT(t.a[i]) + ABS_INT(t.b[i])) * SAMPLE_PARTS * TILE;
        t.is_short &=
            (uint)(t.e[i] + reach < (LONG)1 << 31) & (uint)(t.e[i] - reach > -((LONG)1 << 31));
    }
    t.left = sample_first(least_of(x[0], x[1], x[2]));
    t.right = sample_end(most_of(x[0], x[1], x[2]), args.columns);
    t.top = sample_first(least_of(y[0], y[1], y[2]));
    t.bottom = sample_end(most_of(y[0], y[1], y[2]), args.rows);
    if (area == 0 || t.left >= t.right || t.top >= t.bottom)
        t.left = t.right = t.top = t.bottom = 0;
    return t;
}

/* An edge function `columns` and `rows` further on. */
DEVICE LONG setup_edge(struct setup t, uint i, uint columns, uint rows)
{
    return t.e[i] + ((LONG)t.a[i] * columns + (LONG)t.b[i] * rows) * SAMPLE_PARTS;
}

/* Whether no side leaves all of the tile's samples outside. */
DEVICE uint setup_meets_tile(struct setup t, uint column, uint row)
{
    uint meets = 1;
    UNROLL(3)
    for (uint i = 0; i < 3; i++)
        meets &= (uint)(setup_edge(t, i, column + (t.a[i] > 0 ? TILE - 1 : 0),
                            row + (t.b[i] > 0 ? TILE - 1 : 0)) >= t.least[i]);
    return meets;
}

/* Runs a statement for each `tile` of the band that the item's triangle meets. */
#define FOR_TILES(screen, triangles, args, number, statement) \
    { \
        const struct setup t_ = setup_make(screen, triangles, args, number, 0, 0); \
        const uint band_end_ = args.first_tile_row + args.tile_rows; \
        const uint top_ = t_.top / TILE, bottom_ = (t_.bottom + TILE - 1) / TILE; \
        const uint end_ = bottom_ < band_end_ ? bottom_ : band_end_; \
        for (uint row_ = top_ > args.first_tile_row ? top_ : args.first_tile_row; row_ < end_; \
             row_++) \
            for (uint column_ = t_.left / TILE; column_ < (t_.right + TILE - 1) / TILE; column_++) \
                if (setup_meets_tile(t_, column_ * TILE, row_ * TILE)) { \
                    const uint tile = (row_ - args.first_tile_row) * args.tile_columns + column_; \
                    statement; \
                } \
    }

#endif
