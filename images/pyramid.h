/* An image and its reductions, each half as large as the one before it, cut into rows of tiles
 * while the rows of the image come. The first levels can be made in parts, from some rows of the
 * image each, by several processes. */
#ifndef PYRAMID_H
#define PYRAMID_H

#include "images/image.h"

#define PYRAMID_MAX_SIDE (1 << 22) /* pixels */
#define PYRAMID_MAX_LEVELS 23      /* the last of such an image is one pixel */
#define PYRAMID_PART_LEVELS 8      /* of a part, at most; see pyramid_open */
#define PYRAMID_WHOLE (-1)         /* not a part, but the whole image */

/* Level 0 is the image. A pixel of another level is the mean of 2 x 2 of the level before, rounded,
 * half up; at an odd right or lower edge, of those that there are. Colors count as much as their
 * alpha, where that is not 0 for all. So the sides are half those of the level before, rounded
 * up. */
struct pyramid_level {
    int width, height;          /* pixels */
    int rows, end;              /* the next row that comes, and before which one they end */
    int reduced, reduced_end;   /* the rows that are reduced, in the same way */
    int tile_row;               /* whose rows come */
    int tiles_begin, tiles_end; /* the rows of tiles that are given away */
    struct image band; /* the rows of it that have come; `height` are meant where it is given */
    struct image half; /* room for the rows of the next level that it makes */
};

/* Takes a row of tiles: rows of the level from tile_row * tile - overlap to before
 * (tile_row + 1) * tile + overlap, as far as the level has them. Returns 0 or an ERROR_ code. */
typedef int pyramid_sink(
    void *context, int level, int tile_row, const struct image *band, struct error *error);

struct pyramid {
    int tile, overlap; /* pixels; the first is even */
    int count;         /* of levels */
    struct pyramid_level levels[PYRAMID_MAX_LEVELS];
    struct image rest; /* of a part: what it has of the level that follows the last */
    int rest_rows;     /* of it, that have come */
    pyramid_sink *sink;
    void *context; /* for the sink */
};

/* How many levels an image has, down to the first that is at most `smallest` pixels wide and
 * high. */
int pyramid_levels(const struct image *whole, int smallest);

/* The size of the level that follows so many. */
struct image pyramid_reduced(const struct image *whole, int levels);

/* Begins so many levels of an image whose sides are at most PYRAMID_MAX_SIDE, of PYRAMID_WHOLE or a
 * part. A part, of which there are pyramid_parts, has 2^(levels - 1) rows of tiles of the image, so
 * that it has one of the last level. It takes the rows of the image from levels->rows to before
 * levels->end: 2^(levels - 1) more on both sides than are its own, for the overlap of the last
 * level; PYRAMID_PART_LEVELS keeps them fewer than those of a tile. Returns 0 or ERROR_INPUT; to be
 * closed in both cases. */
int pyramid_open(const struct image *whole, int tile, int overlap, int levels, int part,
    pyramid_sink *sink, void *context, struct pyramid *pyramid, struct error *error);

/* Adds the next rows of the image. Each row of tiles of each level is given to the sink as soon as
 * all its rows are there. Returns 0, or what the sink returned other than that. */
int pyramid_add(struct pyramid *pyramid, const struct image *strip, struct error *error);

/* Frees the memory; of a zeroed pyramid, too. */
void pyramid_close(struct pyramid *pyramid);

/* Tiles in a row or a column of so many pixels. */
static inline int pyramid_tiles(const struct pyramid *pyramid, int side)
{
    return (side - 1) / pyramid->tile + 1;
}

/* The rows of an image of so many that a part of so many levels takes: from that returned to before
 * *end. */
static inline int pyramid_part_rows(
    int tile, int overlap, int levels, int part, int height, int *end)
{
    const int rows = tile << (levels - 1), more = overlap << (levels - 1);
    *end = (part + 1) * rows + more < height ? (part + 1) * rows + more : height;
    return part ? part * rows - more : 0;
}

/* Parts of so many levels that an image of so many rows has. */
static inline int pyramid_parts(int tile, int levels, int height)
{
    return (height - 1) / (tile << (levels - 1)) + 1;
}

#endif
