#include "images/pyramid.h"

#include <string.h>

#define PARALLEL_WIDTH 256 /* pixels; narrower rows are reduced before other threads wake up */

int pyramid_open(const struct image *whole, int tile, int overlap, int smallest, pyramid_sink *sink,
    void *context, struct pyramid *pyramid, struct error *error)
{
    int width = whole->width, height = whole->height, is_last = 0, rc = 0;
    *pyramid = (struct pyramid){.tile = tile, .overlap = overlap, .sink = sink, .context = context};
    for (int i = 0; rc == 0 && !is_last; i++) {
        struct pyramid_level *level = &pyramid->levels[i];
        const int most = tile + 2 * overlap;
        level->width = width;
        level->height = height;
        is_last = width <= smallest && height <= smallest;
        pyramid->count = i + 1;
        rc = image_new(width, height < most ? height : most, whole->channels, whole->depth,
            &level->band, error);
        width = (width + 1) / 2;
        height = (height + 1) / 2;
        if (rc == 0 && !is_last)
            rc = image_new(width, height < tile / 2 ? height : tile / 2, whole->channels,
                whole->depth, &level->half, error);
    }
    return rc;
}

void pyramid_close(struct pyramid *pyramid)
{
    for (int i = 0; i < pyramid->count; i++) {
        image_free(&pyramid->levels[i].band);
        image_free(&pyramid->levels[i].half);
    }
    *pyramid = (struct pyramid){0};
}

/* A row of half the width from two, which are the same at an odd lower edge; in the same way the
 * last pixel of an odd width counts twice, which changes no mean. */
#define REDUCE(name, type, sum_type) \
    static void name(const type *a, const type *b, int width, int has_alpha, type *restrict to) \
    { \
        for (int x = 0; x < width; x += 2, to += 4) { \
            const size_t left = 4 * (size_t)x, right = x + 1 < width ? left + 4 : left; \
            const sum_type alphas[4] = {a[left + 3], a[right + 3], b[left + 3], b[right + 3]}; \
            const sum_type alpha = alphas[0] + alphas[1] + alphas[2] + alphas[3]; \
            for (size_t c = 0; c < 4; c++) { \
                const type values[4] = {a[left + c], a[right + c], b[left + c], b[right + c]}; \
                sum_type sum = 0; \
                if (has_alpha && alpha && c < 3) { \
                    for (int i = 0; i < 4; i++) \
                        sum += values[i] * alphas[i]; \
                    to[c] = (type)((sum + alpha / 2) / alpha); \
                } else { \
                    for (int i = 0; i < 4; i++) \
                        sum += values[i]; \
                    to[c] = (type)((sum + 2) / 4); \
                } \
            } \
        } \
    }
REDUCE(reduce8, uint8_t, uint32_t)
REDUCE(reduce16, uint16_t, uint64_t)

/* The first row of the band. */
static int band_begin(const struct pyramid *pyramid, const struct pyramid_level *level)
{
    return level->tile_row ? level->tile_row * pyramid->tile - pyramid->overlap : 0;
}

/* The first row that the row of tiles does not need. */
static int band_end(const struct pyramid *pyramid, const struct pyramid_level *level)
{
    const int end = (level->tile_row + 1) * pyramid->tile + pyramid->overlap;
    return end < level->height ? end : level->height;
}

static unsigned char *row_of(const struct image *image, int y)
{
    return (unsigned char *)image->pixels +
           (size_t)y * (size_t)image->width * image_pixel_size(image);
}

/* The rows of the next level that come from a row of tiles without its overlap. */
static struct image reduce(const struct pyramid *pyramid, const struct pyramid_level *level)
{
    const int begin = level->tile_row * pyramid->tile, end = begin + pyramid->tile;
    const int rows = (end < level->height ? end : level->height) - begin;
    const int has_alpha = level->band.channels % 2 == 0;
    const int skipped = begin - band_begin(pyramid, level);
    struct image half = level->half;
    half.height = (rows + 1) / 2;
#pragma omp parallel for if (half.width >= PARALLEL_WIDTH)
    for (int y = 0; y < half.height; y++) {
        const void *a = row_of(&level->band, skipped + 2 * y);
        const void *b = 2 * y + 1 < rows ? row_of(&level->band, skipped + 2 * y + 1) : a;
        if (half.depth == 16)
            reduce16(a, b, level->width, has_alpha, (uint16_t *)row_of(&half, y));
        else
            reduce8(a, b, level->width, has_alpha, row_of(&half, y));
    }
    return half;
}

static int add_rows(
    struct pyramid *pyramid, int number, const struct image *rows, struct error *error);

/* Gives away a row of tiles, of which all rows are there, and keeps those that the next one
 * shares. */
static int finish_tiles(struct pyramid *pyramid, int number, struct error *error)
{
    struct pyramid_level *level = &pyramid->levels[number];
    const int begin = band_begin(pyramid, level);
    struct image band = level->band;
    band.height = level->rows - begin;
    int rc = pyramid->sink(pyramid->context, number, level->tile_row, &band, error);
    if (rc == 0 && number + 1 < pyramid->count) {
        const struct image half = reduce(pyramid, level);
        rc = add_rows(pyramid, number + 1, &half, error);
    }
    level->tile_row++;
    const int next = band_begin(pyramid, level);
    if (rc == 0 && next < level->rows)
        memmove(row_of(&band, 0), row_of(&band, next - begin),
            (size_t)(row_of(&band, level->rows - begin) - row_of(&band, next - begin)));
    return rc;
}

static int add_rows(
    struct pyramid *pyramid, int number, const struct image *rows, struct error *error)
{
    struct pyramid_level *level = &pyramid->levels[number];
    const int tile_rows = pyramid_tiles(pyramid, level->height);
    int rc = 0;
    for (int y = 0, count; rc == 0 && y < rows->height; y += count) {
        const int needed = band_end(pyramid, level) - level->rows;
        count = needed < rows->height - y ? needed : rows->height - y;
        memcpy(row_of(&level->band, level->rows - band_begin(pyramid, level)), row_of(rows, y),
            (size_t)(row_of(rows, y + count) - row_of(rows, y)));
        level->rows += count;
        while (rc == 0 && level->tile_row < tile_rows && level->rows == band_end(pyramid, level))
            rc = finish_tiles(pyramid, number, error);
    }
    return rc;
}

int pyramid_add(struct pyramid *pyramid, const struct image *strip, struct error *error)
{
    return add_rows(pyramid, 0, strip, error);
}
