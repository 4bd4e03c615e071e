/* The grid of each patch: how many cells it is cut into. */
#ifndef GRID_H
#define GRID_H

#include "stages/bezier/bezier.h"

/* Limits of the grids that are chosen by the view. */
#define GRID_VIEW_POINTS ((uint64_t)1 << 22)  /* of all patches */
#define GRID_VIEW_SUMS ((uint64_t)1 << 27)    /* the sum of points times control points */
#define GRID_VIEW_NUMBERS ((uint64_t)1 << 26) /* of one table of bases */

/* Whether grids are chosen by the view: where the caller has given none, for an image without lines
 * of the grid, as soon as its view is known. */
int grids_follow_view(const struct bezier *b);

/* Chooses the grids of the frame at work, b->grids, and sets result.points_u and points_v to the
 * most of any patch. What is given, or the default, is the same for all patches. By the view,
 * counts are powers of two, so many that the triangles of a patch lie within GRID_PIXELS of its
 * surface (grid_halvings.h); a side has the larger count of the two patches that have it. Where
 * that would be beyond one of the limits, the patches that need most get fewer, with a notice.
 * Returns 0 or ERROR_INPUT. */
int grids_choose(struct run *run, struct bezier *b);

/* The grid with so many points a side; a triangle takes points_u on all of its sides. */
struct patch_grid grid_given(const struct patch *patch, uint32_t points_u, uint32_t points_v);

/* Makes the triangles of a patch, whose first point has the number `first`: two a cell, or where
 * the patch is a triangle one, and one between those of a row. On a side with fewer points than the
 * grid the next one that it has, toward one of its ends, stands for each: triangles become narrower
 * there, or have two corners in one, and patches that share a side have the same points on it.
 * Lines of the grid are marked. Returns what follows them in `to`. */
struct mesh_triangle *grid_triangles(const struct batch *batch, const struct patch_grid *grid,
    size_t first, uint32_t group, struct mesh_triangle *to);

#endif
