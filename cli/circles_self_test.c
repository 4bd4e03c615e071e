/* The cases of circles' self-test: every method on every device against the sequential
 * reference. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/circles_case.h"
#include "cli/self_test.h"
#include "cli/tap.h"
#include "stages/circles/circles.h"
#include "stages/circles/reference.h"

#define GARBAGE 0xa5 /* what an image holds before it is painted */
#define COUNT_OF(table) (sizeof(table) / sizeof((table)[0]))

#define SCENE_AT(name, width, height) \
    { \
        name, {0}, width, height, 0, 0, 0 \
    }
#define SCENE_SMALL(name) \
    SCENE_AT(name, 1, 1), SCENE_AT(name, 17, 17), SCENE_AT(name, 101, 67), SCENE_AT(name, 67, 101)
#define SCENE_MIDDLE(name) \
    SCENE_AT(name, 255, 255), SCENE_AT(name, 256, 256), SCENE_AT(name, 257, 257)
#define SCENE_LARGE(name) SCENE_AT(name, 1000, 1000), SCENE_AT(name, 2048, 2048)
#define FRAME(name, size, frame) \
    { \
        name, {0}, size, size, 0, frame, 0 \
    }

#define RANDOM(width, height, samples, memory, ...) \
    { \
        NULL, {__VA_ARGS__}, width, height, samples, 0, memory \
    }
/* How many circles there are decides how kernels cut them up. */
#define COUNT(many) RANDOM(33, 29, 0, 0, .count = many, .alpha = .5f, .least = .05f, .most = .3f)
#define SPARSE(many) RANDOM(65, 79, 0, 0, .count = many, .alpha = .3f, .most = .01f)
#define DENSE(many) RANDOM(65, 79, 0, 0, .count = many, .alpha = .5f, .least = .02f, .most = .06f)
#define AROUND(MAKE, many) MAKE((many)-1), MAKE(many), MAKE((many) + 1)
/* Fewer circles than saturate, more, and many more. */
#define ALPHA(a) \
    RANDOM(61, 83, 0, 0, .count = 200, .alpha = a, .most = .4f, .reach = .2f), \
        RANDOM(83, 61, 0, 0, .count = 3000, .alpha = a, .most = .2f, .reach = .1f), \
        RANDOM(47, 47, 0, 0, .count = 30000, .alpha = a, .most = .08f, .reach = .1f)
#define STRIP(width, height) \
    RANDOM(width, height, 0, 0, .count = 400, .alpha = .5f, .most = .2f, .reach = .1f)

