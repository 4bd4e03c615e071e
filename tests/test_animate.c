/* The assembly of a puzzle, frame by frame. */
#include "stages/unscramble/animate.h"

#include <stdlib.h>
#include <string.h>

#include "cli/tap.h"
#include "random.h"

static const struct color MISSING = {10, 20, 30};

#define MAX_FRAMES 200

/* The frames that came, in their order. */
static struct taken {
    struct image frames[MAX_FRAMES];
    uint32_t count;
    uint32_t fails_at; /* the frame, from 1, that cannot be taken; 0: none */
} taken;

static void let_go(void)
{
    for (uint32_t i = 0; i < taken.count; i++)
        image_free(&taken.frames[i]);
    memset(&taken, 0, sizeof(taken));
}

static int take(
    void *context, struct run *run, const struct image *image, uint32_t frame, uint32_t frames)
{
    struct taken *to = context;
    if (to->fails_at == frame + 1)
        return error_set(&run->error, ERROR_INPUT, "no more");
    if (frame != to->count || frame >= frames || frame >= MAX_FRAMES ||
        image_new(image->width, image->height, 3, 8, &to->frames[frame], &run->error))
        abort();
    memcpy(to->frames[to->count++].pixels, image->pixels,
        4 * (size_t)image->width * (size_t)image->height);
    return 0;
}

static struct image make_puzzle(int width, int height, int depth)
{
    struct image puzzle = {0};
    struct error error;
    uint64_t random = 3;
    if (image_new(width, height, 3, depth, &puzzle, &error) != 0)
        abort();
    for (size_t i = 0; i < (size_t)width * (size_t)height * image_pixel_size(&puzzle); i++)
        ((uint8_t *)puzzle.pixels)[i] = (uint8_t)random_bits(&random);
    return puzzle;
}

/* The channel of the pixel (x, y) of a tile that is turned, 8 bits. */
static int tile_pixel(const struct animation *a, struct placed placed, int x, int y, int channel)
{
    const int w = (int)a->layout.tile_width, h = (int)a->layout.tile_height;
    const int from[4][2] = {{x, y}, {y, w - 1 - x}, {w - 1 - x, h - 1 - y}, {h - 1 - y, x}};
    const int columns = (int)a->layout.permutation->puzzle.columns, tile = (int)placed.tile;
    const int left = tile % columns * w + from[placed.turn][0];
    const int top = tile / columns * h + from[placed.turn][1];
    const int i = 4 * (top * a->layout.puzzle->width + left) + channel;
    return a->layout.puzzle->depth == 16 ? ((const uint16_t *)a->layout.puzzle->pixels)[i] >> 8
                                         : ((const uint8_t *)a->layout.puzzle->pixels)[i];
}

/* Whether the frame, from 0, is the image with the first `count` places of the order, with each
 * pixel the mean of scale x scale. place_at[rows][columns] are the places, -1 where there is
 * none. */
static int frame_is(const struct animation *a, uint32_t number, uint32_t count, int columns,
    int rows, const int *place_at, int scale)
{
    const int w = (int)a->layout.tile_width / scale, h = (int)a->layout.tile_height / scale;
    const struct image frame = taken.frames[number];
    int right = number < taken.count && frame.width == columns * w && frame.height == rows * h;
    for (int i = 0; right && i < frame.width * frame.height; i++) {
        const int x = i % frame.width, y = i / frame.width;
        const int place = place_at[y / h * columns + x / w];
        int is_filled = 0;
        for (uint32_t j = 0; j < count; j++)
            is_filled |=
                (int)a->order[j] == place && a->layout.permutation->placed[place].tile != NO_TILE;
        for (int channel = 0; channel < 3; channel++) {
            int sum = 0, wanted = (&MISSING.red)[channel];
            for (int j = 0; is_filled && j < scale * scale; j++)
                sum += tile_pixel(a, a->layout.permutation->placed[place],
                    x % w * scale + j % scale, y % h * scale + j / scale, channel);
            if (is_filled)
                wanted = (2 * sum + scale * scale) / (2 * scale * scale);
            right &= ((uint8_t *)frame.pixels)[4 * i + channel] == wanted;
        }
    }
    return right;
}

