/* The cases of the self-test of unscramble and scramble: every stage is compared with its
 * sequential reference. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/self_test.h"
#include "cli/tap.h"
#include "stages/unscramble/reference.h"
#include "stages/unscramble/unscramble.h"

#define EXHAUSTIVE_TILES 10 /* up to which every permutation is tried as well */

enum content {
    NOISE,  /* independent random bytes */
    SMOOTH, /* waves with a little noise: like a photograph, neighbors fit */
    FLAT,   /* one color: every permutation is as good */
    WHITE,  /* the largest sums */
};

/* A puzzle to solve. Odd sizes: tiles of one pixel, fewer pixels than the gray image,
 * primes, the group's size +-1, boxes wider than a group's sums and taller than a 32-bit sum. */
struct test_case {
    int width, height, depth;
    struct grid grid;
    enum content content;
    enum sampling sampling;
};

static const struct test_case CASES[] = {
    {1, 1, 8, {1, 1}, NOISE, SAMPLING_AVERAGE},
    {3, 3, 8, {3, 3}, NOISE, SAMPLING_AVERAGE},
    {4, 3, 16, {4, 3}, SMOOTH, SAMPLING_AVERAGE},
    {13, 1, 8, {12, 1}, SMOOTH, SAMPLING_AVERAGE},
    {5, 29, 8, {1, 12}, SMOOTH, SAMPLING_AVERAGE},
    {191, 193, 8, {3, 3}, NOISE, SAMPLING_AVERAGE},
    {192, 192, 8, {3, 3}, NOISE, SAMPLING_POINT},
    {193, 191, 16, {3, 3}, NOISE, SAMPLING_POINT},
    {255, 257, 8, {2, 2}, SMOOTH, SAMPLING_AVERAGE},
    {257, 255, 16, {2, 5}, SMOOTH, SAMPLING_AVERAGE},
    {101, 97, 8, {4, 2}, FLAT, SAMPLING_AVERAGE},
    {640, 480, 8, {4, 3}, FLAT, SAMPLING_AVERAGE},
    {641, 479, 8, {4, 3}, SMOOTH, SAMPLING_AVERAGE},
    {479, 641, 8, {3, 4}, SMOOTH, SAMPLING_POINT},
    {509, 521, 16, {6, 2}, SMOOTH, SAMPLING_AVERAGE},
    {521, 509, 8, {2, 6}, SMOOTH, SAMPLING_AVERAGE},
    {769, 131, 8, {11, 1}, SMOOTH, SAMPLING_AVERAGE},
    {131, 769, 8, {1, 5}, NOISE, SAMPLING_AVERAGE},
    {1021, 2039, 8, {5, 2}, SMOOTH, SAMPLING_AVERAGE},
    {2048, 1365, 16, {3, 2}, SMOOTH, SAMPLING_AVERAGE},
    {70001, 5, 8, {1, 1}, NOISE, SAMPLING_AVERAGE},
    {140003, 3, 16, {2, 1}, NOISE, SAMPLING_AVERAGE},
    {130, 195, 16, {2, 3}, NOISE, SAMPLING_AVERAGE},
    {1028, 515, 8, {2, 1}, NOISE, SAMPLING_AVERAGE},
    {301, 1201, 16, {1, 4}, NOISE, SAMPLING_AVERAGE},
    {3, 300007, 16, {1, 1}, NOISE, SAMPLING_AVERAGE},
    {1, 430007, 16, {1, 1}, WHITE, SAMPLING_AVERAGE},
    {4099, 4093, 8, {3, 3}, SMOOTH, SAMPLING_AVERAGE},
    {16000, 16000, 8, {3, 3}, SMOOTH, SAMPLING_AVERAGE},
};

/* Strips to compare: one block of tiles and more, incomplete blocks, several slices a split, no
 * partner at all, fewer partners than a list takes, strips of one pixel, strips whose values are
 * halved, sides of different lengths, and two launches, of which the lists of some tiles are
 * compared. */
