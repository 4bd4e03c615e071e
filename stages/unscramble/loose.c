/* A puzzle of loose tiles: reading them, and laying them out in a grid. */
#include <string.h>

#include "stages/unscramble/loose.h"

#define BLOCK 8 /* pixels a side of the blocks of JPEG; of colors at half the resolution, twice */

/* Copies a tile into its place of the image. */
static void put_tile(
    const struct image *tile, struct grid grid, uint32_t place, struct image *image)
{
    image_copy_area(tile, 0, 0, tile->width, tile->height, image,
        (int)(place % grid.columns) * tile->width, (int)(place / grid.columns) * tile->height);
}

/* Makes the image that has a place for each tile, all empty. It has color and alpha until all
 * tiles are known. */
static int new_sheet(const struct unscramble *u, const struct image *tile, struct grid grid,
    struct image *sheet, struct error *error)
{
    const uint64_t width = (uint64_t)grid.columns * (uint64_t)tile->width;
    const uint64_t height = (uint64_t)grid.rows * (uint64_t)tile->height;
    const int rc = unscramble_check_size(u, "puzzle", u->options.input, width, height, error);
    return rc ? rc
              : image_new_in(u->scratch, (int)width, (int)height, 4, tile->depth, sheet, error);
}

static int read_tile(
    const struct unscramble *u, uint32_t number, struct image *tile, struct error *error)
{
    const uint64_t most = unscramble_max_pixels(u);
    const int rc = image_read(u->options.loose[number], most, NULL, tile, error);
    if (rc == ERROR_INPUT) {
        const size_t length = strlen(error->text);
        snprintf(error->text + length, sizeof(error->text) - length,
            "; if it is no tile, move it elsewhere or leave it out");
    }
    return rc;
}

static int check_alike(const struct unscramble *u, const struct image *first,
    const struct image *tile, uint32_t number, struct error *error)
{
    const char *const *names = u->options.loose;
    if (tile->width != first->width || tile->height != first->height)
        return error_set(error, ERROR_INPUT,
            "'%s' has %d x %d pixels and '%s' %d x %d; the tiles of a puzzle are of one size, so "
            "leave out what is none",
            names[0], first->width, first->height, names[number], tile->width, tile->height);
    if (tile->depth != first->depth)
        return error_set(error, ERROR_INPUT, "'%s' has %d bits a channel and '%s' %d; convert one",
            names[0], first->depth, names[number], tile->depth);
    return 0;
}

/* Reads all tiles but the first, by all threads. Of several that fail, the first one tells, and
 * likewise of several whose files have other images. */
static int read_others(struct run *run, struct unscramble *u, const struct image *first)
{
    const uint32_t count = u->options.loose_count;
    uint32_t failed = count, done = 0, told = first->images ? 0 : count;
    struct error line, failure;
    int color = first->channels > 2, alpha = first->channels % 2 == 0, rc = 0, stopped = 0;
#pragma omp parallel for schedule(dynamic) reduction(| : color, alpha)
    for (uint32_t i = 1; i < count; i++) {
        struct image tile = {0};
        struct error error;
        uint32_t until;
        int is_stopped;
#pragma omp atomic read
        until = failed;
#pragma omp atomic read
        is_stopped = stopped;
        if (i > until || is_stopped)
            continue;
        int own = read_tile(u, i, &tile, &error);
        if (own == 0)
            own = check_alike(u, first, &tile, i, &error);
        if (own == 0)
            put_tile(&tile, u->grid, i, &u->loaded);
        color |= tile.channels > 2;
        alpha |= tile.channels && tile.channels % 2 == 0;
#pragma omp critical
        if (own == 0) {
            metadata_intersect(&u->loaded.metadata, &tile.metadata);
            if (i < told && image_tell_others(&tile, u->options.loose[i], &line))
                told = i;
        } else if (i < failed) {
#pragma omp atomic write
            failed = i;
            rc = own;
            failure = error;
        }
        image_free(&tile);
        const int stop = run_progress_part(run, &done, count);
        if (stop) {
#pragma omp atomic write
            stopped = stop;
        }
    }
    u->loaded.channels = (color ? 3 : 1) + alpha;
    if (rc && !stopped)
        run->error = failure;
    rc = stopped ? stopped : rc;
    if (rc == 0 && told > 0 && told < count)
        run_notice(run, 1, "%s", line.text);
    return rc;
}

