/* The pipeline of bezier. */
#include <stdlib.h>

#include "stages/bezier/batch.h"
#include "stages/bezier/grid.h"
#include "stages/bezier/parts.h"

/* Only the pipeline runs these. */
extern const struct bezier_stage VIEW, DRAW, SAVE_DRAWING, SAVE_MESH;

const struct stage *const BEZIER_IMAGE[] = {&PATCHES.stage, &MOVE.stage, &BINOMIALS.stage,
    &BASES.stage, &EVALUATE.stage, &VIEW.stage, &NORMALS.stage, &MESH.stage, &DRAW.stage,
    &SAVE_DRAWING.stage, NULL};
const struct stage *const BEZIER_MESH[] = {&PATCHES.stage, &MOVE.stage, &BINOMIALS.stage,
    &BASES.stage, &EVALUATE.stage, &NORMALS.stage, &MESH.stage, &SAVE_MESH.stage, NULL};

int bezier_evaluate(struct run *run, struct bezier *b)
{
    int rc = b->patches.count ? 0 : bezier_run_stage(run, &PATCHES, b);
    if (rc == 0)
        rc = bezier_run_stage(run, &MOVE, b);
    if (rc == 0)
        rc = bezier_run_stage(run, &BINOMIALS, b);
    if (rc == 0)
        rc = bezier_run_stage(run, &BASES, b);
    return rc ? rc : bezier_run_stage(run, &EVALUATE, b);
}

/* Fits the view to points on the default grid, so that images with other grids show the model in
 * the same place. Where that takes too many points it is the grid that is asked for. */
static int fit_view(struct run *run, struct bezier *b)
{
    const struct bezier_options asked = b->options;
    if (b->patches.count <= GRID_VIEW_POINTS / (BEZIER_RESOLUTION * BEZIER_RESOLUTION)) {
        b->options.resolution_u = b->options.resolution_v = 0;
        if (asked.animation == ANIMATE_RESOLUTION)
            b->options.animation = ANIMATE_NOTHING;
    }
    int rc = bezier_evaluate(run, b);
    if (rc == 0)
        rc = bezier_run_stage(run, &VIEW, b);
    b->options = asked;
    return rc;
}

/* Whether the points are those of the frame at work, on the grids that it is to have. */
static int has_points(const struct bezier *b)
{
    return !grids_follow_view(b) && b->result.points_u == frame_points_u(b, b->frame) &&
           b->result.points_v == frame_points_v(b, b->frame);
}

int bezier_make_frame(struct run *run, struct bezier *b)
{
    const int fits = !b->options.has_mesh && b->raster.view.radius == 0;
    int rc = fits ? fit_view(run, b) : 0;
    if (rc == 0 && !(fits && has_points(b)))
        rc = bezier_evaluate(run, b);
    if (rc == 0)
        rc = bezier_run_stage(run, &NORMALS, b);
    if (rc == 0)
        rc = bezier_run_stage(run, &MESH, b);
    if (rc == 0 && b->options.has_mesh)
        return bezier_run_stage(run, &SAVE_MESH, b);
    if (rc == 0)
        rc = bezier_run_stage(run, &DRAW, b);
    return rc || run->is_alone ? rc : bezier_run_stage(run, &SAVE_DRAWING, b);
}

/* From the frame at work to the last one, which is the result. */
static int make_frames(struct run *run, struct bezier *b)
{
    run_start(run);
    int rc = bezier_run_stage(run, &PATCHES, b);
    while (rc == 0) {
        rc = bezier_make_frame(run, b);
        if (rc == 0)
            rc = bezier_share_frames(run, b); /* sets the frame to the last one made */
        if (rc || b->frame == b->options.last_frame)
            break;
        b->frame++;
    }
    return rc;
}

/* On the CPU it goes on with the frame that the device failed at. */
int bezier_run(struct run *run, struct bezier *b)
{
    b->frame = b->options.first_frame;
    const int rc = make_frames(run, b);
    return run_falls_back(run, rc) ? make_frames(run, b) : rc;
}

void bezier_end(struct bezier *b)
{
    patches_free(&b->patches);
    device_close(&b->helper);
    for (int n = 0; n <= PATCHES_MAX_DEGREE; n++)
        free(b->binomials[n]);
    for (size_t i = 0; i < b->basis_count; i++) {
        free(b->bases[i].values);
        free(b->bases[i].folded);
    }
    free(b->bases);
    free(b->controls);
    free(b->grids);
    free(b->members);
    free(b->batches);
    free(b->taken);
    free(b->nets);
    free(b->result.points);
    free(b->result.normals);
    free(b->result.curvatures);
    free(b->group_names);
    free(b->group_colors);
    free(b->segments);
    mesh_free(&b->result.mesh);
    image_free(&b->result.image);
}
