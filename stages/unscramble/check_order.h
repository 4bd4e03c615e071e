/* The orders of tiles that the caller gives: whether they can be of this puzzle. */
#ifndef CHECK_ORDER_H
#define CHECK_ORDER_H

#include "stages/unscramble/unscramble.h"

/* These return 0, or ERROR_INPUT with what is wrong and what to do. */

/* Takes options.apply as the answer, and its grid, which must be that of the options where they
 * have one. */
int order_take(struct unscramble *unscramble, struct error *error);

/* Once the puzzle is cut, refuses an answer that was taken and names a loose tile that does not
 * exist, or turns tiles by quarters although they are not square. */
int order_check(const struct unscramble *unscramble, struct error *error);

/* Once the puzzle is cut, refuses a truth (options.truth) that no answer can equal. With
 * options.apply any truth of this grid is allowed. */
int order_check_truth(const struct unscramble *unscramble, struct error *error);

#endif
