/* Makes a board of what several boards agree on. */
#ifndef AGREE_H
#define AGREE_H

#include "stages/unscramble/fill.h"
#include "stages/unscramble/problem.h"

/* Joins the tiles that are joined in all of the `count` full boards to parts, as they lie in the
 * first board. The largest part is put into the frame of the fill, which may still slide over it;
 * then the fill places the others, each part as a whole where it fits. So parts that are right find
 * together, though each of the boards has them beside their place. `fill` is work space, whose
 * noise is the caller's. Leaves the board in `board`, which may be one of the others. Returns 0, or
 * -1 when memory is short. */
int boards_agree(const struct problem *p, const int32_t *const *boards, int count,
    struct fill *fill, int32_t *board);

#endif
