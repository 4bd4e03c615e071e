/* SHUFFLE: draws scramble's random permutation. INVERT: finds the one that undoes it, which is
 * written. */
#include "stages/unscramble/unscramble.h"

/* Moves the empty places behind the tiles, whose order stays. */
static void move_empty_last(struct permutation *permutation)
{
    const uint32_t places = grid_tiles(permutation->puzzle);
    uint32_t count = 0;
    for (uint32_t place = 0; place < places; place++)
        if (permutation->placed[place].tile != NO_TILE)
            permutation->placed[count++] = permutation->placed[place];
    while (count < places)
        permutation->placed[count++] = (struct placed){NO_TILE, 0};
}

static int shuffle_run(struct run *run, struct unscramble *u)
{
    uint64_t random = u->options.seed;
    uint32_t tiles = 0;
    for (uint32_t i = 0; i < u->options.scramble.input_count; i++)
        tiles += grid_tiles(u->grids[i]);
    if (u->options.scramble.drop >= tiles)
        return error_set(&run->error, ERROR_INPUT,
            "cannot drop %llu of %u tiles: nothing would be left",
            (unsigned long long)u->options.scramble.drop, tiles);
    const int rc = permutation_shuffle(u->grid, &random, &u->result.permutation, &run->error);
    if (rc == 0)
        permutation_drop(
            &u->result.permutation, tiles, (uint32_t)u->options.scramble.drop, &random);
    if (rc == 0 && u->options.scramble.is_loose)
        move_empty_last(&u->result.permutation);
    if (rc == 0 && u->options.rotates)
        permutation_turn(&u->result.permutation, u->tile_width == u->tile_height ? 1 : 2, &random);
    return rc;
}

const struct unscramble_stage SHUFFLE = {
    .stage = {"shuffle", "draw a random permutation"},
    .run = shuffle_run,
};

static int invert_run(struct run *run, struct unscramble *u)
{
    struct permutation shuffled = u->result.permutation;
    u->result.permutation = (struct permutation){0};
    const int rc = permutation_invert(
        &shuffled, u->options.scramble.input_count, u->grids, &u->result.permutation, &run->error);
    permutation_free(&shuffled);
    return rc;
}

const struct unscramble_stage INVERT = {
    .stage = {"invert", "find the permutation that undoes it"},
    .run = invert_run,
};
