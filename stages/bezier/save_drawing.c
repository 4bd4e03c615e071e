/* SAVE: writes the picture or the mesh, or a frame of it, and goes on to the next. */
#include "stages/bezier/bezier.h"

static int save_picture_run(struct run *run, struct bezier *b)
{
    return frames_save(run, &b->frames, &b->picture, run_watch(run));
}

const struct bezier_stage SAVE_DRAWING = {
    .stage = {"save", "write the picture, or a frame"},
    .run = save_picture_run,
};

/* Says what the mesh is like; finding the borders takes as long as half of the rest. */
static int tell_mesh(struct run *run, const struct mesh *mesh)
{
    if (!run->wants_detail)
        return 0;
    const int64_t open_sides = mesh_open_sides(mesh, &run->error);
    if (open_sides < 0)
        return (int)open_sides;
    run_notice(run, 0, "vertices: %zu, triangles: %zu, sides at a border: %lld", mesh->vertex_count,
        mesh->triangle_count, (long long)open_sides);
    return 0;
}

static int save_mesh_run(struct run *run, struct bezier *b)
{
    char path[PATH_MAX];
    int rc = frames_path(&b->frames, b->frames.frame, path, &run->error);
    if (rc == 0)
        rc = tell_mesh(run, &b->mesh);
    return rc ? rc : mesh_write(path, &b->mesh, run_watch(run), &run->error);
}

const struct bezier_stage SAVE_MESH = {
    .stage = {"save", "write the mesh, or a frame"},
    .run = save_mesh_run,
};
