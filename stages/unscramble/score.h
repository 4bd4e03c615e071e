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
    double largest;  /* tiles of the largest part of the answer that is right in itself: what true
                       * neighbors join */
    int perfect;     /* 1 where all tiles are at their place, and no others are placed */
    uint32_t turn[MAX_PICTURES]; /* quarters clockwise by which each picture of the answer has to be
                                  * turned as a whole, so that most tiles are at their place */
};

/* Refuses a truth, which messages call by its name, that is of a puzzle cut in another way. Returns
 * 0 or ERROR_INPUT. */
int score_check(
    struct grid puzzle, const struct permutation *truth, const char *name, struct error *error);

/* Pictures of the answer and of the truth are matched one to one: first the two that share most
 * tiles, then of the others those that do, and so on. A picture counts in the best of its turns as
 * a whole, so far as tiles may be turned: as `turns` says or as the truth has them, whichever is
 * more. Where it then has another size than the true one, it also counts at the best place. 100000
 * tiles take some 20 milliseconds. Returns 0; as score_check, or ERROR_INPUT when memory is
 * short. */
int score_answer(const struct permutation *answer, const struct permutation *truth,
    const char *name, enum turns turns, struct score *score, struct error *error);

#endif
