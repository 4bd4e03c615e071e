/* LOAD: decode the picture, cut it, and upload it once; it stays on the device until SAVE. */
#include "images/output.h"
#include "stages/unscramble/unscramble.h"

static const struct grid DEFAULT_GRID = {3, 3};

/* Kernels' time on one processor, for the choice of a device. Measured, docs/kernels.md. */
#define GRAYSCALE_SECONDS_A_BYTE 0.10e-9
#define ASSEMBLE_SECONDS_A_BYTE 0.13e-9
#define EXHAUSTIVE_SECONDS_A_PERMUTATION 60e-9

int unscramble_check_outputs(const struct unscramble *u, struct error *error)
{
    const uint32_t parts = u->apply ? u->permutation.pictures : 1;
    char path[PATH_MAX];
    struct image result;
    int rc = 0;
    for (uint32_t part = 0; rc == 0 && u->output && part < parts; part++) {
        rc = unscramble_output(u, part, parts, path, error);
        if (rc == 0 && u->picture.pixels)
            rc = unscramble_result(u, part, &result, error);
        if (rc == 0)
            rc = image_check_output(path, u->format, u->picture.pixels ? &result : NULL, error);
    }
    if (rc == 0 && u->save_permutation)
        rc = output_check(u->save_permutation, 0, error);
    return rc;
}

/* Takes the grid from the permutation, which must go with what is asked for. */
static int check_permutation(struct unscramble *u, struct error *error)
{
    const struct grid given = u->grid, read = u->permutation.puzzle;
    if (given.columns && (given.columns != read.columns || given.rows != read.rows))
        return error_set(error, ERROR_INPUT,
            "permutation '%s' has %u x %u tiles, not the %u x %u of --grid", u->apply, read.columns,
            read.rows, given.columns, given.rows);
    u->grid = read;
    return 0;
}

/* What is not square can only be turned by 180 degrees. */
static int check_turns(const struct unscramble *u, struct error *error)
{
    const struct permutation *permutation = &u->permutation;
    const uint32_t places = permutation_first(permutation, permutation->pictures);
    for (uint32_t place = 0; place < places && u->tile_width != u->tile_height; place++)
        if (permutation->placed[place].turn % 2)
            return error_set(error, ERROR_INPUT,
                "permutation '%s' turns tile %u by %u degrees, but a tile of '%s' is not square: "
                "it has %u x %u pixels",
                u->apply, permutation->placed[place].tile, permutation->placed[place].turn * 90,
                u->input, u->tile_width, u->tile_height);
    return 0;
}

/* The strips left over where the size does not divide are outside the tiles. */
int unscramble_cut(struct unscramble *u, const struct image *picture, struct error *error)
{
    if (!u->grid.columns)
        u->grid = DEFAULT_GRID;
    u->tile_width = (uint32_t)picture->width / u->grid.columns;
    u->tile_height = (uint32_t)picture->height / u->grid.rows;
    if (!u->tile_width || !u->tile_height)
        return error_set(error, ERROR_INPUT,
            "cannot cut '%s' into %u x %u tiles: it has only %d x %d pixels", u->input,
            u->grid.columns, u->grid.rows, picture->width, picture->height);
    return 0;
}

static struct workload estimate(const struct unscramble *u, double bytes)
{
    double permutations = 1;
    for (uint32_t i = 2; i <= grid_tiles(u->grid); i++)
        permutations *= i;
    const int searched = !u->apply && u->search == SEARCH_EXHAUSTIVE;
    return (struct workload){
        .cpu_seconds = bytes * (GRAYSCALE_SECONDS_A_BYTE + ASSEMBLE_SECONDS_A_BYTE) +
                       (searched ? permutations * EXHAUSTIVE_SECONDS_A_PERMUTATION : 0),
        .bytes = 2 * bytes,
    };
}

int unscramble_upload(struct run *run, struct unscramble *u)
{
    u->part = 0;
    u->metric = u->runner_up = NO_METRIC;
    const size_t size =
        (size_t)u->picture.width * (size_t)u->picture.height * image_pixel_size(&u->picture);
    const struct workload work = estimate(u, (double)size);
    int rc = run_device(run, &work);
    if (rc == 0)
        rc = run_buffer(run, &u->pixels, size, u->picture.pixels);
    if (rc == 0)
        rc = buffer_upload(&u->pixels, u->picture.pixels, size, &run->error);
    return rc;
}

static int load_run(struct run *run, void *state)
{
    struct unscramble *u = state;
    int rc = u->apply ? check_permutation(u, &run->error) : 0;
    if (rc == 0)
        rc = unscramble_check_outputs(u, &run->error);
    if (rc == 0 && !u->picture.pixels)
        rc = image_read(
            u->input, u->max_pixels ? u->max_pixels : IMAGE_MAX_PIXELS, &u->picture, &run->error);
    if (rc == 0)
        rc = unscramble_cut(u, &u->picture, &run->error);
    if (rc == 0 && u->apply)
        rc = check_turns(u, &run->error);
    if (rc == 0)
        rc = unscramble_check_outputs(u, &run->error);
    return rc ? rc : unscramble_upload(run, u);
}

const struct stage LOAD = {
    .name = "load", .summary = "decode the picture, cut it, upload it", .run = load_run};
