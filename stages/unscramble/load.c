/* LOAD: decodes the puzzle, leaves out what lies between its tiles, finds how it is cut, scales it
 * to tiles of whole pixels, and uploads it once; it stays on the device until SAVE. */
#include <limits.h>
#include <math.h>

#include "stages/unscramble/check_order.h"
#include "stages/unscramble/find_grid.h"
#include "stages/unscramble/gutters.h"
#include "stages/unscramble/loose.h"
#include "stages/unscramble/scaled_grid.h"

/* The time of kernels on one processor, for the choice of a device, as measured in
 * docs/kernels.md. */
#define GRAYSCALE_SECONDS_A_BYTE 0.10e-9
#define ASSEMBLE_SECONDS_A_BYTE 0.13e-9
#define EXHAUSTIVE_SECONDS_A_PERMUTATION 60e-9
#define COMPARE_SECONDS_A_TERM 0.1e-9

/* Puts another image of the puzzle in its place. */
static void replace_puzzle(struct unscramble *u, struct image *other)
{
    other->metadata = u->loaded.metadata;
    other->quality = u->puzzle.quality;
    u->loaded.metadata = (struct metadata){0};
    image_free(&u->loaded);
    u->puzzle = u->loaded = *other;
}

/* Whether the caller says how the puzzle is cut. */
static int has_told(const struct unscramble *u)
{
    return u->grid.columns || u->options.tile_width;
}

/* Whether a grid, or its tiles, are what the caller says, if anything. */
static int is_as_told(const struct unscramble *u, struct grid grid, int tile_width, int tile_height)
{
    if (u->options.tile_width)
        return (uint32_t)tile_width == u->options.tile_width &&
               (uint32_t)tile_height == u->options.tile_height;
    return !u->grid.columns || (grid.columns == u->grid.columns && grid.rows == u->grid.rows);
}

/* How the puzzle looks as it is, or without what lies between its tiles and around them. */
struct grid_look {
    struct image without;
    struct gutters *gutters; /* that were left out, or NULL */
    struct grid_guess guess; /* what its seams say; its count is 0 before they are looked at */
    double evidence;         /* of that; 0: the caller's word alone; below 0: it is not believed */
};

static struct grid gutters_grid(const struct gutters *gutters)
{
    return (struct grid){(uint32_t)gutters->axis[0].count, (uint32_t)gutters->axis[1].count};
}

/* Looks at the puzzle without some gutters. Gutters between tiles are believed if the seams without
 * them, or the caller, say the same grid: an image may have lines of its own. A border is, if the
 * seams without it say what the caller says, or are sure where he says nothing. */
static int look_without(const struct unscramble *u, struct gutters *gutters, struct grid_look *look,
    struct error *error)
{
    const struct grid grid = gutters_grid(gutters);
    const int is_border = grid_tiles(grid) == 1;
    *look = (struct grid_look){.gutters = gutters, .evidence = -1};
    const struct grid_candidate *best = look->guess.candidates;
    if (!is_border && !is_as_told(u, grid, gutters->axis[0].tile, gutters->axis[1].tile))
        return 0;
    int rc = gutters_leave_out(&u->puzzle, gutters, &look->without, error);
    if (rc == 0)
        rc = grid_find(&look->without, &look->guess, error);
    if (rc)
        return rc;
    if (is_border ? (look->guess.is_sure || has_told(u)) &&
                        is_as_told(u, best->grid, (int)best->tile_width, (int)best->tile_height)
                  : best->grid.columns == grid.columns && best->grid.rows == grid.rows)
        look->evidence = best->evidence;
    else if (!is_border && has_told(u))
        look->evidence = 0;
    return 0;
}

/* The evidence that speaks for the puzzle as it is, against leaving gutters out; below 0: none. A
 * grid that cuts the tiles between gutters once more may only have their sides for seams. */
