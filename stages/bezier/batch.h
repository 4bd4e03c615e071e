/* What MOVE, BASES and EVALUATE agree on: the points of a frame, batches of patches that are
 * evaluated alike, and the tables that these need. */
#ifndef BATCH_H
#define BATCH_H

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

#endif
