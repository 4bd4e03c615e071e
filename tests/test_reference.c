/* The sequential reference against brute force and images worked out by hand. */
#include "stages/unscramble/reference.h"

#include <stdlib.h>
#include <string.h>

#include "cli/tap.h"
#include "tests/test_random.h"

static void swap(uint32_t *order, int i, int j)
{
    const uint32_t swapped = order[i];
    order[i] = order[j];
    order[j] = swapped;
}

/* The next of all orders in lexicographic order; 0 after the last. */
static int next_order(uint32_t *order, int tiles)
{
    int i = tiles - 2, j = tiles - 1;
    while (i >= 0 && order[i] > order[i + 1])
        i--;
    if (i < 0)
        return 0;
    while (order[j] < order[i])
        j--;
    swap(order, i, j);
    for (int left = i + 1, right = tiles - 1; left < right; left++, right--)
        swap(order, left, right);
    return 1;
}

/* The sum over all pairs of places that touch. */
static uint32_t sum_costs(
    const uint32_t *pair_costs, struct grid grid, uint32_t turns, const uint32_t *order)
{
    const uint32_t pitch = ORIENTED_MAX(turns);
    uint32_t sum = 0;
    for (uint32_t a = 0; a < grid_tiles(grid); a++)
        for (uint32_t b = 0; b < grid_tiles(grid); b++) {
            const uint32_t ax = a % grid.columns, ay = a / grid.columns;
            const uint32_t bx = b % grid.columns, by = b / grid.columns;
            if (ay == by && ax + 1 == bx)
                sum += pair_costs[order[a] * pitch + order[b]];
            if (ax == bx && ay + 1 == by)
                sum += pair_costs[pitch * pitch + order[a] * pitch + order[b]];
        }
    return sum;
}

/* Oriented tiles in lexicographic order: of all orders of tiles and turns the first of the best. */
struct found {
    uint32_t order[SEARCH_TILES];
    uint32_t least, second;
};

/* Tries all turns of an order of tiles; of tile 0 only the first. */
static void try_turns(const uint32_t *pair_costs, struct grid grid, uint32_t turns,
    uint32_t first_turns, const uint32_t *tiles, struct found *found)
{
    const uint32_t count = grid_tiles(grid);
    uint32_t combinations = 1, order[SEARCH_TILES];
    for (uint32_t i = 0; i < count; i++)
        combinations *= turns;
    for (uint32_t number = 0; number < combinations; number++) {
        uint32_t tried = 1;
        for (uint32_t i = 0, rest = number; i < count; i++, rest /= turns) {
            order[i] = tiles[i] * turns + rest % turns;
            tried &= tiles[i] > 0 || rest % turns < first_turns;
        }
        if (!tried)
            continue;
        const uint32_t sum = sum_costs(pair_costs, grid, turns, order);
        int before = 0;
        for (uint32_t i = 0; before == 0 && i < count; i++)
            before = (order[i] < found->order[i]) - (order[i] > found->order[i]);
        if (sum < found->least || (sum == found->least && before > 0)) {
            found->second = found->least;
            found->least = sum;
            memcpy(found->order, order, sizeof(order));
        } else if (sum < found->second) {
            found->second = sum;
        }
    }
}

/* Whether reference_search finds what trying every order finds: of the best the first, and the
 * second least cost of all (equal to the least where two orders have it). */
static int agrees(
    const uint32_t *pair_costs, struct grid grid, uint32_t turns, uint32_t first_turns)
{
    struct found found = {.least = NO_COST, .second = NO_COST};
    uint32_t cost, runner_up_cost, tiles[SEARCH_TILES], order[SEARCH_TILES];
    for (uint32_t i = 0; i < SEARCH_TILES; i++)
        tiles[i] = i;
    do
        try_turns(pair_costs, grid, turns, first_turns, tiles, &found);
    while (next_order(tiles, (int)grid_tiles(grid)));
    reference_search(pair_costs, grid, turns, first_turns, order, &cost, &runner_up_cost);
    return cost == found.least && runner_up_cost == found.second &&
           memcmp(order, found.order, grid_tiles(grid) * sizeof(*order)) == 0;
}

