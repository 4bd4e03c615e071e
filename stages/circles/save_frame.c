/* SAVE: hands the image of a frame to the caller. */
#include "stages/circles/circles.h"

static int save_run(struct run *run, struct circles *c)
{
    const struct circles_sinks *sinks = &c->options.sinks;
    return sinks->save ? sinks->save(sinks->context, run, &c->result.image, c->frame) : 0;
}

const struct circles_stage SAVE_FRAME = {
    .stage = {"save", "write the image, or a frame"},
    .run = save_run,
};
