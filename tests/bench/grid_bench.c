/* How often the grid of a shuffled image is found: grid_bench NAME IMAGE... prints the rows of
 * a table, over these images, each shuffled some times on each kind of grid. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/device/clock.h"
#include "random.h"
#include "stages/unscramble/find_grid.h"
#include "tests/bench/through_jpeg.h"

#define SHUFFLES 5
#define LEAST 8 /* pixels of a tile that is drawn */
#define MAX 64

/* Sizes of tiles in pixels; 0 is drawn for each shuffle, -n is n tiles. */
#define WHOLE (-1)

struct kind {
    const char *name;
    int width, height;
    int quality; /* of a JPEG file that the shuffled image goes through; 0: none */
};

static const struct kind KINDS[] = {
    {"8 x 8", 8, 8, 0},
    {"16 x 16", 16, 16, 0},
    {"28 x 28", 28, 28, 0},
    {"64 x 64", 64, 64, 0},
    {"8 x 24", 8, 24, 0},
    {"60 x 13", 60, 13, 0},
    {"drawn", 0, 0, 0},
    {"drawn, JPEG 90", 0, 0, 90},
    {"drawn, JPEG 75", 0, 0, 75},
    {"drawn, JPEG 20", 0, 0, 20},
    {"one column, height drawn", WHOLE, 0, 0},
    {"one row, width drawn", 0, WHOLE, 0},
    {"2 x 2 tiles", -2, -2, 0},
    {"2 x 2 tiles, JPEG 75", -2, -2, 75},
    {"3 x 2 tiles", -3, -2, 0},
    {"3 x 3 tiles", -3, -3, 0},
    {"4 x 4 tiles, JPEG 75", -4, -4, 75},
    {"not shuffled", WHOLE, WHOLE, 0},
    {"not shuffled, JPEG 20", WHOLE, WHOLE, 20},
};

static uint64_t seed;

static uint32_t draw(uint32_t bound)
{
    return (uint32_t)((random_bits(&seed) >> 32) * bound >> 32);
}

static uint32_t tiles_along(int size, int tile)
{
    if (tile < 0)
        return (uint32_t)-tile;
    return (uint32_t)(size / (tile ? tile : LEAST + (int)draw(MAX - LEAST + 1)));
}

/* The tiles of `from` in a random order; what is left over stays. */
static void shuffle(const struct image *from, struct grid grid, struct image *to)
{
    const uint32_t tiles = grid_tiles(grid);
    const size_t pixel = image_pixel_size(from), row = (size_t)from->width * pixel;
    const size_t tile_row = (size_t)from->width / grid.columns * pixel;
    const size_t tile_height = (size_t)from->height / grid.rows;
    uint32_t *order = malloc(tiles * sizeof(*order));
    struct error error;
    if (!order || image_new(from->width, from->height, from->channels, from->depth, to, &error))
        abort();
    memcpy(to->pixels, from->pixels, row * (size_t)from->height);
    for (uint32_t i = 0; i < tiles; i++) {
        const uint32_t j = draw(i + 1);
        order[i] = order[j];
        order[j] = i;
    }
    for (uint32_t i = 0; i < tiles; i++)
        for (size_t y = 0; y < tile_height; y++)
            memcpy((uint8_t *)to->pixels + (i / grid.columns * tile_height + y) * row +
                       i % grid.columns * tile_row,
                (const uint8_t *)from->pixels + (order[i] / grid.columns * tile_height + y) * row +
                    order[i] % grid.columns * tile_row,
                tile_row);
    free(order);
}

struct result {
    int all, count[2][2]; /* [right][sure] */
    int named;            /* wrong, but among the candidates */
    double seconds;
};

static void measure(const struct image *image, const struct kind *kind, struct result *result)
{
    struct image shuffled;
    struct grid_guess guess;
    struct error error;
    const struct grid grid = {
        tiles_along(image->width, kind->width), tiles_along(image->height, kind->height)};
    shuffle(image, grid, &shuffled);
    if (kind->quality && through_jpeg(&shuffled, kind->quality, 2, &error))
        abort();
    const double start = clock_seconds();
    if (grid_find(&shuffled, &guess, &error) != 0)
        abort();
    result->seconds += clock_seconds() - start;
    uint32_t place = 0;
    while (place < guess.count && (guess.candidates[place].grid.columns != grid.columns ||
                                      guess.candidates[place].grid.rows != grid.rows))
        place++;
    result->all++;
    result->count[place == 0][guess.is_sure]++;
    result->named += place > 0 && place < guess.count;
    image_free(&shuffled);
}

int main(int argc, char **argv)
{
    enum { COUNT = sizeof(KINDS) / sizeof(KINDS[0]) };
    struct result results[COUNT] = {{0}};
    if (argc < 3) {
        fprintf(stderr, "usage: grid_bench NAME IMAGE...\n");
        return 2;
    }
    for (int i = 2; i < argc; i++) {
        struct image image;
        struct error error;
        if (image_read(argv[i], IMAGE_MAX_PIXELS, NULL, &image, &error) != 0) {
            fprintf(stderr, "grid_bench: %s\n", error.text);
            return 1;
        }
        for (int kind = 0; kind < COUNT; kind++)
            for (int j = 0; j < SHUFFLES; j++)
                measure(&image, &KINDS[kind], &results[kind]);
        image_free(&image);
    }
    for (int kind = 0; kind < COUNT; kind++) {
        const struct result *r = &results[kind];
        printf("| %s | %s | %d | %d | %d | %d | %d | %d | %.1f |\n", argv[1], KINDS[kind].name,
            r->all, r->count[1][1], r->count[1][0], r->named, r->count[0][0] - r->named,
            r->count[0][1], 1e3 * r->seconds / r->all);
    }
    return 0;
}