static double own_evidence(
    const struct unscramble *u, struct grid_guess *guess, const struct gutters *gutters)
{
    const struct grid_candidate *best = guess->candidates;
    const struct grid grid = gutters_grid(gutters);
    const int is_told = is_as_told(u, best->grid, (int)best->tile_width, (int)best->tile_height);
    if (grid_tiles(grid) == 1)
        return is_told ? best->evidence : 0;
    if (has_told(u) || (best->grid.columns % grid.columns == 0 && best->grid.rows % grid.rows == 0))
        return -1;
    return guess->is_sure ? best->evidence : 0;
}

static void take_look(struct run *run, struct unscramble *u, struct grid_look *look)
{
    const struct gutters_axis *x = &look->gutters->axis[0], *y = &look->gutters->axis[1];
    const int widest = x->widest > y->widest ? x->widest : y->widest;
    const char *name = u->options.input;
    u->left_out = x->count == 1 && y->count == 1 ? LEFT_OUT_BORDER : LEFT_OUT_LINES;
    if (u->left_out == LEFT_OUT_BORDER)
        run_notice(run, 1, "'%s' has a border of one color; leaving it out", name);
    else
        run_notice(run, 1,
            "'%s' has lines of one color between its %d x %d tiles, up to %d pixel%s wide; leaving "
            "them out%s",
            name, x->count, y->count, widest, widest == 1 ? "" : "s",
            x->left_over || y->left_over ? ", and what is left over beside the tiles" : "");
    if (u->left_out == LEFT_OUT_LINES && !u->options.tile_width)
        u->grid = gutters_grid(look->gutters);
    replace_puzzle(u, &look->without);
    look->without = (struct image){0};
}

/* Leaves out what lies between the tiles, and around them, in the way for which most evidence
 * speaks; with options.apply only if its file says so. Leaves in `guess` what the seams say of the
 * grid, if they were looked at. */
static int leave_out_gutters(struct run *run, struct unscramble *u, struct grid_guess *guess)
{
    struct gutters found[GUTTERS_WAYS];
    struct grid_look best = {.evidence = -1};
    int count = 0, rc = 0;
    if (!u->options.apply || u->options.apply->is_without_lines)
        rc = gutters_find(&u->puzzle, u->grid, found, &count, &run->error);
    if (rc == 0 && count)
        rc = grid_find(&u->puzzle, guess, &run->error);
    for (int i = 0; rc == 0 && i < count; i++) {
        struct grid_look look;
        const double own = own_evidence(u, guess, &found[i]);
        rc = look_without(u, &found[i], &look, &run->error);
        run_notice(run, 0,
            "%s of one color, tiles %d x %d: evidence %.0f without, %.0f as the puzzle is",
            grid_tiles(gutters_grid(&found[i])) > 1 ? "lines" : "a border", found[i].axis[0].count,
            found[i].axis[1].count, look.evidence, own);
        if (rc == 0 && look.evidence > best.evidence && look.evidence > own) {
            struct grid_look other = best;
            best = look;
            look = other;
        }
        image_free(&look.without);
    }
    if (rc == 0 && best.gutters) {
        take_look(run, u, &best);
        *guess = best.guess;
    }
    image_free(&best.without);
    while (count > 0)
        gutters_free(&found[--count]);
    return rc;
}

/* Finds the grid by its seams, unless that is done, and takes it if it is sure, or if it is likely,
 * with a warning that names the other candidates. Else it names all of them and fails. */
