#include "images/pyramid.h"

#include <string.h>

#define PARALLEL_WIDTH 256 /* pixels; narrower rows are reduced before other threads wake up */
#define PARALLEL_BYTES ((size_t)1 << 20) /* fewer are copied before other threads wake up */

int pyramid_levels(const struct image *whole, int smallest)
{
    int count = 1;
    int side = whole->width > whole->height ? whole->width : whole->height;
    for (; side > smallest; side = (side + 1) / 2)
        count++;
    return count;
}

struct image pyramid_reduced(const struct image *whole, int levels)
{
    struct image reduced = *whole;
    for (int i = 0; i < levels; i++) {
        reduced.width = (reduced.width + 1) / 2;
        reduced.height = (reduced.height + 1) / 2;
    }
    reduced.pixels = NULL;
    return reduced;
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

/* Which rows of a level a part takes. Of all levels but the last it reduces all of them; of the
 * last only its own, since the rows of the next one that the overlap makes are its neighbors'. */
static void set_rows(struct pyramid *pyramid, int number, int part)
{
    struct pyramid_level *level = &pyramid->levels[number];
    const int shift = pyramid->count - 1 - number, tile = pyramid->tile;
    const int is_last = shift == 0;
    const int begin = part * (tile << shift), end = begin + (tile << shift);
    level->tiles_begin = part << shift;
    level->tiles_end = least((part + 1) << shift, pyramid_tiles(pyramid, level->height));
    level->tile_row = part ? level->tiles_begin - 1 : 0;
    level->rows =
        pyramid_part_rows(tile, pyramid->overlap, shift + 1, part, level->height, &level->end);
    level->reduced = is_last ? begin : level->rows;
    level->reduced_end = is_last ? least(end, level->height) : level->end;
}

int pyramid_open(const struct image *whole, int tile, int overlap, int levels, int part,
    pyramid_sink *sink, void *context, struct pyramid *pyramid, struct error *error)
{
    int rc = 0;
    *pyramid = (struct pyramid){
        .tile = tile, .overlap = overlap, .count = levels, .sink = sink, .context = context};
    for (int i = 0; rc == 0 && i < levels; i++) {
        struct pyramid_level *level = &pyramid->levels[i];
        const struct image own = pyramid_reduced(whole, i), next = pyramid_reduced(&own, 1);
        const int most = tile + 2 * overlap;
        level->width = own.width;
        level->height = own.height;
        set_rows(pyramid, i, part == PYRAMID_WHOLE ? 0 : part);
        rc = image_new(
            own.width, least(own.height, most), own.channels, own.depth, &level->band, error);
        if (rc == 0 && (i + 1 < levels || part != PYRAMID_WHOLE))
            rc = image_new(next.width, least(next.height, tile / 2), own.channels, own.depth,
                &level->half, error);
    }
    if (rc || part == PYRAMID_WHOLE)
        return rc;
    const struct pyramid_level *last = &pyramid->levels[levels - 1];
    return image_new((last->width + 1) / 2, (last->reduced_end - last->reduced + 1) / 2,
        whole->channels, whole->depth, &pyramid->rest, error);
}

void pyramid_close(struct pyramid *pyramid)
{
    for (int i = 0; i < pyramid->count; i++) {
        image_free(&pyramid->levels[i].band);
        image_free(&pyramid->levels[i].half);
    }
    image_free(&pyramid->rest);
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
    return least(end, level->end);
}

static unsigned char *row_of(const struct image *image, int y)
{
    return (unsigned char *)image->pixels +
           (size_t)y * (size_t)image->width * image_pixel_size(image);
}

/* The rows of the next level that come from a row of tiles without its overlap. */
static struct image reduce(const struct pyramid *pyramid, struct pyramid_level *level)
{
    const int begin = level->reduced;
    const int end = least((level->tile_row + 1) * pyramid->tile, level->reduced_end);
    const int rows = end > begin ? end - begin : 0;
    const int has_alpha = level->band.channels % 2 == 0;
    const int skipped = begin - band_begin(pyramid, level);
    struct image half = level->half;
    half.height = (rows + 1) / 2;
    level->reduced += rows;
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

static void keep_rest(struct pyramid *pyramid, const struct image *rows)
{
    memcpy(row_of(&pyramid->rest, pyramid->rest_rows), row_of(rows, 0),
        (size_t)(row_of(rows, rows->height) - row_of(rows, 0)));
    pyramid->rest_rows += rows->height;
}

/* Gives away a row of tiles, of which all rows are there, unless it is a neighbor's, and keeps
 * those that the next one shares. */
static int finish_tiles(struct pyramid *pyramid, int number, struct error *error)
{
    struct pyramid_level *level = &pyramid->levels[number];
    const int begin = band_begin(pyramid, level);
    struct image band = level->band;
    band.height = level->rows - begin;
    int rc = 0;
    if (level->tile_row >= level->tiles_begin && level->tile_row < level->tiles_end)
        rc = pyramid->sink(pyramid->context, number, level->tile_row, &band, error);
    if (rc == 0 && level->half.pixels) {
        const struct image half = reduce(pyramid, level);
        if (number + 1 < pyramid->count)
            rc = add_rows(pyramid, number + 1, &half, error);
        else
            keep_rest(pyramid, &half);
    }
    level->tile_row++;
    const int next = band_begin(pyramid, level);
    if (rc == 0 && next < level->rows)
        memmove(row_of(&band, 0), row_of(&band, next - begin),
            (size_t)(row_of(&band, level->rows - begin) - row_of(&band, next - begin)));
    return rc;
}

/* Copies rows of `size` bytes. */
static void copy_rows(unsigned char *to, const unsigned char *from, size_t size, int count)
{
#pragma omp parallel for if (size * (size_t)count >= PARALLEL_BYTES)
    for (int y = 0; y < count; y++)
        memcpy(to + (size_t)y * size, from + (size_t)y * size, size);
}

static int add_rows(
    struct pyramid *pyramid, int number, const struct image *rows, struct error *error)
{
    struct pyramid_level *level = &pyramid->levels[number];
    const size_t row = (size_t)level->width * image_pixel_size(rows);
    const int tile_rows = pyramid_tiles(pyramid, level->end);
    int rc = 0;
    for (int y = 0, count; rc == 0 && y < rows->height; y += count) {
        const int needed = band_end(pyramid, level) - level->rows;
        count = needed < rows->height - y ? needed : rows->height - y;
        copy_rows(row_of(&level->band, level->rows - band_begin(pyramid, level)), row_of(rows, y),
            row, count);
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
