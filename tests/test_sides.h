/* Which sides of tiles can touch. */
#ifndef TEST_SIDES_H
#define TEST_SIDES_H

#include "stages/unscramble/oriented.h"

/* Whether two sides can touch, where tiles may be turned as `turns` says. */
static inline int sides_match(enum turns turns, int a, int b)
{
    return turns == TURNS_ANY || (turns == TURNS_HALF ? ((a ^ b) & 1) == 0 : ((a ^ b) & 3) == 2);
}

#endif
