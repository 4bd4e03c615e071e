/* The boundaries between columns and between rows of pixels, and how much each looks like a seam
 * between tiles that were not neighbors. */
#ifndef BOUNDARIES_H
#define BOUNDARIES_H

#include "images/image.h"

enum { X, Y, AXES };              /* boundary i of an axis is between its pixels i - 1 and i */
enum { PLAIN, ON_BLOCKS, KINDS }; /* of boundaries: those between the blocks of JPEG differ */

#define JPEG_BLOCK 8   /* pixels a side of a block of JPEG */
#define CELLS 1024     /* looks of a pixel of a boundary that are told apart */
#define SEAM_SHARE 0.5 /* of evidence a pixel, which seams have at least */

struct boundaries {
    int size[AXES]; /* pixels */
    struct scratch *scratch;
    uint16_t *cells[AXES];          /* [y][x]: what the boundary before that pixel looks like */
    float odds[AXES][KINDS][CELLS]; /* evidence of a pixel of a boundary that looks so */
    double *lines[AXES];            /* evidence of the pixels of each boundary */
    int is_blocky[AXES];            /* JPEG's blocks hide seams: none within them, some on them */
    /* While it is measured: */
    int channels;
    int16_t *values; /* [channel][y][x] */
};

static inline int kind_of(int boundary)
{
    return boundary % JPEG_BLOCK ? PLAIN : ON_BLOCKS;
}

/* The boundaries that can be judged have two pixels on each side. */
static inline int is_inside(const struct boundaries *b, int axis, int boundary)
{
    return boundary >= 2 && boundary < b->size[axis] - 1;
}

/* Measures an image of any size, depth and number of channels. Takes 4 bytes a pixel, and while it
 * works 2 more for each of gray or R, G and B. Returns 0, or ERROR_INPUT when memory is short.
 * boundaries_free frees, after a failure too. */
int boundaries_measure(const struct image *image, struct boundaries *b, struct error *error);
void boundaries_free(struct boundaries *b);

#endif