static const struct circles_case CASES[] = {
    SCENE_SMALL("rgb"),
    SCENE_MIDDLE("rgb"),
    SCENE_SMALL("rgby"),
    SCENE_MIDDLE("rgby"),
    SCENE_SMALL("seed10k"),
    SCENE_MIDDLE("seed10k"),
    SCENE_SMALL("rand10k"),
    SCENE_AT("rand10k", 257, 257),
    SCENE_AT("biglittle", 17, 17),
    SCENE_AT("biglittle", 101, 67),
    SCENE_AT("littlebig", 1, 1),
    SCENE_AT("littlebig", 67, 101),
    SCENE_SMALL("pattern"),
    SCENE_MIDDLE("pattern"),
    SCENE_SMALL("bouncingballs"),
    SCENE_MIDDLE("bouncingballs"),
    SCENE_SMALL("hypnosis"),
    SCENE_MIDDLE("hypnosis"),
    SCENE_SMALL("fireworks"),
    SCENE_MIDDLE("fireworks"),
    SCENE_AT("seed100k", 1, 1),
    SCENE_AT("seed100k", 33, 65),
    SCENE_AT("rand100k", 17, 17),
    SCENE_AT("snow", 1, 1),
    SCENE_AT("snow", 17, 17),
    SCENE_AT("snow", 33, 47),
    FRAME("bouncingballs", 101, 40),
    FRAME("hypnosis", 101, 7),
    FRAME("fireworks", 257, 29),
    SCENE_AT("newyear", 17, 17),
    FRAME("newyear", 101, 77),
    SCENE_AT("snowfall", 67, 101),
    FRAME("snowfall", 33, 5),

    ALPHA(0),
    ALPHA(.004f),
    ALPHA(.02f),
    ALPHA(.1f),
    ALPHA(.5f),
    ALPHA(.9f),
    ALPHA(1),
    ALPHA(OWN),
    ALPHA(COMMON),

    /* One circle, and around what kernels take at a time. */
    COUNT(1),
    AROUND(COUNT, 32),
    AROUND(COUNT, 64),
    AROUND(COUNT, 128),
    AROUND(COUNT, 256),
    AROUND(COUNT, 512),
    AROUND(COUNT, 1024),
    AROUND(COUNT, 2048),
    AROUND(COUNT, 4096),
    AROUND(COUNT, 8192),
    AROUND(SPARSE, 16),
    AROUND(SPARSE, 64),
    AROUND(SPARSE, 2048),
    AROUND(SPARSE, 4096),
    AROUND(DENSE, 2048),
    AROUND(SPARSE, 16384),
    AROUND(SPARSE, 32768),
    SPARSE(50001),
    AROUND(DENSE, 16384),
    DENSE(32769),
    DENSE(50001),
    /* So dense that nearest first pays, but not so dense that few are read. */
    RANDOM(65, 79, 0, 0, .count = 40000, .alpha = .5f, .least = .018f, .most = .024f),
    RANDOM(65, 79, 0, 0, .count = 40000, .alpha = .9f, .least = .01f, .most = .015f),
    /* Lists of a thousand bins: with fewer entries of a group than it sorts, about as many, more;
     * lists that end; all circles in one bin. */
    RANDOM(509, 499, 0, 0, .count = 40000, .alpha = .02f, .most = .01f),
    RANDOM(509, 499, 0, 0, .count = 40000, .alpha = .02f, .most = .025f),
    RANDOM(509, 499, 0, 0, .count = 33000, .alpha = .004f, .most = .14f),
    RANDOM(509, 499, 0, 0, .count = 60000, .alpha = .5f, .least = .01f, .most = .03f),
    RANDOM(509, 499, 0, 0, .count = 40000, .alpha = .1f, .least = .002f, .most = .002f,
        .place = ALIKE),

    /* Colors that an image cannot show: the clamp comes last. */
    RANDOM(61, 83, 0, 0, .count = 3000, .alpha = .5f, .most = .2f, .dark = -1, .light = 2),
    RANDOM(61, 83, 0, 0, .count = 300, .alpha = .1f, .most = .3f, .dark = -3, .light = 0),
    RANDOM(61, 83, 0, 0, .count = 3000, .alpha = OWN, .most = .3f, .dark = -100, .light = 100),
    RANDOM(61, 83, 0, 0, .count = 20000, .alpha = .02f, .most = .1f, .dark = -1e6f, .light = 1e6f),
    RANDOM(61, 83, 0, 0, .count = 2000, .alpha = COMMON, .most = .3f, .light = 1e-30f),
    /* White on white and black on black, where rounding decides a byte. */
    RANDOM(65, 65, 0, 0, .count = 10000, .alpha = .5f, .most = .2f, .dark = 1, .light = 1),
    RANDOM(65, 65, 0, 0, .count = 10000, .alpha = .1f, .most = .2f, .dark = 1, .light = 1),
    RANDOM(65, 65, 0, 0, .count = 10000, .alpha = OWN, .most = .2f, .dark = 1, .light = 1),
    RANDOM(65, 65, 0, 0, .count = 30000, .alpha = .004f, .most = .2f, .dark = 1, .light = 1),
    RANDOM(65, 65, 0, 0, .count = 10000, .alpha = OWN, .most = .2f, .dark = 1e-38f, .light = 1e-38f,
        .background = -1),
    RANDOM(65, 65, 0, 0, .count = 5000, .alpha = .5f, .most = .2f, .dark = 1.0f / 255,
        .light = 1.0f / 255, .background = -1),
    RANDOM(65, 65, 0, 0, .count = 5000, .alpha = OWN, .most = .2f, .dark = 128 / 255.0f,
        .light = 128 / 255.0f, .background = 127 / 255.0f - 1),
    /* Nothing saturates, although there are many. */
    RANDOM(67, 65, 0, 0, .count = 30000, .alpha = .0001f, .most = .1f),
    RANDOM(67, 65, 0, 0, .count = 20000, .alpha = 1e-7f, .most = .1f),
    RANDOM(67, 65, 0, 0, .count = 20000, .alpha = 1e-40f, .most = .1f),

    /* Radii. */
    RANDOM(101, 99, 0, 0, .count = 5000, .alpha = .5f),
    RANDOM(101, 99, 0, 0, .count = 20000, .alpha = .9f, .most = .005f),
    RANDOM(101, 99, 0, 0, .count = 500, .alpha = .1f, .least = .7f, .most = 3),
    RANDOM(101, 99, 0, 0, .count = 1000, .alpha = .5f, .least = 2, .most = 1e6f),
    RANDOM(101, 99, 0, 0, .count = 3000, .alpha = .004f, .least = .001f, .most = 1e15f),
    RANDOM(40, 40, 0, 0, .count = 300, .alpha = .5f, .least = 1e19f, .most = 3e38f),
    RANDOM(101, 99, 0, 0, .count = 5000, .alpha = .5f, .most = 1e-30f, .place = ON_GRID),
    /* Many that hold all of the image, and some edges between them. */
    RANDOM(131, 99, 0, 0, .count = 1500, .alpha = .004f, .most = 3, .rise = -.3f),
    RANDOM(131, 99, 0, 0, .count = 100, .alpha = .1f, .least = .5f, .most = 1.5f, .rise = -.3f),
    /* Centers off the image. */
    RANDOM(101, 99, 0, 0, .count = 5000, .alpha = .5f, .most = .5f, .reach = 2),
    RANDOM(101, 99, 0, 0, .count = 3000, .alpha = .1f, .most = 100, .reach = 100),
    RANDOM(101, 99, 0, 0, .count = 5000, .alpha = .5f, .most = 1e6f, .reach = 1e6f),
    RANDOM(101, 99, 0, 0, .count = 5000, .alpha = .5f, .most = 1, .reach = 1e38f),
    /* Equal depths and borders; pixel centers on them. */
    RANDOM(65, 63, 0, 0, .count = 100, .alpha = .1f, .least = .3f, .most = .3f, .place = ALIKE),
    RANDOM(65, 63, 0, 0, .count = 9000, .alpha = .004f, .least = .3f, .most = .3f, .place = ALIKE),
    RANDOM(64, 64, 0, 0, .count = 200, .alpha = .5f, .most = .3f, .place = ON_GRID),
    RANDOM(64, 64, 0, 0, .count = 5000, .alpha = .5f, .most = .3f, .place = ON_GRID),
    RANDOM(96, 96, 0, 0, .count = 20000, .alpha = .5f, .most = .1f, .place = ON_GRID),
    RANDOM(48, 48, 0, 0, .count = 40000, .alpha = .0001f, .place = ASTRIDE),
    RANDOM(112, 112, 0, 0, .count = 20000, .alpha = .5f, .place = ASTRIDE),
    RANDOM(1072, 1072, 0, 0, .count = 300, .alpha = .5f, .place = ASTRIDE),

    /* Strips: bins of several tiles, and the longest sides. */
    STRIP(1024, 3),
    STRIP(1025, 3),
    STRIP(3, 1025),
    STRIP(2049, 2),
    STRIP(2, 4097),
    STRIP(CIRCLES_MAX_SIDE, 1),
    STRIP(1, CIRCLES_MAX_SIDE),
    STRIP(1, 2),
    STRIP(2, 1),
    RANDOM(2048, 17, 0, 0, .count = 40000, .alpha = .5f, .most = .002f),
    RANDOM(17, 2100, 0, 0, .count = 40000, .alpha = .01f, .most = .02f),

    /* Backgrounds that change from row to row. */
    RANDOM(61, 83, 0, 0, .count = 100, .alpha = .5f, .most = .2f, .background = -.6f, .rise = .45f),
    RANDOM(83, 61, 0, 0, .count = 2000, .alpha = .1f, .most = .2f, .background = .5f, .rise = -2),
    RANDOM(83, 61, 0, 132, .count = 2000, .alpha = .1f, .most = .2f, .background = .5f, .rise = -2),
    /* Backgrounds that are not opaque. */
    RANDOM(1, 1, 0, 0, .count = 2, .alpha = .5f, .least = 2, .most = 2, .transmittance = 1),
    RANDOM(61, 83, 0, 0, .count = 100, .alpha = OWN, .most = .2f, .transmittance = 1),
    RANDOM(35, 33, 3, 352, .count = 9000, .alpha = COMMON, .most = .1f, .transmittance = 1),
    RANDOM(83, 61, 0, 0, .count = 5000, .alpha = .5f, .most = .3f, .soft = 1, .transmittance = 1),
    RANDOM(83, 61, 2, 0, .count = 2000, .alpha = .02f, .most = .2f, .dark = -1, .light = 2,
        .background = -.6f, .rise = .45f, .transmittance = .3f),
    /* Soft circles. */
    RANDOM(83, 61, 0, 0, .count = 1, .alpha = 1, .least = .6f, .most = .6f, .soft = 1),
    RANDOM(83, 61, 0, 0, .count = 100, .alpha = .5f, .most = .4f, .soft = 1),
    RANDOM(83, 61, 0, 0, .count = 5000, .alpha = .5f, .most = .3f, .soft = 1, .reach = .2f),
    RANDOM(
        83, 61, 0, 0, .count = 5000, .alpha = OWN, .most = .3f, .soft = 1, .dark = -2, .light = 2),
    RANDOM(83, 61, 0, 0, .count = 2000, .alpha = .02f, .most = .3f, .soft = 1, .rise = -.5f),
    RANDOM(83, 61, 0, 0, .count = 40000, .alpha = .02f, .most = .05f, .soft = 1),
    RANDOM(83, 61, 0, 0, .count = 40000, .alpha = COMMON, .soft = 1, .most = .01f),
    RANDOM(83, 61, 0, 0, .count = 500, .alpha = 1, .most = .3f, .soft = 1, .place = ON_GRID),

    /* Samples. */
    {"rgb", {0}, 101, 67, 2, 0, 0},
    {"seed10k", {0}, 67, 101, 3, 0, 0},
    {"pattern", {0}, 17, 17, 7, 0, 0},
    RANDOM(1, 1, 64, 0, .count = 300, .alpha = .5f, .most = .3f),
    RANDOM(5, 3, 17, 0, .count = 3000, .alpha = .5f, .most = .1f),
    RANDOM(33, 35, 5, 0, .count = 20000, .alpha = OWN, .most = .05f, .dark = -1, .light = 2),

    RANDOM(127, 129, 0, 0, .count = 40000, .alpha = .5f, .least = .03f, .most = .06f,
        .place = AROUND_HOLE),
    RANDOM(129, 127, 0, 0, .count = 200000, .alpha = OWN, .least = .005f, .most = .02f,
        .place = AROUND_HOLE),
    RANDOM(61, 90, 3, 0, .count = 300000, .alpha = .5f, .least = .004f, .most = .008f,
        .place = AROUND_HOLE, .transmittance = .5f),

    /* Little memory: bands, chunks of the circles, and both. */
    {"pattern", {0}, 257, 255, 0, 0, 352},
    {"seed10k", {0}, 101, 67, 0, 0, 172},
    {"seed10k", {0}, 67, 101, 2, 0, 352},
    {"rand10k", {0}, 35, 33, 3, 0, 352},
    {"snow", {0}, 35, 71, 2, 0, 1024},
    RANDOM(65, 64, 0, 112, .count = 500, .alpha = .5f, .most = .3f),
    RANDOM(65, 64, 0, 112, .count = 40000, .alpha = .004f, .most = .05f),
    RANDOM(65, 130, 0, 142, .count = 40000, .alpha = .5f, .most = .02f),
    RANDOM(33, 35, 3, 352, .count = 40000, .alpha = .1f, .most = .02f),
    RANDOM(65, 64, 0, 112, .count = 3000, .alpha = COMMON, .most = .3f, .dark = -1, .light = 2),
    RANDOM(48, 48, 0, 1024, .count = 40000, .alpha = .0001f, .place = ASTRIDE),
    RANDOM(17, 130, 4, 352, .count = 3000, .alpha = OWN, .most = .1f, .soft = 1, .rise = -1),
};

