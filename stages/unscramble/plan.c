/* PLAN: refuses options that do not go with the puzzle, and finds the pixels of tiles that are not
 * to be compared. Before a search it is said how the puzzle will be solved. */
#include "stages/unscramble/anneal.h"
#include "stages/unscramble/bleed.h"
#include "stages/unscramble/problem.h"
#include "stages/unscramble/unscramble.h"

#define MAX_TRIED_TILES 5000

/* Those that are foreseen; the pipelines run them. */
extern const struct unscramble_stage STRIPS, FEATURES, COMPARE, COMPATIBILITY, BUDDIES, REFINE,
    SPLIT, JUDGE, ANNEAL, ANIMATE, SAVE;

/* Whether the options ask for what only the search of large puzzles can do. */
static int asks_for_large(const struct unscramble_options *options)
{
    return options->has_missing || options->solution_grid.columns || options->effort ||
           options->seconds || options->mixed;
}

int unscramble_finds_shape(const struct unscramble *u)
{
    const struct unscramble_options *options = &u->options;
    return options->loose && !options->grid.columns && !options->apply &&
           !unscramble_is_mixed(options) && !options->solution_grid.columns;
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
    return !options->is_once && !options->apply && !options->rotates && !options->has_missing &&
           !options->mixed && !options->solution_grid.columns && !options->dissimilarity &&
           !options->is_classic && options->search == SEARCH_PRUNED && !options->seconds &&
           grid_tiles(u->grid) <= MAX_TRIED_TILES;
}

int unscramble_may_search_longer(const struct unscramble *u)
{
    const struct unscramble_options *options = &u->options;
    return unscramble_is_large(u) && !options->is_once && !options->apply && !options->mixed &&
           !options->effort && !options->seconds && !unscramble_exchanges(u) &&
           permutation_is_full(&u->result.permutation) && grid_tiles(u->grid) <= LARGE_PLACES;
}

/* What stages may take, in their order. */
struct forecast {
    struct weight all[MAX_STAGES];
    int count;
};

static void expect(struct forecast *forecast, const struct unscramble_stage *stage, double seconds)
{
    forecast->all[forecast->count++] = (struct weight){&stage->stage, seconds};
}

/* The share of the tiles that the network is asked about; 1 where that is not known yet. */
static double open_share(const struct unscramble *u)
{
    const uint32_t tiles = grid_tiles(u->grid);
    uint32_t open = 0;
    for (uint32_t tile = 0; u->is_open && tile < tiles; tile++)
        open += u->is_open[tile];
    return u->is_open ? (double)open / tiles : 1;
}

/* Expects the stages that compare all edges, or with `is_learned` only those from the network
 * on. */
static void expect_comparison(
    struct forecast *forecast, const struct unscramble *u, int is_learned, int has_features)
{
    const enum dissimilarity asked = u->options.dissimilarity;
    const int asks_network = dissimilarity_learned(asked);
    const double tiles = grid_tiles(u->grid), turns = unscramble_turn_count(u);
    const double pixels = (double)u->puzzle.width * u->puzzle.height;
    const double length = (u->tile_width + u->tile_height) / 56.0; /* of an edge */
    const double compare = 7e-8 * tiles * tiles * turns * length, costs = 4e-4 * tiles * length;
    /* Whether colors are enough is not known before they are compared: the network counts half. */
    const double learned = is_learned || asks_network || u->is_poor ? 1
                           : asked == DISSIMILARITY_AUTO            ? 0.5
                                                                    : 0;
    if (!is_learned)
        expect(forecast, &STRIPS, 1e-8 * pixels);
    if (!is_learned && !asks_network) {
        expect(forecast, &COMPARE, compare);
        expect(forecast, &COMPATIBILITY, costs / 2);
    }
    const double open = open_share(u);
    /* By "both", by "learned", which takes the partners of "both", and half of the time across a
     * gap. */
    for (int i = 0; i < (asks_network ? 1 : 3); i++) {
        const double likely = i < 2 ? learned : learned / 2;
        if (i != 1)
            expect(forecast, &FEATURES, has_features ? 0 : likely * open * 1.1e-3 * tiles * length);
        expect(forecast, &COMPARE, i == 1 ? 0 : likely * open * open * 4 * compare);
        expect(forecast, &COMPATIBILITY, likely * open * costs);
    }
}

