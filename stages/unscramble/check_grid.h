/* Whether a grid cuts a shuffled image where its tiles end. It does not where the image was scaled,
 * turned a little, or got a border, or lines between its tiles. */
#ifndef CHECK_GRID_H
#define CHECK_GRID_H

#include "images/image.h"
#include "stages/unscramble/boundaries.h"
#include "stages/unscramble/permutation.h"

enum grid_fault {
    GRID_UNCHECKED,
    GRID_FITS,
    GRID_CUTS_TILES,    /* seams are inside of the tiles that it makes */
    GRID_IS_FRACTIONAL, /* its tiles are no whole number of pixels */
    GRID_IS_ANOTHER,    /* the image surely has the seams of another one */
};

struct grid_check {
    enum grid_fault fault;
    int axis, first, last; /* of GRID_CUTS_TILES: the boundaries along it that are such seams */
    int has_looked;        /* for another grid: */
    struct grid other;     /* the one that the image surely has; zeros: none was found */
    int is_finer;          /* whether the grid only cuts that one's tiles once more */
};

/* Boundaries along an axis that look like seams from end to end, but are none of a grid's. */
struct seams {
    int count, tiles; /* of them, and of tiles beside each other that have one inside */
    int first, last;  /* the outermost */
};

/* Finds these, of a grid with `count` tiles of `tile` pixels along the axis. Returns 0, or
 * ERROR_INPUT when memory is short. */
int seams_inside(const struct boundaries *b, int axis, int tile, int count, struct seams *seams,
    struct error *error);

/* Looks for the first two faults of a grid of tiles of that many pixels, and leaves the rest of the
 * check as zeros. A line of the image itself is like a seam where the shuffle leaves the tiles that
 * it goes through in one row: so seams inside of tiles count only where that is unlikely. Every
 * grid fits a page, whose lines of text go on at the same height in many tiles. Looks at no more
 * than 256 lines of pixels each way, however large the image is. Returns 0, or ERROR_INPUT when
 * memory is short. */
int grid_check(const struct image *image, struct grid grid, int tile_width, int tile_height,
    struct grid_check *check, struct error *error);

#endif
