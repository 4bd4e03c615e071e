/* Named scenes, animation, and scene files. */
#include "scenes/scene.h"
#include "scenes/scene_formats.h"
#include "scenes/shows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/tap.h"
#include "images/memory.h"
#include "random.h"

static char folder[] = "/tmp/test_scene.XXXXXX";

static int is_valid(const struct scene *scene)
{
    int valid = scene->count > 0;
    for (size_t i = 0; i < scene->count; i++) {
        const struct circle *c = &scene->circles[i];
        valid &= isfinite(c->x) && isfinite(c->y) && isfinite(c->z) && isfinite(c->r);
        valid &= c->r >= 0 && c->alpha >= 0 && c->alpha <= 1;
        valid &= fabsf(c->red) <= SCENE_MAX_COLOR && fabsf(c->green) <= SCENE_MAX_COLOR &&
                 fabsf(c->blue) <= SCENE_MAX_COLOR;
        valid &= i == 0 || scene->circles[i - 1].z >= c->z;
    }
    return valid;
}

/* Tells -0 from 0. */
static int same_bits(const void *a, const void *b, size_t size)
{
    return memcmp(a, b, size) == 0;
}

static int same(const struct scene *a, const struct scene *b)
{
    return a->count == b->count && a->soft == b->soft && (!a->step) == (!b->step) &&
           a->width == b->width && a->height == b->height &&
           same_bits(a->background, b->background, sizeof(a->background)) &&
           same_bits(a->rise, b->rise, sizeof(a->rise)) && a->transmittance == b->transmittance &&
           same_bits(a->circles, b->circles, a->count * sizeof(*a->circles));
}

static struct scene make(const char *name, uint64_t seed)
{
    struct error error = {""};
    struct scene scene;
    if (scene_make(scene_find(name), seed, &scene, &error) != 0)
        abort();
    return scene;
}

static void check_every_scene(void)
{
    static const char *const STILL[] = {"rgb", "rgby", "pattern"};
    int count = 0;
    for (const struct scene_info *info = SCENES; info->name; info++, count++) {
        struct scene scene = make(info->name, 5);
        int is_still = 0;
        tap_check(scene.count == info->count && is_valid(&scene), "%s: %zu circles, farthest first",
            info->name, info->count);
        tap_check(info->summary[0] != 0 && info->is_animated == (scene.step != NULL),
            "%s: is %sanimated", info->name, info->is_animated ? "" : "not ");
        if (info->count <= 1000000) {
            struct scene again = make(info->name, 5), other = make(info->name, 6);
            for (size_t i = 0; i < sizeof(STILL) / sizeof(STILL[0]); i++)
                is_still |= strcmp(info->name, STILL[i]) == 0;
            tap_check(same(&scene, &again), "%s: the same for the same seed", info->name);
            tap_check(same(&scene, &other) == is_still, "%s: %s for another seed", info->name,
                is_still ? "the same" : "different");
            scene_free(&again);
            scene_free(&other);
        }
        scene_free(&scene);
    }
    tap_check(count == 18, "18 scenes");
}

static int descending(const void *a, const void *b)
{
    const float x = *(const float *)a, y = *(const float *)b;
    return (x < y) - (x > y);
}

/* A random scene by its definition: depths, then [r], x, y and the color of each circle. */
static void check_random(
    const char *name, float r, float r_more, const float rgb[3], const float rgb_more[3])
{
    uint64_t state = 77;
    struct scene scene = make(name, 77);
    float *depths = malloc(scene.count * sizeof(*depths));
    int passed = scene.count > 0;
    for (size_t i = 0; i < scene.count; i++)
        depths[i] = random_unit(&state);
    qsort(depths, scene.count, sizeof(*depths), descending);
    for (size_t i = 0; i < scene.count; i++) {
        struct circle c = {.z = depths[i], .r = r, .alpha = .5f};
        if (r_more > 0)
            c.r = r + r_more * random_unit(&state);
        c.x = random_unit(&state);
        c.y = random_unit(&state);
        c.red = rgb[0] + rgb_more[0] * random_unit(&state);
        c.green = rgb[1] + rgb_more[1] * random_unit(&state);
        c.blue = rgb[2] + rgb_more[2] * random_unit(&state);
        passed &= same_bits(&c, &scene.circles[i], sizeof(c));
    }
    for (int i = 0; i < 3; i++)
        passed &= scene.background[i] == 1 && scene.rise[i] == 0;
    tap_check(passed && !scene.soft, "%s by its definition", name);
    free(depths);
    scene_free(&scene);
}

static void check_random_scenes(void)
{
    static const float NONE[3] = {0, 0, 0}, ONE[3] = {1, 1, 1};
    static const float LOW10K[3] = {.1f, .2f, .5f}, MORE10K[3] = {.9f, .5f, .5f};
    static const float LOW100K[3] = {.3f, .1f, .1f}, MORE100K[3] = {.9f, .9f, .4f};
    static const float LOW1M[3] = {.2f, .5f, .1f}, MORE1M[3] = {.5f, .5f, .4f};
    static const float LOW2M[3] = {.3f, .1f, .2f}, MORE2M[3] = {.9f, .3f, .2f};
    check_random("seed10k", .02f, .06f, NONE, ONE);
    check_random("seed100k", .02f, .06f, NONE, ONE);
    check_random("rand10k", .02f, .06f, LOW10K, MORE10K);
    check_random("rand100k", .02f, .06f, LOW100K, MORE100K);
    check_random("rand1M", .009f, .005f, LOW1M, MORE1M);
    check_random("micro2M", .001f, 0, LOW2M, MORE2M);
}

static int is_circle(
    const struct circle *c, float x, float y, float r, float red, float green, float blue)
{
    return c->x == x && c->y == y && c->r == r && c->red == red && c->green == green &&
           c->blue == blue && c->alpha == .5f;
}

static void check_fixed_scenes(void)
{
    struct scene scene = make("rgb", 1);
    const struct circle *c = scene.circles;
    tap_check(is_circle(&c[0], .4f, .5f, .3f, 1, 0, 0) &&
                  is_circle(&c[1], .5f, .5f, .3f, 0, 1, 0) &&
                  is_circle(&c[2], .6f, .5f, .3f, 0, 0, 1),
        "rgb: red, green, blue");
    scene_free(&scene);

    scene = make("rgby", 1);
    c = scene.circles;
    tap_check(
        is_circle(&c[0], .25f, .25f, .19f, 1, 0, 0) && is_circle(&c[1], .3f, .3f, .19f, 0, 1, 0) &&
            is_circle(&c[2], .5f, .5f, .25f, 0, 0, 1) && is_circle(&c[3], .2f, .2f, .1f, 1, 1, 0),
        "rgby: red, green, blue, yellow");
    scene_free(&scene);

    scene = make("pattern", 1);
    c = scene.circles;
    const float r = 1 / 32.0f;
    tap_check(is_circle(&c[0], r, r, r, 1, 0, 0) && is_circle(&c[1], 3 * r, r, r, 1, 0, 0) &&
                  is_circle(&c[255], 31 * r, 31 * r, r, 1, 0, 0) &&
                  is_circle(&c[256], 2 * r, 2 * r, r, 1, 1, 0) &&
                  is_circle(&c[256 + 31], 2 * r, 4 * r, r, 1, 1, 0) &&
                  is_circle(&c[1216], 62 * r, 62 * r, r, 1, 1, 0),
        "pattern: the corners of both grids");
    scene_free(&scene);
}

/* How many circles have that radius and their center in the square of side .1. */
static size_t count_small(const struct scene *scene, size_t from, float left, float low)
{
    size_t count = 0;
    for (size_t i = from; i < scene->count; i++) {
        const struct circle *c = &scene->circles[i];
        count += c->r == .05f && c->x >= left - 1e-6f && c->x <= left + .1f && c->y >= low &&
                 c->y <= low + .1f;
    }
    return count;
}

static void check_corners(void)
{
    struct scene big = make("biglittle", 3), little = make("littlebig", 3);
    tap_check(count_small(&big, 9000, .05f, .85f) == 1000, "biglittle: upper left");
    tap_check(count_small(&little, 9000, .85f, .05f) == 1000, "littlebig: lower right");
    int large = 1;
    for (size_t i = 0; i < 9000; i++)
        large &= big.circles[i].r == .25f && little.circles[i].r == .25f &&
                 big.circles[i].x == little.circles[i].x;
    tap_check(large, "the other circles are large, and the same in both");
    scene_free(&big);
    scene_free(&little);
}