static int take_found_grid(struct run *run, struct unscramble *u, struct grid_guess *guess)
{
    char names[GRID_CANDIDATES * 32] = "";
    int length = 0;
    const int rc = guess->count ? 0 : grid_find(&u->puzzle, guess, &run->error);
    if (rc)
        return rc;
    for (uint32_t i = 0; i < guess->count; i++) {
        const struct grid_candidate *candidate = &guess->candidates[i];
        run_notice(run, 0, "grid %u x %u, tiles of %u x %u pixels: evidence %.0f%s",
            candidate->grid.columns, candidate->grid.rows, candidate->tile_width,
            candidate->tile_height, candidate->evidence,
            i > 0 || !guess->is_likely ? ""
            : guess->is_sure           ? ", sure"
                                       : ", likely");
        if (grid_tiles(candidate->grid) > 1 && !(i == 0 && guess->is_likely))
            length += snprintf(names + length, sizeof(names) - (size_t)length, "%s%ux%u",
                length ? ", " : "", candidate->grid.columns, candidate->grid.rows);
    }
    if (grid_tiles(guess->candidates[0].grid) == 1)
        return error_set(&run->error, ERROR_INPUT,
            "'%s' shows no seams of a shuffle; if it is shuffled, say what its grid is, or the "
            "size of a tile",
            u->options.input);
    if (!guess->is_likely)
        return error_set(&run->error, ERROR_INPUT,
            "cannot be sure how '%s' is cut, perhaps %s; say what its grid is, or the size of a "
            "tile",
            u->options.input, names);
    u->grid = guess->candidates[0].grid;
    u->is_grid_likely = !guess->is_sure;
    if (u->is_grid_likely)
        run_notice(run, 1,
            "'%s' is likely cut into %u x %u tiles, else perhaps %s; if so, say what its grid is, "
            "or the size of a tile",
            u->options.input, u->grid.columns, u->grid.rows, names);
    return 0;
}

/* Scales a puzzle whose tiles have no whole number of pixels, as after it was scaled, so that they
 * have the nearest one. */
static int make_tiles_whole(struct run *run, struct unscramble *u)
{
    const uint32_t width = (uint32_t)u->puzzle.width, height = (uint32_t)u->puzzle.height;
    struct scaled_grid found;
    struct image scaled;
    if (width % u->grid.columns == 0 && height % u->grid.rows == 0)
        return 0;
    int rc = scaled_grid_find(&u->puzzle, u->grid, &found, &run->error);
    if (rc || !grid_tiles(found.grid) ||
        (found.whole_width == width && found.whole_height == height) ||
        !image_can_resize(&u->puzzle, (int)found.whole_width, (int)found.whole_height))
        return rc;
    run_notice(run, 1,
        "'%s' seems to have been scaled after it was cut: its %u x %u tiles have %.2f x %.2f "
        "pixels; scaling it from %u x %u to %u x %u pixels",
        u->options.input, u->grid.columns, u->grid.rows, (double)width / u->grid.columns,
        (double)height / u->grid.rows, width, height, found.whole_width, found.whole_height);
    rc = image_resize(
        &u->puzzle, (int)found.whole_width, (int)found.whole_height, &scaled, &run->error);
    if (rc == 0)
        replace_puzzle(u, &scaled);
    return rc;
}

static struct workload estimate(const struct unscramble *u, double bytes)
{
    const double tiles = grid_tiles(u->grid), terms = 6.0 * (u->tile_width + u->tile_height);
    double search = 0;
    if (!u->options.apply && unscramble_is_large(u))
        search = (u->options.rotates ? 4 : 1) * 2 * tiles * tiles * terms * COMPARE_SECONDS_A_TERM;
    else if (!u->options.apply && u->options.search == SEARCH_EXHAUSTIVE)
        search = tgamma(tiles + 1) * EXHAUSTIVE_SECONDS_A_PERMUTATION; /* tiles! permutations */
    return (struct workload){
        .cpu_seconds = bytes * (GRAYSCALE_SECONDS_A_BYTE + ASSEMBLE_SECONDS_A_BYTE) + search,
        .bytes = 2 * bytes,
    };
}

int unscramble_upload(struct run *run, struct unscramble *u)
{
    const size_t size = image_bytes(&u->puzzle);
    const struct workload work = estimate(u, (double)size);
    run->scratch = u->puzzle.scratch;
    int rc = run_device(run, &work);
    if (rc == 0)
        rc = run_buffer(run, &u->pixels, size, u->puzzle.pixels);
    if (rc == 0)
        rc = buffer_upload(&u->pixels, u->puzzle.pixels, size, &run->error);
    return rc;
}

