/* An image of all solutions of a puzzle, tile by tile. */
#ifndef MONTAGE_H
#define MONTAGE_H

#include "images/draw.h"
#include "stages/unscramble/permutation.h"

#define MONTAGE_MAX_SIDE 1280 /* pixels */

/* What there is to draw. */
struct layout {
    const struct image *puzzle; /* 8 or 16 bits; its tiles are numbered from its top left corner */
    uint32_t tile_width, tile_height;
    const struct permutation *permutation; /* turns by quarters: the tiles are square */
    struct color missing;                  /* of places that are empty, in the end or so far */
    uint32_t max_side;                     /* of the image, pixels; 0: MONTAGE_MAX_SIDE */
};

/* Several solutions lie side by side, in lines that make about a square. */
struct montage {
    struct layout layout;
    uint32_t across;               /* slots in a line, each as large as the largest solution */
    struct grid slot;              /* of tiles */
    uint64_t columns, rows;        /* tiles in all */
    uint32_t first[MAX_SOLUTIONS]; /* place of each solution */
    struct image image;
};

struct box {
    int left, top, width, height; /* pixels */
};

/* Lays the solutions out and makes the image without tiles. Its sides are even, at most
 * `max_side` pixels, and no longer than those of the solutions, but at least 2. Returns 0 or
 * ERROR_INPUT; the caller frees montage->image. */
int montage_make(const struct layout *layout, struct montage *montage, struct error *error);

/* Where a place lies in the image. */
struct box montage_box(const struct montage *montage, uint32_t place);

/* Puts the tile of a place into the image; pixels are means over the tile's pixels, without
 * alpha. */
void montage_draw(struct montage *montage, uint32_t place);

#endif