static void check_snow(void)
{
    enum { COUNT = 100000 };
    uint64_t state = 9;
    struct scene scene = make("snow", 9);
    static float depths[COUNT];
    int passed = scene.count == COUNT && scene.soft, near = 0, small = 0, off = 0;
    for (size_t i = 0; i < COUNT; i++) {
        const float z = (float)pow((double)i / COUNT, .1) - .05f + .1f * random_unit(&state);
        depths[i] = fminf(fmaxf(z, 0), 1);
    }
    qsort(depths, COUNT, sizeof(*depths), descending);
    for (size_t i = 0; i < COUNT; i++) {
        const struct circle *c = &scene.circles[i];
        const float z = c->z, s = .0725f + .015f * random_unit(&state);
        float r = (1 - z) * s + z * s / 15;
        if (z < .02f)
            r *= 3;
        else if (r < .0075f)
            r = .0075f;
        near += z < .02f;
        small += r == .0075f;
        passed &= fabsf(z - depths[i]) < 1e-7f && c->r == r;
        off += z != depths[i];
        passed &= c->x == random_unit(&state);
        passed &= c->y == random_unit(&state);
        passed &= c->red == 1 && c->green == 1 && c->blue == 1;
        passed &= c->alpha == .5f * fminf(.6f + .4f * (1 - z), 1);
    }
    for (int i = 0; i < 3; i++)
        passed &= scene.background[i] == .4f && scene.rise[i] == .45f;
    tap_check(passed && off < 100, "snow by its definition, %d depths by a rounding off", off);
    tap_check(near > 0 && small > 0, "snow: %d flakes are tripled, %d the smallest", near, small);
    scene_free(&scene);
}

static void check_tenmillion(void)
{
    enum { COUNT = 10000000 };
    uint64_t state = 11;
    struct scene scene = make("tenmillion", 11);
    int layers = 0, passed = scene.count == COUNT, drawn = 1;
    double sum = 0; /* exact, as all depths are multiples of 2^-24 */
    float least = 1, most = 0;
    for (size_t i = 0; i < COUNT;) {
        const float a = random_unit(&state), b = random_unit(&state);
        const float z = fmaxf(a, b);
        if (z > .01f) {
            i++;
            sum += (double)z;
            least = fminf(least, z);
            most = fmaxf(most, z);
        }
    }
    for (size_t i = 0; i < COUNT; i++)
        sum -= (double)scene.circles[i].z;
    passed &= sum == 0 && scene.circles[0].z == most && scene.circles[COUNT - 1].z == least;
    for (size_t i = 0; i < COUNT; i++) {
        const struct circle *c = &scene.circles[i];
        if (c->r == 1) {
            layers++;
            passed &= i % 1000000 == 999999 && c->x == .5f && c->y == .5f && c->alpha == .2f &&
                      c->red == 1 && c->green == 1 && c->blue == 1;
            continue;
        }
        const float pixels = random_unit(&state) / c->z;
        drawn &= c->r == (pixels < 1 ? 1 : pixels) / 1024;
        drawn &= c->x == random_unit(&state);
        drawn &= c->y == random_unit(&state);
        drawn &= c->red == random_unit(&state);
        drawn &= c->green == random_unit(&state);
        drawn &= c->blue == random_unit(&state);
        drawn &= c->alpha == .5f * random_unit(&state);
    }
    tap_check(passed && layers == 10, "tenmillion: the depths and ten layers");
    tap_check(drawn, "tenmillion: the rest of each circle");
    scene_free(&scene);
}

static void check_unknown(void)
{
    tap_check(!scene_find("rgbx") && !scene_find("") && !scene_find("rg"), "an unknown scene");
}

/* Between two bounces a ball follows y = a + b t + c t^2, of which the second difference is
 * gravity. Each bounce leaves .8 of the speed, so .64 of the height. */
static void go_on(struct scene *scene, uint32_t frames)
{
    struct error error;
    if (scene_advance(scene, frames, &error) != 0)
        abort();
}

static void check_bouncingballs(void)
{
    struct scene scene = make("bouncingballs", 4);
    const float first = scene.circles[0].y;
    float before[10][2];
    int falling = 1, bounces = 0, inside = 1, straight = 1;
    for (size_t i = 0; i < 10; i++)
        before[i][0] = before[i][1] = scene.circles[i].y;
    for (int frame = 1; frame <= 600; frame++) {
        go_on(&scene, 1);
        for (size_t i = 0; i < 10; i++) {
            const float y = scene.circles[i].y;
            const float second = (y - before[i][0]) - (before[i][0] - before[i][1]);
            const int is_free = frame > 1 && y > 0 && before[i][0] > 0 && before[i][1] > 0;
            falling &= !is_free || fabsf(second + 2.8f / 3600) < 1e-6f;
            inside &= y >= 0 && y <= 1;
            straight &= scene.circles[i].r == .05f;
            bounces += y == 0;
            before[i][1] = before[i][0];
            before[i][0] = y;
        }
    }
    tap_check(falling, "bouncingballs: gravity between bounces");
    tap_check(inside && straight && bounces > 20, "bouncingballs: %d times at the ground", bounces);
    int resting = 1;
    for (size_t i = 0; i < 10; i++)
        resting &= scene.circles[i].y < .01f;
    tap_check(resting, "bouncingballs: they come to rest");
    scene_free(&scene);

    /* One bounce: the speed at the ground, sqrt(2 g h), comes back as .8 of it. */
    scene = make("bouncingballs", 4);
    float top = 0;
    do
        go_on(&scene, 1);
    while (scene.circles[0].y > 0);
    do {
        top = scene.circles[0].y;
        go_on(&scene, 1);
    } while (scene.circles[0].y > top);
    tap_check(fabsf(top - .64f * first) < .05f * first, "bouncingballs: from %.3f up to %.3f",
        (double)first, (double)top);
    scene_free(&scene);
}

/* Far frames at once are those that single steps lead to, and go on as these do. */
static void check_far_frames(const char *name)
{
    static const uint32_t FRAMES[] = {1, 2, 3, 48, 49, 50, 1000, 20000};
    uint64_t random = 7;
    struct scene step = make(name, 4);
    uint32_t at = 0;
    int near = 1, far = 1;
    for (size_t i = 0; i < sizeof(FRAMES) / sizeof(FRAMES[0]); i++) {
        struct scene jump = make(name, 4);
        for (; at < FRAMES[i]; at++)
            go_on(&step, 1);
        go_on(&jump, FRAMES[i]);
        near &= same(&step, &jump);
        scene_free(&jump);
    }
    for (int i = 0; i < 20; i++) {
        const uint32_t first = (uint32_t)(random_bits(&random) % 50000000);
        const uint32_t second = (uint32_t)(random_bits(&random) % 50000000);
        struct scene once = make(name, 4), twice = make(name, 4);
        go_on(&once, first + second);
        go_on(&twice, first);
        go_on(&twice, second);
        far &= same(&once, &twice);
        scene_free(&once);
        scene_free(&twice);
    }
    tap_check(near, "%s: frames up to 20000 at once as by single steps", name);
    tap_check(far, "%s: far frames in one leap as in two", name);
    scene_free(&step);
}

static void check_hypnosis(void)
{
    struct scene scene = make("hypnosis", 4), start = make("hypnosis", 4);
    int passed = 1, ordered = 1;
    for (size_t i = 0; i < 25; i++)
        passed &= fabsf(scene.circles[i].r - (.02f + .02f * (float)(24 - i))) < 1e-6f &&
                  scene.circles[i].x == .5f && scene.circles[i].y == .5f;
    tap_check(passed, "hypnosis: radii from .5 to .02");
    for (int frame = 1; frame <= 49; frame++) {
        const float largest = scene.circles[0].r;
        const float red = scene.circles[0].red;
        go_on(&scene, 1);
        if (largest + .01f > .505f)
            ordered &= scene.circles[24].r == .02f && scene.circles[24].red == red;
        else
            ordered &= fabsf(scene.circles[0].r - largest - .01f) < 1e-6f;
        ordered &= is_valid(&scene);
        for (size_t i = 1; i < 25; i++)
            ordered &= scene.circles[i - 1].r > scene.circles[i].r;
    }
    tap_check(ordered, "hypnosis: rings grow, start again in front, and stay in order");
    tap_check(same(&scene, &start), "hypnosis: as at the start after 49 frames");
    scene_free(&scene);
    scene_free(&start);
}

