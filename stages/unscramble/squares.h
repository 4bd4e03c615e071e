/* What tells, before a board is made, how much a dissimilarity says of an image: buddies, edges of
 * which each is the other's best partner, and squares, four tiles that are buddies all round. Wrong
 * buddies hardly ever make a square, by whatever dissimilarity they were found. */
#ifndef SQUARES_H
#define SQUARES_H

#include "stages/unscramble/compatibility.h"

/* Whether so many of the edges that meet others in a grid of columns x rows have a buddy, and so
 * many buddies form squares, that there is little to gain by another dissimilarity. */
int squares_are_enough(const struct compatibility *compatibility, int columns, int rows);

/* Sets is_open[tile] of each tile to 0 where all four of its corners belong to squares, else to 1:
 * there is hardly anything to gain by comparing the edges of the others, settled tiles, in another
 * way. Tiles that are absent come out open. */
void squares_find_open(const struct compatibility *compatibility, uint8_t *is_open);

/* Copies from `before` to `made`, which was made of the open tiles alone, what is known of each
 * edge of a settled tile and of each buddy of one: its partners, and `unlisted`. Both have as many
 * tiles, and lists as long. To be called before compatibility_index. */
void squares_keep_settled(
    const struct compatibility *before, const uint8_t *is_open, struct compatibility *made);

/* Whether one dissimilarity makes more squares than another one before it. */
int squares_are_more(const struct compatibility *compatibility, const struct compatibility *before);

/* Whether it is worth while to compare the tiles as if they had lost their outermost pixels: along
 * the joints of squares, steps from one tile to the next are larger than those from the inner
 * pixels of a tile to its outermost. Noise alone does not make them so, but a JPEG file after the
 * shuffle does: of such, only those with few squares are worth while. Also where there are no
 * squares. */
int squares_have_gap(
    const struct compatibility *compatibility, const struct strips *strips, int is_jpeg);

#endif