static int report(void *context, const char *stage, double share)
{
    double *last = context;
    const int is_right = share >= *last && share <= 1 && strcmp(stage, "animate") == 0;
    *last = is_right ? share : 2;
    return 0;
}

/* Some tiles turned, of a puzzle that ends in a strip. One place has no tile, one is not in the
 * order. */
static void check_frames(int depth, int side, int scale)
{
    struct placed placed[] = {{3, 0}, {NO_TILE, 0}, {1, 1}, {0, 2}, {5, 3}, {2, 0}, {8, 1}, {4, 3}};
    static const uint32_t ORDER[] = {2, 5, 4, 1, 0, 3, 7};
    static const int PLACES[] = {0, 1, 2, 3, 4, 5, 6, 7}, COUNTS[] = {0, 3, 7};
    const struct permutation permutation = {{3, 3}, 1, {{4, 2}}, placed, 0};
    struct image puzzle = make_puzzle(4 * side + 1, 3 * side + 1, depth);
    const struct animation a = {take, &taken, 3, 0,
        {&puzzle, (uint32_t)side, (uint32_t)side, &permutation, MISSING, 0}, ORDER, 7};
    double share = 0;
    struct run run = {.progress = report, .context = &share, .stage = "animate"};
    const int rc = animate(&run, &a);
    for (int i = 0; i < 3; i++)
        tap_check(rc == 0 && frame_is(&a, (uint32_t)i, (uint32_t)COUNTS[i], 4, 2, PLACES, scale),
            "frame %d, %d bits, scale 1:%d", i + 1, depth, scale);
    tap_check(share == 1 && taken.count == 3, "progress to the end, and no other frames");
    let_go();
    image_free(&puzzle);
}

/* Three images in two lines of two, tiles that are not square, one frame. */
static void check_images(void)
{
    struct placed placed[] = {{6, 0}, {5, 2}, {4, 0}, {NO_TILE, 0}, {2, 2}, {1, 0}, {0, 0}};
    static const uint32_t ORDER[] = {6, 0, 1, 2, 4, 5};
    static const int PLACES[] = {0, 1, 4, 5, 2, 3, -1, -1, 6, -1, -1, -1, -1, -1, -1, -1};
    const struct permutation permutation = {{7, 1}, 3, {{2, 2}, {2, 1}, {1, 1}}, placed, 0};
    struct image puzzle = make_puzzle(28, 2, 8);
    const struct animation a = {
        take, &taken, 1, 0, {&puzzle, 4, 2, &permutation, MISSING, 0}, ORDER, 6};
    struct run run = {.stage = "animate"};
    tap_check(animate(&run, &a) == 0 && frame_is(&a, 0, 6, 4, 4, PLACES, 1) && taken.count == 1,
        "three images");
    let_go();
    image_free(&puzzle);
}

static void check_sizes(void)
{
    static const struct {
        struct grid grid;
        uint32_t width, height, frames;
        int frame_width, frame_height;
    } CASES[] = {
        {{5, 3}, 3, 1, 0, 14, 2},
        {{1, 1}, 1, 1, 1, 2, 2},
        {{300, 2}, 7, 4, 5, 1280, 4},
        {{1, 2000}, 2, 1, 2, 2, 1280},
    };
    for (int i = 0; i < 4; i++) {
        const struct grid grid = CASES[i].grid;
        struct permutation permutation = {0};
        struct error error;
        uint32_t order[2000];
        uint64_t random = 1;
        struct run run = {.stage = "animate"};
        struct image puzzle = make_puzzle(
            (int)(grid.columns * CASES[i].width), (int)(grid.rows * CASES[i].height), 8);
        if (permutation_shuffle(grid, &random, &permutation, &error) != 0)
            abort();
        for (uint32_t place = 0; place < grid_tiles(grid); place++)
            order[place] = place;
        const struct animation a = {take, &taken, CASES[i].frames, 7,
            {&puzzle, CASES[i].width, CASES[i].height, &permutation, MISSING, 0}, order,
            grid_tiles(grid)};
        const uint32_t frames = CASES[i].frames ? CASES[i].frames : 150;
        int right = animate(&run, &a) == 0 && taken.count == frames + 14;
        for (uint32_t frame = 0; right && frame < taken.count; frame++)
            right = taken.frames[frame].width == CASES[i].frame_width &&
                    taken.frames[frame].height == CASES[i].frame_height;
        const size_t size = 4 * (size_t)CASES[i].frame_width * (size_t)CASES[i].frame_height;
        for (uint32_t frame = 0; right && frame < 7; frame++)
            right = memcmp(taken.frames[frame].pixels, taken.frames[0].pixels, size) == 0 &&
                    memcmp(taken.frames[frame + frames + 7].pixels, taken.frames[frames + 6].pixels,
                        size) == 0;
        tap_check(right, "%u x %u tiles in %u frames of %d x %d pixels, stills around them",
            grid.columns, grid.rows, frames, CASES[i].frame_width, CASES[i].frame_height);
        let_go();
        permutation_free(&permutation);
        image_free(&puzzle);
    }
}

