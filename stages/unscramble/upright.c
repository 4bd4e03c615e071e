/* UPRIGHT: turns the tiles of a page the same way round, so that they can be compared as a page. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stages/unscramble/ink_turns.h"
#include "stages/unscramble/unscramble.h"

/* The gain of ink_turns.h by half turns, in natural logarithms, from which on tiles are taken for
 * turned although the caller does not say so. Of pages whose tiles are not turned it is at most
 * half of that (docs/bench/pages.md). */
enum { LEAST_GAIN = 500 };

/* A tile lies the wrong way round with a probability of 1/2 where it has no lead, of 0.18 with this
 * one; see certainty. */
enum { SURE_LEAD = 25 };

/* Copies a tile of `from` to `to`, turned by some quarters clockwise. */
static void copy_turned(
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
    to.jpeg = from->jpeg; /* by which it is told how much pixels may differ by compression */
    image_copy_area(from, 0, 0, from->width, from->height, &to, 0, 0);
    for (int tile = 0; tile < tiling.columns * tiling.rows; tile++)
        if (u->quarters[tile])
            copy_turned(&tiling, tile, u->quarters[tile], from, &to);
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

/* Finds how tiles have to be turned, by half or by quarters. Unless the caller says that some are,
 * half turns have to tell it plainly: by quarters a table whose tiles hold rules of one direction
 * each looks more alike, too. Returns whether tiles are turned, or -1 when memory is short. */
static int find_turns(struct unscramble *u)
{
    const struct tiling tiling = unscramble_tiling(u);
    const int are_square = tiling.width == tiling.height;
    double gain;
    int rc = 0;
    if (!u->was_told_of_turns) {
        rc = ink_turns_find(&tiling, 2, u->quarters, u->lead, &gain);
        if (rc || gain < LEAST_GAIN)
            return rc;
    }
    if (u->was_told_of_turns || are_square)
        rc = ink_turns_find(&tiling, are_square ? 4 : 2, u->quarters, u->lead, &gain);
    return rc ? rc : 1;
}

static int upright_run(struct run *run, struct unscramble *u)
{
    const size_t tiles = grid_tiles(u->grid);
    u->quarters = calloc(tiles, sizeof(*u->quarters));
    u->lead = calloc(tiles, sizeof(*u->lead));
    const int are_turned = u->quarters && u->lead ? find_turns(u) : -1;
    if (are_turned != 1)
        free_turns(u);
    if (are_turned < 0)
        return error_set(&run->error, ERROR_INPUT, "not enough memory to compare the tiles");
    if (!are_turned)
        return 0;
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
    unscramble_tell_plan(run, u);
    return unscramble_upload(run, u);
}

/* How likely a tile with that lead lies the right way round: fitted to tiles of pages of which
 * every other one was turned by half (docs/bench/pages.md). */
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
    unscramble_forget_turns(u);
    u->options.rotates = 1;
    return unscramble_upload(run, u);
}

void unscramble_tell_turned_page(struct run *run, const struct unscramble *u)
{
    const struct permutation *p = &u->result.permutation;
    int turned = 0;
    if (!u->page.tiles)
        return;
    for (uint32_t place = 0; place < permutation_first(p, p->solutions); place++)
        turned += p->placed[place].turn > 0;
    if (turned)
        run_notice(run, !u->was_told_of_turns,
            "'%s' is a page: by its ink, %d of %u tiles lay another way round than most",
            u->options.input, turned, grid_tiles(u->grid));
    unscramble_tell_turns(run, u);
}