static void check_fireworks(void)
{
    struct scene scene = make("fireworks", 4), start = make("fireworks", 4);
    int directions = 1, inside = 1, still = 1, moves = 1, returned = 0;
    for (size_t i = 15; i < 315; i++) {
        const double angle = acos(-1) / 10 * (double)((i - 15) % 20);
        directions &= fabs((double)scene.velocity[i][0] - cos(angle) / 5) < 1e-7 &&
                      fabs((double)scene.velocity[i][1] - sin(angle) / 5) < 1e-7;
        moves &= scene.circles[i].r == .01f;
    }
    for (int frame = 0; frame < 200; frame++) {
        for (size_t i = 15; i < 315; i++) {
            const struct circle *c = &scene.circles[i], *hub = &scene.circles[(i - 15) / 20];
            inside &= hypot((double)(c->x - hub->x), (double)(c->y - hub->y)) < .2501;
            returned += frame > 0 && c->x == hub->x && c->y == hub->y;
        }
        go_on(&scene, 1);
    }
    for (size_t i = 0; i < 15; i++)
        still &= same_bits(&scene.circles[i], &start.circles[i], sizeof(struct circle)) &&
                 scene.circles[i].r == .005f;
    tap_check(directions && moves, "fireworks: 20 directions");
    tap_check(inside, "fireworks: sparks stay within .25 of their hub");
    tap_check(returned >= 300, "fireworks: sparks come back (%d times)", returned);
    tap_check(still, "fireworks: hubs stay");
    scene_free(&scene);
    scene_free(&start);
}

/* Where a circle is depends on the frame alone: all begins anew after a period, and it does not
 * matter by which steps a frame is reached. What stands still comes first, then at least `least`
 * circles are seen to move, none by more than a share of the image, unless it begins anew. */
static void check_show(const char *name, uint32_t period, size_t first, size_t least)
{
    struct scene scene = make(name, 4), start = make(name, 4), other = make(name, 4);
    size_t still = 0, moving = 0, far = 0;
    for (size_t i = 0; i < first; i++)
        still += scene.velocity[i][0] == 0;
    go_on(&scene, 9);
    for (int i = 0; i < 9; i++)
        go_on(&other, 1);
    tap_check(same(&scene, &other) && is_valid(&scene), "%s: 9 frames in one step", name);
    for (size_t i = 0; i < scene.count; i++) {
        const struct circle *a = &start.circles[i], *b = &scene.circles[i];
        const double distance = hypot((double)(a->x - b->x), (double)(a->y - b->y));
        if (i < first)
            still -= same_bits(a, b, sizeof(*a));
        moving += i >= first && distance > 0 && a->alpha > 0 && b->alpha > 0;
        far += distance > .15 && a->alpha > 0 && b->alpha > 0;
    }
    tap_check(still == 0, "%s: %zu circles stand still", name, first);
    tap_check(moving >= least && far < scene.count / 50, "%s: %zu circles move, %zu begin anew",
        name, moving, far);
    go_on(&scene, period - 9);
    tap_check(same(&scene, &start), "%s: as at the start after %u frames", name, (unsigned)period);
    go_on(&scene, period / 2);
    tap_check(!same(&scene, &start), "%s: not after half as many", name);
    scene_free(&scene);
    scene_free(&start);
    scene_free(&other);
}

/* What flies above the shore is seen whole in images of 16 x 9 and less wide ones. */
static void check_newyear(void)
{
    for (unsigned seed = 0; seed < 5; seed++) {
        struct scene scene = make("newyear", seed);
        double high = 0, left = 1, right = 0;
        for (int frame = 0; frame < 300; frame += 10, go_on(&scene, 10))
            for (size_t i = NEWYEAR_STILL; i < scene.count; i++) {
                const struct circle *c = &scene.circles[i];
                if (c->alpha == 0 || c->r > .01f) /* a flash is larger */
                    continue;
                high = fmax(high, (double)(c->y + c->r));
                left = fmin(left, (double)(c->x - c->r));
                right = fmax(right, (double)(c->x + c->r));
            }
        tap_check(high > .7 && high < .5 + .5 * 9 / 16 && left > -.02 && right < 1.02,
            "newyear, seed %u: sparks from %.3f to %.3f, as high as %.3f", seed, left, right, high);
        scene_free(&scene);
    }
}

/* Parses a copy of exactly that size, so that sanitizers see any overrun. */
static int parse(const char *text, size_t size, const char *name, struct scene *scene,
    const struct scene_warning *warning, struct error *error)
{
    char *copy = malloc(size ? size : 1);
    memcpy(copy, text, size);
    const int rc = scene_parse(copy, size, name, scene, warning, error);
    free(copy);
    return rc;
}

static void check_good(const char *what, const char *name, const char *text,
    const struct circle *expected, size_t count)
{
    struct error error = {""};
    struct scene scene;
    const int rc = parse(text, strlen(text), name, &scene, NULL, &error);
    tap_check(rc == 0 && scene.count == count &&
                  same_bits(scene.circles, expected, count * sizeof(*expected)),
        "%s: %s %s", name, what, error.text);
    scene_free(&scene);
}

/* What is said of a name with no extension that is known. */
static struct words_text ask_for_extension(int are_written)
{
    const struct words extensions = scene_extensions(are_written);
    struct words_text text;
    snprintf(text.text, sizeof(text.text), "name a file that ends in %.200s",
        words_join(&extensions, " or ").text);
    return text;
}

static void check_bad_size(const char *name, const char *text, size_t size, const char *message)
{
    struct error error = {""};
    struct scene scene;
    char expected[400];
    snprintf(expected, sizeof(expected), "cannot read scene '%s': %s", name, message);
    const int rc = parse(text, size, name, &scene, NULL, &error);
    if (!tap_check(rc == ERROR_INPUT && strcmp(error.text, expected) == 0 && !scene.circles,
            "%s refused: %s", name, message))
        printf("# it was: %s\n", error.text);
}

static void check_bad(const char *name, const char *text, const char *message)
{
    check_bad_size(name, text, strlen(text), message);
}

#define HEADER "x,y,z,r,red,green,blue,alpha\n"

