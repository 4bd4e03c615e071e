/* What a small network makes of the edges of tiles: for each pixel along an edge what the tile is
 * there, and what it expects beyond. Trained by tests/train/edges.py. */
#ifndef LEARNED_H
#define LEARNED_H

#include "kernels/unscramble/unscramble_args.h"
#include "stages/run.h"
#include "stages/unscramble/strips.h"

/* The network: for each layer the scales and the biases of its outputs as floats, then a byte for
 * each weight, [term][output]. The terms of an output are [shift][input]: of the pixel two before it
 * to the one two behind it, or of the pixel alone. The layers are
 *
 *   1. 72 inputs of 5 pixels to 96 outputs; what is below 0 becomes 0
 *   2. 96 means along the edge of these to 96, which are added to all pixels
 *   3. to 5. 96 of 5 pixels to 96; what is below 0 becomes 0; they are added to their inputs
 *   6. 96 of these, and the first 36 of the 72, to 32
 *
 * The inputs are, as differences from 128 in steps of 64, the three channels of 12 rows of pixels,
 * [channel][row], the outermost first, the last row again where there are fewer; and, only for what
 * was a JPEG file, where the outermost pixel lies in blocks of 16, along the edge and inward, each
 * as 16 numbers of which one is 1; a 1; and struct jpeg_origin. */
extern const char network_weights[];

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
