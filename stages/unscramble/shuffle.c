/* SHUFFLE: scramble's random permutation. INVERT: the one that undoes it, which is written. */
#include "stages/unscramble/unscramble.h"

static int shuffle_run(struct run *run, struct unscramble *u)
{
    uint64_t random = u->seed;
    uint32_t tiles = 0;
    for (uint32_t i = 0; i < u->input_count; i++)
        tiles += grid_tiles(u->grids[i]);
    if (u->drop >= tiles)
        return error_set(&run->error, ERROR_INPUT,
            "cannot drop %llu of %u tiles: nothing would be left", (unsigned long long)u->drop,
            tiles);
    const int rc = permutation_shuffle(u->grid, &random, &u->permutation, &run->error);
    if (rc == 0)
        permutation_drop(&u->permutation, tiles, (uint32_t)u->drop, &random);
    if (rc == 0 && u->rotates)
        permutation_turn(&u->permutation, u->tile_width == u->tile_height ? 1 : 2, &random);
    return rc;
}

const struct unscramble_stage SHUFFLE = {
    .stage = {"shuffle", "draw a random permutation"},
    .run = shuffle_run,
};

static int invert_run(struct run *run, struct unscramble *u)
{
    struct permutation shuffled = u->permutation;
    u->permutation = (struct permutation){0};
    const int rc =
        permutation_invert(&shuffled, u->input_count, u->grids, &u->permutation, &run->error);
    permutation_free(&shuffled);
    return rc;
}

const struct unscramble_stage INVERT = {
    .stage = {"invert", "find the permutation that undoes it"},
    .run = invert_run,
};