static const struct circles_case LARGE_CASES[] = {
    SCENE_MIDDLE("littlebig"),
    SCENE_MIDDLE("seed100k"),
    SCENE_MIDDLE("rand100k"),
    SCENE_MIDDLE("snow"),
    SCENE_AT("biglittle", 255, 255),
    SCENE_AT("rand1M", 17, 17),
    SCENE_AT("micro2M", 17, 17),
    SCENE_MIDDLE("rand1M"),
    SCENE_MIDDLE("micro2M"),
    SCENE_AT("tenmillion", 1, 1),
    SCENE_AT("tenmillion", 17, 17),
    SCENE_AT("tenmillion", 256, 256),
    SCENE_LARGE("rgb"),
    SCENE_LARGE("rgby"),
    SCENE_LARGE("pattern"),
    SCENE_LARGE("bouncingballs"),
    SCENE_LARGE("hypnosis"),
    SCENE_LARGE("fireworks"),
    SCENE_LARGE("seed10k"),
    SCENE_LARGE("rand10k"),
    SCENE_LARGE("snow"),
    SCENE_LARGE("rand1M"),
    SCENE_LARGE("micro2M"),
    SCENE_LARGE("biglittle"),
    SCENE_LARGE("littlebig"),
    SCENE_LARGE("seed100k"),
    SCENE_LARGE("rand100k"),
    {"rand1M", {0}, 1024, 1024, 0, 0, 65536},
    {"snow", {0}, 1024, 768, 2, 0, 65536},
    SCENE_AT("tenmillion", 1024, 1024),
    SCENE_AT("tenmillion", 1000, 1000),
    SCENE_AT("tenmillion", 2048, 2048),
};

