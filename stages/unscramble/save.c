/* SAVE: download the result and write it, and the permutation where that is wanted. */
#include "stages/unscramble/unscramble.h"

static int save_run(struct run *run, void *state)
{
    struct unscramble *u = state;
    int rc = buffer_download(&u->result, u->assembled.pixels, u->result.size, &run->error);
    if (rc == 0)
        rc = image_write(u->output, u->format, &u->assembled, &run->error);
    if (rc == 0 && u->save_permutation)
        rc = permutation_write(u->save_permutation, &u->permutation, &run->error);
    return rc;
}

const struct stage SAVE = {
    .name = "save", .summary = "download the result and write it", .run = save_run};
