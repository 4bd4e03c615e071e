/* The scenes that the project knows by name. u is the next uniform random number in [0, 1).
 *
 * Only + - * / and square roots make the numbers, so that they are the same on every platform. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "random.h"
#include "scenes/depths.h"
#include "scenes/scene_formats.h"
#include "scenes/shows.h"

#define U() random_unit(random)
#define ALPHA .5f

static void color_draw(struct circle *c, uint64_t *random)
{
    c->red = U();
    c->green = U();
    c->blue = U();
}

/* A random scene: all depths are drawn and sorted, then the rest of each circle, the farthest
 * first. */
struct plan {
    float (*depth)(size_t number, size_t count, uint64_t *random); /* below 0: is drawn anew */
    void (*rest)(struct circle *c, size_t number, uint64_t *random, const void *recipe);
    const void *recipe;
    size_t depth_draws, rest_draws; /* how many u each circle takes */
    size_t layers;                  /* every so many-th circle takes none for its rest; 0: all do */
};

/* Where the numbers of each circle begin is known, but for those drawn anew: these come after all
 * others, and it does not matter who gets which, as the depths are sorted. So threads share the
 * work. */
static int plan_make(struct scene *scene, const uint64_t *random, const struct plan *plan)
{
    const size_t count = scene->count;
    uint64_t rest = random_after(*random, plan->depth_draws * count);
    uint64_t *keys = keys_new(count), *sorted = NULL;
    if (keys) {
#pragma omp parallel for if (count >= PARALLEL_CIRCLES)
        for (size_t i = 0; i < count; i++) {
            uint64_t own = random_after(*random, plan->depth_draws * i);
            float z = plan->depth(i, count, &own);
            if (z < 0)
#pragma omp critical
                do
                    z = plan->depth(i, count, &rest);
                while (z < 0);
            keys[i] = depth_key(z, i);
        }
        sorted = keys_sort(keys, count);
    }
#pragma omp parallel for if (count >= PARALLEL_CIRCLES)
    for (size_t i = 0; i < (sorted ? count : 0); i++) {
        const size_t before = plan->layers ? i - i / plan->layers : i;
        uint64_t own = random_after(rest, plan->rest_draws * before);
        scene->circles[i].z = key_depth(sorted[i]);
        plan->rest(&scene->circles[i], i, &own, plan->recipe);
    }
    free(keys);
    return sorted ? 0 : ERROR_INPUT;
}

/* What a circle draws after its depth, in most random scenes. */
struct recipe {
    float r, r_more;           /* the radius is r + r_more u, without a draw where r_more is 0 */
    float rgb[3], rgb_more[3]; /* the color rgb + rgb_more u */
};

static const struct recipe RAND10K = {.02f, .06f, {.1f, .2f, .5f}, {.9f, .5f, .5f}};

static float recipe_depth(size_t number, size_t count, uint64_t *random)
{
    (void)number;
    (void)count;
    return U();
}

static void recipe_rest(struct circle *c, size_t number, uint64_t *random, const void *context)
{
    const struct recipe *recipe = context;
    (void)number;
    c->r = recipe->r_more > 0 ? recipe->r + recipe->r_more * U() : recipe->r;
    c->x = U();
    c->y = U();
    c->red = recipe->rgb[0] + recipe->rgb_more[0] * U();
    c->green = recipe->rgb[1] + recipe->rgb_more[1] * U();
    c->blue = recipe->rgb[2] + recipe->rgb_more[2] * U();
    c->alpha = ALPHA;
}

static int recipe_make(struct scene *scene, const uint64_t *random, const struct recipe *recipe)
{
    return plan_make(scene, random,
        &(struct plan){.depth = recipe_depth,
            .rest = recipe_rest,
            .recipe = recipe,
            .depth_draws = 1,
            .rest_draws = recipe->r_more > 0 ? 6 : 5});
}

static int rgb_make(struct scene *scene, uint64_t *random)
{
    static const struct circle CIRCLES[] = {{.4f, .5f, .75f, .3f, 1, 0, 0, ALPHA},
        {.5f, .5f, .5f, .3f, 0, 1, 0, ALPHA}, {.6f, .5f, .25f, .3f, 0, 0, 1, ALPHA}};
    (void)random;
    memcpy(scene->circles, CIRCLES, sizeof(CIRCLES));
    return 0;
}

