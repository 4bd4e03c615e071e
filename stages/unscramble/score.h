/* How right an answer is, compared with the true permutation. */
#ifndef SCORE_H
#define SCORE_H

#include "stages/unscramble/oriented.h"
#include "stages/unscramble/permutation.h"

/* Shares of the tiles and pairs that the truth has, from 0 to 1; 1 where it has none. Tiles that
 * look alike are different tiles. */
struct score {
    double direct;   /* tiles at their true place, with their true turn */
    double neighbor; /* true pairs of neighbors that are so in the answer, however it lies */
    double largest;  /* tiles of the largest part of the answer that is right in itself, joined
                      * along true neighbors */
    int perfect;     /* 1 where all tiles are at their place, and no others are placed */
};

/* Refuses the truth of a puzzle that is cut in another way; `name` stands in the message. Returns 0
 * or ERROR_INPUT. */
int score_check(
    struct grid puzzle, const struct permutation *truth, const char *name, struct error *error);

/* Solutions of the answer and of the truth are matched one to one: first the two that share most
 * tiles, then, of the others, the two that do, and so on. Each solution is turned as a whole so
 * that most of its tiles are right, as far as tiles may be turned: as `turns` says or as the truth
 * has them, whichever is more. Where such a turn gives it the columns and rows of the true one, it
 * is turned only so and not translated; any other is also translated so that most of its tiles are
 * right. Returns 0 or ERROR_INPUT: as score_check, or when memory is short. */
int score_answer(const struct permutation *answer, const struct permutation *truth,
    const char *name, enum turns turns, struct score *score, struct error *error);

#endif
