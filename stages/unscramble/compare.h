/* The best partners of every edge, found on a device by sums over all pairs of edges. */
#ifndef COMPARE_H
#define COMPARE_H

#include "kernels/unscramble/unscramble_args.h"
#include "stages/run.h"
#include "stages/unscramble/compatibility.h"

/* Colors are clipped to what sRGB has, in steps of a strip: the least L, a and b and their ranges,
 * of which COMPARE_TERMS are below 2^16. */
#define LAB_LEAST \
    { \
        0, -87 * LAB_SCALE, -108 * LAB_SCALE \
    }
#define LAB_RANGE \
    { \
        100 * LAB_SCALE, 186 * LAB_SCALE, 203 * LAB_SCALE \
    }
#define SUM_MOST 0xffffff /* what float32 has exactly */

/* list [4 * tiles][width]: the partners with the least sums of
 *
 *   |predicted - outermost of the partner, read backwards| + the same the other way round
 *
 * over pixels and channels, where predicted = 2 * outermost - inner, clipped to sRGB; without
 * `predict` it is outermost itself. Values are halved until no sum can exceed SUM_MOST. Lists
 * ascend by cost, which is the sum, then by edge; the edge is NOTHING and the cost INT_MAX where
 * there are no more, as for tiles that are not `present` (NULL: all are). Where tiles may be turned
 * by quarters, both lengths of the strips are the same. Opens the run's device unless it is open.
 * Returns 0 or an ERROR_ code with the reason in run->error. */
int compare_edges(struct run *run, const struct strips *strips, enum turns turns,
    const uint8_t *present, int predict, int width, struct partner *list);

#endif
