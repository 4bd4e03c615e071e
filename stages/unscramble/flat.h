/* Edges of one color, which say nothing by being alike. */
#ifndef FLAT_H
#define FLAT_H

#include "stages/unscramble/tiling.h"

/* is_flat[edge], for 4 edges of each tile, gets 1 where the outermost inner pixels have nearly one
 * color, as those of a border or of the margin of a scan do: all but one in 256 lie within 2 of 255
 * in each channel. In a puzzle of one row or column, which has no seams across to tell more, an
 * edge is also flat where they spread by at most an eighth of the widest spread of all edges. Reads
 * all edges, so it is for few tiles. */
void flat_find(const struct tiling *tiling, uint8_t *is_flat);

#endif
