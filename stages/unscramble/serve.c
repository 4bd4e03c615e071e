/* What ranks other than 0 do of a puzzle. */
#include <string.h>

#include "stages/unscramble/compare.h"
#include "stages/unscramble/regions.h"
#include "stages/unscramble/shared_work.h"
#include "stages/unscramble/unscramble.h"

extern const struct unscramble_stage COMPARE, REFINE;

static const struct {
    const struct unscramble_stage *stage; /* of rank 0 that shares it */
    int (*serve)(struct run *run);
} WORKS[SHARED_WORKS] = {
    [SHARED_PAIRS] = {&COMPARE, compare_serve},
    [SHARED_REGIONS] = {&REFINE, regions_serve},
};

static int serve(struct run *run)
{
    enum shared_work work;
    memcpy(&work, run->shared.input[0], sizeof(work));
    const int rc = run_begin_stage(run, &WORKS[work].stage->stage);
    return rc ? rc : run_end_stage(run, WORKS[work].serve(run));
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
