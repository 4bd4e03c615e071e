/* newyear: fireworks on a night sky, above the lights of a far shore and their reflection in a
 * lake. Soft circles, farthest first: the sky's glow, stars, the shore, its lights, and the bursts.
 * A burst rises, flashes and falls in sparks with trails; where a circle of it is at a frame
 * follows from its number, the frame and the scene's seed alone, and all begins anew after PERIOD
 * frames.
 *
 * Only + - * / and square roots make the numbers, so that they are the same on every platform. */
#include <math.h>

#include "scenes/shows.h"

enum { PERIOD = 300, RISING = 70 }; /* frames: of all, and until a burst opens */

/* So that images of 16 x 9, which have y from .22 to .78, have the horizon and all bursts, too. */
#define HORIZON .33f
#define HIGHEST .81f /* to which a spark would fly, did it not fall */

struct burst {
    float x, y, reach, drop;
    float red, green, blue;
    float age; /* 0 to 1 since it has opened; while it rises, less than 0 from -1 on */
    uint64_t random;
};

/* The numbers of one thing of the scene. */
static uint64_t numbers_of(uint32_t seed, uint32_t burst, uint32_t spark)
{
    return (uint64_t)seed << 40 | (uint64_t)burst << 20 | spark;
}

/* x is spread by the golden ratio, so that bursts with neighboring numbers are far apart, but no
 * nearer to a side than sparks fly; ages are spread evenly over the period. A burst opens in the
 * same place each time. */
static struct burst burst_make(uint32_t seed, uint32_t number, uint32_t frame)
{
    static const float COLORS[][3] = {{1.2f, .85f, .35f}, {1.2f, .25f, .22f}, {.45f, .75f, 1.3f},
        {1.2f, .4f, .95f}, {.4f, 1.1f, .6f}, {1.1f, 1.05f, 1}, {.75f, .45f, 1.3f}, {1.3f, .6f, .2f},
        {.3f, 1.1f, 1.1f}};
    static const uint32_t COUNT = sizeof(COLORS) / sizeof(COLORS[0]);
    const float golden = .61803399f;
    uint64_t all = numbers_of(seed, NEWYEAR_BURSTS, 0), own = numbers_of(seed, number, 0);
    const float first_x = random_unit(&all), first_age = random_unit(&all);
    const float *color = COLORS[(number + (uint32_t)(COUNT * random_unit(&all))) % COUNT];
    const float age = fraction(first_age + (float)number / NEWYEAR_BURSTS);
    const uint32_t at = (frame + (uint32_t)(PERIOD * age)) % PERIOD;
    struct burst burst = {.red = color[0], .green = color[1], .blue = color[2], .random = own};
    const float lower = random_between(&burst.random, 0, .1f);
    burst.reach = random_between(&burst.random, .1f, .19f);
    burst.x = burst.reach + (1 - 2 * burst.reach) * fraction(first_x + golden * (float)number);
    burst.y = HIGHEST - burst.reach - lower;
    burst.drop = random_between(&burst.random, .05f, .12f);
    burst.age = at < RISING ? (float)at / RISING - 1 : (float)(at - RISING) / (PERIOD - RISING);
    return burst;
}

/* A point of the unit sphere, seen from the front. */
static void direction_draw(uint64_t *random, float *x, float *y)
{
    float z, square;
    do {
        *x = random_between(random, -1, 1);
        *y = random_between(random, -1, 1);
        z = random_between(random, -1, 1);
        square = *x * *x + *y * *y + z * z;
    } while (square > 1 || square < .01f);
    const float length = sqrtf(square);
    *x /= length;
    *y /= length;
}

/* Where the water shows it: below the horizon, moved aside by waves. */
static void mirror(struct circle *c, uint64_t *random)
{
    const float wave = random_between(random, -1, 1), depth = c->y - HORIZON;
    c->y = HORIZON - .25f * depth + .004f * random_between(random, -1, 1);
    c->x += .012f * wave;
    c->r *= 1.7f;
    c->alpha *= .3f;
}

/* Circle k of the trail of a spark. */
static void spark_place(const struct burst *burst, uint32_t spark, uint32_t k, struct circle *c)
{
    uint64_t random = burst->random + ((uint64_t)spark << 3);
    const float behind = (float)k / NEWYEAR_TRAIL;
    float x, y;
    direction_draw(&random, &x, &y);
    const float reach = burst->reach * random_between(&random, .8f, 1);
    const float life = random_between(&random, .75f, 1), twinkle = random_unit(&random);
    *c = (struct circle){.x = burst->x, .y = burst->y};
    if (burst->age < 0) { /* one spark rises, with its trail */
        const float risen = 1 + burst->age - .1f * behind;
        c->y = HORIZON + (burst->y - HORIZON) * risen * (2 - risen);
        c->r = .0038f * (1 - .5f * behind);
        c->red = 1.2f;
        c->green = .8f;
        c->blue = .5f;
        c->alpha = spark || risen <= 0 ? 0 : (1 - behind) * (.4f - .6f * burst->age);
        return;
    }
    const float age = burst->age - .15f * behind, light = 1 - burst->age / life;
    if (age < 0 || light <= 0)
        return;
    const float rest = 1 - age, flown = 1 - rest * rest * rest * rest;
    const float hot = (1 - behind) * light * light;
    c->x += x * reach * flown;
    c->y += y * reach * flown - burst->drop * age * age;
    c->r = (.0044f - .0024f * behind) * (.6f + .4f * light);
    c->alpha = (1 - behind) * (1 - .75f * behind) * (light < .35f ? light / .35f : 1);
    if (burst->age > .45f && twinkle < .5f)
        c->alpha *= fraction(16 * burst->age + 7 * twinkle) < .5f ? 1 : .3f;
    c->red = burst->red + .5f * hot;
    c->green = burst->green + .5f * hot;
    c->blue = burst->blue + .4f * hot;
}

