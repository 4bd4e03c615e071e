/* SAVE: writes the picture, or adds it to the video, and goes on to the next frame. */
#include "stages/circles/circles.h"

static int save_run(struct run *run, struct circles *c)
{
    return frames_save(run, &c->frames, &c->picture, run_watch(run));
}

const struct circles_stage SAVE_FRAME = {
    .stage = {"save", "write the picture, or a frame"},
    .run = save_run,
};