static int rgby_make(struct scene *scene, uint64_t *random)
{
    static const struct circle CIRCLES[] = {{.25f, .25f, 0, .19f, 1, 0, 0, ALPHA},
        {.3f, .3f, 0, .19f, 0, 1, 0, ALPHA}, {.5f, .5f, 0, .25f, 0, 0, 1, ALPHA},
        {.2f, .2f, 0, .1f, 1, 1, 0, ALPHA}};
    (void)random;
    memcpy(scene->circles, CIRCLES, sizeof(CIRCLES));
    return 0;
}

static int seed_make(struct scene *scene, uint64_t *random)
{
    return recipe_make(scene, random, &(struct recipe){.02f, .06f, {0}, {1, 1, 1}});
}

static int rand10k_make(struct scene *scene, uint64_t *random)
{
    return recipe_make(scene, random, &RAND10K);
}

static int rand100k_make(struct scene *scene, uint64_t *random)
{
    return recipe_make(
        scene, random, &(struct recipe){.02f, .06f, {.3f, .1f, .1f}, {.9f, .9f, .4f}});
}

static int rand1m_make(struct scene *scene, uint64_t *random)
{
    return recipe_make(
        scene, random, &(struct recipe){.009f, .005f, {.2f, .5f, .1f}, {.5f, .5f, .4f}});
}

static int micro2m_make(struct scene *scene, uint64_t *random)
{
    return recipe_make(scene, random, &(struct recipe){.001f, 0, {.3f, .1f, .2f}, {.9f, .3f, .2f}});
}

/* Large circles, of which the nearest 1000 become small ones in a square of side .1 with the lower
 * left corner (.9 - corner, corner). */
static int corner_make(struct scene *scene, uint64_t *random, float corner)
{
    struct recipe recipe = RAND10K;
    recipe.r = .25f;
    recipe.r_more = 0;
    const int rc = recipe_make(scene, random, &recipe);
    for (size_t i = scene->count - 1000; rc == 0 && i < scene->count; i++) {
        struct circle *c = &scene->circles[i];
        c->r = .05f;
        c->x = .9f - corner + .1f * c->x;
        c->y = corner + .1f * c->y;
    }
    return rc;
}

static int biglittle_make(struct scene *scene, uint64_t *random)
{
    return corner_make(scene, random, .85f);
}

static int littlebig_make(struct scene *scene, uint64_t *random)
{
    return corner_make(scene, random, .05f);
}

/* A square grid of circles that touch, the first at (start, start). Gives the place after it. */
static struct circle *grid_make(struct circle *c, int side, float start, struct circle like)
{
    for (int row = 0; row < side; row++)
        for (int column = 0; column < side; column++) {
            like.x = start + 2 * like.r * (float)column;
            like.y = start + 2 * like.r * (float)row;
            *c++ = like;
        }
    return c;
}

/* A red grid that fills the image, and in front a yellow one, moved by a radius, that goes on
 * beyond the right and upper border. */
static int pattern_make(struct scene *scene, uint64_t *random)
{
    const float r = 1 / 32.0f;
    (void)random;
    struct circle *yellow =
        grid_make(scene->circles, 16, r, (struct circle){0, 0, 1, r, 1, 0, 0, ALPHA});
    grid_make(yellow, 31, 2 * r, (struct circle){0, 0, 0, r, 1, 1, 0, ALPHA});
    return 0;
}

static float clamp(float value)
{
    return value < 0 ? 0 : value > 1 ? 1 : value;
}

/* x^(1/10) for x from 0 to 1: the fifth root of the square root, by Newton's method from above
 * until it falls no more. */
static float root10(double x)
{
    const double square = sqrt(x);
    double root = 2, next = 1;
    while (x > 0 && next < root) {
        root = next;
        next = (4 * root + square / (root * root * root * root)) / 5;
    }
    return x > 0 ? (float)root : 0;
}

static float snow_depth(size_t number, size_t count, uint64_t *random)
{
    return clamp(root10((double)number / (double)count) - .05f + .1f * U());
}

