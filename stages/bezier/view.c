/* VIEW: the view in which the whole model is seen, from its points, whatever its grid will be. */
#include <stdlib.h>

#include "stages/bezier/checks.h"

#define PARALLEL_POINTS 16384 /* fewer are done before other threads wake up */

/* Adds the vertices of polyhedra and, where the net is drawn, all control points. */
static size_t add_controls(const struct bezier *b, double (*points)[3], size_t count)
{
    for (size_t i = 0; i < b->patches.count; i++) {
        const struct patch *const patch = &b->patches.patches[i];
        const double(*const p)[4] = (const double(*)[4])b->controls + patch->control;
        if (patch->kind != KIND_POLYHEDRON && !b->options.has_net)
            continue;
        for (size_t j = 0; j < patch->control_count; j++, count++)
            for (int c = 0; c < 3; c++)
                points[count][c] = p[j][c] / p[j][3];
    }
    return count;
}

static int view_run(struct run *run, struct bezier *b)
{
    const struct drawing drawing = drawing_with_defaults(&b->options.drawing);
    size_t count = b->result.point_count;
    double(*const points)[3] = malloc((count + b->patches.control_count) * sizeof(*points));
    if (!points)
        return error_set(&run->error, ERROR_INPUT, "not enough memory for the view of %zu points",
            b->result.point_count);
#pragma omp parallel for if (count >= PARALLEL_POINTS)
    for (size_t i = 0; i < count; i++)
        for (size_t c = 0; c < 3; c++)
            points[i][c] = number_get(b->result.points, 3 * i + c, b->options.precision);
    count = add_controls(b, points, count);
    const int rc = points_check(b, (const double(*)[3])points, count, &run->error);
    if (rc == 0)
        b->raster.view = camera_fit(&drawing, (const double(*)[3])points, count);
    free(points);
    return rc;
}

const struct bezier_stage VIEW = {
    .stage = {"view", "fit the view to the model"},
    .run = view_run,
};