/* Fits from 0 to `most`. */
static void check_search(struct grid grid, uint32_t turns, uint32_t first_turns, uint32_t most)
{
    static uint32_t pair_costs[PAIR_COSTS(4)];
    int agreed = 0;
    const int trials = grid_tiles(grid) * turns < 8 ? 40 : 4;
    for (int trial = 0; trial < trials; trial++) {
        for (uint32_t i = 0; i < PAIR_COSTS(turns); i++)
            pair_costs[i] = (next_random() >> 8) % (most + 1);
        agreed += agrees(pair_costs, grid, turns, first_turns);
    }
    tap_check(agreed == trials,
        "search, %u x %u tiles in %u turns, the first in %u, costs up to %u: as by trying every "
        "order",
        grid.columns, grid.rows, turns, first_turns, most);
}

static void check_order_count(void)
{
    uint32_t order[] = {0, 1, 2, 3, 4};
    uint64_t last = 0;
    int count = 0, rising = 1;
    do {
        uint64_t digits = 1;
        for (int i = 0; i < 5; i++)
            digits = digits << 4 | order[i];
        rising &= digits > last;
        last = digits;
        count++;
    } while (next_order(order, 5));
    tap_check(count == 120 && rising, "the test tries 5! orders, in rising order");
}

static struct image new_image(int width, int height, int depth)
{
    struct error error;
    struct image image;
    if (image_new(width, height, 3, depth, &image, &error))
        abort();
    return image;
}

static void check_gray(const char *what, const struct image *image, struct grid grid,
    enum sampling sampling, size_t x, size_t y, int expected)
{
    static uint8_t gray[SEARCH_TILES * EDGE_PIXELS * EDGE_PIXELS];
    memset(gray, 170, sizeof(gray));
    reference_grayscale(image, grid, sampling, gray);
    const int got = gray[y * grid.columns * EDGE_PIXELS + x];
    tap_check(got == expected, "gray %s: %d is %d", what, got, expected);
}

