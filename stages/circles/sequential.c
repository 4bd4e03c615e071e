/* REFERENCE: the image by one loop over the circles, on one processor. */
#include "stages/circles/circles.h"
#include "stages/circles/reference.h"

static int report(void *context, double share)
{
    return run_progress(context, share);
}

static int reference_run(struct run *run, struct circles *c)
{
    return reference_circles(
        &c->scene, c->result.samples, &c->result.image, report, run, &run->error);
}

const struct circles_stage REFERENCE = {
    .stage = {"reference", "paint one circle after the other"},
    .run = reference_run,
};