static void check_csv(void)
{
    static const struct circle ONE = {1, 2, 3, 4, .25f, .5f, .75f, 1};
    static const struct circle PLAIN = {1, 2, 0, 4, .25f, .5f, .75f, .5f};
    static const struct circle THREE[] = {
        {2, 0, 9, 0, 0, 0, 0, 0}, {1, 0, -1, 0, 0, 0, 0, 0}, {3, 0, -2e9f, 0, 0, 0, 0, 0}};
    static const struct circle TIES[] = {{1, 0, 1, 0, 0, 0, 0, 0}, {4, 0, 1, 0, 0, 0, 0, 0},
        {0, 0, -0.0f, 0, 0, 0, 0, 0}, {2, 0, 0, 0, 0, 0, 0, 0}, {3, 0, -0.0f, 0, 0, 0, 0, 0}};
    char line[5000];
    check_good("lengths up to the limit", "a.csv", HEADER "1e18,-1e18,0,1e18,0,0,0,1\n",
        (const struct circle[]){{1e18f, -1e18f, 0, 1e18f, 0, 0, 0, 1}}, 1);
    check_good("all columns", "a.csv", HEADER "1,2,3,4,.25,.5,.75,1\n", &ONE, 1);
    check_good("standard input's name", "-", HEADER "1,2,3,4,.25,.5,.75,1\n", &ONE, 1);
    check_good("extension in capitals", "a.CSV", HEADER "1,2,3,4,.25,.5,.75,1\n", &ONE, 1);
    check_good("no newline at the end", "a.csv", HEADER "1,2,3,4,.25,.5,.75,1", &ONE, 1);
    check_good("any order of columns", "a.csv",
        "alpha,blue,green,red,r,z,y,x\n1,.75,.5,.25,4,3,2,1", &ONE, 1);
    check_good("without z and alpha", "a.csv", "x,y,r,red,green,blue\n1,2,4,.25,.5,.75", &PLAIN, 1);
    check_good("lines end as on Windows", "a.csv",
        "x,y,r,red,green,blue\r\n1,2,4,.25,.5,.75\r\n\r\n", &PLAIN, 1);
    check_good("a byte order mark", "a.csv", "\xef\xbb\xbfx,y,r,red,green,blue\n1,2,4,.25,.5,.75\n",
        &PLAIN, 1);
    check_good("comments, empty lines, blanks, capitals", "a.csv",
        "# 1\n\n  # x\nX, y ,R,Red,green,blue\n\t\n 1 ,\t2, 4 ,.25,.5,.75 \n#", &PLAIN, 1);
    check_good(
        "ways to write numbers", "a.csv", HEADER "+1.,2e0,30E-1,4.0,.25,0.5,00.75,1\n", &ONE, 1);
    check_good("sorts by depth", "a.csv",
        HEADER "1,0,-1,0,0,0,0,0\n2,0,9,0,0,0,0,0\n3,0,-2e9,0,0,0,0,0\n", THREE, 3);
    check_good("equal depths keep their order", "a.csv",
        HEADER "0,0,-0,0,0,0,0,0\n1,0,1,0,0,0,0,0\n2,0,0,0,0,0,0,0\n3,0,-0,0,0,0,0,0\n"
               "4,0,1,0,0,0,0,0\n",
        TIES, 5);

    check_bad("a.csv", "", "it has no circles");
    check_bad("a.csv", "\n# x\n", "it has no circles");
    check_bad("a.csv", HEADER, "it has no circles");
    check_bad("a.csv", HEADER "# 1,2,3,4,0,0,0,1", "it has no circles");
    check_bad("a.csv", "y,r,red,green,blue\n", "line 1: column 'x' is missing");
    check_bad("a.csv", "x,r,red,green,blue\n", "line 1: column 'y' is missing");
    check_bad("a.csv", "\nx,y,red,green,blue\n", "line 2: column 'r' is missing");
    check_bad("a.csv", "x,y,r,green,blue\n", "line 1: column 'red' is missing");
    check_bad("a.csv", "x,y,r,red,blue\n", "line 1: column 'green' is missing");
    check_bad("a.csv", "x,y,r,red,green\n", "line 1: column 'blue' is missing");
    check_bad("a.csv", "x,y,r,red,green,blue,y\n", "line 1: column 'y' occurs twice");
    check_bad("a.csv", "x,y,r,red,green,blue,a\tb\n",
        "line 1: unknown column 'a?b'; the columns are x, y, z, r, red, green, blue, alpha");
    check_bad("a.csv", "x,y,r,red,green,blue,\n",
        "line 1: unknown column ''; the columns are x, y, z, r, red, green, blue, alpha");
    check_bad("a.csv", HEADER "0,0,0,0,0,0,0,0\n1e38,.5,0,1,0,0,0,1\n",
        "line 3: x 1e+38 is not from -1e+18 to 1e+18");
    check_bad("a.csv", HEADER "0,-1.0000001e18,0,1,0,0,0,1\n",
        "line 2: y -1e+18 is not from -1e+18 to 1e+18");
    check_bad(
        "a.csv", HEADER "0,0,0,1e20,0,0,0,1\n", "line 2: r 1e+20 is not from -1e+18 to 1e+18");
    check_bad("a.csv", "1,2,3,4,.25,.5,.75,1\n",
        "line 1: unknown column '1'; the columns are x, y, z, r, red, green, blue, alpha");
    check_bad(
        "a.csv", HEADER "1,2,3,4,.25,.5,.75\n", "line 2: 7 fields where the first line has 8");
    check_bad("a.csv", HEADER "0,0,0,0,0,0,0,0\n1,2,3,4,.25,.5,.75,1,\n",
        "line 3: 9 fields where the first line has 8");
    for (int field = 0; field < 8; field++) {
        static const char *const NAMES[] = {"x", "y", "z", "r", "red", "green", "blue", "alpha"};
        static const char *const BAD[] = {"", "abc", "nan", "-NaN", "inf", "-infinity", "0x1p3",
            "1e99", "1 2", "1.2.3", "--1", "1e", ".", "1f", "-1e999"};
        for (size_t bad = 0; bad < sizeof(BAD) / sizeof(BAD[0]); bad++) {
            char text[200] = HEADER "1,1,1,1,1,1,1,1\n#\n", message[100];
            for (int i = 0; i < 8; i++)
                snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%s",
                    i == field ? BAD[bad] : "1", i < 7 ? "," : "\n");
            snprintf(message, sizeof(message), "line 4: %s is not a finite number", NAMES[field]);
            check_bad("a.csv", text, message);
        }
    }
    check_bad("a.csv", HEADER "1,2,3,-1,.25,.5,.75,1\n", "line 2: radius -1 is negative");
    check_bad("a.csv", HEADER "1,2,3,1,.25,.5,.75,1.0000001\n",
        "line 2: alpha 1.0000001 is not from 0 to 1");
    check_bad("a.csv", HEADER "1,2,3,1,.25,.5,.75,1.5\n", "line 2: alpha 1.5 is not from 0 to 1");
    check_bad("a.csv", HEADER "1,2,3,1,.25,.5,.75,-.1\n", "line 2: alpha -0.1 is not from 0 to 1");
    check_bad("a.csv", HEADER "1,2,3,1,2e6,.5,.75,1\n",
        "line 2: red 2e+06 is not from -1000000 to 1000000");
    check_bad("a.csv", HEADER "1,2,3,1,1,.5,-1000001,1\n",
        "line 2: blue -1e+06 is not from -1000000 to 1000000");
    check_bad_size(
        "a.csv", HEADER "1,2\0,3\n", sizeof(HEADER) + 6, "line 2: a zero byte; this is no text");
    check_bad("a.txt", HEADER, ask_for_extension(0).text);
    check_bad("csv", HEADER, ask_for_extension(0).text);
    check_bad("a.csv", "\xef\xbb\xbf\xef\xbb\xbfx,y,r,red,green,blue\n",
        "line 1: unknown column '???x'; the columns are x, y, z, r, red, green, blue, alpha");

    static const char LONG[] = "x,y,r,red,green,blue\n1,2,4,.25,.5,.75\n";
    memset(line, '0', sizeof(line));
    memcpy(line, LONG, sizeof(LONG) - 1);
    line[sizeof(LONG) - 1 + 4095] = 0;
    memcpy(line + sizeof(LONG) - 1 + 4095 - 17, "1,2,4,.25,.5,.75 ", 17);
    struct scene scene;
    struct error error = {""};
    tap_check(parse(line, strlen(line), "a.csv", &scene, NULL, &error) == 0 && scene.count == 2,
        "a.csv: a line of 4095 characters %s", error.text);
    scene_free(&scene);
    memcpy(line + sizeof(LONG) - 1 + 4095, "0\n", 3);
    check_bad("a.csv", line, "line 3: longer than 4095 characters");
}

#define CIRCLE \
    "{\"x\":1,\"y\":2,\"z\":3,\"r\":4,\"red\":0.25,\"green\":0.5,\"blue\":0.75,\"alpha\":1}"

