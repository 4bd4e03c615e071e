/* How an image is cut into tiles, and what of them is compared. */
#ifndef TILING_H
#define TILING_H

#include "images/image.h"

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

#endif