/* What is compared. */
static const struct {
    const char *name;
    enum method method;
    uint32_t block;
} METHODS[] = {{"fast", METHOD_FAST, 0},
#define BLOCK_METHOD(side) {"good, block " #side, METHOD_GOOD, side},
    GOOD_BLOCKS(BLOCK_METHOD)};

static int ignore(void *context, double share)
{
    (void)context;
    (void)share;
    return 0;
}

/* Says how many pixels differ, and the first. */
static int images_agree(const struct image *got, const struct image *wanted)
{
    const size_t pixels = (size_t)wanted->width * (size_t)wanted->height;
    const uint8_t *a = got->pixels, *b = wanted->pixels;
    size_t different = 0, first = 0;
    if (memcmp(a, b, 4 * pixels) == 0)
        return 1;
    for (size_t i = pixels; i-- > 0;)
        if (memcmp(a + 4 * i, b + 4 * i, 4) != 0) {
            different++;
            first = i;
        }
    a += 4 * first;
    b += 4 * first;
    printf(
        "# %zu of %zu pixels differ, first column %zu of row %zu: %u %u %u %u, not %u %u %u %u\n",
        different, pixels, first % (size_t)wanted->width, first / (size_t)wanted->width, a[0], a[1],
        a[2], a[3], b[0], b[1], b[2], b[3]);
    return 0;
}

