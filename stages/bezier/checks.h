/* What is refused: frames before they are made, and meshes before they are drawn or written. */
#ifndef CHECKS_H
#define CHECKS_H

#include "stages/bezier/bezier.h"

/* Checks the limits of degree, grid, memory, tables and method for the frame at work and the
 * last one, so that no frame is made where a later one cannot be: what a frame needs grows from
 * each to the next. Names the first that cannot be made. Returns 0 or ERROR_INPUT. */
int frames_check(const struct bezier *b, struct error *error);

/* Refuses points that take more memory than the machine has. Returns 0 or ERROR_INPUT. */
int memory_check(const struct bezier *b, uint64_t points, struct error *error);

/* Refuses points that are not finite. Returns 0 or ERROR_INPUT. */
int points_check(
    const struct bezier *b, const double (*points)[3], size_t count, struct error *error);

/* Checks the mesh and the lines of the control net: refuses what has neither a triangle nor a
 * line, and vertices that are not finite; warns where numbers of the precision are too coarse
 * for the model. `has_cells`: whether there was a triangle before it was welded. Returns 0 or
 * ERROR_INPUT. */
int mesh_check(struct run *run, struct bezier *b, int has_cells);

#endif
