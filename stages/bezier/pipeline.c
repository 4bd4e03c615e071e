/* The pipeline of bezier. */
#include "stages/bezier/bezier.h"

const struct stage *const BEZIER_PICTURE[] = {&PATCHES.stage, &MOVE.stage, &BINOMIALS.stage,
    &BASES.stage, &EVALUATE.stage, &NORMALS.stage, &MESH.stage, &DRAW.stage, &SAVE_DRAWING.stage,
    NULL};
const struct stage *const BEZIER_MESH[] = {&PATCHES.stage, &MOVE.stage, &BINOMIALS.stage,
    &BASES.stage, &EVALUATE.stage, &NORMALS.stage, &MESH.stage, &SAVE_MESH.stage, NULL};

int bezier_evaluate(struct run *run, struct bezier *b)
{
    int rc = bezier_run_stage(run, &MOVE, b);
    if (rc == 0)
        rc = bezier_run_stage(run, &BINOMIALS, b);
    if (rc == 0)
        rc = bezier_run_stage(run, &BASES, b);
    return rc ? rc : bezier_run_stage(run, &EVALUATE, b);
}

static int make_frame(struct run *run, struct bezier *b)
{
    int rc = bezier_evaluate(run, b);
    if (rc == 0)
        rc = bezier_run_stage(run, &NORMALS, b);
    if (rc == 0)
        rc = bezier_run_stage(run, &MESH, b);
    if (rc == 0 && mesh_is_name(b->frames.output))
        return bezier_run_stage(run, &SAVE_MESH, b);
    if (rc == 0)
        rc = bezier_run_stage(run, &DRAW, b);
    return rc ? rc : bezier_run_stage(run, &SAVE_DRAWING, b);
}

static int make_frames(struct run *run, struct bezier *b)
{
    run_start(run);
    int rc = bezier_run_stage(run, &PATCHES, b);
    while (rc == 0) {
        rc = make_frame(run, b);
        if (rc || !frames_next(&b->frames))
            break;
    }
    return rc;
}

int bezier_run(struct run *run, struct bezier *b)
{
    const int rc = make_frames(run, b);
    return run_falls_back(run, rc) ? make_frames(run, b) : rc;
}
