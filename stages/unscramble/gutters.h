/* Finding gutters: what has one color and lies between the tiles of a puzzle, as lines or gaps, or
 * around them, as a border. */
#ifndef GUTTERS_H
#define GUTTERS_H

#include "images/image.h"
#include "stages/unscramble/permutation.h"

/* Where the tiles lie along an axis. What is mixed with a gutter belongs to it. Where lines were
 * drawn over tiles, the outer ones lose as much at their outer side, so that all are alike. */
struct gutters_axis {
    int count, tile; /* tiles, and how many pixels each is long */
    int *first;      /* [count] where each begins */
    int widest;      /* pixels of the widest gutter; 0 where there is one tile */
    int left_over;   /* pixels that belong to no tile behind the last */
};

struct gutters {
    struct gutters_axis axis[2]; /* columns, rows */
    int color[4];                /* RGBA, in 8 bits */
};

#define GUTTERS_WAYS 3 /* tolerances of gutters_find, and so at most as many findings */

/* Looks for rows and columns of pixels that have one color all through the image, with three
 * tolerances, the strictest first. Fills in what each has found, unless it is the same as the one
 * before: `count` findings, of tiles of at least 8 pixels with gutters of about the same width
 * between them, at most a quarter of a tile's; or of a single tile with a border. A finding has the
 * grid that is told (zeros: none is), or gutters along both axes whose widths differ by no more
 * than half, or two or more along one and a border around. Looks at no more than 256 pixels of a
 * row or column. Returns 0, or ERROR_INPUT when memory is short. gutters_free frees each. */
int gutters_find(const struct image *image, struct grid told, struct gutters gutters[GUTTERS_WAYS],
    int *count, struct error *error);
void gutters_free(struct gutters *gutters);

/* Makes an image of the tiles alone, side by side; its metadata are empty. Returns 0, or
 * ERROR_INPUT when memory is short. image_free frees. */
int gutters_leave_out(const struct image *image, const struct gutters *gutters,
    struct image *without, struct error *error);

#endif
