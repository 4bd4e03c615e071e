/* CULL: the classic exact method, in which every block tests all circles and blends those it
 * keeps. */
#include "stages/circles/circles.h"

static int cull_run(struct run *run, struct circles *c)
{
#define BLOCK_KERNEL(side) [side] = KERNEL_good##side,
    static const enum kernel KERNEL_OF[] = {GOOD_BLOCKS(BLOCK_KERNEL)};
    const struct band band = circles_band(c);
    const uint32_t block = c->options.block ? c->options.block : 16;
    const struct good_args args = {
        .band = band,
        .circles = (uint32_t)(c->chunk_end - c->chunk_first),
        .soft = (unsigned)c->scene.soft,
        .resumes = (unsigned)circles_resumes(c),
        .pauses = (unsigned)circles_pauses(c),
    };
    int rc = circles_prepare_band(run, c);
    if (rc == 0)
        rc = DEVICE_LAUNCH(&run->device, KERNEL_OF[block], (band.width + block - 1) / block,
            (band.rows + block - 1) / block, &run->error, ARGUMENT_BUFFER(&c->geometry_buffer),
            ARGUMENT_BUFFER(&c->paint_buffer), ARGUMENT_BUFFER(&c->places_buffer),
            ARGUMENT_BUFFER(c->result.samples > 1 ? &c->samples_buffer : &c->pixels_buffer),
            ARGUMENT_BUFFER(&c->state), ARGUMENT(args));
    return rc;
}

const struct circles_stage CULL = {
    .stage = {"cull", "cull all circles for each block by a scan, and blend them"},
    .run = cull_run,
};
