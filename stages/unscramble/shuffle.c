/* SHUFFLE: scramble's random permutation. INVERT: the one that undoes it, which is written. */
#include "stages/unscramble/unscramble.h"

static int shuffle_run(struct run *run, void *state)
{
    struct unscramble *u = state;
    (void)run;
    permutation_shuffle(u->grid, u->seed, &u->permutation);
    return 0;
}

const struct stage SHUFFLE = {
    .name = "shuffle", .summary = "draw a random permutation", .run = shuffle_run};

static int invert_run(struct run *run, void *state)
{
    struct unscramble *u = state;
    const struct permutation shuffled = u->permutation;
    (void)run;
    permutation_invert(&shuffled, &u->permutation);
    return 0;
}

const struct stage INVERT = {
    .name = "invert", .summary = "find the permutation that undoes it", .run = invert_run};
