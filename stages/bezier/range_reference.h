/* The range of curvature that colors stand for, written from its definition: what
 * stages/bezier/curvature.c is checked against. */
#ifndef RANGE_REFERENCE_H
#define RANGE_REFERENCE_H

#include "stages/bezier/draw_mesh.h"

/* The clamp, or the 10th and 90th percentile of the area of a mesh that has curvatures, made
 * symmetric about 0 or wide enough. Returns 0, or ERROR_INPUT when memory is short. */
int reference_find_range(
    const struct mesh *mesh, const struct drawing *drawing, double range[2], struct error *error);

#endif
