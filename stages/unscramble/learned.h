/* What a small network makes of the edges of tiles: for each pixel along an edge what the tile is
 * there, and what it expects beyond. Trained by tests/train/edges.py. */
#ifndef LEARNED_H
#define LEARNED_H

#include "kernels/unscramble/unscramble_args.h"
#include "stages/run.h"
#include "stages/unscramble/strips.h"

/* Of each edge its numbers [NETWORK_OUTPUTS][pixel], clockwise and then backwards. The first half
 * of the numbers are what the tile is, the second what it expects. */
struct learned {
    int length[2];   /* pixels of left and right sides, of top and bottom ones */
    float *value[2]; /* [2 * tile + (side >> 1)], for each such pair */
};

static inline const float *learned_of(const struct learned *learned, int edge)
{
    const int side = edge & 3, length = learned->length[side & 1];
    return learned->value[side & 1] +
           ((int64_t)(edge >> 2) * 2 + (side >> 1)) * 2 * NETWORK_OUTPUTS * length;
}

/* Runs the network on the run's device, which is opened unless it is open, over the edges of the
 * tiles that the strips were taken from; their image must still be there. Floats are only added,
 * subtracted, multiplied and divided, in one order, so that the bytes are the same everywhere.
 * Returns 0 or an ERROR_ code with the reason in run->error. learned_free frees. */
int learned_make(struct run *run, const struct strips *strips, struct learned *learned);
void learned_free(struct learned *learned);

/* How badly edge b, read backwards, continues edge a: the sum, over both ways to look at it and
 * over groups of four numbers, of q / (1 + q), where q is the squared distance of what one expects
 * and the other is. `work` has room for `length` numbers. The same for (b, a). */
float learned_compare(const float *a, const float *b, int length, float *work);

#endif
