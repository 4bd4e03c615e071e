/* The numbers by which edges are compared with all others. */
#ifndef TERMS_H
#define TERMS_H

#include "stages/unscramble/strips.h"

/* Colors are clipped to what sRGB has, in steps of a strip: the least L, a and b and their ranges,
 * up to TERM_MAX. */
#define LAB_LEAST \
    { \
        0, -87 * LAB_SCALE, -108 * LAB_SCALE \
    }
#define LAB_RANGE \
    { \
        100 * LAB_SCALE, 186 * LAB_SCALE, 203 * LAB_SCALE \
    }
#define TERM_MAX 8191
#define SUM_MAX 0xffffff /* the most that the differences of two edges may sum up to */

/* For each pixel along an edge, numbers in several channels of what the tile is there, and as many
 * of what it expects beyond the edge, 0 to TERM_MAX. */
struct terms {
    int tiles, channels;
    int length[2];      /* pixels of left and right sides, of top and bottom ones */
    int halvings;       /* of colors, so that no sum of differences exceeds SUM_MAX */
    int are_learned;    /* made by a network (features.h) */
    uint8_t *is_made;   /* [tile] whether its numbers are there; NULL: those of all are */
    uint16_t *value[2]; /* [2 * tile + (side >> 1)][is, expects][channel][pixel], clockwise */
};

/* What an edge is, or with `expects` 1 what it expects: [channel][pixel]. */
static inline uint16_t *terms_of(const struct terms *terms, int edge, int expects)
{
    const int side = edge & 3, count = terms->channels * terms->length[side & 1];
    return terms->value[side & 1] +
           (((int64_t)(edge >> 2) * 2 + (side >> 1)) * 2 + expects) * count;
}

/* Numbers of left and right sides (axis 0), or of top and bottom ones (1). */
static inline size_t terms_count(const struct terms *terms, int axis)
{
    return (size_t)terms->tiles * 4 * (size_t)terms->channels * (size_t)terms->length[axis];
}

/* Makes room for the terms of edges. Returns 0, or ERROR_INPUT when memory is short. terms_free
 * frees. */
int terms_new(
    int tiles, int channels, const int length[2], struct terms *terms, struct error *error);
void terms_free(struct terms *terms);

/* The terms of strips, three channels of color: an edge is its outermost pixels and expects 2 *
 * outermost - inner or, without `predict`, the outermost again, all clipped to sRGB. Returns as
 * terms_new does. */
int terms_of_strips(
    const struct strips *strips, int predict, struct terms *terms, struct error *error);

#endif
