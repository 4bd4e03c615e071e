/* What a patch needs by itself, for grid.c. */
#ifndef GRID_CELLS_H
#define GRID_CELLS_H

#include "stages/bezier/bezier.h"

#define GRID_PIXELS 0.25 /* that triangles lie off the surface at most, before places are rounded */

/* The logarithms to base 2 of the cells along u and v, of a triangle of all sides, with which the
 * patch is drawn within GRID_PIXELS by b->raster.view; `most` where that is not enough, 0 where it
 * lies beyond the image. The frame's control points are in b->controls. */
void patch_cells(
    const struct bezier *b, const struct patch *patch, unsigned most, unsigned cells[2]);

#endif
