/* What ranks other than 0 do of a puzzle. */
#include "stages/unscramble/compare.h"
#include "stages/unscramble/unscramble.h"

extern const struct unscramble_stage COMPARE;

int unscramble_serve(struct run *run)
{
    int rc = 0;
    run_start(run);
    while ((rc = run_await(run, rc)) > 0) {
        rc = run_begin_stage(run, &COMPARE.stage);
        if (rc == 0)
            rc = run_end_stage(run, compare_serve(run));
    }
    return rc;
}
