/* SHUFFLE: scramble's random permutation. INVERT: the one that undoes it, which is written. */
#include "stages/unscramble/unscramble.h"

static int shuffle_run(struct run *run, void *state)
{
    struct unscramble *u = state;
    uint64_t random = u->seed;
    return permutation_shuffle(u->grid, &random, &u->permutation, &run->error);
}

const struct stage SHUFFLE = {
    .name = "shuffle", .summary = "draw a random permutation", .run = shuffle_run};

static int invert_run(struct run *run, void *state)
{
    struct unscramble *u = state;
    struct permutation shuffled = u->permutation;
    u->permutation = (struct permutation){0};
    const int rc = permutation_invert(&shuffled, 1, &u->grid, &u->permutation, &run->error);
    permutation_free(&shuffled);
    return rc;
}

const struct stage INVERT = {
    .name = "invert", .summary = "find the permutation that undoes it", .run = invert_run};
