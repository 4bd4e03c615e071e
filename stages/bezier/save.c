/* SAVE: hands the image or the mesh of a frame to the caller. */
#include <math.h>

#include "stages/bezier/bezier.h"

static int save_image_run(struct run *run, struct bezier *b)
{
    const struct bezier_sinks *sinks = &b->options.sinks;
    return sinks->save ? sinks->save(sinks->context, run, &b->result.image, b->frame) : 0;
}

const struct bezier_stage SAVE_DRAWING = {
    .stage = {"save", "write the image, or a frame"},
    .run = save_image_run,
};

/* Says how large the mesh is, what it encloses and whether it is closed; counting its boundary
 * edges takes half as long as all other work. */
static int tell_mesh(struct run *run, const struct bezier *b)
{
    const struct mesh *mesh = &b->result.mesh;
    if (!run->wants_detail)
        return 0;
    const int64_t boundary_edges =
        mesh_boundary_edges(mesh, run_watch_part(run, 0, 2), &run->error);
    if (boundary_edges < 0)
        return (int)boundary_edges;
    run_notice(run, 0, "vertices: %zu, triangles: %zu, boundary edges: %lld", mesh->vertex_count,
        mesh->triangle_count, (long long)boundary_edges);
    if (!isnan(b->result.volume))
        run_notice(run, 0, "volume: %.6g", b->result.volume);
    return 0;
}

static int save_mesh_run(struct run *run, struct bezier *b)
{
    const struct bezier_sinks *sinks = &b->options.sinks;
    const int rc = tell_mesh(run, b);
    return rc || !sinks->save_mesh
               ? rc
               : sinks->save_mesh(sinks->context, run, &b->result.mesh, b->frame);
}

const struct bezier_stage SAVE_MESH = {
    .stage = {"save", "write the mesh, or a frame"},
    .run = save_mesh_run,
};
