/* PLAN: refuses options that do not go with the puzzle, and says how it will be solved. */
#include <string.h>

#include "stages/unscramble/unscramble.h"

#define MAX_TRIED_TILES 5000

/* Whether the options ask for what only the search of large puzzles can do. */
static int asks_for_large(const struct unscramble_options *options)
{
    return options->has_missing || options->solution_grid.columns || options->effort ||
           options->seconds || options->mixed;
}

int unscramble_finds_shape(const struct unscramble *u)
{
    const struct unscramble_options *options = &u->options;
    return options->loose && !options->grid.columns && !options->apply && options->mixed < 2 &&
           !options->solution_grid.columns;
}

int unscramble_is_large(const struct unscramble *u)
{
    const struct grid grid = u->grid.columns ? u->grid : u->options.grid;
    const uint32_t turns = unscramble_turn_count(u);
    return grid_tiles(grid) * turns > ORIENTED_MAX(turns) || asks_for_large(&u->options);
}

int unscramble_may_try_ways(const struct unscramble *u)
{
    const struct unscramble_options *options = &u->options;
    /* Of 11 and 12 square tiles the order is proven, but could not be if they were turned. */
    const int is_unproven = u->tile_width == u->tile_height &&
                            grid_tiles(u->grid) > QUARTER_TILES && grid_tiles(u->grid) <= MAX_TILES;
    return !is_unproven && !options->is_once && !options->apply && !options->rotates &&
           !options->has_missing && !options->mixed && !options->solution_grid.columns &&
           !options->dissimilarity && !options->is_classic && options->search == SEARCH_PRUNED &&
           !options->seconds && grid_tiles(u->grid) <= MAX_TRIED_TILES;
}

/* The seconds are those of two cores of an EPYC. */
void unscramble_foresee(struct run *run, const struct unscramble *u, int is_learned)
{
    const double tiles = grid_tiles(u->grid), turns = unscramble_turn_count(u);
    const double pixels = (double)u->puzzle.width * u->puzzle.height;
    const double length = (u->tile_width + u->tile_height) / 56.0; /* of an edge */
    const double first = 7e-8 * tiles * tiles * turns * length, others = 4 * first;
    const double costs = 4e-4 * tiles * length;
    const double refine =
        u->options.seconds
            ? (double)u->options.seconds
            : (1 + 2e-5 * tiles) * (u->options.effort ? (double)u->options.effort / 500 : 1);
    const struct weight learned[] = {{"features", u->features.tiles ? 0 : 3.2e-3 * tiles},
        {"compare", others}, {"compatibility", costs}, {"compare", others},
        {"compatibility", costs}};
    const struct weight plain[] = {
        {"strips", 1e-8 * pixels}, {"compare", first}, {"compatibility", costs}};
    const struct weight rest[] = {{"buddies", 1.4e-4 * tiles},
        {unscramble_is_large(u) ? "refine" : "search", refine}, {"judge", 1e-4 * tiles},
        {"animate", u->options.sinks.save_frame ? 5 : 0}, {"assemble", 3e-8 * pixels},
        {"save", 1.3e-7 * pixels}};
    struct weight all[16];
    const int before = is_learned ? 5 : 3;
    memcpy(all, is_learned ? learned : plain, (size_t)before * sizeof(*all));
    memcpy(all + before, rest, sizeof(rest));
    run_plan(run, all, before + (int)(sizeof(rest) / sizeof(rest[0])));
}

/* What the comparison of gray edges cannot do. */
static int check_classic(const struct unscramble *u, struct error *error)
{
    const struct unscramble_options *options = &u->options;
    if (!options->is_classic ||
        !(unscramble_is_large(u) || options->rotates || options->dissimilarity))
        return 0;
    return error_set(error, ERROR_USAGE,
        "method classic compares gray edges of up to %d tiles; %s, so choose another method",
        MAX_TILES,
        grid_tiles(u->grid) > MAX_TILES ? "there are more" : "other options need whole edges");
}

static int plan_run(struct run *run, struct unscramble *u)
{
    const int rc = check_classic(u, &run->error);
    if (rc)
        return rc;
    if (u->options.search == SEARCH_EXHAUSTIVE &&
        (u->options.apply || u->options.rotates || unscramble_is_large(u)))
        return error_set(&run->error, ERROR_USAGE,
            "the exhaustive search tries every order of up to %d tiles; %s, so choose another "
            "search",
            MAX_TILES,
            u->options.apply ? "here the order is given"
            : grid_tiles(u->grid) > MAX_TILES
                ? "there are more"
                : "other options ask for the search of large puzzles");
    if (!u->options.apply) {
        unscramble_foresee(run, u, 0);
        run_notice(run, 0, "%u x %u tiles of %u x %u pixels: %s", u->grid.columns, u->grid.rows,
            u->tile_width, u->tile_height,
            unscramble_is_large(u)  ? "grown from best buddies and refined"
            : u->options.is_classic ? "searched for the best, by gray edges"
                                    : "searched for the best");
    }
    return 0;
}

const struct unscramble_stage PLAN = {
    .stage = {"plan", "check the options, and say how the puzzle will be solved"},
    .run = plan_run,
};
