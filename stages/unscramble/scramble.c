/* The pipeline of scramble. */
#include "stages/unscramble/unscramble.h"

/* Only this pipeline runs these, but for SAVE. */
extern const struct unscramble_stage CUT, SHUFFLE, INVERT, SAVE;

const struct stage *const SCRAMBLE_STAGES[] = {
    &CUT.stage, &SHUFFLE.stage, &ASSEMBLE.stage, &INVERT.stage, &SAVE.stage, NULL};

static int scramble_once(struct run *run, struct unscramble *u)
{
    run_start(run);
    int rc = unscramble_run_stage(run, &CUT, u);
    if (rc == 0)
        rc = unscramble_run_stage(run, &SHUFFLE, u);
    if (rc == 0)
        rc = unscramble_run_stage(run, &ASSEMBLE, u);
    if (rc == 0)
        rc = unscramble_run_stage(run, &INVERT, u);
    return rc ? rc : unscramble_run_stage(run, &SAVE, u);
}

int scramble_run(struct run *run, struct unscramble *u)
{
    const int rc = scramble_once(run, u);
    return run_falls_back(run, rc) ? scramble_once(run, u) : rc;
}
