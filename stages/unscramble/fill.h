/* Fills a frame with tiles: next is always the tile whose place is surest. */
#ifndef FILL_H
#define FILL_H

#include "random.h"
#include "stages/unscramble/blocks.h"
#include "stages/unscramble/compatibility.h"
#include "stages/unscramble/fill_heap.h"

/* A frame of columns x rows that slides over a larger field of cells, as far as all tiles that were
 * placed fit into it. It is work space that one thread can use for many fills. */
struct fill {
    const struct compatibility *compatibility;
    const int32_t *buddy;   /* [edge] the best buddy, or NOTHING */
    const uint8_t *present; /* [tile] which are there; NULL: all */
    int columns, rows;      /* of the frame */
    float noise;            /* a random number up to this is added to scores */
    uint64_t random;        /* the state of the generator of these numbers */
    float most;             /* a greater score ends the filling */
    int neighbor_bonus;     /* taken off the score for each neighbor but the first */
    int width, height;      /* of the field, with a border of one cell that stays empty */
    int box[4];             /* least x, y, greatest x, y of the tiles placed since fill_begin, and
                             * of a locked frame */
    int placed, tiles;      /* so far, and in all */
    int32_t *cell;          /* [height][width] oriented tiles or NOTHING */
    int words;              /* of a row of `taken` */
    uint64_t *taken;        /* [height][words] a bit for each cell: does a tile lie there */
    uint8_t *used;          /* [tile] placed, or absent */
    uint32_t *version;      /* [cell] how often a tile was sought for it */
    /* What should stay together, or NULL: when the score has chosen a tile, the rest of its block
     * is placed too, where it fits. */
    const struct blocks *blocks;
    struct fill_heap heap;
    int next_cell, next_tile; /* where to look next for a cell, and for a tile that no list has */
};

/* Returns 0, or ERROR_INPUT when memory is short or the board is too long for tiles that may be
 * turned; then there is nothing to free. fill_free frees. */
int fill_make(const struct compatibility *compatibility, const int32_t *buddy,
    const uint8_t *present, int columns, int rows, struct fill *fill, struct error *error);
void fill_free(struct fill *fill);

/* Empties the field. A locked frame lies at (1, 1) of the field and does not slide; otherwise put
 * the first tile near the middle of the field, (width / 2, height / 2). */
void fill_begin(struct fill *fill, int locked);

/* Put an oriented tile into an empty cell, y * width + x of the field, and take a cell's tile out.
 * The bounding box does not shrink when a tile is taken, so the frame gains no room to slide. */
void fill_put(struct fill *fill, int cell, int32_t oriented);
void fill_take(struct fill *fill, int cell);

/* Places the other tiles, always the one with the least score next: its mean cost over its
 * neighbors, minus bonuses for best buddies and for every further neighbor. Where no list has a
 * tile left for any cell it ends, if `most` is set; else tiles that are left go where they fit
 * least badly. Begins at the `count` cells `open` or, where that is NULL, at all cells around what
 * is placed. Returns 0, or -1 when memory is short. */
int fill_run(struct fill *fill, const int32_t *open, int count);

/* Leaves the oriented tiles of the frame in board [rows][columns], NOTHING where tiles ran out. */
void fill_board(const struct fill *fill, int32_t *board);

#endif