/* Before the assembly stands the puzzle as it came. */
static void check_still(void)
{
    struct placed placed[] = {{3, 0}, {0, 1}, {1, 2}, {2, 3}},
                  came[] = {{0, 0}, {1, 0}, {2, 0}, {3, 0}};
    static const uint32_t ORDER[] = {0, 1, 2, 3};
    static const int PLACES[] = {0, 1, 2, 3};
    const struct permutation permutation = {{2, 2}, 1, {{2, 2}}, placed, 0},
                             before = {{2, 2}, 1, {{2, 2}}, came, 0};
    struct image puzzle = make_puzzle(8, 8, 8);
    const struct animation a = {
        take, &taken, 3, 2, {&puzzle, 4, 4, &permutation, MISSING, 0}, ORDER, 4};
    struct animation b = a;
    struct run run = {.stage = "animate"};
    b.layout.permutation = &before;
    const int rc = animate(&run, &a);
    tap_check(rc == 0 && taken.count == 7 && frame_is(&b, 0, 4, 2, 2, PLACES, 1) &&
                  frame_is(&b, 1, 4, 2, 2, PLACES, 1) && frame_is(&a, 2, 0, 2, 2, PLACES, 1) &&
                  frame_is(&a, 4, 4, 2, 2, PLACES, 1) && frame_is(&a, 6, 4, 2, 2, PLACES, 1),
        "the puzzle, the assembly, the answer");
    let_go();
    image_free(&puzzle);
}

static int stop(void *context, const char *stage, double share)
{
    (void)stage;
    return share > *(const double *)context;
}

static void check_failures(void)
{
    struct placed placed[] = {{0, 0}};
    static const uint32_t ORDER[] = {0};
    const struct permutation permutation = {{1, 1}, 1, {{1, 1}}, placed, 0};
    struct image puzzle = make_puzzle(2, 2, 8);
    const struct animation a = {
        take, &taken, 2, 0, {&puzzle, 2, 2, &permutation, MISSING, 0}, ORDER, 1};
    double most = 0.3;
    struct run run = {.progress = stop, .context = &most, .stage = "animate"};
    tap_check(animate(&run, &a) == ERROR_STOPPED && taken.count == 1, "it is stopped");
    let_go();
    run.has_answer = 1;
    tap_check(animate(&run, &a) == 0 && run.is_finishing && taken.count == 1,
        "it ends where the answer is to be written still");
    let_go();
    run.has_answer = run.is_finishing = 0;
    most = 1;
    taken.fails_at = 2;
    tap_check(animate(&run, &a) == ERROR_INPUT && taken.count == 1 &&
                  strcmp(run.error.text, "no more") == 0,
        "it ends with a frame that cannot be taken");
    let_go();
    image_free(&puzzle);
}

int main(void)
{
    check_frames(8, 4, 1);
    check_frames(16, 4, 1);
    check_frames(8, 640, 2);
    check_images();
    check_sizes();
    check_still();
    check_failures();
    return tap_finish();
}
