/* What several stages ask of a puzzle and its options. */
#include <limits.h>

#include "stages/unscramble/unscramble.h"

uint64_t unscramble_max_pixels(const struct unscramble *u)
{
    return u->options.max_pixels ? u->options.max_pixels : IMAGE_MAX_PIXELS;
}

int unscramble_check_size(const struct unscramble *u, const char *what, const char *name,
    uint64_t width, uint64_t height, struct error *error)
{
    const unsigned long long most = unscramble_max_pixels(u);
    if (width <= INT_MAX && height <= INT_MAX && width * height <= most)
        return 0;
    return error_set(error, ERROR_INPUT,
        "cannot make the %s of '%s': %llu x %llu pixels are more than %llu; raise max-pixels", what,
        name, (unsigned long long)width, (unsigned long long)height, most);
}

uint32_t unscramble_solutions(const struct unscramble *u)
{
    const struct unscramble_options *options = &u->options;
    return options->apply                 ? options->apply->solutions
           : options->mixed == MIXED_AUTO ? MAX_SOLUTIONS
           : unscramble_is_mixed(options) ? (uint32_t)options->mixed
                                          : 1;
}

int unscramble_is_mixed(const struct unscramble_options *options)
{
    return options->mixed > 1;
}

int unscramble_check_outputs(const struct unscramble *u, struct error *error)
{
    const struct unscramble_sinks *sinks = &u->options.sinks;
    return sinks->check ? sinks->check(sinks->context, u, error) : 0;
}

/* Where the size does not divide by the grid, strips are left over that belong to no tile. */
int unscramble_cut(
    struct unscramble *u, const char *name, const struct image *image, struct error *error)
{
    const uint32_t width = (uint32_t)image->width, height = (uint32_t)image->height;
    if (u->options.tile_width) {
        u->tile_width = u->options.tile_width;
        u->tile_height = u->options.tile_height;
        u->grid = (struct grid){width / u->options.tile_width, height / u->options.tile_height};
        if (!grid_tiles(u->grid))
            return error_set(error, ERROR_INPUT,
                "cannot cut '%s' into tiles of %u x %u pixels: it has only %u x %u pixels", name,
                u->options.tile_width, u->options.tile_height, width, height);
        return 0;
    }
    u->tile_width = width / u->grid.columns;
    u->tile_height = height / u->grid.rows;
    if (!u->tile_width || !u->tile_height)
        return error_set(error, ERROR_INPUT,
            "cannot cut '%s' into %u x %u tiles: it has only %u x %u pixels", name, u->grid.columns,
            u->grid.rows, width, height);
    return 0;
}

void unscramble_warn_of_others(struct run *run, const char *name, const struct image *image)
{
    struct error line;
    if (image_tell_others(image, name, &line))
        run_notice(run, 1, "%s", line.text);
}

void unscramble_open_scratch(struct unscramble *u)
{
    if (!u->scratch)
        u->scratch = scratch_open(u->options.memory);
}

struct tiling unscramble_tiling(const struct unscramble *u)
{
    return (struct tiling){.image = &u->puzzle,
        .columns = (int)u->grid.columns,
        .rows = (int)u->grid.rows,
        .width = (int)u->tile_width,
        .height = (int)u->tile_height,
        .bleed = u->bleed};
}

enum turns unscramble_turns(const struct unscramble *u)
{
    return !u->options.rotates               ? TURNS_NONE
           : u->tile_width == u->tile_height ? TURNS_ANY
                                             : TURNS_HALF;
}

uint32_t unscramble_turn_count(const struct unscramble *u)
{
    return (uint32_t)turns_count(unscramble_turns(u));
}

void unscramble_tell_turns(struct run *run, const struct unscramble *u)
{
    if (unscramble_turns(u) != TURNS_NONE)
        run_notice(run, 0, "edges cannot tell which side of the image is up");
}

struct layout unscramble_layout(const struct unscramble *u)
{
    return (struct layout){
        &u->puzzle, u->tile_width, u->tile_height, &u->result.permutation, u->options.missing, 0};
}

double unscramble_margin(const struct unscramble *u)
{
    return u->result.runner_up_cost == NO_COST
               ? 0
               : (u->result.runner_up_cost + 1.0) / (u->result.exact_cost + 1.0);
}
