/* Best buddies, and the pieces of picture that they join to. */
#ifndef TREE_H
#define TREE_H

#include "stages/unscramble/compatibility.h"

/* buddy[e]: the edge that is cheapest for e and for which e is cheapest, both without a tie, or
 * NOTHING. */
void buddies_find(const struct compatibility *compatibility, int32_t *buddy);

/* Every tile's piece of picture, and its place there. */
struct forest {
    int tiles;
    int32_t *root;  /* [tile] one tile of the piece stands for it */
    int32_t *size;  /* [tile] tiles of the piece, right for roots */
    int32_t *x, *y; /* [tile] place, right and down; the least are anything */
    int32_t *piece; /* [tile] 4 * tile + turn */
};

/* Kruskal's minimum spanning tree over pairs of best buddies by rising cost. A merge is refused
 * where tiles would collide, where the piece would not fit into columns x rows (either way round
 * with TURNS_ANY), or where it would bring together more bad neighbors than good ones.
 * Returns 0, or ERROR_INPUT when memory is short. forest_free frees. */
int tree_make(const struct compatibility *compatibility, const int32_t *buddy, int columns,
    int rows, struct forest *forest, struct error *error);
void forest_free(struct forest *forest);

/* The root of the largest piece of the tiles that are present, the first of the largest; NOTHING if
 * no tile is present. */
int32_t forest_largest(const struct forest *forest, const uint8_t *present);

#endif
