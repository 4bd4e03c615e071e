/* UPLOAD: brings a chunk of the circles to the device, and packs it, nearest first, for kernels.
 * Chunks come from the farthest circles on. */
#include "stages/circles/plan.h"

/* The next chunk: from where the last one ended, toward the viewer, as many as fit. */
static int take_chunk(struct run *run, struct circles *c)
{
    const size_t first = c->chunk_end > c->left_out ? c->chunk_end : c->left_out;
    const size_t end = circles_fit_chunk(run, c, first);
    const struct pack_args args = {
        (unsigned)(end - first), (unsigned)c->scene.soft, (unsigned)c->paints_alpha};
    struct circle *const circles = &c->scene.circles[first];
    const size_t half = (end - first) * 4 * sizeof(float); /* place and size, or color */
    c->chunk_first = first;
    c->chunk_end = end;
    c->nearest_first = c->takes_nearest && first == c->left_out && end == c->scene.count;
    int rc = run_buffer(run, &c->circles_buffer, 2 * half, circles);
    if (rc == 0)
        rc = run_buffer(run, &c->geometry_buffer, half, NULL);
    if (rc == 0)
        rc = run_buffer(run, &c->paint_buffer, half, NULL);
    if (rc == 0)
        rc = buffer_upload(&c->circles_buffer, circles, 2 * half, &run->error);
    if (rc)
        return rc;
    return DEVICE_LAUNCH(&run->device, KERNEL_pack,
        (end - first + kernel_group(KERNEL_pack) - 1) / kernel_group(KERNEL_pack), 1, &run->error,
        ARGUMENT_BUFFER(&c->circles_buffer), ARGUMENT_BUFFER(&c->geometry_buffer),
        ARGUMENT_BUFFER(&c->paint_buffer), ARGUMENT(args));
}

/* As measured on one processor, where circles are many enough to hide what is behind. Of few
 * circles, as in a drawing, 4 x 4 samples of a pixel take no longer than one does there. */
struct workload circles_workload(const struct circles *c, size_t count)
{
    const double pixels = (double)c->result.width * c->result.height;
    return (struct workload){
        .cpu_seconds = 1e-7 * pixels + 1e-7 * (double)count,
        .bytes = 4 * pixels + 32 * (double)count,
    };
}

static int upload_run(struct run *run, struct circles *c)
{
    const struct workload work = circles_workload(c, c->scene.count);
    int rc = run_device(run, &work);
    if (rc == 0 && !c->is_planned)
        rc = circles_plan(run, c);
    c->is_planned = 1;
    if (rc)
        return rc;
    const size_t left_out = c->repeats ? 0 : c->scene.count - c->front;
    if (left_out != c->left_out)
        c->chunk_first = c->chunk_end = 0;
    c->left_out = left_out;
    /* The circles may be there already, from the band before. */
    if (!(c->chunk_first == left_out && c->chunk_end == c->scene.count))
        rc = take_chunk(run, c);
    if (c->repeats && c->nearest_first) { /* all are here now, and other bands may need them, too */
        c->front = c->scene.count;
        c->most = ALL_ENTRIES;
    }
    return rc;
}

const struct circles_stage UPLOAD = {
    .stage = {"upload", "bring the circles to the device"},
    .run = upload_run,
};
