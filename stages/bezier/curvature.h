/* Which curvatures the colors of an image stand for, and the bar that says so. */
#ifndef CURVATURE_H
#define CURVATURE_H

#include "stages/bezier/draw_mesh.h"

/* The mesh's curvatures at the ends of the colors, in its units: drawing->clamp, or the percentiles
 * 10 and 90 of the curvature over the area of the surface, as far below 0 as above where 0 lies
 * between them. Triangles give a third of their area to each corner. Reports to `progress` (NULL:
 * nobody watches). Returns 0, ERROR_INPUT or ERROR_STOPPED. */
int curvature_range(const struct mesh *mesh, const struct drawing *drawing,
    const struct progress *progress, double range[2], struct error *error);

/* Draws the bar at the right border of the image, in the file's units. */
void curvature_draw_bar(const struct drawing *drawing, const double range[2], struct image *image);

/* How many pixels of the image it takes; 0 where curvature is not drawn. */
int curvature_bar_width(const struct drawing *drawing);

#endif
