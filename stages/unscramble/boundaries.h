/* The boundaries between columns and between rows of pixels, and how much each looks like a seam
 * between tiles that were not neighbors. Boundary i of an axis lies between its pixels i - 1 and
 * i. */
#ifndef BOUNDARIES_H
#define BOUNDARIES_H

#include "stages/unscramble/tiling.h"

enum {
    PLAIN,
    ON_BLOCKS,
    BOUNDARY_KINDS
}; /* of boundaries: those between the blocks of JPEG differ */

#define JPEG_BLOCK 8     /* pixels a side of a block of JPEG */
#define LOOKS 1024       /* looks of a pixel of a boundary that are told apart */
#define MOST_PAIRS 65536 /* of sides of boundaries that meet by chance */
#define SEAM_SHARE 0.5   /* evidence for each pixel of a seam, at least; 1 is usual */

struct boundaries {
    int size[AXES]; /* pixels */
    struct scratch *scratch;
    /* NULL along an axis that is not measured: */
    uint16_t *looks[AXES]; /* [y][x]: what the boundary before that pixel looks like */
    float odds[AXES][BOUNDARY_KINDS][LOOKS]; /* evidence of a pixel of a boundary that looks so */
    double *evidence[AXES];                  /* evidence of the pixels of each boundary */
    int is_blocky[AXES]; /* JPEG's blocks are so strong that seams between them cannot be told */
    /* While it is measured: */
    const struct image *image;
    int channels; /* that are looked at: 1 or 3 */
    int shift;    /* low bits of samples of 16 bits that are not */
    uint32_t pairs;
};

static inline int kind_of(int boundary)
{
    return boundary % JPEG_BLOCK ? PLAIN : ON_BLOCKS;
}

/* Whether a boundary can be judged: it has two pixels on each side. */
static inline int can_be_judged(const struct boundaries *b, int axis, int boundary)
{
    return boundary >= 2 && boundary < b->size[axis] - 1;
}

static inline int least(int a, int b)
{
    return a < b ? a : b;
}

/* For qsort: the least first. */
static inline int compare_doubles(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Measures an image of any size, depth and number of channels along the axes whose bits are set,
 * 1 << X and 1 << Y, by as many pairs of sides that meet by chance, at most MOST_PAIRS. Takes 2
 * bytes a pixel and axis. Returns 0, or ERROR_INPUT when memory is short. boundaries_free frees,
 * after a failure too. */
int boundaries_measure(
    const struct image *image, int axes, uint32_t pairs, struct boundaries *b, struct error *error);
void boundaries_free(struct boundaries *b);

/* Makes an image of some lines of pixels along an axis, evenly spread and no more than 256, to
 * measure the boundaries across it of an image that is large. Returns 0, or ERROR_INPUT when memory
 * is short. image_free frees. */
int lines_take(const struct image *image, int axis, struct image *lines, struct error *error);

#endif
