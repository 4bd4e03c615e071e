/* Refines a board of very many places in regions, side by side. */
#ifndef REGIONS_H
#define REGIONS_H

#include "stages/unscramble/chain.h"

/* Cuts a board into rectangles and refills each so many times with its own tiles, between those
 * around it, which stay; leaves a board with an empty place as it is. With another seed the
 * rectangles lie elsewhere. Ends when omp_get_wtime() says `end`, unless that is 0. The cost does
 * not rise. The result does not depend on the number of threads. Returns 0, or -1 when memory is
 * short. */
int regions_refine(const struct problem *p, int steps, uint64_t seed, double end, int32_t *board);

#endif
