/* PATCHES: reads the patches, or copies those of the options. */
#include "stages/bezier/bezier.h"

static int patches_run(struct run *run, struct bezier *b)
{
    const struct bezier_options *o = &b->options;
    if (b->patches.count)
        return 0;
    const int rc = o->patches ? patches_copy(o->patches, &b->patches, &run->error)
                              : patches_read(o->input, run_watch(run), &b->patches, &run->error);
    if (rc == 0)
        run_notice(run, 0, "'%s': patches: %zu, control points: %zu",
            o->input ? o->input : "in memory", b->patches.count, b->patches.control_count);
    if (rc == 0 && b->patches.trimmed_count)
        run_notice(run, 1, "'%s': surfaces that are trimmed: %zu; they are taken whole", o->input,
            b->patches.trimmed_count);
    return rc;
}

const struct bezier_stage PATCHES = {
    .stage = {"patches", "read the patches"},
    .run = patches_run,
};
