/* Short vectors of bytes by which the partners of an edge are found among all others. */
#ifndef SIGNATURE_H
#define SIGNATURE_H

#include "kernels/unscramble/unscramble_args.h"
#include "stages/unscramble/terms.h"

/* An edge is cut into as many parts of the same length, of which the mean of each channel counts:
 * of colors, and of the more detailed features that a network makes. */
#define COLOR_PARTS 8
#define FEATURE_PARTS 12

/* Words of a signature, each in a row of its own, rounded up to COMPARE_ROWS. One more row, which
 * is not counted, has half the sum of squares. */
uint32_t signature_rows(const struct terms *terms);

/* Bytes of the signatures of the four edges of so many tiles, of `rows` + 1 words each. */
size_t signatures_size(uint32_t rows, uint32_t tiles);

/* The signatures of the edges of the tiles that are listed, as the kernel compare takes them. The
 * mean m of a part, 0 to TERM_MAX before halvings, becomes the byte m / 32 - 128, cut off so that
 * scores have 24 bits. The first rows hold what an edge is, four bytes a word, channel by channel;
 * the last rows hold backwards, with the parts backwards too, what it expects; rows between are 0.
 * Places without a tile get the worst score. `words` must be zeros. */
void signatures_make(
    const struct terms *terms, const int32_t *tiles, uint32_t count, uint32_t *words);

#endif