static void check_json(void)
{
    static const struct circle ONE = {1, 2, 3, 4, .25f, .5f, .75f, 1};
    static const struct circle TWO[] = {
        {1, 2, 3, 4, .25f, .5f, .75f, 1}, {1, 2, 0, 4, .25f, .5f, .75f, .5f}};
    static const char SHORT[] =
        "{\"x\":1,\"y\":2,\"r\":4,\"red\":0.25,\"green\":0.5,\"blue\":0.75}";
    char text[400];
    check_good("a list", "a.json", "[" CIRCLE "]", &ONE, 1);
    check_good("an object", "a.json", " {\n\"circles\" : [ " CIRCLE "\n] }\n", &ONE, 1);
    snprintf(text, sizeof(text), "[%s,\n%s]", SHORT, CIRCLE);
    check_good("without z and alpha", "a.json", text, TWO, 2);

    check_good("names in capitals", "a.json",
        "{\"Circles\":[{\"X\":1,\"Y\":2,\"Z\":3,\"R\":4,\"Red\":0.25,\"GREEN\":0.5,"
        "\"bluE\":0.75,\"Alpha\":1}]}",
        &ONE, 1);

    struct scene scene;
    struct error error = {""};
    static const char FULL[] = "{\"soft\":true,\"background\":[1,-2,3e2],\"circles\":[" CIRCLE
                               "],\"rise\" : [0, 0.5 ,1 ]}";
    tap_check(parse(FULL, strlen(FULL), "a.json", &scene, NULL, &error) == 0 && scene.soft &&
                  scene.background[0] == 1 && scene.background[1] == -2 &&
                  scene.background[2] == 300 && scene.rise[0] == 0 && scene.rise[1] == .5f &&
                  scene.rise[2] == 1 && scene.count == 1,
        "a.json: background, rise, soft %s", error.text);
    scene_free(&scene);
    tap_check(parse("[" CIRCLE "]", strlen(CIRCLE) + 2, "a.json", &scene, NULL, &error) == 0 &&
                  !scene.soft && scene.background[0] == 1 && scene.background[2] == 1 &&
                  scene.rise[1] == 0,
        "a.json: white where it says nothing");
    scene_free(&scene);

    check_good("a byte order mark before JSON", "a.json", "\xef\xbb\xbf[" CIRCLE "]", &ONE, 1);
    check_bad("a.json", "", "line 1: expected [ and circles, but the file ends");
    check_bad("a.json", "[]", "it has no circles");
    check_bad("a.json", "{}", "it has no circles");
    check_bad("a.json", "{\"soft\":false}", "it has no circles");
    check_bad("a.json", "\n 1", "line 2: expected [ and circles");
    check_bad("a.json", "[\n" CIRCLE ",\n", "line 3: unexpected token near end of file");
    check_bad("a.json", "[\n" CIRCLE, "line 2: expected , or ] after a circle, but the file ends");
    check_bad("a.json", "[\n" CIRCLE "\n" CIRCLE "]", "line 3: expected , or ] after a circle");
    check_bad("a.json", "[\n{\"x\":1,\n\"y\"", "line 3: ':' expected near end of file");
    check_bad("a.json", "[" CIRCLE "]\n]", "line 2: expected nothing after the scene");
    check_bad("a.json", "[{\"x\":1,\"y\":2,\"r\":4,\"red\":0,\n\"green\":\n0,\"blue\":0},\n1]",
        "line 4: a circle is not an object");
    check_bad("a.json", "[\n1]", "line 2: a circle is not an object");
    check_bad("a.json", "[" CIRCLE ",\n\n[]]", "line 3: a circle is not an object");
    check_bad("a.json", "{\"circles\":\n{}}", "line 2: expected [ and circles");
    check_bad("a.json", "{\"circles\"\n[]}", "line 2: expected : after the name of a member");
    check_bad(
        "a.json", "{\"circles\":[]\n\"soft\":true}", "line 2: expected , or } after a member");
    check_bad(
        "a.json", "{\"circles\":[],", "line 1: expected the name of a member, but the file ends");
    check_bad("a.json", "{1:2}", "line 1: expected the name of a member");
    check_bad(
        "a.json", "{\"circles\":[" CIRCLE "],\n\"circles\":[]}", "line 2: circles occurs twice");
    check_bad("a.json", "{\"sizes\":1}",
        "line 1: a scene has no 'sizes'; it has background, rise, soft, size, circles");
    check_bad("a.json", "{\"soft\":\n1}", "line 2: soft is not true or false");
    check_bad("a.json", "{\"background\":[1,2]}",
        "line 1: background is not a list of three or four numbers");
    check_bad("a.json", "{\"background\":[1,2,3,4]}",
        "line 1: the alpha of background is not from 0 to 1");
    check_bad("a.json", "{\"background\":[1,2,3,null]}",
        "line 1: the alpha of background is not from 0 to 1");
    check_bad("a.json", "{\"background\":[1,2,3,1,1]}",
        "line 1: background is not a list of three or four numbers");
    check_bad("a.json", "{\"rise\":[1,2,3,1]}", "line 1: rise is not a list of three numbers");
    check_bad("a.json", "{\"rise\":[1,2,\"3\"]}", "line 1: rise is not a list of three numbers");
    check_bad("a.json", "{\"rise\":5}", "line 1: rise is not a list of three numbers");
    check_bad("a.json", "{\"rise\":[1,2,1e39]}", "line 1: rise is not a finite number");
    check_bad(
        "a.json", "{\"rise\":[1,2,-2e6]}", "line 1: rise -2e+06 is not from -1000000 to 1000000");

    static const char *const NAMES[] = {"x", "y", "z", "r", "red", "green", "blue", "alpha"};
    static const struct {
        const char *value, *message;
    } BAD[] = {{"\"1\"", "is not a number"}, {"null", "is not a number"}, {"[]", "is not a number"},
        {"1e39", "is not a finite number"}, {"-1e300", "is not a finite number"}};
    for (int field = 0; field < 8; field++)
        for (size_t bad = 0; bad <= sizeof(BAD) / sizeof(BAD[0]); bad++) {
            const int absent = bad == sizeof(BAD) / sizeof(BAD[0]);
            char message[100];
            snprintf(text, sizeof(text), "{\"circles\": [" CIRCLE ",\n{");
            for (int i = 0; i < 8; i++)
                if (i != field || !absent)
                    snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s\"%s\":%s",
                        text[strlen(text) - 1] == '{' ? "" : ",\n", NAMES[i],
                        i == field ? BAD[bad].value : "1");
            snprintf(text + strlen(text), sizeof(text) - strlen(text), "}]}");
            snprintf(message, sizeof(message), "line 2: %s %s", NAMES[field],
                absent ? "is missing" : BAD[bad].message);
            if (!absent || (field != 2 && field != 7))
                check_bad("a.json", text, message);
        }
    check_bad("a.json", "[{\"x\":1,\"y\":1,\"r\":-2,\"red\":0,\"green\":0,\"blue\":0}]",
        "line 1: radius -2 is negative");
    check_bad("a.json", "[{\"x\":1,\"y\":1,\"r\":2,\"red\":0,\"green\":0,\"blue\":0,\"alpha\":2}]",
        "line 1: alpha 2 is not from 0 to 1");
    check_bad("a.json", "[{\"x\":1,\"y\":1,\"r\":2,\"red\":0,\"green\":3e6,\"blue\":0}]",
        "line 1: green 3e+06 is not from -1000000 to 1000000");
    check_bad("a.json", "[{\"w\":1}]",
        "line 1: a circle has no 'w'; it has x, y, z, r, red, green, blue, alpha");
    check_bad("a.json", "[\n{\"x\":1,\n\"X\":2}]", "line 2: x occurs twice");
    check_bad("a.json", "{\"soft\":true,\n\"Soft\":true}", "line 2: soft occurs twice");
    check_bad("a.json", "[\n{\"x\":1,\n\"x\":2}]", "line 3: duplicate object key near '\"x\"'");
    check_bad("a.json", "[{\"x\\\n\":1}]", "line 2: invalid escape near '\"x\\?'");
    check_bad("a.json", "[{\"x\":NaN}]", "line 1: invalid token near 'NaN'");
}

#define SVG(inside) "<svg viewBox=\"0 0 100 100\">\n" inside "\n</svg>\n"
#define DISC "<circle cx=\"25\" cy=\"25\" r=\"50\" "

static void check_svg_circle(const char *what, const char *text, float x, float y, float r,
    float red, float green, float blue, float alpha)
{
    const struct circle expected = {x, y, 0, r, red, green, blue, alpha};
    check_good(what, "a.svg", text, &expected, 1);
}

static void check_fill(const char *attributes, float red, float green, float blue, float alpha)
{
    char text[400];
    snprintf(text, sizeof(text), SVG(DISC "%s/>"), attributes);
    check_svg_circle(attributes, text, .25f, .75f, .5f, red, green, blue, alpha);
}

static void check_image(const char *root, int width, int height, float x, float y, float r)
{
    struct error error = {""};
    struct scene scene;
    char text[400];
    snprintf(text, sizeof(text), "<svg %s><circle cx='10' cy='5' r='5'/></svg>", root);
    const int rc = parse(text, strlen(text), "a.svg", &scene, NULL, &error);
    tap_check(rc == 0 && scene.width == width && scene.height == height &&
                  scene.circles[0].x == x && scene.circles[0].y == y && scene.circles[0].r == r,
        "a.svg: %s is an image of %d x %d %s", root, width, height, error.text);
    scene_free(&scene);
}

#define OTHERS(line, count) \
    "'a.svg': line " #line \
    ": here begin the elements that are no circles and are left out, " #count " in all\n"

/* Keeps the lines, each with a line break. */
static void keep_line(void *context, const char *line)
{
    char *lines = context;
    strcat(strcat(lines, line), "\n");
}

/* Checks the warnings, which come of elements that are no circles. */
static void check_others(const char *inside, const char *expected)
{
    struct error error = {""};
    struct scene scene;
    char text[500], lines[1000] = "";
    const struct scene_warning warning = {keep_line, lines};
    snprintf(text, sizeof(text), SVG(DISC "/>%s"), inside);
    const int rc = parse(text, strlen(text), "a.svg", &scene, &warning, &error);
    if (!tap_check(rc == 0 && scene.count == 1 && strcmp(lines, expected) == 0,
            "a.svg: with %.*s %s", (int)strcspn(inside, "\n"), inside, error.text))
        printf("# it was: %s", lines);
    scene_free(&scene);
}

static void check_bad_circle(const char *attributes, const char *message)
{
    char text[400], expected[400];
    snprintf(text, sizeof(text), SVG("<circle r='5'/>\n<circle %s/>"), attributes);
    snprintf(expected, sizeof(expected), "line 3: %s", message);
    check_bad("a.svg", text, expected);
}

