/* The grid of synthetic shuffled images, doubt where there are no seams, and grids that the seams
 * speak against. */
#include <stdlib.h>
#include <string.h>

#include "cli/tap.h"
#include "random.h"
#include "stages/unscramble/check_grid.h"
#include "stages/unscramble/find_grid.h"
#include "tests/bench/through_jpeg.h"

/* Waves in both directions with a little noise; `range` is their height. */
static void draw_waves(struct image *image, double range, uint64_t seed)
{
    for (int y = 0; y < image->height; y++)
        for (int x = 0; x < image->width; x++)
            for (int c = 0; c < 4; c++) {
                const int u = (x * (3 + c) + y * 2) % 512, v = (y * (4 + c) + x) % 512;
                const int wave = abs(u - 256) + abs(v - 256);
                const double noise = random_unit(&seed) * range / 40;
                const int value = (int)(wave * range / 512 * 0.95 + noise);
                const size_t i = 4 * ((size_t)y * (size_t)image->width + (size_t)x) +
                                 (size_t)(image->channels < 3 ? c - c % 3 : c);
                if (image->depth == 16)
                    ((uint16_t *)image->pixels)[i] = (uint16_t)value;
                else
                    ((uint8_t *)image->pixels)[i] = (uint8_t)value;
            }
}

/* Dark strokes on white: most seams cannot be seen. */
static void draw_document(struct image *image, uint64_t seed)
{
    uint8_t *pixels = image->pixels;
    memset(pixels, 255, (size_t)image->width * (size_t)image->height * 4);
    for (int line = 40; line + 20 < image->height; line += 27)
        for (int x = 30; x + 40 < image->width; x += 9) {
            const uint64_t bits = random_bits(&seed);
            for (int y = 0; y < 12 && bits % 7; y++)
                for (int i = 0; i < 7; i++)
                    if (i == (int)(bits >> 8 & 7) || y == (int)(bits >> 16 & 7) ||
                        i + y == (int)(bits >> 24 & 15))
                        memset(pixels + 4 * ((size_t)(line + y) * (size_t)image->width +
                                                (size_t)(x + i)),
                            20, 3);
        }
}

static void new_image(int width, int height, int channels, int depth, struct image *image)
{
    struct error error;
    if (image_new(width, height, channels, depth, image, &error) != 0)
        abort();
}

/* Moves the tiles and leaves what is left over. */
static void shuffle(struct image *image, struct grid grid, uint64_t seed)
{
    const size_t tile_width = (size_t)image->width / grid.columns;
    const size_t tile_height = (size_t)image->height / grid.rows;
    const size_t pixel = image_pixel_size(image), row = (size_t)image->width * pixel;
    uint8_t *pixels = image->pixels, *swapped = malloc(tile_width * pixel);
    if (!swapped)
        abort();
    for (uint32_t i = grid_tiles(grid) - 1; i > 0; i--) {
        const uint32_t j = (uint32_t)(random_bits(&seed) % (i + 1));
        for (size_t y = 0; y < tile_height && j != i; y++) {
            uint8_t *a = pixels + (i / grid.columns * tile_height + y) * row +
                         i % grid.columns * tile_width * pixel;
            uint8_t *b = pixels + (j / grid.columns * tile_height + y) * row +
                         j % grid.columns * tile_width * pixel;
            memcpy(swapped, a, tile_width * pixel);
            memcpy(a, b, tile_width * pixel);
            memcpy(b, swapped, tile_width * pixel);
        }
    }
    free(swapped);
}

static void find(const struct image *image, struct grid_guess *guess)
{
    struct error error;
    if (grid_find(image, guess, &error) != 0)
        abort();
}

static int is_grid(const struct grid_candidate *c, struct grid grid)
{
    return c->grid.columns == grid.columns && c->grid.rows == grid.rows;
}

/* Every candidate is a grid of this image, and they are in order. */
static int is_guess(const struct image *image, const struct grid_guess *guess)
{
    int good = guess->count >= 1 && guess->count <= GRID_CANDIDATES;
    for (uint32_t i = 0; good && i < guess->count; i++) {
        const struct grid_candidate *c = &guess->candidates[i];
        good = c->grid.columns && c->grid.rows &&
               c->tile_width == (uint32_t)image->width / c->grid.columns &&
               c->tile_height == (uint32_t)image->height / c->grid.rows &&
               (i == 0 || c[-1].evidence >= c->evidence);
    }
    return good;
}

static void check(struct image *image, struct grid grid, int sure, const char *what)
{
    struct grid_guess guess;
    shuffle(image, grid, 1);
    find(image, &guess);
    const struct grid_candidate *c = guess.candidates;
    tap_check(is_guess(image, &guess) && is_grid(c, grid) && guess.is_sure == sure,
        "%s: %u x %u tiles of %u x %u pixels%s; found %u x %u%s", what, grid.columns, grid.rows,
        image->width / grid.columns, image->height / grid.rows, sure ? "" : ", not sure",
        c->grid.columns, c->grid.rows, guess.is_sure ? "" : ", not sure");
    image_free(image);
}

