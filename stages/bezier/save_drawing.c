/* SAVE: writes the picture or the mesh, or a frame of it, and goes on to the next. */
#include "stages/bezier/bezier.h"

static int save_picture_run(struct run *run, void *state)
{
    struct bezier *b = state;
    return frames_save(run, &b->frames, &b->picture);
}

const struct stage SAVE_DRAWING = {
    .name = "save",
    .summary = "write the picture, or a frame",
    .run = save_picture_run,
    .again = &MOVE,
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

static int save_mesh_run(struct run *run, void *state)
{
    struct bezier *b = state;
    char path[PATH_MAX];
    int rc = frames_path(&b->frames, b->frames.frame, path, &run->error);
    if (rc == 0)
        rc = tell_mesh(run, &b->mesh);
    if (rc == 0)
        rc = mesh_write(path, &b->mesh, run_watch(run), &run->error);
    if (rc || b->frames.frame == b->frames.last)
        return rc;
    b->frames.frame++;
    return STAGE_AGAIN;
}

const struct stage SAVE_MESH = {
    .name = "save",
    .summary = "write the mesh, or a frame",
    .run = save_mesh_run,
    .again = &MOVE,
};

/* Evaluation alone: the next frame. */
static int next_run(struct run *run, void *state)
{
    struct bezier *b = state;
    (void)run;
    if (b->frames.frame == b->frames.last)
        return 0;
    b->frames.frame++;
    return STAGE_AGAIN;
}

static const struct stage NEXT = {
    .name = "next",
    .summary = "go on to the next frame",
    .run = next_run,
    .again = &MOVE,
};

const struct stage *const BEZIER_PICTURE[] = {
    &PATCHES, &MOVE, &BINOMIALS, &BASES, &EVALUATE, &NORMALS, &MESH, &DRAW, &SAVE_DRAWING, NULL};

const struct stage *const BEZIER_MESH[] = {
    &PATCHES, &MOVE, &BINOMIALS, &BASES, &EVALUATE, &NORMALS, &MESH, &SAVE_MESH, NULL};

const struct stage *const BEZIER_POINTS[] = {
    &PATCHES, &MOVE, &BINOMIALS, &BASES, &EVALUATE, &NEXT, NULL};
