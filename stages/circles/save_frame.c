/* SAVE: hands the image of a frame, or the rows of it that are in memory, to the caller. */
#include "stages/circles/circles.h"

static int save_run(struct run *run, struct circles *c)
{
    const struct circles_sinks *sinks = &c->options.sinks;
    const uint32_t rest = c->result.height - c->image_row;
    struct image rows = c->result.image;
    rows.height = (int)(rest < c->image_rows ? rest : c->image_rows);
    return sinks->save(sinks->context, run, &rows, c->image_row, c->frame);
}

const struct circles_stage SAVE_FRAME = {
    .stage = {"save", "write the image, or a frame"},
    .run = save_run,
};
