/* ASSEMBLE: puts the tiles of the puzzle where they belong; each run makes another solution. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "images/text.h"
#include "stages/unscramble/reference.h"
#include "stages/unscramble/unscramble.h"

#define NUMBER_LEAST 10 /* pixels of an em of a tile's number in the snapshot */
#define NUMBER_MAX 32

static const struct color BORDER = {255, 64, 0}, NUMBER = {255, 255, 255};

int unscramble_result_size(
    const struct unscramble *u, uint32_t solution, struct image *result, struct error *error)
{
    const struct permutation *permutation = &u->result.permutation;
    const struct grid grid = permutation->grids[solution];
    *result = u->puzzle;
    result->pixels = NULL;
    if (permutation->solutions == 0 ||
        (permutation->solutions == 1 && grid.columns == u->grid.columns &&
            grid.rows == u->grid.rows))
        return 0;
    const uint64_t width = (uint64_t)grid.columns * u->tile_width;
    const uint64_t height = (uint64_t)grid.rows * u->tile_height;
    const int rc = unscramble_check_size(u, "result",
        u->options.apply ? u->options.apply_name : u->options.input, width, height, error);
    result->width = rc ? 0 : (int)width;
    result->height = rc ? 0 : (int)height;
    return rc;
}

/* Makes room for the result in the host's memory, unless there is room of that size, and on the
 * device. */
static int new_assembled(struct run *run, struct unscramble *u)
{
    struct image *assembled = &u->result.assembled, result;
    int rc = unscramble_result_size(u, u->solution, &result, &run->error);
    if (rc)
        return rc;
    u->solution_count = u->result.permutation.solutions;
    if (!assembled->pixels || assembled->width != result.width ||
        assembled->height != result.height) {
        image_free(assembled);
        rc = image_new_in(u->scratch, result.width, result.height, result.channels, result.depth,
            assembled, &run->error);
    }
    const size_t size = (size_t)result.width * (size_t)result.height * image_pixel_size(&u->puzzle);
    return rc ? rc : run_buffer(run, &u->assembled, size, assembled->pixels);
}

/* The missing color as a pixel of the puzzle. In a gray puzzle it is the color's gray, as GRAYSCALE
 * computes it. */
static void missing_pixel(const struct unscramble *u, uint32_t words[2])
{
    const struct color *missing = &u->options.missing;
    uint8_t bytes[4] = {missing->red, missing->green, missing->blue, 255};
    uint16_t deep[4];
    if (u->puzzle.channels <= 2)
        memset(bytes, (3 * missing->red + 6 * missing->green + missing->blue) / 10, 3);
    for (int c = 0; c < 4; c++)
        deep[c] = (uint16_t)(bytes[c] * 257);
    if (u->puzzle.depth == 16)
        memcpy(words, deep, sizeof(deep));
    else
        memcpy(words, bytes, sizeof(bytes));
}

static int assemble_run(struct run *run, struct unscramble *u)
{
    const struct permutation *permutation = &u->result.permutation;
    const struct image *puzzle = &u->puzzle;
    const struct grid grid = permutation->grids[u->solution];
    const uint32_t words = (uint32_t)image_pixel_size(puzzle) / 4;
    const size_t placed_size = grid_tiles(grid) * sizeof(*permutation->placed);
    struct placed *placed = permutation->placed + permutation_first(permutation, u->solution);
    struct image *assembled = &u->result.assembled;
    int rc = new_assembled(run, u);
    if (rc)
        return rc;
    struct assemble_args args = {
        .row_words = (uint32_t)assembled->width * words,
        .columns = grid.columns,
        .rows = grid.rows,
        .puzzle_row_words = (uint32_t)puzzle->width * words,
        .puzzle_columns = u->grid.columns,
        .tile_words = u->tile_width * words,
        .tile_height = u->tile_height,
        .deep = puzzle->depth == 16,
    };
    missing_pixel(u, args.missing);
    rc = run_buffer(run, &u->placed, placed_size, placed);
    if (rc == 0)
        rc = buffer_upload(&u->placed, placed, placed_size, &run->error);
    if (rc)
        return rc;
    return DEVICE_LAUNCH(&run->device, KERNEL_assemble,
        (size_t)assembled->height * (grid.columns + 1), 1, &run->error, ARGUMENT_BUFFER(&u->pixels),
        ARGUMENT_BUFFER(&u->assembled), ARGUMENT_BUFFER(&u->placed), ARGUMENT(args));
}

static int assemble_reference(struct run *run, struct unscramble *u)
{
    const int rc = new_assembled(run, u);
    if (rc == 0)
        reference_assemble(&u->puzzle, &u->result.permutation, u->solution, u->options.missing,
            &u->result.assembled);
    return rc;
}

/* In the corner of the tile with that top left corner and size, if the tile has room for it. */
static void draw_tile_number(
    struct image *image, unsigned tile, int left, int top, int width, int height)
{
    const double side = width < height ? width : height;
    const double size = fmin(fmax(side / 5, NUMBER_LEAST), NUMBER_MAX);
    char text[16];
    snprintf(text, sizeof(text), "%u", tile);
    const double length = text_width(text, size) + size / 2, line = 1.2 * size;
    if (length > width || line > height)
        return;
    draw_rectangle(image, left, top, (int)length, (int)line, BORDER);
    draw_text(
        image, &(struct text_style){left + length / 2, top + line / 2, 0.5, size, 0, NUMBER}, text);
}

/* Draws the result, reduced, with the borders and numbers of its tiles. */
static int assemble_snapshot(struct run *run, struct unscramble *u, struct image *snapshot)
{
    enum { MAX_SIDE = 1200 };
    int step, rc = buffer_download(
                  &u->assembled, u->result.assembled.pixels, u->assembled.size, &run->error);
    if (rc == 0)
        rc = draw_reduced_copy(&u->result.assembled, MAX_SIDE, snapshot, &step, &run->error);
    if (rc)
        return rc;
    const struct grid grid = u->result.permutation.grids[u->solution];
    const struct placed *placed =
        u->result.permutation.placed + permutation_first(&u->result.permutation, u->solution);
    const int columns = (int)grid.columns, rows = (int)grid.rows;
    const int width = (int)u->tile_width, height = (int)u->tile_height;
    for (int column = 0; column <= columns; column++)
        draw_rectangle(snapshot, column * width / step - 1, 0, 2, rows * height / step, BORDER);
    for (int row = 0; row <= rows; row++)
        draw_rectangle(snapshot, 0, row * height / step - 1, columns * width / step, 2, BORDER);
    for (int place = 0; place < columns * rows; place++)
        if (placed[place].tile != NO_TILE)
            draw_tile_number(snapshot, placed[place].tile, place % columns * width / step,
                place / columns * height / step, width / step, height / step);
    return 0;
}

const struct unscramble_stage ASSEMBLE = {
    .stage = {"assemble", "put the tiles in their order"},
    .run = assemble_run,
    .reference = assemble_reference,
    .snapshot = assemble_snapshot,
};
