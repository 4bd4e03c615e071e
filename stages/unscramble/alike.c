/* Tiles that look alike. */
#include <stdlib.h>
#include <string.h>

#include "stages/unscramble/evidence.h"

struct look {
    uint64_t bits;
    int32_t tile;
    int is_flat; /* all of one color */
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

static struct look look_at(
    const struct image *puzzle, struct grid grid, uint32_t width, uint32_t height, uint32_t tile)
{
    const size_t left = tile % grid.columns * width, top = tile / grid.columns * height;
    const uint64_t first = pixel_bits(puzzle, top * (size_t)puzzle->width + left);
    struct look look = {.tile = (int32_t)tile, .is_flat = 1};
    for (uint32_t y = 0; y < height; y++)
        for (uint32_t x = 0; x < width; x++) {
            const uint64_t bits = pixel_bits(puzzle, (top + y) * (size_t)puzzle->width + left + x);
            look.is_flat &= bits == first;
            look.bits = (look.bits ^ bits) * 0x9e3779b97f4a7c15;
            look.bits ^= look.bits >> 29;
        }
    return look;
}

int alike_find(const struct image *puzzle, struct grid grid, uint32_t tile_width,
    uint32_t tile_height, int32_t *alike)
{
    const int tiles = (int)grid_tiles(grid);
    struct look *looks = malloc((size_t)tiles * sizeof(*looks));
    int32_t first = 0;
    int repeated = 0;
    if (!looks)
        return -1;
#pragma omp parallel for
    for (int tile = 0; tile < tiles; tile++)
        looks[tile] = look_at(puzzle, grid, tile_width, tile_height, (uint32_t)tile);
    qsort(looks, (size_t)tiles, sizeof(*looks), by_look);
    for (int i = 0; i < tiles; i++) {
        const int is_new = i == 0 || looks[i].bits != looks[i - 1].bits;
        first = is_new ? looks[i].tile : first;
        repeated += !is_new;
        for (int side = 0; side < 4; side++)
            alike[4 * looks[i].tile + side] = 4 * first + (looks[i].is_flat ? 0 : side);
    }
    free(looks);
    return repeated;
}