static void flash_place(const struct burst *burst, struct circle *c)
{
    const float rest = 1 - burst->age;
    c->x = burst->x;
    c->y = burst->y;
    c->r = burst->reach * 2.2f;
    c->red = .6f * burst->red;
    c->green = .6f * burst->green;
    c->blue = .6f * burst->blue;
    c->alpha = burst->age < 0 ? 0 : .45f * rest * rest * rest * rest;
}

/* Puts a circle of a burst where it is at that frame. */
static void circle_place(uint32_t seed, size_t number, uint32_t frame, struct circle *c)
{
    enum { SPARK = NEWYEAR_TRAIL + NEWYEAR_MIRRORED };
    const uint32_t place = (uint32_t)(number - NEWYEAR_STILL), in_burst = place % NEWYEAR_BURST;
    const struct burst burst = burst_make(seed, place / NEWYEAR_BURST, frame);
    uint64_t wave = numbers_of(seed, NEWYEAR_BURSTS + 1, place);
    if (in_burst < NEWYEAR_FLASH) {
        flash_place(&burst, c);
        if (in_burst > 0)
            mirror(c, &wave);
        return;
    }
    const uint32_t spark = (in_burst - NEWYEAR_FLASH) / SPARK;
    const uint32_t k = (in_burst - NEWYEAR_FLASH) % SPARK;
    if (k < NEWYEAR_MIRRORED) {
        spark_place(&burst, spark, k * NEWYEAR_TRAIL / NEWYEAR_MIRRORED, c);
        mirror(c, &wave);
    } else {
        spark_place(&burst, spark, SPARK - 1 - k, c); /* the spark before its trail */
    }
}

static void newyear_step(
    const struct scene *scene, size_t number, struct circle *circle, float velocity[2])
{
    if (number < NEWYEAR_STILL)
        return;
    velocity[0] = velocity[0] + 1 < PERIOD ? velocity[0] + 1 : 0;
    circle_place((uint32_t)scene->velocity[0][1], number, (uint32_t)velocity[0], circle);
}

static struct circle *stars_make(struct circle *c, uint64_t *random)
{
    *c++ = (struct circle){.34f, HORIZON - .1f, 0, .9f, .42f, .26f, .5f, .36f};
    *c++ = (struct circle){.74f, HORIZON - .05f, 0, .62f, .6f, .34f, .36f, .26f};
    for (int i = 0; i < NEWYEAR_STARS; i++, c++) {
        const float bright = random_unit(random), light = bright * bright * bright;
        *c = (struct circle){.x = random_between(random, 0, 1),
            .y = random_between(random, HORIZON + .05f, 1),
            .r = .0016f + .0022f * light,
            .red = 1,
            .green = random_between(random, .85f, 1),
            .blue = 1,
            .alpha = .25f + .7f * light};
    }
    return c;
}

/* Hills, and lights on their feet, each with a glow and, in the water, a row of reflections. */
static void shore_make(struct circle *c, uint64_t *random)
{
    for (int i = 0; i < NEWYEAR_SHORE; i++)
        *c++ = (struct circle){(float)i / (NEWYEAR_SHORE - 1), HORIZON - .01f, 0,
            random_between(random, .025f, .07f), .012f, .012f, .03f, .9f};
    for (int i = 0; i < NEWYEAR_LIGHTS; i++) {
        const float x = random_between(random, 0, 1),
                    y = HORIZON + random_between(random, -.006f, .012f);
        const float warm = random_unit(random), size = random_between(random, .6f, 1);
        const struct circle light = {
            x, y, 0, .0028f * size, 1.2f, .8f + .3f * warm, .4f + .6f * warm * warm, .95f};
        struct circle glow = light;
        glow.r *= 5;
        glow.alpha = .14f;
        *c++ = glow;
        *c++ = light;
        for (int k = 2; k < NEWYEAR_LIGHT; k++) {
            *c = light;
            c->x += random_between(random, -.0025f, .0025f);
            c->y = HORIZON - .012f - .017f * (float)(k - 2) * size - .006f * random_unit(random);
            c->r *= 1.7f;
            c++->alpha = .34f / (float)(k - 1);
        }
    }
}

int newyear_make(struct scene *scene, uint64_t *random)
{
    static const float BOTTOM[3] = {.015f, .02f, .06f}, TOP[3] = {.01f, .012f, .06f};
    const int rc = show_start(scene, random, BOTTOM, TOP);
    if (rc)
        return rc;
    const uint32_t seed = (uint32_t)scene->velocity[0][1];
    scene->step = newyear_step;
    shore_make(stars_make(scene->circles, random), random);
    for (size_t i = NEWYEAR_STILL; i < scene->count; i++)
        circle_place(seed, i, 0, &scene->circles[i]);
    return 0;
}