struct compare_case {
    int tiles, length[2]; /* of left and right edges, of top and bottom ones */
    enum turns turns;
    int predict, absent; /* every n-th tile is absent, from the first on; 0: none */
    int width;
    enum content content;
};

static const struct compare_case COMPARE_CASES[] = {
    {1, {5, 5}, TURNS_ANY, 1, 0, 24, NOISE},
    {2, {28, 28}, TURNS_NONE, 1, 0, 24, NOISE},
    {2, {3, 3}, TURNS_HALF, 0, 2, 24, NOISE},
    {31, {28, 28}, TURNS_ANY, 1, 0, 24, SMOOTH},
    {33, {7, 19}, TURNS_HALF, 1, 5, 24, SMOOTH},
    {33, {500, 431}, TURNS_NONE, 1, 0, 5, NOISE},
    {100, {1, 2}, TURNS_NONE, 0, 0, 1, SMOOTH},
    {100, {8, 8}, TURNS_ANY, 0, 3, 24, FLAT},
    {128, {4, 12}, TURNS_HALF, 1, 0, 24, FLAT},
    {129, {11, 11}, TURNS_ANY, 1, 0, 24, SMOOTH},
    {257, {9, 6}, TURNS_NONE, 1, 7, 24, SMOOTH},
    {257, {4, 4}, TURNS_ANY, 1, 0, 33, NOISE},
    {300, {2, 2}, TURNS_ANY, 1, 0, 24, FLAT},
    {600, {6, 6}, TURNS_NONE, 1, 0, 24, SMOOTH},
    {14000, {1, 1}, TURNS_NONE, 0, 999, 3, NOISE},
};
#define MANY_TILES 10000
#define COMPARE_COUNT (sizeof(COMPARE_CASES) / sizeof(COMPARE_CASES[0]))

/* Tiles for the network: edges of one pixel, of a run of pixels that a group makes and one more or
 * less, of several runs; tiles of fewer rows than it sees; 16 bits; with a gap; what was JPEG;
 * tiles whose outermost pixels are not compared. */
static const struct features_case {
    int columns, rows, width, height, depth, has_gap, bleed;
    struct jpeg_origin jpeg;
} FEATURES_CASES[] = {
    {2, 1, 1, 1, 8, 0, 0, {0, 0, 0}},
    {3, 2, 2, 3, 16, 1, 0, {1, 0.5f, 0}},
    {2, 2, 31, 32, 8, 1, 0, {0, 0, 0}},
    {1, 3, 33, 7, 8, 0, 0, {0.75f, 1.25f, 1}},
    {4, 3, 28, 28, 8, 0, 0, {0.75f, 1.25f, 1}},
    {3, 3, 30, 30, 16, 0, 0, {0, 0, 0}},
    {2, 1, 300, 97, 8, 1, 0, {1.25f, 1.25f, 0}},
    {3, 2, 26, 24, 8, 0, 2, {0.75f, 1.25f, 1}},
    {2, 2, 24, 37, 16, 0, 3, {0, 0, 0}},
};
#define FEATURES_COUNT (sizeof(FEATURES_CASES) / sizeof(FEATURES_CASES[0]))

