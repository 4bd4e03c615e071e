/* Puzzles of several pictures: which tiles make which, and each picture solved by itself. */
#ifndef PICTURES_H
#define PICTURES_H

#include "stages/unscramble/refine.h"

struct picture_board {
    int columns, rows;
    int32_t *board; /* [rows][columns] of oriented tiles, NOTHING at empty places */
};

/* Splits the tiles among `count` pictures and solves each. The cores of the pictures are the largest
 * components, joined along all best buddies or along those below some cost, whichever gives the
 * cheapest boards; the other tiles join the cores by rising cost. Among the frames that hold a core
 * and hardly more places than the picture has tiles, the one of least cost is taken; neither side of
 * it exceeds the larger of the columns and rows of `options`. pictures[count] is ordered by the size
 * of the cores, the largest first; a picture without tiles is 0 x 0. The result depends on the
 * options as that of refine does. Returns 0, or an ERROR_ code with the reason. pictures_free frees
 * what `pictures` hold. */
int pictures_split(const struct compatibility *compatibility, const int32_t *buddy,
    const uint8_t *present, const struct refine_options *options, int count,
    struct picture_board *pictures, struct error *error);
void pictures_free(struct picture_board *pictures, int count);

#endif
