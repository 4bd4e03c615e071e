/* CUT: decodes the images, adds noise, lays their tiles out in one puzzle, still in order, and
 * uploads it. */
#include <assert.h>

#include "images/output.h"
#include "random.h"
#include "stages/unscramble/unscramble.h"

static const struct grid DEFAULT_GRID = {3, 3};

#define NOISE_SEED 0x6e6f697365 /* xor the seed, so that noise and shuffle have nothing in common */

/* Draws a nearly normally distributed change: the sum of twelve uniform 16-bit numbers, less its
 * mean, has a standard deviation of 65536. Whole numbers only, so the same everywhere. */
static int64_t draw_noise(int64_t sigma, uint64_t *random)
{
    int64_t sum = -6 * 65535;
    for (int i = 0; i < 3; i++)
        for (uint64_t bits = random_bits(random), j = 0; j < 4; j++, bits >>= 16)
            sum += bits & 65535;
    sum *= sigma;
    return (sum + (sum < 0 ? -32768 : 32768)) / 65536;
}

/* Adds noise to each channel but alpha. The three channels of a gray image change alike. */
static void add_noise(struct image *image, uint64_t sigma, uint64_t *random)
{
    const size_t pixels = (size_t)image->width * (size_t)image->height;
    const int64_t most = image->depth == 16 ? 65535 : 255;
    uint8_t *bytes = image->pixels;
    uint16_t *deep = image->pixels;
    for (size_t i = 0; sigma && i < 4 * pixels; i += 4) {
        int64_t change = 0;
        for (size_t c = i; c < i + 3; c++) {
            if (c == i || image->channels > 2)
                change = draw_noise((int64_t)sigma * most / 255, random);
            int64_t value = change + (most == 255 ? bytes[c] : deep[c]);
            value = value < 0 ? 0 : value > most ? most : value;
            if (most == 255)
                bytes[c] = (uint8_t)value;
            else
                deep[c] = (uint16_t)value;
        }
    }
}

/* Leaves the grid of an input, and the size of its tiles. */
static int cut_image(
    struct unscramble *u, uint32_t number, const struct image *image, struct error *error)
{
    if (!u->grid.columns)
        u->grid = u->options.grid.columns ? u->options.grid : DEFAULT_GRID;
    const int rc = unscramble_cut(u, u->options.scramble.inputs[number], image, error);
    u->grids[number] = u->grid;
    return rc;
}

/* Chooses the puzzle's grid: that of the only input, or the squarest one that holds all tiles. */
static int choose_grid(struct unscramble *u, struct error *error)
{
    uint64_t tiles = 0;
    for (uint32_t i = 0; i < u->options.scramble.input_count; i++)
        tiles += (uint64_t)u->grids[i].columns * u->grids[i].rows;
    u->grid = u->grids[0];
    if (u->options.scramble.input_count > 1 && tiles <= MAX_TILES) {
        for (u->grid.columns = 1; u->grid.columns * u->grid.columns < tiles;)
            u->grid.columns++;
        u->grid.rows = ((uint32_t)tiles + u->grid.columns - 1) / u->grid.columns;
        tiles = grid_tiles(u->grid);
    }
    if (tiles > MAX_TILES)
        return error_set(error, ERROR_INPUT,
            "the puzzle would have %llu tiles; at most %d are possible", (unsigned long long)tiles,
            MAX_TILES);
    return 0;
}

/* Copies the tiles, less what is eroded, into the puzzle. */
static void copy_tiles(struct unscramble *u, const struct image *images)
{
    const uint32_t erode = (uint32_t)u->options.scramble.erode;
    const uint32_t width = u->tile_width + 2 * erode, height = u->tile_height + 2 * erode;
    uint32_t place = 0;
    for (uint32_t i = 0; i < u->options.scramble.input_count; i++)
        for (uint32_t tile = 0; tile < grid_tiles(u->grids[i]); tile++, place++) {
            assert(images[i].pixels);
            image_copy_area(&images[i], (int)(tile % u->grids[i].columns * width + erode),
                (int)(tile / u->grids[i].columns * height + erode), (int)u->tile_width,
                (int)u->tile_height, &u->loaded, (int)(place % u->grid.columns * u->tile_width),
                (int)(place / u->grid.columns * u->tile_height));
        }
}

