/* Drawing a mesh triangle by triangle and sample by sample, written from the formulas: what
 * draw_mesh is checked against. */
#ifndef RASTER_REFERENCE_H
#define RASTER_REFERENCE_H

#include "stages/bezier/draw_mesh.h"

/* Draws into an image of the drawing's size, which has no zeros that mean defaults. A sample
 * belongs to a triangle when its center lies within, on a left or upper side too; of several
 * triangles the nearest is seen, of equally near ones the first. Colors are in float32. Returns 0,
 * or ERROR_INPUT when memory is short. */
int reference_draw_mesh(const struct mesh *mesh, const struct drawing *drawing, struct image *image,
    struct error *error);

#endif