static void snow_rest(struct circle *c, size_t number, uint64_t *random, const void *recipe)
{
    const float s = .0725f + .015f * U();
    (void)number;
    (void)recipe;
    c->r = (1 - c->z) * s + c->z * s / 15;
    c->r = c->z < .02f ? 3 * c->r : fmaxf(c->r, .0075f);
    c->x = U();
    c->y = U();
    c->red = c->green = c->blue = 1;
    c->alpha = .5f * clamp(.6f + .4f * (1 - c->z));
}

/* z = clamp((i/N)^(1/10) - .05 + .1u), sorted; then s = .0725 + .015u, r = (1-z) s + z s/15,
 * tripled where z < .02, else at least .0075; x, y = u. The opacity is .5 clamp(.6 + .4 (1-z))
 * exp(-4 d^2) at the distance d from a flake's center: alpha holds what does not depend on d. */
static int snow_make(struct scene *scene, uint64_t *random)
{
    scene->soft = 1;
    for (int i = 0; i < 3; i++) {
        scene->background[i] = .4f;
        scene->rise[i] = .45f;
    }
    return plan_make(scene, random,
        &(struct plan){.depth = snow_depth, .rest = snow_rest, .depth_draws = 1, .rest_draws = 3});
}

enum { LAYER = 1000000 };

static float tenmillion_depth(size_t number, size_t count, uint64_t *random)
{
    const float a = U(), b = U(), z = a > b ? a : b;
    (void)number;
    (void)count;
    return z > .01f ? z : -1;
}

static void tenmillion_rest(struct circle *c, size_t number, uint64_t *random, const void *recipe)
{
    (void)recipe;
    if ((number + 1) % LAYER == 0) {
        *c = (struct circle){.5f, .5f, c->z, 1, 1, 1, 1, .2f};
        return;
    }
    c->r = fmaxf(U() / c->z, 1) / 1024;
    c->x = U();
    c->y = U();
    color_draw(c, random);
    c->alpha = .5f * U();
}

/* z is the larger of two u, drawn anew unless above .01; sorted. Every millionth circle is a white
 * layer over the image, without draws; the others have r = u/z pixels of an image of 1024, at
 * least one, then x, y, red, green, blue = u, and alpha = u/2. */
static int tenmillion_make(struct scene *scene, uint64_t *random)
{
    return plan_make(scene, random,
        &(struct plan){.depth = tenmillion_depth,
            .rest = tenmillion_rest,
            .depth_draws = 2,
            .rest_draws = 7,
            .layers = LAYER});
}

static void bouncingballs_step(
    const struct scene *scene, size_t number, struct circle *circle, float velocity[2])
{
    (void)scene;
    (void)number;
    velocity[1] -= 2.8f * SCENE_STEP;
    circle->y += velocity[1] * SCENE_STEP;
    if (circle->y < 0) {
        circle->y = 0;
        velocity[1] *= -.8f;
    }
}

/* Balls that fall from where they are, and lose a fifth of their speed at y = 0. */
static int bouncingballs_make(struct scene *scene, uint64_t *random)
{
    scene->step = bouncingballs_step;
    scene->velocity = calloc(scene->count, sizeof(*scene->velocity));
    return scene->velocity ? recipe_make(scene, random, &(struct recipe){.05f, 0, {0}, {1, 1, 1}})
                           : ERROR_INPUT;
}

/* Radii are whole hundredths, so that no error adds up. The one that gets small again comes to the
 * front. */
static void hypnosis_step(
    const struct scene *scene, size_t number, struct circle *circle, float velocity[2])
{
    (void)scene;
    (void)number;
    (void)velocity;
    const float grown = (float)((int)(circle->r * 100 + .5f) + 1) / 100;
    circle->r = circle->z = grown > .5f ? .02f : grown;
}

/* Circles around the middle, r = .02 + .02i, the largest behind; colors u. */
static int hypnosis_make(struct scene *scene, uint64_t *random)
{
    scene->step = hypnosis_step;
    scene->velocity = calloc(scene->count, sizeof(*scene->velocity));
    for (size_t i = 0; i < scene->count; i++) {
        const float r = (float)(2 * (scene->count - i)) / 100;
        scene->circles[i] = (struct circle){.5f, .5f, r, r, 0, 0, 0, ALPHA};
        color_draw(&scene->circles[i], random);
    }
    return scene->velocity ? 0 : ERROR_INPUT;
}

