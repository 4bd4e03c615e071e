/* UPRIGHT: turns the tiles of a page the same way round, so that they can be compared as a page. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stages/unscramble/ink_turns.h"
#include "stages/unscramble/unscramble.h"

/* How much more alike ink has to be with turned tiles, in natural logarithms, unless the caller
 * says that tiles are turned. Of pages whose tiles are not, it is at most half of it
 * (docs/bench/pages.md). */
enum { TURNED = 500 };

/* A tile lies the wrong way round with a probability of 1/2 where it has no lead, of 0.18 with this
 * one; see certainty. */
enum { SURE_LEAD = 25 };

/* Turns a tile of `from` by some quarters clockwise, into `to`. */
static void turn_tile(
    const struct tiling *tiling, int tile, int quarters, const struct image *from, struct image *to)
{
    const size_t size = image_pixel_size(from), columns = (size_t)from->width;
    const int left = tile % tiling->columns * tiling->width;
    const int top = tile / tiling->columns * tiling->height;
    for (int y = 0; y < tiling->height; y++) {
        image_pass_row(to);
        for (int x = 0; x < tiling->width; x++) {
            int from_x, from_y;
            source_of(quarters, tiling->width, tiling->height, x, y, &from_x, &from_y);
            memcpy((char *)to->pixels + size * ((size_t)(top + y) * columns + (size_t)(left + x)),
                (const char *)from->pixels +
                    size * ((size_t)(top + from_y) * columns + (size_t)(left + from_x)),
                size);
        }
    }
}

/* Takes, for the puzzle, a copy whose tiles are turned by u->quarters. */
static int turn_tiles(struct run *run, struct unscramble *u)
{
    const struct image *from = &u->puzzle;
    const struct tiling tiling = unscramble_tiling(u);
    struct image to;
    unscramble_open_scratch(u);
    int rc = image_new_in(
        u->scratch, from->width, from->height, from->channels, from->depth, &to, &run->error);
    if (rc)
        return rc;
    to.jpeg = from->jpeg;
    image_copy_area(from, 0, 0, from->width, from->height, &to, 0, 0);
    for (int tile = 0; tile < tiling.columns * tiling.rows; tile++)
        if (u->quarters[tile])
            turn_tile(&tiling, tile, u->quarters[tile], from, &to);
    u->as_given = u->puzzle;
    u->puzzle = to;
    return unscramble_upload(run, u);
}

static void free_turns(struct unscramble *u)
{
    free(u->quarters);
    free(u->lead);
    u->quarters = NULL;
    u->lead = NULL;
}

static int count_turned(const struct unscramble *u)
{
    int count = 0;
    for (uint32_t tile = 0; tile < grid_tiles(u->grid); tile++)
        count += u->quarters[tile] > 0;
    return count;
}

/* Finds how tiles have to be turned, by half or by quarters; none where that is not plain and
 * nobody says so. Quarters alone are never plain: a table whose tiles hold rules of one direction
 * each looks more alike with them. Returns -1 when memory is short. */
static int find_turns(struct unscramble *u)
{
    const struct tiling tiling = unscramble_tiling(u);
    const int are_square = tiling.width == tiling.height;
    double gain;
    if (!u->options.rotates) {
        const int rc = ink_turns_find(&tiling, 2, u->quarters, u->lead, &gain);
        if (rc == 0 && gain < TURNED)
            memset(u->quarters, 0, grid_tiles(u->grid));
        if (rc || gain < TURNED || !are_square)
            return rc;
    }
    return ink_turns_find(&tiling, are_square ? 4 : 2, u->quarters, u->lead, &gain);
}

static int upright_run(struct run *run, struct unscramble *u)
{
    const size_t tiles = grid_tiles(u->grid);
    u->quarters = calloc(tiles, sizeof(*u->quarters));
    u->lead = calloc(tiles, sizeof(*u->lead));
    if (!u->quarters || !u->lead || find_turns(u)) {
        free_turns(u);
        return error_set(&run->error, ERROR_INPUT, "not enough memory to compare the tiles");
    }
    u->was_told_of_turns = u->options.rotates;
    if (!u->was_told_of_turns && !count_turned(u)) {
        free_turns(u);
        return 0;
    }
    u->options.rotates = u->tries_ways = 0; /* what is compared now stands upright */
    return turn_tiles(run, u);
}

const struct unscramble_stage UPRIGHT = {
    .stage = {"upright", "turn the tiles of a page the same way round, by their ink"},
    .run = upright_run,
};

void unscramble_forget_turns(struct unscramble *u)
{
    if (!u->quarters)
        return;
    if (u->as_given.pixels) {
        image_free(&u->puzzle);
        u->puzzle = u->as_given;
        u->as_given = (struct image){0};
    }
    free_turns(u);
}

int unscramble_undo_turns(struct run *run, struct unscramble *u)
{
    if (!u->quarters)
        return 0;
    unscramble_forget_turns(u);
    u->options.rotates = u->was_told_of_turns;
    u->tries_ways = !u->was_told_of_turns;
    return unscramble_upload(run, u);
}

/* How likely a tile with that lead lies the right way round: by tiles of pages of which half were
 * turned (docs/bench/pages.md). */
static double certainty(double lead)
{
    const double ratio = 1 + lead / SURE_LEAD;
    return 1 - 0.5 / (ratio * sqrt(ratio));
}

int unscramble_turn_back(struct run *run, struct unscramble *u)
{
    struct unscramble_result *result = &u->result;
    const struct permutation *p = &result->permutation;
    const uint32_t places = permutation_first(p, p->solutions);
    if (!u->quarters)
        return 0;
    for (uint32_t place = 0; place < places; place++) {
        struct placed *placed = &p->placed[place];
        if (placed->tile == NO_TILE)
            continue;
        const double likely = certainty(u->lead[placed->tile]);
        placed->turn = (placed->turn + u->quarters[placed->tile]) & 3;
        result->probability *= likely;
        if (result->confidence)
            result->confidence[place] *= (float)likely;
    }
    const int turned = count_turned(u);
    run_notice(run, turned && !u->was_told_of_turns,
        "'%s' is a page: by its ink, %d of %u tiles lay another way round than most",
        u->options.input, turned, grid_tiles(u->grid));
    unscramble_forget_turns(u);
    u->options.rotates = 1;
    unscramble_tell_turns(run, u);
    return unscramble_upload(run, u);
}
