#include "tests/reference/unscramble_reference.h"

#include <string.h>

static unsigned sample_at(const struct image *picture, size_t x, size_t y, size_t channel)
{
    const size_t i = 4 * (y * (size_t)picture->width + x) + channel;
    return picture->depth == 16 ? ((const uint16_t *)picture->pixels)[i]
                                : ((const uint8_t *)picture->pixels)[i];
}

/* The mean of 0.3 R + 0.6 G + 0.1 B over a box, in bytes, rounded down. */
static uint8_t box_mean(
    const struct image *picture, size_t left, size_t right, size_t top, size_t bottom)
{
    uint64_t tenths = 0;
    for (size_t y = top; y < bottom; y++)
        for (size_t x = left; x < right; x++)
            tenths += 3 * sample_at(picture, x, y, 0) + 6 * sample_at(picture, x, y, 1) +
                      sample_at(picture, x, y, 2);
    const uint64_t count = (right - left) * (bottom - top);
    return (uint8_t)(tenths / (10 * count * (picture->depth == 16 ? 257 : 1)));
}

void reference_grayscale(
    const struct image *picture, struct grid grid, enum sampling sampling, uint8_t *gray)
{
    const size_t width = grid.columns * 64, height = grid.rows * 64;
    const size_t tiled_width = (size_t)picture->width / grid.columns * grid.columns;
    const size_t tiled_height = (size_t)picture->height / grid.rows * grid.rows;
    for (size_t y = 0; y < height; y++)
        for (size_t x = 0; x < width; x++) {
            const size_t left = x * tiled_width / width, top = y * tiled_height / height;
            size_t right = (x + 1) * tiled_width / width;
            size_t bottom = (y + 1) * tiled_height / height;
            if (sampling == SAMPLING_POINT || right == left)
                right = left + 1;
            if (sampling == SAMPLING_POINT || bottom == top)
                bottom = top + 1;
            gray[y * width + x] = box_mean(picture, left, right, top, bottom);
        }
}

void reference_edges(const uint8_t *gray, struct grid grid, uint8_t *edges)
{
    const size_t width = grid.columns * 64;
    for (size_t tile = 0; tile < grid_tiles(grid); tile++) {
        const uint8_t *corner = gray + tile / grid.columns * 64 * width + tile % grid.columns * 64;
        for (size_t i = 0; i < 64; i++) {
            uint8_t *edge = edges + tile * 4 * 64 + i;
            edge[0 * 64] = corner[i * width];      /* left */
            edge[1 * 64] = corner[i];              /* top */
            edge[2 * 64] = corner[i * width + 63]; /* right */
            edge[3 * 64] = corner[63 * width + i]; /* bottom */
        }
    }
}

static uint32_t squared_difference(const uint8_t *a, const uint8_t *b)
{
    uint32_t sum = 0;
    for (int i = 0; i < 64; i++)
        sum += (uint32_t)((a[i] - b[i]) * (a[i] - b[i]));
    return sum;
}

void reference_fits(const uint8_t *edges, struct grid grid, uint32_t *fits)
{
    const size_t tiles = grid_tiles(grid);
    for (size_t a = 0; a < tiles; a++)
        for (size_t b = 0; b < tiles; b++) {
            const uint8_t *edges_a = edges + a * 4 * 64, *edges_b = edges + b * 4 * 64;
            fits[a * MAX_TILES + b] = squared_difference(edges_a + 2 * 64, edges_b);
            fits[MAX_TILES * MAX_TILES + a * MAX_TILES + b] =
                squared_difference(edges_a + 3 * 64, edges_b + 64);
        }
}

struct walk {
    const uint32_t *fits;
    struct grid grid;
    uint32_t order[MAX_TILES];
    int used[MAX_TILES];
    struct permutation *best;
    uint32_t best_metric, next_metric;
};

/* Goes through all permutations in lexicographic order. What begins as dear as the second best is
 * left out: fits are not negative and a later permutation loses a tie. */
static void place_tiles(struct walk *walk, uint32_t place, uint32_t metric)
{
    const uint32_t tiles = grid_tiles(walk->grid), columns = walk->grid.columns;
    if (metric >= walk->next_metric)
        return;
    if (place == tiles) {
        if (metric < walk->best_metric) {
            walk->next_metric = walk->best_metric;
            walk->best_metric = metric;
            memcpy(walk->best->order, walk->order, sizeof(walk->order));
        } else {
            walk->next_metric = metric;
        }
        return;
    }
    for (uint32_t tile = 0; tile < tiles; tile++) {
        uint32_t cost = 0;
        if (walk->used[tile])
            continue;
        if (place % columns != 0)
            cost += walk->fits[walk->order[place - 1] * MAX_TILES + tile];
        if (place >= columns)
            cost +=
                walk->fits[MAX_TILES * MAX_TILES + walk->order[place - columns] * MAX_TILES + tile];
        walk->order[place] = tile;
        walk->used[tile] = 1;
        place_tiles(walk, place + 1, metric + cost);
        walk->used[tile] = 0;
    }
}

void reference_search(const uint32_t *fits, struct grid grid, struct permutation *permutation,
    uint32_t *metric, uint32_t *runner_up)
{
    struct walk walk = {.fits = fits,
        .grid = grid,
        .best = permutation,
        .best_metric = UINT32_MAX,
        .next_metric = UINT32_MAX};
    permutation->grid = grid;
    place_tiles(&walk, 0, 0);
    *metric = walk.best_metric;
    *runner_up = walk.next_metric;
}

void reference_assemble(
    const struct image *picture, const struct permutation *permutation, struct image *assembled)
{
    const size_t pixel = image_pixel_size(picture), row = (size_t)picture->width * pixel;
    const size_t columns = permutation->grid.columns;
    const size_t width = (size_t)picture->width / columns;
    const size_t height = (size_t)picture->height / permutation->grid.rows;
    memcpy(assembled->pixels, picture->pixels, row * (size_t)picture->height);
    for (size_t place = 0; place < grid_tiles(permutation->grid); place++) {
        const size_t tile = permutation->order[place];
        for (size_t y = 0; y < height; y++)
            memcpy((char *)assembled->pixels + (place / columns * height + y) * row +
                       place % columns * width * pixel,
                (const char *)picture->pixels + (tile / columns * height + y) * row +
                    tile % columns * width * pixel,
                width * pixel);
    }
}