/* The puzzle gets the metadata of its image, or of several what all have. */
static void take_metadata(struct unscramble *u, struct image *images)
{
    for (uint32_t i = 1; i < u->options.scramble.input_count; i++)
        metadata_intersect(&images[0].metadata, &images[i].metadata);
    u->loaded.metadata = images[0].metadata;
    images[0].metadata = (struct metadata){0};
}

/* Makes the puzzle, of whole tiles. It has color, and alpha, where any of the images has. */
static int lay_out(struct unscramble *u, struct image *images, struct error *error)
{
    int color = 0, alpha = 0;
    for (uint32_t i = 0; i < u->options.scramble.input_count; i++) {
        color |= images[i].channels > 2;
        alpha |= images[i].channels % 2 == 0;
        if (images[i].depth != images[0].depth)
            return error_set(error, ERROR_INPUT,
                "'%s' has %d bits a channel and '%s' %d; convert one",
                u->options.scramble.inputs[0], images[0].depth, u->options.scramble.inputs[i],
                images[i].depth);
    }
    if (2 * u->options.scramble.erode >= u->tile_width ||
        2 * u->options.scramble.erode >= u->tile_height)
        return error_set(error, ERROR_INPUT,
            "cannot erode tiles of %u x %u pixels by %llu: nothing would be left", u->tile_width,
            u->tile_height, (unsigned long long)u->options.scramble.erode);
    u->tile_width -= 2 * (uint32_t)u->options.scramble.erode;
    u->tile_height -= 2 * (uint32_t)u->options.scramble.erode;
    const uint64_t width = (uint64_t)u->grid.columns * u->tile_width;
    const uint64_t height = (uint64_t)u->grid.rows * u->tile_height;
    int rc =
        unscramble_check_size(u, "puzzle", u->options.scramble.inputs[0], width, height, error);
    if (rc == 0)
        rc = image_new_in(u->scratch, (int)width, (int)height, (color ? 3 : 1) + alpha,
            images[0].depth, &u->loaded, error);
    if (rc == 0) {
        copy_tiles(u, images);
        take_metadata(u, images);
    }
    return rc;
}

static int make_puzzle(struct run *run, struct unscramble *u)
{
    struct error *const error = &run->error;
    struct image images[MAX_SOLUTIONS] = {0};
    uint64_t random = u->options.seed ^ NOISE_SEED;
    int rc = unscramble_check_outputs(u, error);
    unscramble_open_scratch(u);
    for (uint32_t i = 0; rc == 0 && i < u->options.scramble.input_count; i++) {
        rc = image_read_in(u->scratch, u->options.scramble.inputs[i], unscramble_max_pixels(u),
            run_watch_part(run, (int)i, (int)u->options.scramble.input_count), &images[i], error);
        if (rc == 0)
            unscramble_warn_of_others(run, u->options.scramble.inputs[i], &images[i]);
        if (rc == 0)
            rc = cut_image(u, i, &images[i], error);
        if (rc == 0)
            add_noise(&images[i], u->options.scramble.noise, &random);
    }
    if (rc == 0)
        rc = choose_grid(u, error);
    if (rc == 0 && (u->options.tile_width || u->options.scramble.erode)) {
        rc = lay_out(u, images, error);
    } else if (rc == 0) { /* the image as it is, with the strips beside the tiles */
        u->loaded = images[0];
        images[0] = (struct image){0};
    }
    u->puzzle = u->loaded;
    if (rc == 0)
        rc = unscramble_check_outputs(u, error);
    for (uint32_t i = 0; i < u->options.scramble.input_count; i++)
        image_free(&images[i]);
    return rc;
}

static int cut_run(struct run *run, struct unscramble *u)
{
    const int rc = u->puzzle.pixels ? 0 : make_puzzle(run, u);
    return rc ? rc : unscramble_upload(run, u);
}

const struct unscramble_stage CUT = {
    .stage = {"cut", "decode the images, cut them, upload their tiles"},
    .run = cut_run,
};
