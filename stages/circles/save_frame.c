/* SAVE: writes the picture, or adds it to the video, and goes on to the next frame. */
#include "stages/circles/circles.h"

static int save_run(struct run *run, void *state)
{
    struct circles *c = state;
    return frames_save(run, &c->frames, &c->picture);
}

const struct stage SAVE_FRAME = {
    .name = "save",
    .summary = "write the picture, or a frame",
    .run = save_run,
    .again = &SCENE,
};
