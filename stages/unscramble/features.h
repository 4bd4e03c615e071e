/* What a small network makes of the edges of tiles: for each pixel along an edge what the tile is
 * there, and what it expects beyond. Trained by tests/train/edges.py. */
#ifndef FEATURES_H
#define FEATURES_H

#include "kernels/unscramble/unscramble_args.h"
#include "stages/run.h"
#include "stages/unscramble/terms.h"
#include "stages/unscramble/tiling.h"

/* The network: for each layer the scales and the biases of its outputs as floats, then a byte for
 * each weight, [term][output]. The terms of an output are [shift][input]: of the pixel two before
 * it to the one two behind it, or of the pixel alone. The layers are
 *
 *   1. 72 inputs of 5 pixels to 96 outputs; what is below 0 becomes 0
 *   2. 96 means along the edge of these to 96, which are added to all pixels
 *   3. to 5. 96 of 5 pixels to 96; what is below 0 becomes 0; they are added to their inputs
 *   6. 96 of these, and the first 36 of the 72, to 32
 *
 * Behind it lies the network across a gap, for tiles that have lost their outermost pixels. It has
 * one more layer of the third kind. Its layers 1 to 4 have scales and biases of their own and the
 * weights of the network for whole tiles, the rest is its own.
 *
 * The inputs of a pixel are the three channels of 12 rows of pixels, [channel][row], as differences
 * from 128 in units of 64, the outermost row first, the last one again where there are fewer. What
 * was a JPEG file also has where the outermost pixel lies in blocks of 16, along the edge and
 * inward, each as 16 numbers of which one is 1, and the three numbers of struct jpeg_origin; else
 * these are 0. The last input is 1 for the network across a gap, since one network was for both
 * once, and else 0.
 *
 * These, and what goes from layer to layer, are whole numbers of 16 bits, in steps of which
 * NETWORK_STEPS are 1: inputs are exact; outputs, means and what is added are rounded to the
 * nearest step, in the middle up, and cut off at NETWORK_MOST steps, 128. (What is added is rounded
 * as a float together with NETWORK_MOST, so to 1/256 or 1/512 of a step before.) */
extern const char network_weights[];

/* The numbers that come out lie between -FEATURE_MAX and FEATURE_MAX; what is beyond is cut off.
 * Training knows no such limit, so it should hardly ever be reached: of 14 photographs of 432 tiles
 * at most 91 of the 1,548,288 numbers of one are cut off, across a gap at most 25 of 1,437,696.
 * Terms (terms.h) hold x as (x + FEATURE_MAX) * FEATURE_STEPS. */
#define FEATURE_MAX 64

/* Runs the network on the run's device over the edges of the inner pixels of tiles; `pixels` are
 * those of tiling->image on that device. The terms get 16 channels of what each edge is, and 16 of
 * what it expects beyond. With `has_gap` that is the network across a gap. Sums are integers; as
 * floats they are only multiplied by a scale and added to a bias, so that the bytes are the same
 * everywhere.
 *
 * `is_wanted` says for each tile whether to look at it (NULL: at all). Those that the terms have,
 * by is_made, from an earlier call for the same tiling and network are left out; before the first
 * call the terms are zeroed. The numbers of other tiles are undefined. Returns 0 or an ERROR_ code
 * with the reason in run->error, and then leaves no terms. terms_free frees. */
int features_make(struct run *run, const struct buffer *pixels, const struct tiling *tiling,
    int has_gap, const uint8_t *is_wanted, struct terms *features);

#endif
