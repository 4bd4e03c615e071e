/* Best buddies, and the components that tiles are joined to along them. */
#ifndef TREE_H
#define TREE_H

#include "stages/unscramble/compatibility.h"

/* buddy[e]: the one cheapest partner of e, whose one cheapest partner is e; or NOTHING, also where
 * several are equally cheap. */
void buddies_find(const struct compatibility *compatibility, int32_t *buddy);

/* Buddies that cost less are nearly always true neighbors, even at the borders of images, where two
 * edges that have no partner may be each other's best: of 325,000 such pairs in two sheets of
 * photographs 123 were none. */
#define SURE_COST 400

static inline int is_sure(
    const struct compatibility *compatibility, const int32_t *buddy, int32_t edge)
{
    return buddy[edge] != NOTHING && cost_of(compatibility, edge, buddy[edge]) < SURE_COST;
}

/* Every tile's component, and its place there. */
struct forest {
    int tiles;
    int32_t *root;     /* [tile] the tile that stands for its component */
    int32_t *size;     /* [tile] tiles of the component; valid for roots only */
    int32_t *x, *y;    /* [tile] its place, to the right and downward, from any origin */
    int32_t *oriented; /* [tile] 4 * tile + turn */
};

/* Kruskal's minimum spanning tree over pairs of best buddies by rising cost. A merge is refused
 * where tiles would collide, where the component would not fit into columns x rows (or, with
 * TURNS_ANY, rows x columns), or where it would bring together more bad neighbors than good ones.
 * Returns 0, or ERROR_INPUT when memory is short. forest_free frees. */
int tree_make(const struct compatibility *compatibility, const int32_t *buddy, int columns,
    int rows, struct forest *forest, struct error *error);
void forest_free(struct forest *forest);

/* Makes a forest of single tiles, as they stand. Returns 0, or -1 when memory is short. */
int forest_make(int tiles, struct forest *forest);

/* Joins components that at least two pairs of sure buddies want beside each other in the same way,
 * the way that most pairs want first. Where a tile of the smaller component would lie on one of the
 * larger, it becomes a component of its own; a merge that would do so to more tiles than pairs want
 * it is refused. At the end the outer lines of a component that have few tiles, and what does not
 * fit the frame, become components of their own. Merges are also refused as by tree_make. Returns
 * 0, or -1 when memory is short. */
int forest_join(const struct compatibility *compatibility, const int32_t *buddy, int columns,
    int rows, struct forest *forest);

/* The root of the largest component of tiles that are present (of several the first), or NOTHING if
 * no tile is present. */
int32_t forest_largest(const struct forest *forest, const uint8_t *present);

#endif
