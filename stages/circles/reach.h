/* Which circles of a scene reach which part of an image, so that a rank gets only those that it
 * paints. */
#ifndef REACH_H
#define REACH_H

#include "scenes/scene.h"

struct reach {
    const struct circle *circles; /* the scene's, which stay */
    size_t count;
    uint32_t columns, rows; /* samples of the image */
    /* Of each part, in samples: where its rows begin and end. Neither falls from part to part. */
    uint32_t parts;
    uint32_t *begin, *end;
    /* Lists of numbers of circles, in their order: of each part those that reach only it, and those
     * that reach it and the next one; then of those that reach more. */
    size_t *first; /* of each list, and the end of the last one */
    uint32_t *numbers;
};

/* By how many samples a circle's box is widened on each side, in an image of `side` samples along
 * its longer side: more than kernels widen it (box_margin of circle.h), by one for rounding. */
double reach_margin(const struct circle *circle, double side);

/* Makes the lists, of four bytes a circle; begin and end are there, and freed with the rest.
 * Returns 0, or ERROR_INPUT where memory is short; to be freed in both cases. */
int reach_make(struct reach *reach, struct error *error);

/* The circles that reach the part, at least one, in their order, in new memory that the caller
 * frees; NULL where memory is short. */
struct circle *reach_take(const struct reach *reach, uint32_t part, size_t *count);

/* Frees the lists; of zeros, too. */
void reach_free(struct reach *reach);

#endif