static void check_svg(void)
{
    static const struct circle TWO[] = {
        {.25f, .75f, 0, .5f, 1, 0, 0, 1}, {.25f, .75f, 0, .5f, 0, 0, 1, 1}};
    check_fill("", 0, 0, 0, 1);
    check_fill("fill='#f08'", 1, 0, 136 / 255.0f, 1);
    check_fill("fill='#FF8000'", 1, 128 / 255.0f, 0, 1);
    check_fill("fill='rgb(255, 0,51)'", 1, 0, .2f, 1);
    check_fill("fill='rgb(100%,0%,50%)'", 1, 0, .5f, 1);
    check_fill("fill='Orange'", 1, 165 / 255.0f, 0, 1);
    check_fill("fill=' teal '", 0, 128 / 255.0f, 128 / 255.0f, 1);
    check_fill("fill-opacity='.5'", 0, 0, 0, .5f);
    check_fill("fill-opacity='.5' opacity='50%'", 0, 0, 0, .25f);
    check_fill("fill='red' style='fill: #0F0; opacity:.5;'", 0, 1, 0, .5f);
    check_fill("style='fill:blue;;stroke:none; fill-opacity : 25%' fill='red'", 0, 0, 1, .25f);
    check_fill("transform='none' style='clip-path:none' display='inline'", 0, 0, 0, 1);
    check_svg_circle("px and exponents", SVG("<circle cx='25px' cy='2.5e1' r=' 50PX '/>"), .25f,
        .75f, .5f, 0, 0, 0, 1);
    check_svg_circle(
        "center 0, 0 where it says nothing", SVG("<circle r='50'/>"), 0, 1, .5f, 0, 0, 0, 1);
    check_svg_circle("inherits through groups",
        SVG("<g fill='red' fill-opacity='.5'><a style='fill:lime'><g fill='inherit'>" DISC
            "/></g></a></g>"),
        .25f, .75f, .5f, 0, 1, 0, .5f);
    check_svg_circle("a circle's own fill goes first",
        SVG("<g fill='red' fill-opacity='.5'>" DISC "fill='blue' fill-opacity='1'/></g>"), .25f,
        .75f, .5f, 0, 0, 1, 1);
    check_svg_circle("root's fill", "<svg width='100' height='100px' fill='red'>" DISC "/></svg>",
        .25f, .75f, .5f, 1, 0, 0, 1);
    check_svg_circle("groups of some opacity that draw nothing",
        SVG("<g opacity='.5'/><g opacity='.5'><title/><g><circle/>" DISC
            "display='none'/></g></g>" DISC "/>"),
        .25f, .75f, .5f, 0, 0, 0, 1);
    static const char *const KEYWORDS[] = {"inherit", "unset", "Initial"};
    for (int i = 0; i < 3; i++) {
        char text[400];
        const char *word = KEYWORDS[i];
        const int inherits = i < 2;
        snprintf(text, sizeof(text),
            SVG("<g fill='red' fill-opacity='.5'>" DISC
                "fill='blue' fill-opacity='.25' opacity='.5' visibility='hidden' display='none' "
                "style='fill:%s;fill-opacity:%s;opacity:%s;visibility:%s;display:inline'/></g>"),
            word, word, word, word);
        check_svg_circle(word, text, .25f, .75f, .5f, (float)inherits, 0, 0, inherits ? .5f : 1);
    }
    check_svg_circle("not drawn: no fill, no radius, hidden",
        SVG("<g fill='none'>" DISC "/></g><circle r='0'/><circle/>" DISC
            "display='none'/><g display='none'>" DISC "display='inline'/></g><g "
            "visibility='hidden'>" DISC "/>" DISC "visibility='visible'/></g>"),
        .25f, .75f, .5f, 0, 0, 0, 1);
    check_svg_circle("with namespaces",
        "<?xml version='1.0'?><!DOCTYPE svg><s:svg xmlns:s='http://www.w3.org/2000/svg' "
        "viewBox='0 0 100 100'><s:g><s:circle cx='25' cy='25' r='50'/></s:g></s:svg>",
        .25f, .75f, .5f, 0, 0, 0, 1);
    check_good("document order is painter's order", "a.svg",
        SVG(DISC "fill='red'/><g fill='blue'>" DISC "/></g>"), TWO, 2);

    check_image("viewBox='0 0 40 10'", 40, 10, .25f, .5f, .125f);
    check_image("viewBox='0,0 , 10 40'", 10, 40, .625f, .875f, .125f);
    check_image("viewBox='-10 -5 40 20' width='100%'", 40, 20, .5f, .5f, .125f);
    check_image("viewBox='0 0 79.6 80' width='5'", 80, 80, .5f + (10 - 39.8f) / 80,
        .5f + 35 / 80.0f, 5 / 80.0f);
    check_image("width='40px' height='10'", 40, 10, .25f, .5f, .125f);
    check_image("viewBox='0 0 .25 .125'", 0, 0, 40, -19.25f, 20);
    check_image(
        "viewBox='0 0 8388608 8388608'", 0, 0, 10 / 8388608.0f, 1 - 5 / 8388608.0f, 5 / 8388608.0f);

    check_others("", "");
    check_others("<title>x</title><desc/><metadata><rect/></metadata><defs>" DISC "/></defs>", "");
    check_others("<rect/><g><path/><text>a<tspan/></text></g>", OTHERS(2, 4));
    check_others("<clipPath>" DISC "/></clipPath>", OTHERS(2, 2));
    check_others("<o:thing xmlns:o='http://other/'><circle/></o:thing>", "");
    check_others("<circle r='0'><title>x</title></circle>\n<rect/>", OTHERS(3, 1));
    check_others("\n<circle r='0'><animate/><title/><set/></circle>", OTHERS(3, 2));
    check_others("<rect><title><b/></title>\n</rect>\n\n<rect/>", OTHERS(2, 2));
    check_others("<rect><defs><g/></defs><path/></rect>", OTHERS(2, 2));

    check_bad("a.svg", "", "line 1: no element found");
    check_bad("a.svg", "<svg viewBox='0 0 1 1'/>", "it has no circles");
    check_bad("a.svg", "<svg viewBox='0 0 1 1'>\n<g><circle", "line 2: unclosed token");
    check_bad(
        "a.svg", "<svg viewBox='0 0 1 1'>\n<g>\n<circle r='1'/>\n", "line 4: no element found");
    check_bad("a.svg", "<svg viewBox='0 0 1 1'>\n<g></svg>", "line 2: mismatched tag");
    check_bad("a.svg", "x,y\n", "line 1: syntax error");
    check_bad("a.svg", "\n<html/>", "line 2: the outermost element is not svg");
    check_bad("a.svg", "<svg xmlns='http://other/'/>", "line 1: the outermost element is not svg");
    check_bad("a.svg", "<svg/>", "line 1: svg has no viewBox, and no width and height instead");
    check_bad(
        "a.svg", "<svg width='1'/>", "line 1: svg has no viewBox, and no width and height instead");
    check_bad("a.svg", "<svg width='1' height='2em'/>",
        "line 1: height '2em' is no length; write a plain number or px");
    check_bad("a.svg", "<svg viewBox='0 0 1'/>", "line 1: viewBox '0 0 1' is not four numbers");
    check_bad(
        "a.svg", "<svg viewBox='0 0 1 1 1'/>", "line 1: viewBox '0 0 1 1 1' is not four numbers");
    check_bad(
        "a.svg", "<svg viewBox='0 0 1 inf'/>", "line 1: viewBox '0 0 1 inf' is not four numbers");
    check_bad("a.svg", "<svg viewBox='0 0 1 1' data-tessera-rise='0 1'/>",
        "line 1: data-tessera-rise '0 1' is not three numbers");
    check_bad("a.svg", "<svg viewBox='0 0 1 1' data-tessera-rise='0 1e7 0'/>",
        "line 1: data-tessera-rise 1e+07 is not from -1000000 to 1000000");
    check_bad("a.svg", "<svg viewBox='0 0 0 1'/>", "line 1: an image of 0 x 1 is empty");
    check_bad("a.svg", "<svg viewBox='0 0 1 -1'/>", "line 1: an image of 1 x -1 is empty");
    check_bad("a.svg", SVG("<svg viewBox='0 0 1 1'/>"),
        "line 2: an svg in an svg is not supported; use g");
    check_bad("a.svg", SVG("<g\ntransform='scale(2)'>" DISC "/></g>"),
        "line 2: transform 'scale(2)' is not supported; write the circles as they end up");
    check_bad("a.svg", SVG("\n<g opacity='.5'>" DISC "/></g>"),
        "line 3: opacity 0.5 of a group is not supported; give it to its circles");
    check_bad("a.svg", SVG("\n<g style='opacity:.5'>\n<g>" DISC "/></g></g>"),
        "line 4: opacity 0.5 of a group is not supported; give it to its circles");
    check_bad("a.svg", "<svg viewBox='0 0 1 1' fill='url(#a)'/>",
        "line 1: fill 'url(#a)' is not supported; write #rrggbb, rgb(), hsl() or a name");
    check_bad_circle("transform='rotate(5)'",
        "transform 'rotate(5)' is not supported; write the circles as they end up");
    check_bad_circle("style='clip-path:url(#a)'",
        "clip-path 'url(#a)' is not supported; write the circles as they end up");
    check_bad_circle("r='-1'", "radius -1 is negative");
    check_bad_circle("r='1e'", "r '1e' is no length; write px, in, cm, mm, Q, pt or pc");
    check_bad_circle("r='5em'", "r '5em' is not supported; write px, in, cm, mm, Q, pt or pc");
    check_bad_circle("r='50%'", "r '50%' is not supported; write px, in, cm, mm, Q, pt or pc");
    check_bad_circle("r=''", "r '' is no length; write px, in, cm, mm, Q, pt or pc");
    check_bad_circle("cx='nan'", "cx 'nan' is no length; write px, in, cm, mm, Q, pt or pc");
    check_bad_circle("r='1' cy='1e999'", "y is not a finite number");
    check_bad_circle("r='1' cx='1e300'", "x is not a finite number");

    static char deep[4000] = "<svg viewBox='0 0 1 1'>";
    for (int i = 0; i < 254; i++)
        strcat(deep, "<g>");
    strcat(deep, "\n<g>");
    check_bad("a.svg", deep, "line 2: groups nested deeper than 255");
    deep[strlen(deep) - 4] = 0;
    strcat(deep, "<circle r='1'/>");
    check_bad("a.svg", deep, "line 1: no element found");
}

