/* How an image is cut into tiles, and what of them is compared. */
#ifndef TILING_H
#define TILING_H

#include "images/image.h"
#include "kernels/unscramble/unscramble_args.h"

enum { X, Y, AXES };

/* columns x rows tiles of width x height pixels from the top left of an image, numbered row by row.
 * The inner pixels of a tile are all but the outermost `bleed` pixels of each side. */
struct tiling {
    const struct image *image;
    int columns, rows, width, height;
    int bleed;
};

static inline int inner_width(const struct tiling *t)
{
    return t->width - 2 * t->bleed;
}

static inline int inner_height(const struct tiling *t)
{
    return t->height - 2 * t->bleed;
}

/* Where in the image the first inner pixel of a tile lies. */
static inline int inner_left(const struct tiling *t, int tile)
{
    return tile % t->columns * t->width + t->bleed;
}

static inline int inner_top(const struct tiling *t, int tile)
{
    return tile / t->columns * t->height + t->bleed;
}

/* The outermost inner pixels of a side of a tile, from the top or from the left: the numbers of the
 * first in the image, and from each to the next. */
struct edge_pixels {
    size_t first, step;
    int count;
};

static inline struct edge_pixels inner_edge(const struct tiling *t, int tile, int side)
{
    const int is_vertical = side == SIDE_LEFT || side == SIDE_RIGHT;
    const int x = inner_left(t, tile) + (side == SIDE_RIGHT ? inner_width(t) - 1 : 0);
    const int y = inner_top(t, tile) + (side == SIDE_BOTTOM ? inner_height(t) - 1 : 0);
    const size_t row = (size_t)t->image->width;
    return (struct edge_pixels){(size_t)y * row + (size_t)x, is_vertical ? row : 1,
        is_vertical ? inner_height(t) : inner_width(t)};
}

#endif
