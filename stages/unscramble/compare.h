/* The best partners of every edge, found on a device by sums over all pairs of edges. */
#ifndef COMPARE_H
#define COMPARE_H

#include "kernels/unscramble/unscramble_args.h"
#include "stages/run.h"
#include "stages/unscramble/compatibility.h"
#include "stages/unscramble/terms.h"

/* list [4 * tiles][width]: the partners with the least sums of
 *
 *   |what one expects - what the partner is, read backwards| + the same the other way round
 *
 * over all terms. Lists ascend by cost, which is the sum, then by edge; the edge is NOTHING and the
 * cost INT_MAX where there are no more, as for tiles that are not `present` (NULL: all are). Where
 * tiles may be turned by quarters, both lengths are the same. Opens the run's device unless it is
 * open. Returns 0 or an ERROR_ code with the reason in run->error. */
int compare_edges(struct run *run, const struct terms *terms, enum turns turns,
    const uint8_t *present, int width, struct partner *list);

/* What another rank than 0 does of it, once run_await has told of such work. Returns 0 or an ERROR_
 * code with the reason in run->error. */
int compare_serve(struct run *run);

#endif
