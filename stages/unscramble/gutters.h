/* Finding what lies around and between the tiles of a puzzle and is of one color: a border, and
 * gutters, as lines or gaps are called whatever their width. */
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

#define GUTTERS_WAYS 3 /* most of gutters_find */

/* Looks for rows and columns of pixels that have one color all through the image, with three
 * tolerances, the strictest first. Leaves what these have found that is not the same, `count` of
 * up to GUTTERS_WAYS: tiles of at least 8 pixels with gutters of about the same width, at most a
 * quarter of a tile's; or a border around a single tile. Where no grid is told (zeros), there must
 * be gutters along both axes, of widths that differ by no more than half, or two or more along one
 * and a border around; else as many as it has. Looks at no more than 256 pixels of a row or column.
 * Returns 0, or ERROR_INPUT when memory is short. gutters_free frees each. */
int gutters_find(const struct image *image, struct grid told, struct gutters gutters[GUTTERS_WAYS],
    int *count, struct error *error);
void gutters_free(struct gutters *gutters);

/* Makes an image of the tiles alone, side by side; its metadata are empty. Returns 0, or
 * ERROR_INPUT when memory is short. image_free frees. */
int gutters_leave_out(const struct image *image, const struct gutters *gutters,
    struct image *without, struct error *error);

#endif
