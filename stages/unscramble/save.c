/* SAVE: downloads the image of a solution and hands it on. */
#include "stages/unscramble/unscramble.h"

static int save_run(struct run *run, struct unscramble *u)
{
    const struct unscramble_sinks *sinks = &u->options.sinks;
    const struct image *image = &u->result.assembled;
    int rc = buffer_download(&u->assembled, image->pixels, u->assembled.size, &run->error);
    if (rc == 0 && sinks->save)
        rc = sinks->save(sinks->context, run, image, u->solution, u->solution_count);
    return rc;
}

const struct unscramble_stage SAVE = {
    .stage = {"save", "download the result and write it"},
    .run = save_run,
};
