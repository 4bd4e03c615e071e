/* Refines a board of very many places in regions, side by side, which ranks share. */
#ifndef REGIONS_H
#define REGIONS_H

#include "stages/run.h"
#include "stages/unscramble/chain.h"

/* Cuts a board, [rows][columns] of oriented tiles, into rectangles of up to 40 x 40 places, and
 * refills parts of each so many times with its own tiles, while the tiles around it stay; leaves a
 * board with an empty place as it is. With another seed the rectangles lie elsewhere. Ends when
 * omp_get_wtime() says `end`, unless that is 0, or when the run is asked to stop; unless it does,
 * the result does not depend on the number of threads or ranks. The cost does not rise. Returns 0,
 * or an ERROR_ code with the reason in run->error. */
int regions_refine(
    struct run *run, const struct problem *p, int steps, uint64_t seed, double end, int32_t *board);

/* Another rank than 0: refines the regions that it takes of what rank 0 shared. Returns as
 * regions_refine does. */
int regions_serve(struct run *run);

#endif