static uint32_t next_random(uint32_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

/* A 16-bit channel of the test image. */
static uint32_t draw_sample(
    enum content content, uint32_t x, uint32_t y, uint32_t c, uint32_t random)
{
    if (content == NOISE)
        return random >> 16;
    if (content == FLAT || content == WHITE)
        return content == FLAT ? 30000 : 65535;
    return ((x * (71 + 20 * c) + y * (83 - 15 * c) + x * y / 7) & 0x7fff) + (random >> 20);
}

static void draw_image(const struct test_case *test, struct image *image)
{
    uint32_t random = 2463534242u;
    size_t i = 0;
    for (uint32_t y = 0; y < (uint32_t)test->height; y++)
        for (uint32_t x = 0; x < (uint32_t)test->width; x++)
            for (uint32_t c = 0; c < 4; c++, i++) {
                const uint32_t sample = draw_sample(test->content, x, y, c, next_random(&random));
                if (test->depth == 16)
                    ((uint16_t *)image->pixels)[i] = (uint16_t)sample;
                else
                    ((uint8_t *)image->pixels)[i] = (uint8_t)(sample >> 8);
            }
}

static const struct color MISSING = {200, 100, 50};

/* Turns the tiles, by half where they are not square, and takes one of them away. */
static void scatter(struct permutation *permutation, uint32_t tile_width, uint32_t tile_height)
{
    for (uint32_t place = 0; place < grid_tiles(permutation->puzzle); place++)
        permutation->placed[place].turn = tile_width == tile_height ? place % 4 : place % 2 * 2;
    if (grid_tiles(permutation->puzzle) > 3)
        permutation->placed[3] = (struct placed){NO_TILE, 0};
}

/* Solves the puzzle; then assembles the answer once more, scattered. */
static int solve(
    struct run *run, const struct test_case *test, const struct image *image, struct unscramble *u)
{
    u->options = (struct unscramble_options){.input = "test",
        .puzzle = image,
        .grid = test->grid,
        .is_classic = 1,
        .sampling = test->sampling,
        .missing = MISSING};
    const int rc = unscramble_run(run, u);
    if (rc)
        return rc;
    scatter(&u->result.permutation, u->tile_width, u->tile_height);
    u->solution = 0;
    return unscramble_run_stage(run, &ASSEMBLE, u);
}

static int answers_agree(const struct unscramble *u, const struct unscramble *expected)
{
    int agree = u->result.exact_cost == expected->result.exact_cost &&
                u->result.runner_up_cost == expected->result.runner_up_cost;
    for (uint32_t place = 0; agree && place < grid_tiles(u->grid); place++)
        agree = u->result.permutation.placed[place].tile ==
                expected->result.permutation.placed[place].tile;
    return agree;
}

/* Compares the answer, and all buffers that the sequential stages have made. */
static void check_case(struct run *run, const struct test_case *test, const char *device,
    const struct image *image, const struct run *reference, const struct unscramble *expected)
{
    struct unscramble u = {0};
    char name[128];
    snprintf(name, sizeof(name), "%.31s, %d x %d of %d bits, %u x %u tiles", device, test->width,
        test->height, test->depth, test->grid.columns, test->grid.rows);
    const int rc = solve(run, test, image, &u);
    tap_check(rc == 0 && answers_agree(&u, expected), "%s: pruned search", name);
    for (int i = 0; rc == 0 && i < reference->buffer_count; i++) {
        const struct run_buffer *made = &reference->buffers[i];
        tap_check(reference_agrees(made, expected, &u, &run->error), "%s: %s", name, made->stage);
    }
    if (rc)
        printf("# %s\n", run->error.text);
    if (rc == 0 && grid_tiles(test->grid) <= EXHAUSTIVE_TILES) {
        u.options.search = SEARCH_EXHAUSTIVE;
        const int searched = unscramble_run_stage(run, &SEARCH, &u) == 0;
        if (searched)
            scatter(&u.result.permutation, u.tile_width, u.tile_height);
        tap_check(searched && answers_agree(&u, expected), "%s: exhaustive search", name);
    }
    run_buffers_free(run);
    unscramble_end(&u);
}

static void draw_strips(const struct compare_case *test, struct strips *strips)
{
    static const int least[3] = LAB_LEAST, range[3] = LAB_RANGE;
    uint32_t random = 2463534242u;
    for (int axis = 0; axis < 2; axis++)
        for (int i = 0; i < test->tiles * 12 * test->length[axis]; i++) {
            const int channel = i / test->length[axis] % 3;
            const uint32_t number = next_random(&random);
            int value = test->content == FLAT    ? 1000
                        : test->content == NOISE ? (int)(number % (uint32_t)(range[channel] + 1))
                                                 : (int)(number % 7) * 300;
            strips->value[axis][i] = (int16_t)(least[channel] + value);
        }
}

static int terms_agree(const struct terms *a, const struct terms *b)
{
    int agree = 1;
    for (int i = 0; i < 2; i++)
        agree &= memcmp(a->value[i], b->value[i],
                     (size_t)(4 * a->tiles * a->channels * a->length[i]) * sizeof(uint16_t)) == 0;
    return agree;
}

/* Compares the lists that every device makes of terms with those of the reference, of many tiles
 * some. */
static void check_lists(const struct terms *terms, enum turns turns, const uint8_t *present,
    int width, struct run *runs, const struct device_info *infos, int device_count)
{
    const size_t size = (size_t)terms->tiles * SIDES * (size_t)width * sizeof(struct partner);
    const int every = terms->tiles < MANY_TILES ? 1 : MANY_TILES / 100;
    struct partner *expected = malloc(size), *list = malloc(size);
    if (!expected || !list ||
        reference_compare(terms, turns, present, every, width, expected) != 0) {
        tap_check(0, "not enough memory");
        device_count = 0;
    }
    for (int i = 0; i < device_count; i++) {
        const int rc = compare_edges(&runs[i], terms, turns, present, width, list);
        for (int tile = 0; rc == 0 && tile < terms->tiles; tile++)
            if (tile % every)
                for (int k = 0; k < SIDES * width; k++)
                    list[tile * SIDES * width + k] = (struct partner){NOTHING, INT_MAX};
        tap_check(rc == 0 && memcmp(list, expected, size) == 0,
            "%s, %d tiles, edges of %d and %d pixels, %d channels: compare", infos[i].id,
            terms->tiles, terms->length[0], terms->length[1], terms->channels);
        if (rc)
            printf("# %s\n", runs[i].error.text);
    }
    free(expected);
    free(list);
}

static void run_compare(const struct compare_case *test, struct run *runs,
    const struct device_info *infos, int device_count)
{
    const size_t tiles = (size_t)test->tiles;
    struct strips strips = {.tiles = test->tiles, .length = {test->length[0], test->length[1]}};
    struct terms terms = {0}, expected = {0};
    struct error error = {.text = "not enough memory"};
    uint8_t *present = malloc(tiles);
    for (int axis = 0; axis < 2; axis++)
        strips.value[axis] = malloc(tiles * 12 * (size_t)test->length[axis] * sizeof(int16_t));
    if (present && strips.value[0] && strips.value[1] &&
        terms_new(test->tiles, 3, test->length, &expected, &error) == 0) {
        for (int i = 0; i < test->tiles; i++)
            present[i] = !test->absent || i % test->absent;
        draw_strips(test, &strips);
        reference_terms(&strips, test->predict, &expected);
        tap_check(terms_of_strips(&strips, test->predict, &terms, &error) == 0 &&
                      terms_agree(&terms, &expected),
            "%d tiles, edges of %d and %d pixels: terms", test->tiles, test->length[0],
            test->length[1]);
        check_lists(&expected, test->turns, test->absent ? present : NULL, test->width, runs, infos,
            device_count);
    } else {
        tap_check(0, "%s", error.text);
    }
    free(present);
    terms_free(&terms);
    terms_free(&expected);
    strips_free(&strips);
}

/* Makes the features of every third tile first, and then those of the others, as further searches
 * do. */
static int make_features(
    struct run *run, const struct tiling *tiling, int has_gap, struct terms *features)
{
    const struct workload work = {0};
    const int tiles = tiling->columns * tiling->rows;
    uint8_t *wanted = calloc((size_t)tiles, 1);
    const size_t size = image_bytes(tiling->image);
    void *host = tiling->image->pixels;
    struct buffer pixels = {0};
    for (int i = 1; wanted && i < tiles; i += 3)
        wanted[i] = 1;
    int rc =
        wanted ? run_device(run, &work) : error_set(&run->error, ERROR_INPUT, "not enough memory");
    if (rc == 0)
        rc = buffer_new(&run->device, size, host, &pixels, &run->error);
    if (rc == 0)
        rc = buffer_upload(&pixels, host, size, &run->error);
    if (rc == 0)
        rc = features_make(run, &pixels, tiling, has_gap, wanted, features);
    if (rc == 0 && memcmp(features->is_made, wanted, (size_t)tiles) != 0)
        rc = error_set(&run->error, ERROR_INPUT, "other tiles than the wanted ones are made");
    if (rc == 0)
        rc = features_make(run, &pixels, tiling, has_gap, NULL, features);
    buffer_free(&pixels);
    free(wanted);
    return rc;
}

/* Compares what the network makes on every device, and the lists by it, with the reference. */
static void run_features(const struct features_case *test, struct run *runs,
    const struct device_info *infos, int device_count)
{
    const int length[2] = {test->height - 2 * test->bleed, test->width - 2 * test->bleed};
    const int tiles = test->columns * test->rows;
    const struct test_case drawn = {test->columns * test->width, test->rows * test->height,
        test->depth, {(uint32_t)test->columns, (uint32_t)test->rows}, SMOOTH, SAMPLING_AVERAGE};
    struct image image = {0};
    const struct tiling tiling = {
        &image, test->columns, test->rows, test->width, test->height, test->bleed};
    struct terms expected = {0};
    struct error error = {0};
    int rc = image_new(drawn.width, drawn.height, 4, test->depth, &image, &error);
    if (rc == 0) {
        draw_image(&drawn, &image);
        image.jpeg = test->jpeg;
        rc = terms_new(tiles, NETWORK_OUTPUTS / 2, length, &expected, &error);
    }
    if (rc || reference_features(&tiling, test->has_gap, &expected)) {
        tap_check(0, "not enough memory");
    } else {
        for (int i = 0; i < device_count; i++) {
            struct terms features = {0};
            rc = make_features(&runs[i], &tiling, test->has_gap, &features);
            tap_check(rc == 0 && terms_agree(&features, &expected),
                "%s, %d x %d tiles of %d x %d pixels: network", infos[i].id, test->columns,
                test->rows, test->width, test->height);
            if (rc)
                printf("# %s\n", runs[i].error.text);
            terms_free(&features);
        }
        check_lists(&expected, TURNS_HALF, NULL, 3, runs, infos, device_count);
    }
    terms_free(&expected);
    image_free(&image);
}

/* Computes the reference of a case once, and compares every device with it. */
static void run_case(
    size_t number, struct run *runs, const struct device_info *infos, int device_count)
{
    if (number < FEATURES_COUNT) {
        run_features(&FEATURES_CASES[number], runs, infos, device_count);
        return;
    }
    number -= FEATURES_COUNT;
    const size_t image_cases = sizeof(CASES) / sizeof(CASES[0]);
    if (number < COMPARE_COUNT - 1 || number == COMPARE_COUNT - 1 + image_cases) {
        run_compare(&COMPARE_CASES[number < COMPARE_COUNT ? number : COMPARE_COUNT - 1], runs,
            infos, device_count);
        return;
    }
    const struct test_case *test = &CASES[number - (COMPARE_COUNT - 1)];
    struct error error;
    struct image image = {0};
    struct run reference = {.device_id = "cpu", .threads = 1, .is_reference = 1};
    struct unscramble expected = {0};
    if (image_new(test->width, test->height, 4, test->depth, &image, &error) != 0) {
        tap_check(0, "%s", error.text);
    } else {
        draw_image(test, &image);
        if (solve(&reference, test, &image, &expected) != 0)
            tap_check(0, "%s", reference.error.text);
        else
            for (int i = 0; i < device_count; i++)
                check_case(&runs[i], test, infos[i].id, &image, &reference, &expected);
    }
    unscramble_end(&expected);
    run_end(&reference);
    image_free(&image);
}

const struct self_test UNSCRAMBLE_SELF_TEST = {
    .cases = FEATURES_COUNT + COMPARE_COUNT + sizeof(CASES) / sizeof(CASES[0]),
    .large_cases = 2,
    .run_case = run_case,
};
