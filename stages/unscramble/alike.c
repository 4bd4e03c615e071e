/* Tiles that look alike. */
#include <stdlib.h>
#include <string.h>

#include "stages/unscramble/evidence.h"

struct tile_look {
    uint64_t bits; /* of pixels */
    int32_t tile;
    int is_shared; /* by its first row, others have the same */
};

static int by_look(const void *a, const void *b)
{
    const struct tile_look *x = a, *y = b;
    if (x->bits != y->bits)
        return x->bits < y->bits ? -1 : 1;
    return x->tile - y->tile;
}

static uint64_t pixel_bits(const struct image *image, size_t at)
{
    uint64_t bits = 0;
    const size_t size = image_pixel_size(image);
    memcpy(&bits, (const uint8_t *)image->pixels + at * size, size);
    return bits;
}

/* The number of the inner pixel x, y of a tile among the image's. */
static size_t pixel_of(const struct tiling *tiling, int32_t tile, int x, int y)
{
    return (size_t)(inner_top(tiling, tile) + y) * (size_t)tiling->image->width +
           (size_t)(inner_left(tiling, tile) + x);
}

/* 64 bits of the first rows of a tile. */
static uint64_t look_at(const struct tiling *tiling, int32_t tile, int rows)
{
    uint64_t look = 0;
    for (int y = 0; y < rows; y++) {
        image_pass_row(tiling->image);
        for (int x = 0; x < inner_width(tiling); x++) {
            look = (look ^ pixel_bits(tiling->image, pixel_of(tiling, tile, x, y))) *
                   0x9e3779b97f4a7c15;
            look ^= look >> 29;
        }
    }
    return look;
}

static int is_flat(const struct tiling *tiling, int32_t tile)
{
    const uint64_t bits = pixel_bits(tiling->image, pixel_of(tiling, tile, 0, 0));
    for (int y = 0; y < inner_height(tiling); y++) {
        image_pass_row(tiling->image);
        for (int x = 0; x < inner_width(tiling); x++)
            if (pixel_bits(tiling->image, pixel_of(tiling, tile, x, y)) != bits)
                return 0;
    }
    return 1;
}

/* Looks at tiles whose first row is that of others as a whole. The looks are sorted. */
static void look_again(const struct tiling *tiling, struct tile_look *looks, int tiles)
{
    for (int i = 0; i < tiles; i++)
        looks[i].is_shared = (i > 0 && looks[i].bits == looks[i - 1].bits) ||
                             (i + 1 < tiles && looks[i].bits == looks[i + 1].bits);
#pragma omp parallel for schedule(dynamic)
    for (int i = 0; i < tiles; i++)
        if (looks[i].is_shared)
            looks[i].bits = look_at(tiling, looks[i].tile, inner_height(tiling));
    qsort(looks, (size_t)tiles, sizeof(*looks), by_look);
}

int alike_find(const struct tiling *tiling, int32_t *alike)
{
    const int tiles = tiling->columns * tiling->rows;
    struct tile_look *looks = malloc((size_t)tiles * sizeof(*looks));
    int32_t first = 0;
    int repeated = 0;
    if (!looks)
        return -1;
#pragma omp parallel for
    for (int tile = 0; tile < tiles; tile++)
        looks[tile] = (struct tile_look){look_at(tiling, tile, 1), tile, 0};
    qsort(looks, (size_t)tiles, sizeof(*looks), by_look);
    look_again(tiling, looks, tiles);
    for (int i = 0; i < tiles; i++) {
        const int is_new = i == 0 || looks[i].bits != looks[i - 1].bits;
        const int flat = is_flat(tiling, looks[i].tile);
        first = is_new ? looks[i].tile : first;
        repeated += !is_new;
        for (int side = 0; side < 4; side++)
            alike[4 * looks[i].tile + side] = 4 * first + (flat ? 0 : side);
    }
    free(looks);
    return repeated;
}
