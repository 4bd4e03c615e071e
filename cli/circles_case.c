#include "cli/circles_case.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "random.h"

static float between(float least, float most, uint64_t *state)
{
    const float u = random_unit(state);
    return least + (most - least) * u;
}

static float draw_alpha(float alpha, uint64_t *state)
{
    static const float ALPHAS[] = {0, .004f, .02f, .1f, .5f, .9f, 1};
    if (alpha == COMMON)
        return ALPHAS[random_bits(state) % (sizeof(ALPHAS) / sizeof(ALPHAS[0]))];
    return alpha == OWN ? random_unit(state) : alpha;
}

/* In pixels of the side, moved by `offset`. */
static float on_grid(float value, float side, float offset)
{
    return (floorf(value * side) + offset) / side;
}

static void draw_circle(
    const struct circles_case *test, float side, struct circle *circle, uint64_t *state)
{
    const struct recipe *recipe = &test->random;
    const int any_color = recipe->dark == 0 && recipe->light == 0;
    const float light = any_color ? 1 : recipe->light;
    circle->x = between(-recipe->reach, 1 + recipe->reach, state);
    circle->y = between(-recipe->reach, 1 + recipe->reach, state);
    while (recipe->place == AROUND_HOLE && hypotf(circle->x - .5f, circle->y - .5f) < .2f)
        circle->x = between(-recipe->reach, 1 + recipe->reach, state);
    circle->r = between(recipe->least, recipe->most, state);
    circle->red = between(recipe->dark, light, state);
    circle->green = between(recipe->dark, light, state);
    circle->blue = between(recipe->dark, light, state);
    circle->alpha = draw_alpha(recipe->alpha, state);
    if (recipe->place == ALIKE) {
        circle->x = .45f;
        circle->y = .55f;
    } else if (recipe->place == ON_GRID) {
        const float half = random_bits(state) % 2 ? .5f : 0;
        circle->x = on_grid(circle->x, side, half);
        circle->y = on_grid(circle->y, side, half);
        circle->r = recipe->most < 1e-9f ? circle->r : on_grid(circle->r, side, 0);
    } else if (recipe->place == ASTRIDE) {
        /* 14.4 pixels across and, as bins count it, one more on each side, around the middle of the
         * middle tile, counted from the first pixel's center. */
        const float middle = 16 * floorf(side / 32) + 8.5f;
        circle->x = middle / side;
        circle->y = (side - middle) / side;
        circle->r = 7.2f / side;
    }
}

/* Circles of random colors; four in a row have the same depth. */
static int draw_scene(const struct circles_case *test, struct scene *scene, struct error *error)
{
    const struct recipe *recipe = &test->random;
    const int samples = test->samples ? (int)test->samples : 1;
    const float side = (float)((test->width > test->height ? test->width : test->height) * samples);
    uint64_t state = recipe->count;
    *scene = (struct scene){
        .count = recipe->count, .soft = recipe->soft, .transmittance = recipe->transmittance};
    scene->circles = calloc(recipe->count, sizeof(*scene->circles));
    if (!scene->circles)
        return error_set(error, ERROR_INPUT, "no memory for %zu circles", recipe->count);
    for (int i = 0; i < 3; i++) {
        scene->background[i] = 1 + recipe->background;
        scene->rise[i] = recipe->rise;
    }
    for (size_t i = 0; i < recipe->count; i++) {
        draw_circle(test, side, &scene->circles[i], &state);
        scene->circles[i].z = (float)((recipe->count - i) / 4);
    }
    return 0;
}

int circles_case_scene(const struct circles_case *test, struct scene *scene, struct error *error)
{
    if (!test->scene)
        return draw_scene(test, scene, error);
    const int rc = scene_make(scene_find(test->scene), 1, scene, error);
    return rc == 0 && scene->step ? scene_advance(scene, test->frame, error) : rc;
}

void circles_case_describe(const struct circles_case *test, char *text, size_t size)
{
    const struct recipe *recipe = &test->random;
    static const char *const PLACES[] = {[ANYWHERE] = "",
        [ALIKE] = ", alike",
        [ON_GRID] = ", on a grid",
        [AROUND_HOLE] = ", around a hole",
        [ASTRIDE] = ", astride tiles"};
    int length = 0;
    if (test->scene && test->frame)
        length = snprintf(text, size, "%s, frame %u", test->scene, (unsigned)test->frame);
    else if (test->scene)
        length = snprintf(text, size, "%s", test->scene);
    else
        length = snprintf(text, size, "%zu %scircles of r %g to %g, alpha %.*g%s%s", recipe->count,
            recipe->soft ? "soft " : "", (double)recipe->least, (double)recipe->most,
            recipe->alpha < 0 ? 0 : 3, recipe->alpha < 0 ? 0.0 : (double)recipe->alpha,
            recipe->alpha < 0 ? " and others" : "", PLACES[recipe->place]);
    length +=
        snprintf(text + length, size - (size_t)length, ", %d x %d", test->width, test->height);
    if (test->samples > 1)
        length += snprintf(
            text + length, size - (size_t)length, " of %u samples", (unsigned)test->samples);
    if (recipe->transmittance > 0)
        length += snprintf(text + length, size - (size_t)length, ", with alpha");
    if (test->memory)
        snprintf(text + length, size - (size_t)length, " in %u KiB", (unsigned)test->memory);
}
