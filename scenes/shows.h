/* The scenes for show, for the list of named scenes; for scenes/ alone. */
#ifndef SHOWS_H
#define SHOWS_H

#include <stdlib.h>

#include "random.h"
#include "scenes/scene.h"

/* Fireworks on a night sky, over a lake. */
enum {
    NEWYEAR_STARS = 420,
    NEWYEAR_SHORE = 90,   /* dark circles of the far shore */
    NEWYEAR_LIGHTS = 150, /* on it */
    NEWYEAR_LIGHT = 6,    /* circles of each: itself, its glow, its reflection */
    NEWYEAR_BURSTS = 9,
    NEWYEAR_SPARKS = 120, /* of a burst */
    NEWYEAR_TRAIL = 20,   /* circles of a spark: itself and those behind it */
    NEWYEAR_MIRRORED = 5, /* of its reflection */
    NEWYEAR_FLASH = 2,    /* of the flash of a burst: itself and its reflection */
    NEWYEAR_STILL = 2 + NEWYEAR_STARS + NEWYEAR_SHORE + NEWYEAR_LIGHTS * NEWYEAR_LIGHT,
    NEWYEAR_BURST = NEWYEAR_FLASH + NEWYEAR_SPARKS * (NEWYEAR_TRAIL + NEWYEAR_MIRRORED),
    NEWYEAR_CIRCLES = NEWYEAR_STILL + NEWYEAR_BURSTS * NEWYEAR_BURST,
};

/* Fills scene->circles, which has room for NEWYEAR_CIRCLES, and allocates what moves them, which
 * scene_free frees. Returns 0, or ERROR_INPUT where memory is short. */
int newyear_make(struct scene *scene, uint64_t *random);

/* Flakes before firs at dusk. */
enum {
    SNOWFALL_SKY = 4, /* the moon and glows */
    SNOWFALL_STARS = 160,
    SNOWFALL_RIDGE = 24, /* circles of each of four ridges */
    SNOWFALL_FIRS = 13,
    SNOWFALL_BOUGHS = 220, /* of a fir, each with snow */
    SNOWFALL_FLAKES = 2400,
    SNOWFALL_STILL =
        SNOWFALL_SKY + SNOWFALL_STARS + 4 * SNOWFALL_RIDGE + SNOWFALL_FIRS * SNOWFALL_BOUGHS * 2,
    SNOWFALL_CIRCLES = SNOWFALL_STILL + SNOWFALL_FLAKES,
};

/* The same for SNOWFALL_CIRCLES. */
int snowfall_make(struct scene *scene, uint64_t *random);

/* What the scenes have in common: soft circles on a sky of two colors, and a seed. What the circles
 * know besides their places stands in scene->velocity, which only the scene's own `step` reads: of
 * a circle that moves, [0] is its frame, and of the first circle, which stands still, [1] is the
 * seed, whole and below 2^24, as a float holds it. Returns 0, or ERROR_INPUT where memory is
 * short. */
static inline int show_start(
    struct scene *scene, uint64_t *random, const float bottom[3], const float top[3])
{
    const uint64_t seed = random_bits(random) >> 40;
    scene->soft = 1;
    scene->velocity = calloc(scene->count, sizeof(*scene->velocity));
    if (!scene->velocity)
        return ERROR_INPUT;
    for (int i = 0; i < 3; i++) {
        scene->background[i] = bottom[i];
        scene->rise[i] = top[i] - bottom[i];
    }
    scene->velocity[0][1] = (float)seed;
    return 0;
}

/* What follows the point of a value from 0 on. */
static inline float fraction(float value)
{
    return value - (float)(int)value;
}

static inline float random_between(uint64_t *random, float least, float most)
{
    return least + (most - least) * random_unit(random);
}

#endif