static void write_file(const char *path, const char *text, size_t size)
{
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(text, 1, size, file) != size || fclose(file) != 0)
        abort();
}

static void check_round_trip(const char *what, const char *extension, const struct scene *scene)
{
    struct error error = {""};
    struct scene read = {0};
    char path[64];
    snprintf(path, sizeof(path), "%s/scene%s", folder, extension);
    const int rc = scene_write(path, scene, NULL, &error);
    tap_check(rc == 0 && scene_read(path, NULL, &read, NULL, &error) == 0 && same(scene, &read),
        "%s as %s reads the same %s", what, extension, error.text);
    scene_free(&read);
    unlink(path);
}

static void check_writing(void)
{
    struct error error = {""};
    struct scene scene = make("seed10k", 8);
    check_round_trip("seed10k", ".csv", &scene);
    check_round_trip("seed10k", ".json", &scene);
    scene_free(&scene);

    /* The depth falls; all else are any bits that are valid. */
    uint64_t state = 1;
    struct circle circles[1000];
    for (size_t i = 0; i < 1000; i++) {
        uint32_t bits[4];
        float any[4];
        for (int k = 0; k < 4; k++)
            do {
                bits[k] = (uint32_t)random_bits(&state);
                memcpy(&any[k], &bits[k], sizeof(any[k]));
            } while (!(fabsf(any[k]) <= (k == 3 ? SCENE_MAX_COLOR : SCENE_MAX_LENGTH)));
        circles[i] = (struct circle){any[0], any[1], 0x1p-140f * (float)(500 - (int)i),
            fabsf(any[2]), any[3], -any[3], -0.0f, random_unit(&state)};
    }
    circles[0].x = -0.0f;
    circles[0].y = 0x1p-149f;
    circles[0].r = SCENE_MAX_LENGTH;
    circles[1].x = -SCENE_MAX_LENGTH;
    circles[0].alpha = 0x1.fffffep-1f;
    circles[0].red = SCENE_MAX_COLOR;
    scene = (struct scene){.count = 1000, .circles = circles, .background = {1, 1, 1}};
    check_round_trip("odd numbers", ".csv", &scene);
    check_round_trip("odd numbers", ".json", &scene);
    check_round_trip("odd numbers", ".JSON", &scene);

    char path[64], expected[200];
    snprintf(path, sizeof(path), "%s/a.csv", folder);
    snprintf(expected, sizeof(expected),
        "cannot write scene '%s': CSV holds no background and no soft circles; use .json", path);
    for (int i = 0; i < 9; i++) {
        struct scene other = scene;
        if (i > 6)
            other.transmittance = i > 7 ? 1 : 0x1p-24f;
        else if (i < 3)
            other.background[i] = .5f;
        else if (i < 6)
            other.rise[i - 3] = 1e-7f;
        else
            other.soft = 1;
        tap_check(scene_write(path, &other, NULL, &error) == ERROR_USAGE &&
                      strcmp(error.text, expected) == 0 && access(path, F_OK) != 0,
            "not as CSV: scene %d that is more than circles", i);
        check_round_trip("it", ".json", &other);
    }
    tap_check(scene_write("a.txt", &scene, NULL, &error) == ERROR_USAGE &&
                  strstr(error.text, "cannot write scene 'a.txt': name a file") == error.text &&
                  strstr(error.text, ask_for_extension(1).text),
        "no text is written");
    tap_check(scene_write("/nowhere/a.csv", &scene, NULL, &error) == ERROR_INPUT &&
                  strstr(error.text, "cannot write '/nowhere/a.csv'"),
        "no file where there is no folder");

    scene = make("snow", 8);
    check_round_trip("snow", ".json", &scene);
    scene.width = 65535;
    scene.height = 1;
    check_round_trip("snow with a size", ".json", &scene);
    scene_free(&scene);
}

/* As many circles as memory holds leave none to sort and paint them. */
static void check_memory(void)
{
    struct error error = {""};
    struct scene scene = {0};
    struct builder builder = {
        .origin = {.what = "scene", .name = "a.csv", .error = &error}, .scene = &scene};
    const uint64_t most = memory_limit() / sizeof(struct circle);
    tap_check(
        builder_reserve(&builder, (size_t)most) == ERROR_INPUT &&
            strcmp(error.text, "cannot read scene 'a.csv': no memory for more than 0 circles") == 0,
        "no memory for %llu circles: %s", (unsigned long long)most, error.text);
    tap_check(builder_reserve(&builder, 1000) == 0 && builder.capacity >= 1000,
        "memory for a thousand circles");
    scene_free(&scene);
}

/* All numbers of a circle are any bits that SVG can say. */
static void check_writing_svg(void)
{
    enum { COUNT = 3000 };
    static const int SIZES[][2] = {
        {1024, 1024}, {1, 1}, {1920, 1080}, {333, 1001}, {4194303, 7}, {3, 4194304}};
    static struct circle circles[COUNT];
    struct error error = {""};
    struct scene scene = {.count = COUNT, .circles = circles, .background = {.1f, 0, 1}};
    char path[64], expected[300], what[80];
    uint64_t state = 2;
    for (int i = 0; i < COUNT; i++) {
        float *numbers = &circles[i].x;
        for (int k = 0; k < 8; k++) {
            const float unit = random_unit(&state) * (i % 3 ? 1 : 0x1p-120f);
            const float byte = (float)(random_bits(&state) % 256) / 255;
            numbers[k] = k == 2 ? 0 : k > 3 && i % 2 ? byte : unit;
        }
        circles[i].x *= i % 5 ? -1 : SCENE_MAX_LENGTH;
        circles[i].r += 0x1p-149f;
    }
    for (size_t i = 0; i < sizeof(SIZES) / sizeof(SIZES[0]); i++) {
        scene.width = SIZES[i][0];
        scene.height = SIZES[i][1];
        scene.transmittance = (float)i / 8;
        snprintf(what, sizeof(what), "%d x %d", scene.width, scene.height);
        check_round_trip(what, ".svg", &scene);
        scene.rise[1] = .7f;
        check_round_trip("and a background that rises", ".svg", &scene);
        scene.soft = 1;
        check_round_trip("and soft circles", ".svg", &scene);
        scene.soft = 0;
        scene.rise[1] = 0;
    }

    snprintf(path, sizeof(path), "%s/a.svg", folder);
    snprintf(expected, sizeof(expected),
        "cannot write scene '%s': SVG holds no colors below 0 or above 1 and no circles of radius "
        "0; use .json",
        path);
    for (int i = 0; i < 6; i++) {
        struct circle one = circles[1];
        struct scene other = {.count = 1, .circles = &one};
        other.rise[0] = i == 0 ? -.1f : 0;
        other.rise[1] = i == 1 ? 1.1f : 0;
        other.background[2] = i == 2 ? 1.5f : 0;
        one.red = i == 3 ? -.1f : 0;
        one.blue = i == 4 ? 1.1f : 0;
        one.r = i == 5 ? 0 : 1;
        tap_check(scene_write(path, &other, NULL, &error) == ERROR_USAGE &&
                      strcmp(error.text, expected) == 0 && access(path, F_OK) != 0,
            "not as SVG: scene %d", i);
    }
}

/* A rect of these attributes before the circle, in an image from (-10, 5) to (30, 25), is the
 * background, of that red and alpha, the other components being 0; or is not, where red is below
 * 0. */