enum { HUBS = 15, SPARKS = 20 };

static void fireworks_step(
    const struct scene *scene, size_t number, struct circle *circle, float velocity[2])
{
    if (number < HUBS)
        return;
    const struct circle *hub = &scene->circles[(number - HUBS) / SPARKS];
    circle->x += velocity[0] * SCENE_STEP;
    circle->y += velocity[1] * SCENE_STEP;
    const float dx = circle->x - hub->x, dy = circle->y - hub->y;
    if (dx * dx + dy * dy > .25f * .25f) {
        circle->x = hub->x;
        circle->y = hub->y;
    }
}

/* Hubs with x, y and colors u, and in front of them the sparks of each, which fly off in 20
 * directions: first a u for how far they are, then the colors of each. */
static int fireworks_make(struct scene *scene, uint64_t *random)
{
    const double turn_x = 0.9510565162951535, turn_y = 0.30901699437494745; /* 18 degrees */
    scene->step = fireworks_step;
    scene->velocity = calloc(scene->count, sizeof(*scene->velocity));
    if (!scene->velocity)
        return ERROR_INPUT;
    for (size_t i = 0; i < HUBS; i++) {
        struct circle *hub = &scene->circles[i];
        *hub = (struct circle){.z = 1, .r = .005f, .alpha = ALPHA};
        hub->x = U();
        hub->y = U();
        color_draw(hub, random);
    }
    for (size_t i = 0; i < HUBS; i++) {
        const struct circle *hub = &scene->circles[i];
        const float seconds = 1.25f * U();
        double x = 1, y = 0;
        for (size_t spark = HUBS + i * SPARKS; spark < HUBS + (i + 1) * SPARKS; spark++) {
            struct circle *c = &scene->circles[spark];
            float *velocity = scene->velocity[spark];
            velocity[0] = (float)(x / 5);
            velocity[1] = (float)(y / 5);
            *c = (struct circle){.r = .01f, .alpha = ALPHA};
            c->x = hub->x + velocity[0] * seconds;
            c->y = hub->y + velocity[1] * seconds;
            color_draw(c, random);
            const double turned = x * turn_x - y * turn_y;
            y = x * turn_y + y * turn_x;
            x = turned;
        }
    }
    return 0;
}

const struct scene_info SCENES[] = {
    {"rgb", "three overlapping circles: red, green, blue", 3, 0, rgb_make},
    {"rgby", "four circles that show the order", 4, 0, rgby_make},
    {"seed10k", "random circles of any color", 10000, 0, seed_make},
    {"seed100k", "the same, ten times as many", 100000, 0, seed_make},
    {"rand10k", "random bluish circles", 10000, 0, rand10k_make},
    {"rand100k", "random warm circles", 100000, 0, rand100k_make},
    {"rand1M", "a million small circles", 1000000, 0, rand1m_make},
    {"micro2M", "two million circles of about a pixel", 2000000, 0, micro2m_make},
    {"biglittle", "large circles, small ones in the upper left corner", 10000, 0, biglittle_make},
    {"littlebig", "large circles, small ones in the lower right corner", 10000, 0, littlebig_make},
    {"pattern", "two grids of circles, red and yellow", 1217, 0, pattern_make},
    {"snow", "soft flakes before a gradient", 100000, 0, snow_make},
    {"bouncingballs", "ten balls that bounce", 10, 1, bouncingballs_make},
    {"hypnosis", "rings that grow from the middle", 25, 1, hypnosis_make},
    {"fireworks", "sparks that fly from fifteen places", HUBS + HUBS *SPARKS, 1, fireworks_make},
    {"tenmillion", "ten million small circles and ten layers of fog", 10000000, 0, tenmillion_make},
    {"newyear", "fireworks on a night sky, over a lake", NEWYEAR_CIRCLES, 1, newyear_make},
    {"snowfall", "flakes that fall before firs at dusk", SNOWFALL_CIRCLES, 1, snowfall_make},
    {NULL, NULL, 0, 0, NULL},
};
