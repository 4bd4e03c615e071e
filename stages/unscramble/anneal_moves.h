/* Moves of annealing. */
#ifndef ANNEAL_MOVES_H
#define ANNEAL_MOVES_H

#include "stages/unscramble/anneal_board.h"

/* Tries a move that chance chooses. Most begin at an unsettled place: a tile comes beside it from
 * anywhere, or its tile goes anywhere. */
void annealing_move(struct annealing *s);

#endif
