/* What ranks other than 0 do of a puzzle. */
#include "stages/unscramble/compare.h"
#include "stages/unscramble/unscramble.h"

extern const struct unscramble_stage COMPARE;

static int serve(struct run *run)
{
    const int rc = run_begin_stage(run, &COMPARE.stage);
    return rc ? rc : run_end_stage(run, compare_serve(run));
}

int unscramble_serve(struct run *run)
{
    int rc = 0;
    run_start(run);
    while ((rc = run_await(run, rc)) > 0) {
        rc = serve(run);
        if (run_falls_back(run, rc))
            rc = serve(run);
    }
    return rc;
}