static void check_waves(int width, int height, int channels, int depth, double range,
    struct grid grid, int sure, const char *what)
{
    struct image image;
    new_image(width, height, channels, depth, &image);
    draw_waves(&image, range, 5);
    check(&image, grid, sure, what);
}

static void check_color(uint32_t columns, uint32_t rows, int sure)
{
    check_waves(480, 360, 3, 8, 255, (struct grid){columns, rows}, sure, "color");
}

/* JPEG blurs seams. What is likely is right, and some grids are likely that are not sure. */
static void check_jpeg(void)
{
    static const struct grid GRIDS[] = {
        {2, 2}, {3, 2}, {4, 3}, {5, 4}, {8, 6}, {1, 6}, {5, 1}, {1, 9}};
    static const int QUALITIES[] = {90, 75, 60, 40};
    struct image image;
    struct grid_guess guess;
    struct error error;
    int likely = 0, unsure = 0, wrong = 0, unlikely = 0;
    for (size_t i = 0; i < sizeof(GRIDS) / sizeof(GRIDS[0]); i++)
        for (size_t k = 0; k < sizeof(QUALITIES) / sizeof(QUALITIES[0]); k++) {
            if (image_read("images/samples/papyrus.png", IMAGE_MAX_PIXELS, NULL, &image, &error) !=
                0)
                abort();
            shuffle(&image, GRIDS[i], 1 + k);
            if (through_jpeg(&image, QUALITIES[k], 2, &error) != 0)
                abort();
            find(&image, &guess);
            likely += guess.is_likely;
            unsure += guess.is_likely && !guess.is_sure;
            wrong += guess.is_likely && !is_grid(guess.candidates, GRIDS[i]);
            unlikely += guess.is_sure && !guess.is_likely;
            image_free(&image);
        }
    tap_check(unsure > 0 && wrong == 0 && unlikely == 0,
        "JPEG files: %d grids are likely, %d of them not sure, %d wrong", likely, unsure, wrong);
}

/* Nobody can know what is cut here; what counts is that it is not said to be sure. */
static void check_unsure(struct image *image, const char *what)
{
    struct grid_guess guess;
    find(image, &guess);
    tap_check(is_guess(image, &guess) && !guess.is_likely &&
                  is_grid(guess.candidates, (struct grid){1, 1}),
        "%s, %d x %d pixels: one tile, not sure", what, image->width, image->height);
    image_free(image);
}

static void check_single_tiles(void)
{
    static const int SIZES[][2] = {
        {1, 1}, {1, 50}, {50, 1}, {2, 2}, {3, 3}, {4, 4}, {7, 9}, {8, 8}, {64, 3}, {3, 64}};
    struct image image;
    for (size_t i = 0; i < sizeof(SIZES) / sizeof(SIZES[0]); i++) {
        new_image(SIZES[i][0], SIZES[i][1], 3, 8, &image);
        check_unsure(&image, "flat");
    }
    new_image(300, 200, 1, 16, &image);
    check_unsure(&image, "flat");
    new_image(480, 360, 3, 8, &image);
    draw_waves(&image, 255, 5);
    check_unsure(&image, "not shuffled");
    new_image(480, 360, 1, 8, &image);
    draw_document(&image, 5);
    check_unsure(&image, "not shuffled document");
}

/* With one row, 60 and 59 columns of 8 pixels have the same seams. */
static void check_same_seams(void)
{
    struct image image;
    struct grid_guess guess;
    new_image(480, 360, 3, 8, &image);
    draw_waves(&image, 255, 5);
    shuffle(&image, (struct grid){59, 1}, 1);
    find(&image, &guess);
    tap_check(!guess.is_likely && guess.count >= 2 &&
                  is_grid(guess.candidates, (struct grid){60, 1}) &&
                  is_grid(guess.candidates + 1, (struct grid){59, 1}),
        "grids with the same seams are both named");
    image_free(&image);
}

/* Blocks as a coarse JPEG leaves them, nearly of one color each: they look like tiles, and they
 * hide the seams that are not between them. */
static void check_blocks(struct grid grid, const char *what)
{
    struct image image;
    struct grid_guess guess;
    uint64_t seed = 5;
    new_image(480, 504, 3, 8, &image);
    draw_waves(&image, 255, 5);
    shuffle(&image, grid, 1);
    uint8_t *pixels = image.pixels;
    for (size_t y = 0; y < 504; y++)
        for (size_t x = 0; x < 480; x++)
            for (size_t c = 0; c < 4; c++) {
                const uint8_t block = pixels[4 * (480 * (y & ~7u) + (x & ~7u)) + c] & 252;
                pixels[4 * (480 * y + x) + c] = (uint8_t)(block + (random_bits(&seed) >> 62));
            }
    find(&image, &guess);
    tap_check(is_guess(&image, &guess) && !guess.is_sure,
        "blocks of 8 pixels, %s: not sure; found %u x %u", what, guess.candidates->grid.columns,
        guess.candidates->grid.rows);
    image_free(&image);
}