/* The puzzle stays where it is when LOAD runs again. */
static int find_puzzle(struct run *run, struct unscramble *u)
{
    const struct unscramble_options *options = &u->options;
    if (options->puzzle)
        u->puzzle = *options->puzzle;
    if (u->puzzle.pixels)
        return 0;
    unscramble_open_scratch(u);
    const int rc = options->loose
                       ? loose_read(run, u)
                       : image_read_in(u->scratch, options->input, unscramble_max_pixels(u),
                             run_watch(run), &u->loaded, &run->error);
    u->puzzle = u->loaded;
    if (rc == 0 && !options->loose)
        unscramble_warn_of_others(run, options->input, &u->loaded);
    return rc;
}

/* Reads the puzzle, and leaves out its lines and border; `guess` gets how what is left may be
 * cut. */
static int read_puzzle(struct run *run, struct unscramble *u, struct grid_guess *guess)
{
    const struct unscramble_options *options = &u->options;
    const int is_loaded = u->puzzle.pixels && !options->puzzle;
    int rc = find_puzzle(run, u);
    if (rc == 0 && options->loose && options->grid.columns)
        u->options.has_missing |= grid_tiles(u->grid) > options->loose_count;
    if (rc == 0 && !options->loose && !is_loaded)
        rc = leave_out_gutters(run, u, guess);
    if (rc == 0 && options->apply && options->apply->is_without_lines && !u->left_out)
        run_notice(run, 1,
            "permutation '%s' is for a puzzle without its lines and border, and none were found in "
            "'%s'",
            options->apply_name, options->input);
    return rc;
}

/* Finds the grid where nobody says it, and cuts the puzzle by it. */
static int cut_puzzle(struct run *run, struct unscramble *u, struct grid_guess *guess)
{
    const struct unscramble_options *options = &u->options;
    int rc = 0;
    if (!options->tile_width && !u->grid.columns)
        rc = take_found_grid(run, u, guess);
    if (rc == 0 && !options->tile_width && !options->loose)
        rc = make_tiles_whole(run, u);
    if (rc == 0)
        rc = unscramble_cut(u, options->input, &u->puzzle, &run->error);
    if (rc == 0 && grid_tiles(u->grid) > MAX_TILES)
        rc = error_set(&run->error, ERROR_INPUT, "'%s' has %u x %u tiles; at most %d are possible",
            options->input, u->grid.columns, u->grid.rows, MAX_TILES);
    return rc;
}

static int load_run(struct run *run, struct unscramble *u)
{
    const struct unscramble_options *options = &u->options;
    struct grid_guess guess = {0};
    u->result.exact_cost = u->result.runner_up_cost = NO_COST;
    u->result.probability = -1;
    if (!u->grid.columns)
        u->grid = options->grid;
    /* An order of a known grid is soon refused; otherwise it waits until the puzzle is cut. */
    int rc = options->apply && !options->tile_width ? order_take(u, &run->error) : 0;
    if (rc == 0)
        rc = unscramble_check_outputs(u, &run->error);
    if (rc == 0)
        rc = read_puzzle(run, u, &guess);
    if (rc == 0)
        rc = cut_puzzle(run, u, &guess);
    if (rc == 0 && options->apply && options->tile_width)
        rc = order_take(u, &run->error);
    if (rc == 0 && options->truth)
        rc = order_check_truth(u, &run->error);
    if (rc == 0 && options->apply)
        rc = order_check(u, &run->error);
    if (rc == 0)
        rc = unscramble_check_outputs(u, &run->error);
    return rc ? rc : unscramble_upload(run, u);
}

const struct unscramble_stage LOAD = {
    .stage = {"load", "decode the image, find how it is cut, upload it"},
    .run = load_run,
};
