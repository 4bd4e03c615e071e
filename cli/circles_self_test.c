/* The cases of circles' self-test: every method on every device against the sequential reference. */
#include <stdio.h>
#include <string.h>

#include "cli/self_test.h"
#include "random.h"
#include "stages/circles/circles.h"
#include "tests/reference/circles_reference.h"
#include "tests/tap.h"

/* What a random scene is drawn from. */
struct test_case {
    const char *scene; /* a name, or NULL: random circles */
    int width, height;
    uint32_t samples;
    size_t count;
    float alpha;            /* below 0: each its own */
    float least, most;      /* radius */
    float reach;            /* how far beyond the picture centres lie */
    float colours;          /* 1, or more for colours beyond 1 and below 0 */
    uint64_t device_memory; /* to force pieces and bands, or 0 */
};

static const struct test_case CASES[] = {
    {.scene = "rgb", .width = 1, .height = 1},
    {.scene = "rand10k", .width = 1, .height = 1},
};

static int ignore(void *context, double share)
{
    (void)context;
    (void)share;
    return 0;
}

static int make_scene(const struct test_case *test, struct scene *scene, struct error *error)
{
    (void)ignore;
    return scene_make(test->scene, 1, scene, error);
}

static void run_case(
    size_t number, struct run *runs, const struct device_info *infos, int device_count)
{
    struct scene scene = {0};
    struct error error;
    (void)runs; (void)infos; (void)device_count;
    tap_check(make_scene(&CASES[number], &scene, &error) == 0, "scene");
}

const struct self_test CIRCLES_SELF_TEST = {
    .cases = sizeof(CASES) / sizeof(CASES[0]),
    .run_case = run_case,
};
