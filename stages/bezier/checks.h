/* Sizes of a frame and their limits, for MOVE, BASES and EVALUATE alike: what is refused before it
 * is made, or before its mesh is drawn or written. */
#ifndef CHECKS_H
#define CHECKS_H

#include "stages/bezier/bezier.h"

/* Points of a side of a patch in a frame, at least: grids that are chosen by the view may have
 * more, which MOVE keeps within limits. */
uint64_t frame_points_u(const struct bezier *b, uint32_t frame);
uint64_t frame_points_v(const struct bezier *b, uint32_t frame);

/* A batch of the patch's kind and degrees, without a grid. batch_lay_out gives it a grid and, by
 * its degrees, its orders. */
struct batch batch_new(const struct patch *patch);
void batch_lay_out(struct batch *batch, const struct patch_grid *grid);

/* The tables that a batch needs, without their values: along u, or of a triangle; along v, or of a
 * triangle's sides. How many numbers one has. */
void batch_tables(const struct bezier *b, const struct batch *batch, struct basis tables[2]);
uint64_t basis_numbers(const struct basis *basis);

/* Whether the method goes by powers of the parameters. */
int method_is_monomial(enum evaluation method);

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
