/* Runs of patches, in which ranks share the evaluation out. */
#include <string.h>

#include "stages/bezier/parts.h"

/* How many patches of a batch are a part: of a batch's parts the last may have fewer. */
static size_t patches_a_part(const struct run *run, const struct bezier *b)
{
    const size_t parts = PARTS_A_RANK * (size_t)run_ranks(run);
    return run_ranks(run) > 1 ? (b->patches.count + parts - 1) / parts : b->patches.count;
}

static uint32_t parts_of(const struct batch *batch, size_t patches)
{
    return (uint32_t)((batch->count + patches - 1) / patches);
}

void evaluate_part(const struct bezier *b, uint32_t part, struct chunk *chunk)
{
    const struct batch *batch = b->batches;
    for (; part >= parts_of(batch, b->part_patches); batch++)
        part -= parts_of(batch, b->part_patches);
    const size_t first = part * b->part_patches, rest = batch->count - first;
    *chunk = (struct chunk){.batch = batch,
        .first = first,
        .end = first + (rest < b->part_patches ? rest : b->part_patches)};
}

/* A part's points, for struct share. */
static void *part_points(void *context, uint32_t part, size_t *size)
{
    const struct bezier *b = context;
    struct chunk chunk;
    evaluate_part(b, part, &chunk);
    chunk.points = (size_t)chunk.batch->rows * chunk.batch->columns;
    chunk.count = chunk.end - chunk.first;
    *size = chunk_points_size(b, &chunk);
    return chunk_points(b, &chunk);
}

void patches_fill_job(const struct bezier *b, struct patches_job *job)
{
    memset(job, 0, sizeof(*job));
    job->options = b->options;
    job->options.input = NULL;
    job->options.patches = NULL;
    job->options.sinks = (struct bezier_sinks){0};
    job->frame = b->frame;
    job->moved_frame = b->moved_frame;
    job->view = b->raster.view;
    job->warned = b->warned;
    job->patches = b->patches.count;
    job->controls = b->patches.control_count;
    job->faces = b->patches.face_count;
}

int evaluate_share(struct run *run, struct bezier *b)
{
    struct patches_job job;
    patches_fill_job(b, &job);
    struct share share = {
        .input = {&job, b->patches.patches, b->patches.controls},
        .input_size = {sizeof(job), job.patches * sizeof(*b->patches.patches),
            job.controls * sizeof(*b->patches.controls)},
        .result = part_points,
        .context = b,
    };
    b->part_patches = patches_a_part(run, b);
    for (size_t i = 0; i < b->batch_count; i++)
        share.parts += parts_of(&b->batches[i], b->part_patches);
    if (b->is_served) { /* another rank has got what rank 0 shared */
        run->shared.result = part_points;
        run->shared.context = b;
        return 0;
    }
    return run_share(run, &share);
}

/* Evaluates the parts that this rank takes of what rank 0 shared. */
static int serve_patches(struct run *run, struct bezier *b, const struct patches_job *job)
{
    b->patches = (struct patches){.count = job->patches,
        .patches = run->shared.input[1],
        .control_count = job->controls,
        .controls = run->shared.input[2]};
    const int rc = bezier_evaluate(run, b);
    b->patches = (struct patches){0};
    return rc;
}

static int serve(struct run *run, struct bezier *b)
{
    struct patches_job job;
    memcpy(&job, run->shared.input[0], sizeof(job));
    b->options = job.options;
    b->frame = job.frame;
    b->moved_frame = job.moved_frame;
    b->is_served = job.frames == 0;
    b->raster.view = job.view;
    b->warned = job.warned;
    return job.frames ? bezier_serve_frames(run, b, &job) : serve_patches(run, b, &job);
}

int bezier_serve(struct run *run)
{
    struct bezier b = {0};
    int rc = 0;
    run_start(run);
    while ((rc = run_await(run, rc)) > 0) {
        rc = serve(run, &b);
        if (run_falls_back(run, rc))
            rc = serve(run, &b);
    }
    run_buffers_free(run); /* which are the state's */
    bezier_end(&b);
    return rc;
}