static void check_grayscale(void)
{
    static const struct grid ONE = {1, 1}, TWO = {2, 1};
    struct image pixel = new_image(1, 1, 8);
    memcpy(pixel.pixels, "\x64\xc8\x32\x07", 4); /* 100, 200, 50; alpha does not count */
    check_gray("30 + 120 + 5", &pixel, ONE, SAMPLING_AVERAGE, 63, 63, 155);
    memcpy(pixel.pixels, "\xff\xff\xff", 3);
    check_gray("of white", &pixel, ONE, SAMPLING_POINT, 0, 0, 255);
    memcpy(pixel.pixels, "\x01\x01\x02", 3);
    check_gray("0.3 + 0.6 + 0.2, rounded down", &pixel, ONE, SAMPLING_AVERAGE, 9, 0, 1);
    memcpy(pixel.pixels, "\x03\0\0", 3);
    check_gray("0.9, rounded down", &pixel, ONE, SAMPLING_AVERAGE, 0, 9, 0);
    image_free(&pixel);

    /* 16 bits: 257 levels are one of 8. (3 * 65535 + 6 * 1000) / 2570 = 78.83 */
    struct image deep = new_image(1, 1, 16);
    memcpy(deep.pixels, ((const uint16_t[]){65535, 1000, 0, 0}), 8);
    check_gray("78.83 of 16 bits, rounded down", &deep, ONE, SAMPLING_AVERAGE, 5, 5, 78);
    image_free(&deep);

    /* 128 x 128 pixels: boxes of 2 x 2. The last has gray 10, 20, 30, 43: their mean is 25.75. */
    struct image boxes = new_image(128, 128, 8);
    uint8_t *pixels = boxes.pixels;
    memset(pixels + 4 * (126 * 128 + 126), 10, 4);
    memset(pixels + 4 * (126 * 128 + 127), 20, 4);
    memset(pixels + 4 * (127 * 128 + 126), 30, 4);
    memset(pixels + 4 * (127 * 128 + 127), 43, 4);
    check_gray("25.75, a box of 2 x 2", &boxes, ONE, SAMPLING_AVERAGE, 63, 63, 25);
    check_gray("of the box's first pixel", &boxes, ONE, SAMPLING_POINT, 63, 63, 10);
    check_gray("of the box before", &boxes, ONE, SAMPLING_AVERAGE, 62, 63, 0);
    image_free(&boxes);

    /* 96 columns: boxes begin at floor(1.5 x), so they are 1 and 2 pixels wide by turns. */
    struct image uneven = new_image(96, 1, 8);
    pixels = uneven.pixels;
    memset(pixels + 4 * 3, 100, 4);
    memset(pixels + 4 * 4, 110, 4);
    memset(pixels + 4 * 5, 121, 4);
    check_gray("of columns 3 to 3", &uneven, ONE, SAMPLING_AVERAGE, 2, 40, 100);
    check_gray("115.5 of columns 4 to 5", &uneven, ONE, SAMPLING_AVERAGE, 3, 40, 115);
    image_free(&uneven);

    /* 5 columns in 2 tiles of 2: the last is left over, and each is spread over 32 gray ones. */
    struct image strip = new_image(5, 1, 8);
    for (int x = 0; x < 5; x++)
        memset((uint8_t *)strip.pixels + 4 * x, 10 * (x + 1), 4);
    check_gray("at 31, of column 0", &strip, TWO, SAMPLING_AVERAGE, 31, 0, 10);
    check_gray("at 32, of column 1", &strip, TWO, SAMPLING_AVERAGE, 32, 0, 20);
    check_gray("at 64, of column 2", &strip, TWO, SAMPLING_POINT, 64, 63, 30);
    check_gray("at 127, of column 3", &strip, TWO, SAMPLING_AVERAGE, 127, 63, 40);
    image_free(&strip);
}

/* Two tiles side by side: the left is 10 but for its last column, 13; the right is 20. */
static void check_edges_and_fits(void)
{
    static const struct grid TWO = {2, 1};
    static uint8_t gray[64 * 128], edges[EDGE_BYTES];
    static uint32_t pair_costs[PAIR_COSTS(1)];
    int right = 1;
    for (int i = 0; i < 64 * 128; i++)
        gray[i] = i % 128 == 63 ? 13 : i % 128 < 63 ? 10 : 20;
    gray[127] = 22; /* the right tile's top right corner: in two edges */
    reference_edges(gray, TWO, edges);
    for (int i = 0; i < 64; i++) {
        right &= edges[i] == 10 && edges[64 + i] == (i == 63 ? 13 : 10) && edges[128 + i] == 13 &&
                 edges[192 + i] == (i == 63 ? 13 : 10);
        right &= edges[256 + i] == 20 && edges[320 + i] == (i == 63 ? 22 : 20) &&
                 edges[384 + i] == (i == 0 ? 22 : 20) && edges[448 + i] == 20;
    }
    tap_check(right, "the edges of two tiles: left, top, right, bottom");
    reference_fits(edges, TWO, pair_costs);
    /* Beside: the right edge of a and the left of b. Below: the bottom of a and the top of b. */
    const uint32_t *below = pair_costs + TILE_PAIRS(1);
    tap_check(pair_costs[0] == 64 * 9 && pair_costs[1] == 64 * 49 &&
                  pair_costs[SEARCH_TILES] == 63 * 100 + 144 && pair_costs[SEARCH_TILES + 1] == 4,
        "what tiles cost beside each other");
    tap_check(below[0] == 0 && below[1] == 63 * 100 + 81 && below[SEARCH_TILES] == 63 * 100 + 49 &&
                  below[SEARCH_TILES + 1] == 4,
        "what tiles cost below each other");
}

