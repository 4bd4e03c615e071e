/* Edges of one color, which say nothing by being alike. */
#ifndef FLAT_H
#define FLAT_H

#include "stages/unscramble/tiling.h"

/* is_flat[edge], for 4 edges of each tile, gets 1 where the outermost inner pixels are nearly all
 * of one color, but for noise and single pixels, as those of a frame or of the margin of a scan
 * are: they spread by FLAT_SPREAD of 255 at most or, in a strip, by a small part of what those of
 * the edge spread by that has most colors. In other grids the joints of the other axis tell. Reads
 * all edges, so it is for few tiles. */
void flat_find(const struct tiling *tiling, uint8_t *is_flat);

#endif
