/* Puzzles of several pictures: which tiles make which, and each picture solved by itself. */
#ifndef PICTURES_H
#define PICTURES_H

#include "stages/unscramble/refine.h"

struct picture_board {
    int columns, rows;
    int32_t *board; /* [rows][columns] of pieces, NOTHING where none is */
};

/* Splits the tiles among `count` pictures and solves each. The largest pieces of best buddies, of
 * all or of those below some cost (whichever gives the cheapest boards), are the pictures' cores,
 * which the other tiles join by rising cost. A picture's frame is, of those that hold its core and
 * hardly more than its tiles, the one of least cost; no picture is longer, either way, than
 * `options` has columns or rows. pictures[count] comes out largest core first; one without tiles is
 * 0 x 0. The result depends on the options as that of refine does. Returns 0, or ERROR_INPUT when
 * memory is short. pictures_free frees what `pictures` hold. */
int pictures_split(const struct compatibility *compatibility, const int32_t *buddy,
    const uint8_t *present, const struct refine_options *options, int count,
    struct picture_board *pictures, struct error *error);
void pictures_free(struct picture_board *pictures, int count);

#endif
