/* What a patch needs by itself, for grid.c. */
#ifndef GRID_HALVINGS_H
#define GRID_HALVINGS_H

#include "stages/bezier/bezier.h"

#define GRID_PIXELS 0.25 /* that triangles lie off the surface at most, before places are rounded */

/* How often the sides along u and v, of a triangle all sides, are halved into cells with which the
 * patch is drawn within GRID_PIXELS by b->raster.view; `most` where that is not enough, 0 where it
 * lies beyond the image. The frame's control points are in b->controls. */
void patch_halvings(
    const struct bezier *b, const struct patch *patch, unsigned most, unsigned halvings[2]);

#endif