static void check_cut(
    const struct image *image, struct grid grid, enum grid_fault fault, const char *what)
{
    static const char *const NAMES[] = {"unchecked", "fits", "cuts tiles", "is fractional"};
    struct grid_check check;
    struct error error;
    if (grid_check(image, grid, image->width / (int)grid.columns, image->height / (int)grid.rows,
            &check, &error))
        abort();
    tap_check(check.fault == fault, "%s, %d x %d pixels: a grid of %u x %u %s", what, image->width,
        image->height, grid.columns, grid.rows, NAMES[check.fault]);
}

/* Scales an image without mixing pixels and puts a border around it, and lines between its tiles if
 * these have so many pixels. */
static void redraw(
    const struct image *image, int width, int height, int border, int tile, struct image *result)
{
    const int lines = tile ? 2 : 0, cells[] = {tile ? width / tile : 0, tile ? height / tile : 0};
    new_image(width + 2 * border + 2 * lines * cells[0], height + 2 * border + 2 * lines * cells[1],
        3, 8, result);
    memset(result->pixels, 255, (size_t)result->width * (size_t)result->height * 4);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            const int to_x = x + border + (tile ? lines * (2 * (x / tile) + 1) : 0);
            const int to_y = y + border + (tile ? lines * (2 * (y / tile) + 1) : 0);
            const int from_x = x * image->width / width, from_y = y * image->height / height;
            memcpy((uint8_t *)result->pixels + 4 * (to_y * result->width + to_x),
                (const uint8_t *)image->pixels + 4 * (from_y * image->width + from_x), 4);
        }
}

/* What is not cut where its tiles end, and what is. */
static void check_cuts(void)
{
    const struct grid cut = {6, 4};
    struct image image, other;
    new_image(480, 360, 3, 8, &image);
    draw_waves(&image, 255, 5);
    check_cut(&image, cut, GRID_FITS, "not shuffled");
    shuffle(&image, cut, 1);
    check_cut(&image, cut, GRID_FITS, "shuffled");
    check_cut(&image, (struct grid){4, 6}, GRID_CUTS_TILES, "shuffled in 6 x 4");
    check_cut(&image, (struct grid){3, 3}, GRID_CUTS_TILES, "shuffled in 6 x 4");
    check_cut(&image, (struct grid){12, 8}, GRID_FITS, "shuffled in 6 x 4");
    redraw(&image, 500, 370, 0, 0, &other);
    check_cut(&other, cut, GRID_IS_FRACTIONAL, "scaled");
    image_free(&other);
    redraw(&image, 480, 360, 12, 0, &other);
    check_cut(&other, cut, GRID_CUTS_TILES, "with a border");
    image_free(&other);
    redraw(&image, 480, 360, 0, 20, &other);
    check_cut(&other, (struct grid){24, 18}, GRID_CUTS_TILES, "lines around tiles of 20 pixels");
    image_free(&other);
    /* A line of the image, in the strips of its tiles. */
    for (int y = 0; y < 360; y++)
        memset((uint8_t *)image.pixels + 4 * (480 * y + 100), 0, 12);
    check_cut(&image, (struct grid){1, 5}, GRID_FITS, "lines along strips");
    image_free(&image);
    for (int size = 1; size < 12; size++) {
        new_image(size, 13 - size, 3, 8, &image);
        for (int columns = 1; columns <= size; columns++)
            check_cut(&image, (struct grid){(uint32_t)columns, 1}, GRID_FITS, "flat");
        image_free(&image);
    }
}

int main(void)
{
    static const uint32_t GRIDS[][2] = {{60, 45}, {8, 6}, {30, 9}, {10, 36}, {7, 40}, {24, 10},
        {13, 11}, {43, 29}, {4, 3}, {57, 43}};
    struct image image;
    for (size_t i = 0; i < sizeof(GRIDS) / sizeof(GRIDS[0]); i++)
        check_color(GRIDS[i][0], GRIDS[i][1], 1);
    check_color(1, 12, 1);
    check_color(13, 1, 1);
    check_waves(333, 257, 1, 8, 255, (struct grid){11, 8}, 1, "gray, odd size");
    check_waves(333, 257, 2, 16, 65535, (struct grid){11, 8}, 1, "gray and alpha, 16 bits");
    check_waves(333, 257, 3, 16, 255, (struct grid){20, 16}, 1, "dark, 16 bits");
    check_waves(333, 257, 4, 16, 65535, (struct grid){5, 25}, 1, "color and alpha, 16 bits");
    check_waves(96, 80, 3, 8, 255, (struct grid){12, 10}, 1, "small");
    new_image(900, 700, 1, 8, &image);
    draw_document(&image, 5);
    check(&image, (struct grid){28, 21}, 1, "document");
    check_single_tiles();
    check_same_seams();
    check_jpeg();
    check_blocks((struct grid){1, 1}, "not shuffled");
    check_blocks((struct grid){1, 18}, "strips of 28 pixels");
    check_blocks((struct grid){10, 18}, "tiles of 48 x 28 pixels");
    check_cuts();
    return tap_finish();
}
