/* Blocks: tiles that are moved together, as they lie beside each other on a board. */
#ifndef BLOCKS_H
#define BLOCKS_H

#include "stages/unscramble/oriented.h"

struct blocks {
    int tiles;
    int32_t *next;     /* [tile] the next tile of its block, the first after the last */
    int32_t *place;    /* [tile] y * columns + x on the board; valid in blocks of several tiles */
    int32_t *oriented; /* [tile] the oriented tile there; valid there, too */
    int32_t *last;     /* work space: [number] */
};

/* Returns 0, or -1 when memory is short. blocks_free frees, after a failure too. */
int blocks_make(int tiles, int places, struct blocks *blocks);
void blocks_free(struct blocks *blocks);

/* Makes a block of the tiles of a board [place] whose places have the same number, from 0 to
 * places - 1. Tiles elsewhere, and, unless it is NULL, where `fixed` [place] is set, are blocks of
 * their own. */
void blocks_set(const int32_t *board, const int32_t *number, const uint8_t *fixed, int places,
    struct blocks *blocks);

#endif
