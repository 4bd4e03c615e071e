/* Costs of pairs that also count what stands beside them. */
#ifndef LOOPS_H
#define LOOPS_H

#include "stages/unscramble/compatibility.h"

/* Two tiles that are true neighbors mostly find two more that close a square of 2 x 2 with them, of
 * four cheap pairs; two that only look alike mostly find none (Son, Hays and Cooper 2014 call these
 * loops). Gives each of the 10 cheapest pairs of every edge the mean of its own cost and of the
 * mean cost of the other pairs in the cheapest squares on both its sides. A side without a square
 * counts as three pairs of POOR_COST. Takes costs that compatibility_index has indexed, and indexes
 * those that it makes. Returns 0, or ERROR_INPUT when memory is short. compatibility_free frees. */
int loops_make(
    const struct compatibility *compatibility, struct compatibility *looped, struct error *error);

#endif
