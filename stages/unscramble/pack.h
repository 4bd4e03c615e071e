/* Makes a first board of many tiles from whole parts. */
#ifndef PACK_H
#define PACK_H

#include "stages/unscramble/fill.h"
#include "stages/unscramble/tree.h"

/* Lets the larger components grow, each by itself, as long as what it takes fits well; packs these
 * parts into the frame as they are, the largest first, each where most of it is free and it touches
 * most; and fills the rest. So a part that is an image of its own stays whole, although its border
 * fits nothing. Writes the board, [rows][columns]. The same for any number of threads. Returns 0,
 * or -1 when memory is short. */
int pack(const struct forest *forest, struct fill *fill, int32_t *board);

#endif
