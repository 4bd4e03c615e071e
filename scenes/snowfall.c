/* snowfall: flakes before firs at dusk. Soft circles, farthest first: the sky's glow, stars, hills,
 * firs, snow on the ground, and the flakes, the nearest of which are large and faint, as a lens
 * shows them. A flake falls and sways; where it is at a frame follows from its own numbers alone,
 * and all begins anew after PERIOD frames.
 *
 * Only + - * / make the numbers, so that they are the same on every platform. */

#include "scenes/shows.h"

enum { PERIOD = 1200 }; /* frames */

/* A smooth wave of period 1 between -1 and 1, from parabolas, for values from 0 on. */
static float wave(float value)
{
    const float half = 2 * fraction(value), up = half < 1 ? half : half - 1;
    return (half < 1 ? 4 : -4) * up * (1 - up);
}

/* Flake `number` of all, the farthest of which is 0. */
static void flake_place(uint32_t seed, size_t number, uint32_t frame, struct circle *c)
{
    uint64_t random = (uint64_t)seed << 32 | number;
    const float near = (float)number / SNOWFALL_FLAKES, time = (float)frame / PERIOD;
    const float near4 = near * near * near * near, near16 = near4 * near4 * near4 * near4;
    /* How often it falls through the image until all begins anew: farther ones are slower. */
    const float falls = (float)(int)(2 + 3 * near + 5 * near16);
    const float x = random_between(&random, -.05f, 1.05f), y = random_unit(&random);
    const float sway = (.006f + .02f * near4) * random_between(&random, .5f, 1);
    const float sways = (float)(int)random_between(&random, 3, 8);
    c->x = x + sway * wave(random_unit(&random) + sways * time);
    c->y = 1.08f - 1.16f * fraction(y + falls * time);
    c->r = (.0022f + .0045f * near4) * random_between(&random, .75f, 1.25f) + .03f * near16 * near4;
    c->red = 1;
    c->green = 1.02f;
    c->blue = 1.08f;
    c->alpha = (.35f + .6f * near) * (1 - .78f * near16 * near4);
}

static void snowfall_step(
    const struct scene *scene, size_t number, struct circle *circle, float velocity[2])
{
    if (number < SNOWFALL_STILL)
        return;
    velocity[0] = velocity[0] + 1 < PERIOD ? velocity[0] + 1 : 0;
    flake_place(
        (uint32_t)scene->velocity[0][1], number - SNOWFALL_STILL, (uint32_t)velocity[0], circle);
}

/* The moon with its halo, and stars. */
static struct circle *sky_make(struct circle *c, uint64_t *random)
{
    *c++ = (struct circle){.3f, .3f, 0, .85f, .62f, .5f, .72f, .45f};
    *c++ = (struct circle){.76f, .69f, 0, .34f, .75f, .85f, 1, .28f};
    *c++ = (struct circle){.76f, .69f, 0, .13f, .95f, .97f, 1, .5f};
    *c++ = (struct circle){.76f, .69f, 0, .06f, 1.3f, 1.3f, 1.2f, 1};
    for (int i = 0; i < SNOWFALL_STARS; i++, c++) {
        const float light = random_unit(random);
        *c = (struct circle){random_unit(random), random_between(random, .4f, 1), 0,
            .0015f + .0015f * light, 1, 1, 1, .15f + .5f * light * light};
    }
    return c;
}

/* A row of large circles that overlap to a soft ridge. */
static struct circle *ridge_make(
    struct circle *c, uint64_t *random, float y, float r, struct circle like)
{
    for (int i = 0; i < SNOWFALL_RIDGE; i++) {
        *c = like;
        c->x = ((float)i + random_unit(random)) / SNOWFALL_RIDGE;
        c->y = y - random_between(random, 0, .3f * r);
        c++->r = r * random_between(random, .75f, 1.25f);
    }
    return c;
}

/* A fir whose foot is at (x, y): layers of boughs from the foot up, with snow on them. It fades
 * into the haze the farther it is. */
static struct circle *fir_make(
    struct circle *c, uint64_t *random, float x, float y, float height, float haze)
{
    for (int i = 0; i < SNOWFALL_BOUGHS; i++) {
        const float up = (float)i / SNOWFALL_BOUGHS, tier = fraction(7 * up);
        const float half = .21f * height * (1.02f - up) * (1.1f - .55f * tier);
        const float across = random_between(random, -1, 1);
        const struct circle bough = {x + half * across, y + height * (up - .05f * across * across),
            0, height * (.022f + .045f * (1 - up)), .035f + .3f * haze, .06f + .33f * haze,
            .1f + .42f * haze, .85f};
        struct circle snow = bough;
        snow.y += .35f * bough.r;
        snow.r *= .62f;
        snow.red = snow.green = .62f;
        snow.blue = .8f;
        snow.alpha = random_unit(random) < .42f ? .75f * (1 - .5f * haze) : 0;
        *c++ = bough;
        *c++ = snow;
    }
    return c;
}

static void land_make(struct circle *c, uint64_t *random)
{
    const struct circle far = {.red = .2f, .green = .24f, .blue = .42f, .alpha = .6f};
    const struct circle ground = {.red = .6f, .green = .68f, .blue = .88f, .alpha = .55f};
    const struct circle snow = {.red = .8f, .green = .86f, .blue = 1, .alpha = .6f};
    c = ridge_make(c, random, .34f, .14f, far);
    for (int i = 0; i < SNOWFALL_FIRS; i++) {
        const float near = (float)i / (SNOWFALL_FIRS - 1);
        const float x = fraction(.13f + .61803399f * (float)i + .05f * random_unit(random));
        c = fir_make(
            c, random, x, .33f - .12f * near, .12f + .27f * near * near, .55f * (1 - near));
    }
    c = ridge_make(c, random, .21f, .1f, ground);
    c = ridge_make(c, random, .12f, .12f, snow);
    ridge_make(c, random, .02f, .14f, snow);
}

int snowfall_make(struct scene *scene, uint64_t *random)
{
    static const float BOTTOM[3] = {.26f, .27f, .46f}, TOP[3] = {.03f, .05f, .16f};
    const int rc = show_start(scene, random, BOTTOM, TOP);
    if (rc)
        return rc;
    const uint32_t seed = (uint32_t)scene->velocity[0][1];
    scene->step = snowfall_step;
    land_make(sky_make(scene->circles, random), random);
    for (size_t i = SNOWFALL_STILL; i < scene->count; i++)
        flake_place(seed, i - SNOWFALL_STILL, 0, &scene->circles[i]);
    return 0;
}
