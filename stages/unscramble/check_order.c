#include "stages/unscramble/check_order.h"

#include <string.h>

#include "stages/unscramble/score.h"

int order_take(struct unscramble *u, struct error *error)
{
    const struct permutation *apply = u->options.apply;
    const struct grid given = u->grid, read = apply->puzzle;
    if (given.columns && (given.columns != read.columns || given.rows != read.rows))
        return error_set(error, ERROR_INPUT,
            "permutation '%s' has %u x %u tiles, not the %u x %u of the grid; leave out the grid, "
            "or name the permutation of this puzzle",
            u->options.apply_name, read.columns, read.rows, given.columns, given.rows);
    u->grid = read;
    const int rc =
        permutation_new(read, apply->solutions, apply->grids, &u->result.permutation, error);
    if (rc == 0)
        memcpy(u->result.permutation.placed, apply->placed,
            permutation_first(apply, apply->solutions) * sizeof(*apply->placed));
    return rc;
}

/* Loose tiles may be laid out in any grid; a permutation of them may only name tiles that exist.
 * `kind` is what messages call it. */
static int check_loose_tiles(const struct unscramble *u, const struct permutation *permutation,
    const char *kind, const char *name, struct error *error)
{
    const uint32_t places = permutation_first(permutation, permutation->solutions);
    for (uint32_t place = 0; place < places; place++)
        if (permutation->placed[place].tile != NO_TILE &&
            permutation->placed[place].tile >= u->options.loose_count)
            return error_set(error, ERROR_INPUT,
                "%s '%s' has a tile %u, but the %u tiles are numbered from 0; name the %s of these",
                kind, name, permutation->placed[place].tile, u->options.loose_count, kind);
    return 0;
}

int order_check(const struct unscramble *u, struct error *error)
{
    const struct permutation *permutation = &u->result.permutation;
    const uint32_t places = permutation_first(permutation, permutation->solutions);
    if (u->options.loose &&
        check_loose_tiles(u, u->options.apply, "permutation", u->options.apply_name, error))
        return ERROR_INPUT;
    for (uint32_t place = 0; place < places && u->tile_width != u->tile_height; place++)
        if (permutation->placed[place].turn % 2)
            return error_set(error, ERROR_INPUT,
                "permutation '%s' turns tile %u by %u degrees, but a tile of '%s' is not square: "
                "it has %u x %u pixels",
                u->options.apply_name, permutation->placed[place].tile,
                permutation->placed[place].turn * 90, u->options.input, u->tile_width,
                u->tile_height);
    return 0;
}

/* Refuses a true tile that no answer can have: one that is turned as tiles may not be. */
static int check_true_turn(const struct unscramble *u, struct placed placed, struct error *error)
{
    const enum turns turns = unscramble_turns(u);
    const int is_half = placed.turn == 2;
    if (!placed.turn || turns == TURNS_ANY || (turns == TURNS_HALF && is_half) ||
        (unscramble_may_try_ways(u) && (is_half || u->tile_width == u->tile_height)))
        return 0;
    return error_set(error, ERROR_INPUT, "truth '%s' turns tile %u by %u degrees; %s",
        u->options.truth_name, placed.tile, placed.turn * 90,
        turns == TURNS_NONE ? "allow turned tiles, or name the truth of this puzzle"
                            : "tiles that are not square turn by 180, so name the truth of this "
                              "puzzle");
}

/* Refuses a truth of more images than may be found, or of one that is larger than it may become. */
static int check_true_images(const struct unscramble *u, struct error *error)
{
    const struct unscramble_options *options = &u->options;
    const struct permutation *truth = options->truth;
    const struct grid own = truth->grids[0],
                      most = options->solution_grid.columns ? options->solution_grid : u->grid;
    const int turned = unscramble_turns(u) == TURNS_ANY;
    if (options->mixed != MIXED_AUTO && truth->solutions != unscramble_solutions(u))
        return error_set(error, ERROR_INPUT,
            "truth '%s' is of %u image%s, not of %u; ask for %u, or name the truth of this puzzle",
            options->truth_name, truth->solutions, truth->solutions > 1 ? "s" : "",
            unscramble_solutions(u), truth->solutions);
    if (truth->solutions > 1 || unscramble_is_mixed(options) ||
        (own.columns <= most.columns && own.rows <= most.rows) ||
        (turned && own.columns <= most.rows && own.rows <= most.columns))
        return 0;
    return error_set(error, ERROR_INPUT,
        "truth '%s' is an image of %u x %u tiles, which do not fit %u x %u; allow a grid of %u x "
        "%u, or name the truth of this puzzle",
        options->truth_name, own.columns, own.rows, most.columns, most.rows, own.columns, own.rows);
}

int order_check_truth(const struct unscramble *u, struct error *error)
{
    const struct unscramble_options *options = &u->options;
    const struct permutation *truth = options->truth;
    const uint32_t tiles = grid_tiles(u->grid), places = permutation_first(truth, truth->solutions);
    uint32_t found = 0;
    if (options->loose)
        return check_loose_tiles(u, truth, "truth", options->truth_name, error);
    int rc = score_check(u->grid, truth, options->truth_name, error);
    if (rc || options->apply)
        return rc;
    for (uint32_t place = 0; rc == 0 && place < places; place++)
        if (truth->placed[place].tile != NO_TILE) {
            found++;
            rc = check_true_turn(u, truth->placed[place], error);
        }
    if (rc == 0)
        rc = check_true_images(u, error);
    if (rc || options->has_missing || unscramble_is_mixed(options) || unscramble_may_try_ways(u) ||
        found == tiles)
        return rc;
    return error_set(error, ERROR_INPUT,
        "truth '%s' has %u of the puzzle's %u tiles; allow absent ones, or name the truth of this "
        "puzzle",
        options->truth_name, found, tiles);
}
