/* The best partners of every edge, found on a device by sums over all pairs of edges. */
#ifndef COMPARE_H
#define COMPARE_H

#include "kernels/unscramble/unscramble_args.h"
#include "stages/run.h"
#include "stages/unscramble/compatibility.h"
#include "stages/unscramble/terms.h"

/* list [4 * tiles][width]: for each edge the partners of the least cost among the 192, or 128 by
 * what a network made, that signatures find (signatures.cl). The cost is the sum of |what one
 * expects - what the partner is, read backwards| and the same the other way round over all terms,
 * or for what a network made, in steps of 1 / LEARNED_STEPS, of q / (1 + q), q the squared distance
 * of four channels. Lists ascend by cost, then by edge; the edge is NOTHING and the cost INT_MAX
 * where there are no more, as for tiles that are not `present` (NULL: all are). Where tiles may be
 * turned by quarters, both lengths are the same.
 *
 * Every edge has a signature of bytes. The edges that an edge may touch are numbered by side (the
 * opposite one first, the others as turns allow) and tile, counting tiles that are present, each
 * side's up to a multiple of COMPARE_TILES; so many are a slice. The slices are shared out among
 * splits of at most COMPARE_SLICES, at least 16 splits if there are as many slices. Of the edges
 * that stand at the same place in the slices of one split only the one whose signature is nearest,
 * by squared differences, is kept; of several the last. The nearest of all that were kept are the
 * candidates, of several the first. The edge's own tile takes part, and is left out at the end. The
 * result is the same on all devices. Opens the run's device unless it is open. Returns 0,
 * or an ERROR_ code with the reason in run->error and nothing of use in the lists. */
int compare_edges(struct run *run, const struct terms *terms, enum turns turns,
    const uint8_t *present, int width, struct partner *list);

/* What another rank than 0 does of it, once run_await has told of such work. Returns 0 or an ERROR_
 * code with the reason in run->error. */
int compare_serve(struct run *run);

#endif
