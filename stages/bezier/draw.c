/* DRAW: the picture of the mesh. */
#include "stages/bezier/bezier.h"

static int draw_run(struct run *run, void *state)
{
    struct bezier *b = state;
    const struct workload work = {0};
    struct drawing drawing = b->drawing;
    drawing.unit = b->unit;
    drawing.segment_count = b->segment_count;
    drawing.segments = (const double(*)[2][3])b->segments;
    const int rc = run_device(run, &work); /* polyhedra alone need none before */
    image_free(&b->picture);
    return rc ? rc : draw_mesh(run, &b->mesh, &drawing, &b->raster, &b->picture);
}

const struct stage DRAW = {
    .name = "draw",
    .summary = "draw the mesh",
    .run = draw_run,
};