/* Whether the tiles, placed as a solution has them, make the pixels expected: each of four equal
 * bytes, `missing` apart. */
static int assembles(struct image *image, const struct permutation *permutation, uint32_t solution,
    int width, int height, const uint8_t *expected)
{
    static const struct color MISSING = {99, 99, 99};
    struct image assembled = new_image(width, height, 8);
    int right = 1;
    for (int i = 0; i < image->width * image->height; i++)
        memset((uint8_t *)image->pixels + 4 * i, i, 4);
    reference_assemble(image, permutation, solution, MISSING, &assembled);
    for (int i = 0; i < 3 * width * height; i++)
        right &= ((const uint8_t *)assembled.pixels)[i / 3 * 4 + i % 3] == expected[i / 3];
    image_free(&assembled);
    return right;
}

static void check_assemble(void)
{
    /* Tiles of 2 x 1 pixels in 2 x 2 tiles of 5 x 3: what is left over stays in its place. */
    static const uint8_t UPRIGHT[] = {7, 8, 0, 1, 4, 2, 3, 5, 6, 9, 10, 11, 12, 13, 14};
    static const uint8_t TURNED[] = {8, 7, 99, 99, 4, 2, 3, 6, 5, 9, 10, 11, 12, 13, 14};
    struct placed placed[] = {{3, 0}, {0, 0}, {1, 0}, {2, 0}};
    struct permutation permutation = {{2, 2}, 1, {{2, 2}}, placed, 0};
    struct image image = new_image(5, 3, 8);
    tap_check(assembles(&image, &permutation, 0, 5, 3, UPRIGHT),
        "tiles are put where the permutation says");
    placed[0].turn = placed[3].turn = 2;
    placed[1] = (struct placed){NO_TILE, 0};
    tap_check(assembles(&image, &permutation, 0, 5, 3, TURNED), "half a turn, and an empty place");
    image_free(&image);

    /* Tile 0 is 0 1 / 4 5, tile 1 is 2 3 / 6 7, in a column, one above the other. */
    static const uint8_t QUARTER[] = {6, 2, 7, 3, 4, 0, 5, 1};
    static const uint8_t THREE[] = {3, 7, 2, 6, 1, 5, 0, 4};
    struct placed column[] = {{1, 1}, {0, 1}};
    permutation = (struct permutation){{2, 1}, 1, {{1, 2}}, column, 0};
    image = new_image(4, 2, 8);
    tap_check(assembles(&image, &permutation, 0, 2, 4, QUARTER), "a quarter turn clockwise");
    column[0].turn = column[1].turn = 3;
    tap_check(assembles(&image, &permutation, 0, 2, 4, THREE), "three quarters");
    permutation = (struct permutation){{2, 1}, 2, {{1, 1}, {1, 1}}, column, 0};
    tap_check(assembles(&image, &permutation, 1, 2, 2, &THREE[4]), "the second of two solutions");
    image_free(&image);
}

int main(void)
{
    static const struct grid GRIDS[] = {
        {1, 1}, {2, 1}, {1, 2}, {2, 2}, {3, 2}, {2, 3}, {7, 1}, {1, 7}, {4, 2}, {2, 4}};
    check_order_count();
    for (size_t i = 0; i < sizeof(GRIDS) / sizeof(GRIDS[0]); i++) {
        check_search(GRIDS[i], 1, 1, 4161600); /* 64 pixels of 255 squared */
        check_search(GRIDS[i], 1, 1, 2);
        check_search(GRIDS[i], 1, 1, 0);
    }
    for (uint32_t most = 0; most < 4000; most = 10 * most + 3) {
        check_search((struct grid){2, 2}, 4, 1, most);
        check_search((struct grid){3, 1}, 4, 2, most);
        check_search((struct grid){1, 4}, 2, 1, most);
        check_search((struct grid){1, 1}, 4, 2, most);
        check_search((struct grid){2, 3}, 2, 1, most);
    }
    check_grayscale();
    check_edges_and_fits();
    check_assemble();
    return tap_finish();
}
