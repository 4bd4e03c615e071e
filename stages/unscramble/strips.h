/* The pixels along the edges of the tiles of an image, in CIE Lab color (D65). */
#ifndef STRIPS_H
#define STRIPS_H

#include <stdint.h>

#include "stages/unscramble/tiling.h"

#define LAB_SCALE 40 /* a unit of L, a or b in steps of a strip */

/* An edge's strip is read clockwise round its tile; its values are [depth][channel][pixel] of
 * int16_t, depth 0 the outermost row of pixels and 1 the next inward, channels L, a, b. A strip
 * has as many pixels as its side, which for left and right sides is the tile's height. */
struct strips {
    int tiles;
    /* [0] is of left and right sides, [1] of top and bottom ones. */
    int length[2];     /* pixels */
    int16_t *value[2]; /* [2 * tile + side / 2][depth][channel][pixel] */
};

static inline const int16_t *strip_of(const struct strips *strips, int edge, int depth)
{
    const int side = edge & 3, length = strips->length[side & 1];
    return strips->value[side & 1] + ((int64_t)(edge >> 2) * 2 + (side >> 1)) * 6 * length +
           depth * 3 * length;
}

/* Takes the strips of the inner pixels of tiles. The color is exact where double precision is
 * IEEE's: only + - * / and square roots are used. Returns 0, or ERROR_INPUT when memory is short.
 * strips_free frees. */
int strips_make(const struct tiling *tiling, struct strips *strips, struct error *error);
void strips_free(struct strips *strips);

/* How a dissimilarity sees strips: as they are; with the outermost pixel's luminance and a part of
 * the colors of the one behind it; with steps from the inner pixel to the outermost as large as
 * they are across a gap. For a gap of two pixels, which is three steps wide, a factor of 2 serves
 * better than 3, with which noise weighs too much. */
enum view { AS_THEY_ARE, AS_LUMINANCE, AS_GAP };

#define COLOR_PART 6 /* by which colors are divided in AS_LUMINANCE */
#define GAP_STEPS 2  /* by which steps are multiplied in AS_GAP */

/* Makes what is seen of strips, in the same layout; numbers are rounded toward 0. Returns 0, or
 * ERROR_INPUT when memory is short. strips_free frees. */
int strips_see(
    const struct strips *strips, enum view view, struct strips *seen, struct error *error);

#endif