/* Of a search. The seconds are those of two cores of an EPYC. */
static void expect_search(
    struct forecast *forecast, const struct unscramble *u, enum beginning from, int has_features)
{
    const double tiles = grid_tiles(u->grid);
    const double effort = u->options.effort ? (double)u->options.effort / 500 : 1;
    expect_comparison(forecast, u, from == FROM_NETWORK, has_features);
    expect(forecast, &BUDDIES, 6e-5 * tiles);
    expect(forecast,
        unscramble_is_mixed(&u->options) ? &SPLIT
        : unscramble_is_large(u)         ? &REFINE
                                         : &SEARCH,
        u->options.seconds ? (double)u->options.seconds : (1 + 2e-5 * tiles) * effort);
    expect(forecast, &JUDGE, 3e-5 * tiles);
}

/* Of the search and those that may follow it, with other ways. */
static void expect_searches(
    struct forecast *forecast, const struct unscramble *u, enum beginning from)
{
    const double searches = u->searches_to_come + (u->is_poor ? u->searches_possible / 2.0 : 0);
    struct forecast further = {.count = 0};
    double seconds = 0; /* of a further search */
    expect_search(forecast, u, from, u->features[0].tiles > 0);
    expect_search(&further, u, FROM_START, u->tries_ways);
    for (int i = 0; i < further.count; i++)
        seconds += further.all[i].seconds;
    forecast->all[forecast->count++] = (struct weight){NULL, searches * seconds};
}

/* The answer of every second image whose colors are not enough is doubtful. */
static void expect_longer_search(struct forecast *forecast, const struct unscramble *u, int is_sure)
{
    const double tiles = grid_tiles(u->grid);
    double wrong = tiles;
    if (is_sure) {
        const struct tally tally = unscramble_tally(&u->result);
        wrong = tally.all - tally.right;
    }
    const double share = is_sure ? 1 : u->is_poor && unscramble_may_search_longer(u) ? 0.5 : 0;
    expect(forecast, &ANNEAL, share * anneal_seconds(wrong, tiles));
    expect(forecast, &JUDGE, share * 3e-5 * tiles);
}

void unscramble_foresee(struct run *run, const struct unscramble *u, enum beginning from)
{
    const double pixels = (double)u->puzzle.width * u->puzzle.height;
    struct forecast all = {.count = 0};
    if (from != FROM_ANNEAL)
        expect_searches(&all, u, from);
    expect_longer_search(&all, u, from == FROM_ANNEAL);
    expect(&all, &ANIMATE, u->options.sinks.save_frame ? 5 : 0);
    expect(&all, &ASSEMBLE, 3e-8 * pixels);
    expect(&all, &SAVE, 1.3e-7 * pixels);
    run_plan(run, all.all, all.count);
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
        SEARCH_TILES,
        grid_tiles(u->grid) > SEARCH_TILES ? "there are more"
        : options->rotates                 ? "turned tiles need whole edges"
        : options->dissimilarity           ? "dissimilarities are of whole edges"
                                           : "other options ask for the search of large puzzles");
}

/* Loose tiles have nothing beside them. */
static void plan_bleed(struct run *run, struct unscramble *u)
{
    const struct tiling tiling = unscramble_tiling(u);
    u->bleed = u->options.loose ? 0 : bleed_find(&tiling);
    if (u->bleed)
        run_notice(run, 0,
            "pixels at the edges of tiles, %d deep, hold something of the tiles beside them and "
            "are not compared",
            u->bleed);
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
            SEARCH_TILES,
            u->options.apply                     ? "here the order is given"
            : grid_tiles(u->grid) > SEARCH_TILES ? "there are more"
            : u->options.rotates                 ? "turned tiles make more of them"
                                 : "other options ask for the search of large puzzles");
    plan_bleed(run, u);
    return 0;
}

void unscramble_tell_plan(struct run *run, const struct unscramble *u)
{
    unscramble_foresee(run, u, FROM_START);
    run_notice(run, 0, "%u x %u tiles of %u x %u pixels: %s", u->grid.columns, u->grid.rows,
        u->tile_width, u->tile_height,
        unscramble_is_large(u)  ? "grown from best buddies and refined"
        : u->options.is_classic ? "searched for the best, by gray edges"
                                : "searched for the best");
}

const struct unscramble_stage PLAN = {
    .stage = {"plan", "check the options, and find pixels that are not to be compared"},
    .run = plan_run,
};