/* The squarest grid that holds all tiles: without empty places where it can be as square as
 * LOOSE_ASPECT. */
static struct grid squarest(uint32_t tiles)
{
    struct grid grid = {1, 1};
    while (grid.columns * grid.columns < tiles)
        grid.columns++;
    const uint32_t side = grid.columns;
    while (tiles % grid.columns != 0)
        grid.columns++;
    grid.rows = tiles / grid.columns;
    if (grid.columns > LOOSE_ASPECT * grid.rows)
        grid = (struct grid){side, (tiles + side - 1) / side};
    return grid;
}

/* What JPEG left in each tile is known where its blocks also lie in the whole as they would in one
 * file. */
static struct jpeg_origin origin_of(const struct image *tile)
{
    const int block = tile->jpeg.is_halved ? 2 * BLOCK : BLOCK;
    return tile->width % block == 0 && tile->height % block == 0 ? tile->jpeg
                                                                 : (struct jpeg_origin){0};
}

int loose_read(struct run *run, struct unscramble *u)
{
    struct image first;
    int rc = read_tile(u, 0, &first, &run->error);
    if (rc)
        return rc;
    unscramble_warn_of_others(run, u->options.loose[0], &first);
    if (!u->grid.columns)
        u->grid = squarest(u->options.loose_count);
    if (u->options.loose_count > grid_tiles(u->grid))
        rc = error_set(&run->error, ERROR_INPUT,
            "there are %u tiles, more than the %u x %u of the grid", u->options.loose_count,
            u->grid.columns, u->grid.rows);
    if (rc == 0)
        rc = new_sheet(u, &first, u->grid, &u->loaded, &run->error);
    if (rc == 0) {
        u->loaded.jpeg = origin_of(&first);
        u->loaded.metadata = first.metadata;
        first.metadata = (struct metadata){0};
        put_tile(&first, u->grid, 0, &u->loaded);
        rc = read_others(run, u, &first);
    }
    if (rc)
        image_free(&u->loaded);
    image_free(&first);
    return rc;
}

int loose_lay_out(struct unscramble *u, struct grid grid, struct error *error)
{
    const int width = (int)u->tile_width, height = (int)u->tile_height;
    struct image sheet, tile = {.width = width, .height = height, .depth = u->loaded.depth};
    const int rc = new_sheet(u, &tile, grid, &sheet, error);
    if (rc)
        return rc;
    sheet.channels = u->loaded.channels;
    sheet.jpeg = u->loaded.jpeg;
    for (uint32_t i = 0; i < u->options.loose_count; i++)
        image_copy_area(&u->loaded, (int)(i % u->grid.columns) * width,
            (int)(i / u->grid.columns) * height, width, height, &sheet,
            (int)(i % grid.columns) * width, (int)(i / grid.columns) * height);
    if (grid_tiles(grid) == grid_tiles(u->grid)) { /* the device may work on this memory */
        memcpy(u->loaded.pixels, sheet.pixels, image_bytes(&sheet));
        image_free(&sheet);
        u->loaded.width = (int)grid.columns * width;
        u->loaded.height = (int)grid.rows * height;
    } else {
        sheet.metadata = u->loaded.metadata;
        u->loaded.metadata = (struct metadata){0};
        image_free(&u->loaded);
        u->loaded = sheet;
    }
    u->grid = grid;
    u->puzzle = u->loaded;
    return 0;
}
