/* Frames of patches, which ranks share out. */
#include <stdlib.h>
#include <string.h>

#include "stages/bezier/parts.h"
#include "stages/shared_frames.h"

static int draw_frame(struct run *run, void *context, uint32_t frame)
{
    struct bezier *b = context;
    b->frame = frame;
    return bezier_make_frame(run, b);
}

static int save_frame(struct run *run, void *context, const struct image *image, uint32_t frame)
{
    const struct bezier *b = context;
    return b->options.sinks.save(b->options.sinks.context, run, image, frame);
}

static struct shared_frames frames_of(
    struct run *run, struct bezier *b, uint32_t first, uint32_t count)
{
    return (struct shared_frames){.run = run,
        .first = first,
        .count = count,
        .make = draw_frame,
        .image = &b->result.image,
        .save = save_frame,
        .context = b};
}

int bezier_share_frames(struct run *run, struct bezier *b)
{
    const uint32_t first = b->frame + 1, last = b->options.last_frame;
    const size_t colors = (size_t)b->patches.group_count * sizeof(int);
    struct patches_job job;
    if (first >= last || b->options.has_mesh || !b->options.sinks.save)
        return 0;
    struct shared_frames frames = frames_of(run, b, first, last - first);
    patches_fill_job(b, &job);
    job.frame = first;
    job.frames = frames.count;
    int *group_colors = malloc(colors);
    if (!group_colors)
        return error_set(&run->error, ERROR_INPUT, "not enough memory for groups");
    for (int i = 0; i < b->patches.group_count; i++)
        group_colors[i] = b->patches.groups[i].color;
    const struct share share = {
        .input = {&job, b->patches.patches, b->patches.controls, b->patches.faces, group_colors},
        .input_size = {sizeof(job), job.patches * sizeof(*b->patches.patches),
            job.controls * sizeof(*b->patches.controls), job.faces * sizeof(*b->patches.faces),
            colors}};
    const int rc = frames_share(&frames, &share, image_share(0));
    free(group_colors);
    b->frame = first + frames.count - 1;
    return rc;
}

/* The patches that rank 0 shared, without names of groups, which no image shows. */
static int take_patches(struct run *run, struct bezier *b, const struct patches_job *job)
{
    const int *colors = run->shared.input[4];
    const size_t groups = run->shared.input_size[4] / sizeof(int);
    b->patches = (struct patches){.count = job->patches,
        .patches = run_keep_input(run, 1),
        .control_count = job->controls,
        .controls = run_keep_input(run, 2),
        .face_count = job->faces,
        .faces = run_keep_input(run, 3),
        .groups = calloc(groups, sizeof(*b->patches.groups))};
    if (!b->patches.groups)
        return error_set(&run->error, ERROR_INPUT, "not enough memory for groups");
    b->patches.group_count = (int)groups;
    for (size_t i = 0; i < groups; i++)
        b->patches.groups[i].color = colors[i];
    return 0;
}

int bezier_serve_frames(struct run *run, struct bezier *b, const struct patches_job *job)
{
    struct shared_frames frames = frames_of(run, b, job->frame, job->frames);
    int rc = take_patches(run, b, job);
    if (rc == 0)
        rc = frames_serve(&frames);
    patches_free(&b->patches);
    return rc;
}
