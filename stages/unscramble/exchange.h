/* Lets areas of tiles of a page change places, as long as that makes the board cheaper. */
#ifndef EXCHANGE_H
#define EXCHANGE_H

#include "stages/unscramble/page.h"

/* With 100 tiles it takes seconds; the number of moves grows with the third power of the tiles. */
#define EXCHANGE_MAX_TILES 100

/* Improves the order of all tiles of the page, order[rows][columns] of their numbers. Two equal
 * rectangles of tiles may change places, and two that lie side by side in the same rows, or
 * columns, whatever their widths. The exchange that saves most is made, until none saves anything;
 * then again after some made by chance, which is kept where it ends cheaper. Orders that grow from
 * a tile, always by the one that fits best next, are improved likewise, and take the place of the
 * given one where they end cheaper. At the end, if the costs allow it, blank columns of tiles are
 * shared out evenly between the left and the right, and blank rows go to the bottom, but those of
 * strips evenly to the top and the bottom. The result depends on the seed alone. Returns 0, or -1
 * when memory is short. */
int exchange_tiles(const struct page *page, int columns, int rows, uint64_t seed, int32_t *order);

#define EXCHANGE_EQUAL (1 << 20)      /* the weight of an exchange that costs nothing, or saves */
#define EXCHANGE_UNIT (48 * PAGE_NAT) /* what an exchange costs that weighs e times less */

/* How likely other orders of a page are that one exchange makes. One that costs x weighs
 * EXCHANGE_EQUAL * exp(-x / EXCHANGE_UNIT): not by a factor of e for each natural logarithm of
 * likelihood, since lines of pixels beside each other repeat what the others say. Weighed
 * are exchanges of areas that lie side by side, and of equal areas of up to 16 tiles; of more than
 * EXCHANGE_MAX_TILES tiles, for which that would take long, none of larger areas.
 * weight[place] gets the sum of those that change what the place shows; `alike` is as alike_find
 * makes it. Returns the sum of all that change anything. */
int64_t exchange_weigh(const struct page *page, int columns, int rows, int32_t *order,
    const int32_t *alike, int64_t *weight);

#endif
