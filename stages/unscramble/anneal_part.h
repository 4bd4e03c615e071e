/* A move of annealing on a board with empty places. */
#ifndef ANNEAL_PART_H
#define ANNEAL_PART_H

#include "stages/unscramble/anneal_board.h"

/* The tiles, of any shape, that are joined to the one at `place` by joints that cost less than
 * `limit`, which is at most what a joint with an empty place costs. */
struct loose_part {
    int place, limit;
    int most; /* a part of more tiles does not move */
};

/* Moves a part so that the tile at part->place comes to `target`, turned clockwise by `quarters`,
 * if all of it comes to empty places, and by the rule of annealing_try_move. */
void annealing_try_part(
    struct annealing *s, const struct loose_part *part, int target, int quarters);

#endif
