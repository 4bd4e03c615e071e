/* Tiles that have taken something of the tiles beside them. */
#ifndef BLEED_H
#define BLEED_H

#include "stages/unscramble/tiling.h"

#define BLEED_MOST 3 /* pixels */

/* How deep, in pixels, the edges of tiles depend on what lies beside them in the puzzle; 0: not at
 * all. At most BLEED_MOST and an eighth of a tile. They do where it was scaled, blurred or
 * sharpened after the shuffle, which makes neighbors in the puzzle look like neighbors in the
 * image. Seams of an image that is in order, or nearly so, tell nothing. */
int bleed_find(const struct tiling *tiling);

#endif