static void check_background(const char *attributes, float red, float alpha)
{
    struct error error = {""};
    struct scene scene;
    char text[500], lines[1000] = "";
    const struct scene_warning warning = {keep_line, lines};
    const int is_one = red >= 0;
    snprintf(text, sizeof(text),
        "<svg viewBox='-10 5 40 20'><rect %s><title/></rect><circle r='9'/></svg>", attributes);
    const int passed = parse(text, strlen(text), "a.svg", &scene, &warning, &error) == 0 &&
                       scene.count == 1 && scene.background[0] == (is_one ? red : 1) &&
                       scene.background[1] == !is_one &&
                       fabsf(scene.transmittance - (1 - alpha)) < 1e-6f;
    tap_check(passed && strcmp(lines, is_one ? "" : OTHERS(1, 1)) == 0,
        "a.svg: rect %s is %s background %s", attributes, is_one ? "the" : "no", lines);
    scene_free(&scene);
}

static void check_backgrounds(void)
{
    struct error error = {""};
    struct scene scene;
    static const char TWICE[] = "<svg viewBox='0 0 1 1'><rect width='1' height='1' fill='#f00'/>"
                                "<circle r='1'/><rect width='1' height='1' fill='#00f'/></svg>";
    check_background("x='-10' y='5' width='40' height='20' fill='#f00'", 1, 1);
    check_background("x='-10' y='5' width='100%' height='100%' fill='black'", 0, 1);
    check_background("x='-11' y='0' width='50' height='30' fill='#33000080'", .2f, 128 / 255.0f);
    check_background(
        "x='-10' y='5' width='40' height='20' fill='#f008' fill-opacity='50%'", 1, 136 / 510.0f);
    check_background("x='-10' y='5' width='40' height='20' fill='red' fill-opacity='0'", 1, 0);
    check_background("width='100%' height='100%' fill='red'", -1, 1);
    check_background("x='-10' y='5' width='39.9' height='20' fill='red'", -1, 1);
    check_background("x='-10' y='5' width='40' height='19.9' fill='red'", -1, 1);
    check_background("x='-10' y='5.1' width='40' height='20' fill='red'", -1, 1);
    check_background("x='-10' y='5' width='40' height='20'", -1, 1);
    check_background("x='-10' y='5' width='40' height='20' fill='none'", -1, 1);
    check_background("x='-10' y='5' width='40' height='20' fill='url(#a)'", -1, 1);
    check_background("x='-10' y='5' width='40' height='20' fill='red' rx='9'", -1, 1);
    check_background("x='-10' y='5' width='9em' height='20' fill='red'", -1, 1);
    tap_check(parse(TWICE, strlen(TWICE), "a.svg", &scene, NULL, &error) == 0 &&
                  scene.background[0] == 1 && scene.background[2] == 0,
        "a.svg: no rect behind a circle is the background");
    scene_free(&scene);
}

static void check_no_file(const char *path, const char *fault, const char *reason)
{
    struct error error = {""};
    struct scene scene;
    char expected[200];
    snprintf(expected, sizeof(expected), "cannot %s '%s': %s", fault, path, reason);
    tap_check(scene_read(path, NULL, &scene, NULL, &error) == ERROR_INPUT &&
                  strcmp(error.text, expected) == 0 && !scene.circles,
        "%s: %s", path, reason);
}

static void check_reading(void)
{
    static const char *const EXTENSIONS[] = {".csv", ".json", ".svg"};
    char path[64];
    for (int i = 0; i < 3; i++) {
        snprintf(path, sizeof(path), "%s/a%s", folder, EXTENSIONS[i]);
        check_no_file(path, "open", "No such file or directory");
        if (mkdir(path, 0700) != 0)
            abort();
        check_no_file(path, "read", "it is a folder; name a file in it");
        rmdir(path);
        /* Holes take no room. */
        write_file(path, "[", 1);
        if (truncate(path, i == 0 ? 3000000000 : 1 << 30) != 0)
            abort();
        check_no_file(path, i == 0 ? "read scene" : "read",
            i == 0   ? "line 1: a zero byte; this is no text"
            : i == 1 ? "byte 2 is zero; this is no text"
                     : "it has 1 GiB or more; CSV may be as long as it likes");
        unlink(path);
    }
    snprintf(path, sizeof(path), "%s/a.json", folder);
    char *text = malloc(1 << 17);
    memset(text, ' ', 1 << 17);
    memcpy(text + (1 << 17) - strlen(CIRCLE) - 2, "[" CIRCLE "]", strlen(CIRCLE) + 2);
    write_file(path, text, 1 << 17);
    free(text);
    struct error error = {""};
    struct scene scene;
    tap_check(scene_read(path, NULL, &scene, NULL, &error) == 0 && scene.count == 1,
        "a file as long as a buffer %s", error.text);
    scene_free(&scene);
    unlink(path);
    check_no_file("a.txt", "read scene", ask_for_extension(0).text);

    snprintf(path, sizeof(path), "%s/in.csv", folder);
    write_file(path, HEADER "1,2,3,4,.25,.5,.75,1\n", sizeof(HEADER) - 1 + 21);
    if (!freopen(path, "rb", stdin))
        abort();
    tap_check(scene_read("-", NULL, &scene, NULL, &error) == 0 && scene.count == 1 &&
                  scene.circles[0].alpha == 1,
        "standard input %s", error.text);
    scene_free(&scene);
    unlink(path);
}

/* Stops a file that has been read while it is parsed, which reports from 0 on again. */
struct watch {
    double last; /* share */
    int is_read;
};

static int stop_parsing(void *context, double share)
{
    struct watch *watch = context;
    watch->is_read |= share < watch->last;
    watch->last = share;
    return watch->is_read && share > 0;
}

static void check_stop(const char *extension, const char *head, const char *circle)
{
    struct watch watch = {0};
    const struct progress progress = {stop_parsing, &watch};
    struct error error = {""};
    struct scene scene;
    char path[64];
    snprintf(path, sizeof(path), "%s/a%s", folder, extension);
    FILE *file = fopen(path, "wb");
    if (!file || fputs(head, file) < 0)
        abort();
    for (int i = 0; i < 30000; i++)
        fputs(circle, file);
    if (fclose(file) != 0)
        abort();
    const int rc = scene_read(path, &progress, &scene, NULL, &error);
    tap_check(rc == ERROR_STOPPED && !scene.circles && strcmp(error.text, "stopped") == 0,
        "parsing %s is stopped", extension);
    unlink(path);
}

static void check_large_sort(void)
{
    enum { COUNT = 200000 };
    uint64_t state = 3;
    char *text = malloc(COUNT * 40);
    size_t size = (size_t)sprintf(text, "x,y,z,r,red,green,blue\n");
    for (int i = 0; i < COUNT; i++) {
        const int z = (int)(random_bits(&state) % 2001) - 1000;
        size += (size_t)sprintf(
            text + size, "%d,0,%de%d,0,0,0,0\n", i, z, (int)(random_bits(&state) % 40) - 20);
    }
    struct error error = {""};
    struct scene scene;
    int passed = parse(text, size, "a.csv", &scene, NULL, &error) == 0 && is_valid(&scene);
    static uint8_t seen[COUNT];
    for (size_t i = 0; passed && i < scene.count; i++) {
        const struct circle *c = &scene.circles[i];
        passed &= i == 0 || c[-1].z > c->z || c[-1].x < c->x;
        seen[(int)c->x]++;
    }
    for (int i = 0; i < COUNT; i++)
        passed &= seen[i] == 1;
    tap_check(passed, "200000 circles, farthest first, equal ones in the order given");
    scene_free(&scene);
    free(text);
}

int main(void)
{
    if (!mkdtemp(folder))
        return 1;
    check_every_scene();
    check_random_scenes();
    check_fixed_scenes();
    check_corners();
    check_snow();
    check_tenmillion();
    check_unknown();
    check_bouncingballs();
    check_hypnosis();
    check_far_frames("bouncingballs");
    check_far_frames("hypnosis");
    check_far_frames("fireworks");
    check_fireworks();
    check_newyear();
    check_show("newyear", 300, NEWYEAR_STILL, 5000);
    check_show("snowfall", 1200, SNOWFALL_STILL, SNOWFALL_FLAKES / 2);
    check_csv();
    check_json();
    check_svg();
    check_backgrounds();
    check_writing();
    check_writing_svg();
    check_memory();
    check_reading();
    check_stop(".json", "[" CIRCLE, "," CIRCLE);
    check_stop(
        ".svg", "<svg viewBox='0 0 9 9'>\n", "<circle r='1.0000000000000000000000000000'/>\n");
    check_large_sort();
    tap_check(rmdir(folder) == 0, "nothing is left");
    return tap_finish();
}
