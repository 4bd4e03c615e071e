/* Tiles that look alike. */
#include <stdlib.h>
#include <string.h>

#include "stages/unscramble/evidence.h"

struct look {
    uint64_t bits; /* of pixels */
    int32_t tile;
    int is_shared; /* by its first row, others have the same */
};

static int by_look(const void *a, const void *b)
{
    const struct look *x = a, *y = b;
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

/* How a puzzle is cut. */
struct cut {
    const struct image *puzzle;
    uint32_t columns, width, height;
};

static size_t first_pixel(const struct cut *cut, int32_t tile)
{
    const size_t column = (uint32_t)tile % cut->columns, row = (uint32_t)tile / cut->columns;
    return row * cut->height * (size_t)cut->puzzle->width + column * cut->width;
}

/* 64 bits of the first rows of a tile. */
static uint64_t look_at(const struct cut *cut, int32_t tile, uint32_t rows)
{
    const size_t first = first_pixel(cut, tile), line = (size_t)cut->puzzle->width;
    uint64_t look = 0;
    for (uint32_t y = 0; y < rows; y++) {
        image_pass_row(cut->puzzle);
        for (uint32_t x = 0; x < cut->width; x++) {
            look = (look ^ pixel_bits(cut->puzzle, first + y * line + x)) * 0x9e3779b97f4a7c15;
            look ^= look >> 29;
        }
    }
    return look;
}

static int is_flat(const struct cut *cut, int32_t tile)
{
    const size_t first = first_pixel(cut, tile), line = (size_t)cut->puzzle->width;
    const uint64_t bits = pixel_bits(cut->puzzle, first);
    for (uint32_t y = 0; y < cut->height; y++) {
        image_pass_row(cut->puzzle);
        for (uint32_t x = 0; x < cut->width; x++)
            if (pixel_bits(cut->puzzle, first + y * line + x) != bits)
                return 0;
    }
    return 1;
}

/* Looks at tiles whose first row is that of others as a whole. The looks are sorted. */
static void look_again(const struct cut *cut, struct look *looks, int tiles)
{
    for (int i = 0; i < tiles; i++)
        looks[i].is_shared = (i > 0 && looks[i].bits == looks[i - 1].bits) ||
                             (i + 1 < tiles && looks[i].bits == looks[i + 1].bits);
#pragma omp parallel for schedule(dynamic)
    for (int i = 0; i < tiles; i++)
        if (looks[i].is_shared)
            looks[i].bits = look_at(cut, looks[i].tile, cut->height);
    qsort(looks, (size_t)tiles, sizeof(*looks), by_look);
}

int alike_find(const struct image *puzzle, struct grid grid, uint32_t tile_width,
    uint32_t tile_height, int32_t *alike)
{
    const struct cut cut = {puzzle, grid.columns, tile_width, tile_height};
    const int tiles = (int)grid_tiles(grid);
    struct look *looks = malloc((size_t)tiles * sizeof(*looks));
    int32_t first = 0;
    int repeated = 0;
    if (!looks)
        return -1;
#pragma omp parallel for
    for (int tile = 0; tile < tiles; tile++)
        looks[tile] = (struct look){look_at(&cut, tile, 1), tile, 0};
    qsort(looks, (size_t)tiles, sizeof(*looks), by_look);
    look_again(&cut, looks, tiles);
    for (int i = 0; i < tiles; i++) {
        const int is_new = i == 0 || looks[i].bits != looks[i - 1].bits;
        const int flat = is_flat(&cut, looks[i].tile);
        first = is_new ? looks[i].tile : first;
        repeated += !is_new;
        for (int side = 0; side < 4; side++)
            alike[4 * looks[i].tile + side] = 4 * first + (flat ? 0 : side);
    }
    free(looks);
    return repeated;
}
