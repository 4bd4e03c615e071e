/* unscramble's stages as plain sequential C, written from the formulas: what kernels are checked
 * against and compared with in benchmarks. */
#ifndef UNSCRAMBLE_REFERENCE_H
#define UNSCRAMBLE_REFERENCE_H

#include "images/image.h"
#include "stages/unscramble/compare.h"
#include "stages/unscramble/features.h"
#include "stages/unscramble/unscramble.h"

/* gray: rows * 64 x columns * 64 bytes. */
void reference_grayscale(
    const struct image *image, struct grid grid, enum sampling sampling, uint8_t *gray);

/* edges: EDGE_BYTES bytes, [tile][side][pixel]. */
void reference_edges(const uint8_t *gray, struct grid grid, uint8_t *edges);

/* pair_costs: PAIR_COSTS(1) numbers, [direction][a][b]; those of tiles that are not there stay as
 * they are. */
void reference_fits(const uint8_t *edges, struct grid grid, uint32_t *pair_costs);

/* The order of oriented tiles, tile * turns + turn, with the least cost (of several the first in
 * lexicographic order), its cost, and the cost of the second best order. Of tile 0 only the first
 * `first_turns` turns are tried. */
void reference_search(const uint32_t *pair_costs, struct grid grid, uint32_t turns,
    uint32_t first_turns, uint32_t *order, uint32_t *cost, uint32_t *runner_up_cost);

/* assembled: that solution of the permutation, with the puzzle's depth and channels. Where it is as
 * large as the puzzle, what tiles do not cover stays in its place. */
void reference_assemble(const struct image *puzzle, const struct permutation *permutation,
    uint32_t solution, struct color missing, struct image *assembled);

/* As terms_of_strips gives them. terms has room for those of the strips. */
void reference_terms(const struct strips *strips, int predict, struct terms *terms);

/* The lists of compare_edges of every n-th tile, from the first on; those of the others are empty.
 * Returns 0, or -1 when memory is short. */
int reference_compare(const struct terms *terms, enum turns turns, const uint8_t *present,
    int every, int width, struct partner *list);

/* What features_make makes, into terms that have room for it. Returns 0, or -1 when memory is
 * short. */
int reference_features(const struct tiling *tiling, int has_gap, struct terms *features);

/* Whether u holds, on whatever device, byte for byte the buffer that the run of `expected` has
 * made. `error` says why the device did not give it. */
int reference_agrees(const struct run_buffer *made, const struct unscramble *expected,
    const struct unscramble *u, struct error *error);

#endif