static int paint(struct run *run, struct circles *c)
{
    const struct circles_options *o = &c->options;
    memset(c->result.image.pixels, GARBAGE, (size_t)o->width * o->height * 4);
    run_start(run);
    if (circles_paint(run, c) == 0)
        return 1;
    printf("# %s\n", run->error.text);
    return 0;
}

/* Paints with every method; a frame is painted twice, with what is left of the first time. */
static void check_device(struct run *run, const struct circles_case *test, const char *device,
    const struct scene *scene, const struct image *expected)
{
    char name[200];
    circles_case_describe(test, name, sizeof(name));
    for (size_t i = 0; i < COUNT_OF(METHODS); i++) {
        const struct circles_options options = {
            .input = "self-test",
            .scene = scene,
            .width = (uint32_t)test->width,
            .height = (uint32_t)test->height,
            .samples = test->samples,
            .method = METHODS[i].method,
            .block = METHODS[i].block,
            .device_memory = (uint64_t)test->memory << 10,
        };
        struct circles c = {.options = options};
        int passed = image_new(test->width, test->height, 3, 8, &c.result.image, &run->error) == 0;
        for (int round = 0; passed && round <= (test->frame > 0); round++)
            passed = paint(run, &c) && images_agree(&c.result.image, expected);
        tap_check(passed, "%.31s: %s: %s", device, METHODS[i].name, name);
        run_buffers_free(run);
        circles_end(&c);
    }
}

static void run_case(
    size_t number, struct run *runs, const struct device_info *infos, int device_count)
{
    const struct circles_case *test =
        number < COUNT_OF(CASES) ? &CASES[number] : &LARGE_CASES[number - COUNT_OF(CASES)];
    struct scene scene = {0};
    struct image expected = {0};
    struct error error;
    int rc = circles_case_scene(test, &scene, &error);
    if (rc == 0)
        rc = image_new(test->width, test->height, 3, 8, &expected, &error);
    if (rc == 0)
        rc = reference_circles(
            &scene, test->samples ? test->samples : 1, &expected, ignore, NULL, &error);
    if (rc)
        tap_check(0, "%s", error.text);
    for (int i = 0; rc == 0 && i < device_count; i++)
        check_device(&runs[i], test, infos[i].id, &scene, &expected);
    scene_free(&scene);
    image_free(&expected);
}

const struct self_test CIRCLES_SELF_TEST = {
    .cases = COUNT_OF(CASES) + COUNT_OF(LARGE_CASES),
    .large_cases = COUNT_OF(LARGE_CASES),
    .run_case = run_case,
};
