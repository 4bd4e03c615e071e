/* scene_parse of any bytes: what it gives is valid, and reads back when written. The first byte
 * says the format. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "scenes/scene.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void check(int condition)
{
    if (!condition)
        abort();
}

/* Tells -0 from 0. */
static int same_bits(const void *a, const void *b, size_t size)
{
    return memcmp(a, b, size) == 0;
}

static int is_plain(const struct scene *scene)
{
    static const float WHITE[3] = {1, 1, 1};
    int plain = !scene->soft && scene->transmittance == 0 &&
                same_bits(scene->background, WHITE, sizeof(WHITE));
    for (int i = 0; i < 3; i++)
        plain &= scene->rise[i] == 0;
    return plain;
}

static void check_scene(const struct scene *scene)
{
    check(scene->count >= 1 && scene->count <= SCENE_MAX_CIRCLES && !scene->step);
    check(scene->width >= 0 && scene->width <= SCENE_MAX_SIDE && scene->height >= 0 &&
          scene->height <= SCENE_MAX_SIDE && !scene->width == !scene->height);
    for (int i = 0; i < 3; i++)
        check(fabsf(scene->background[i]) <= SCENE_MAX_COLOR &&
              fabsf(scene->rise[i]) <= SCENE_MAX_COLOR);
    for (size_t i = 0; i < scene->count; i++) {
        const struct circle *c = &scene->circles[i];
        check(isfinite(c->x) && isfinite(c->y) && isfinite(c->z) && isfinite(c->r));
        check(c->r >= 0 && c->alpha >= 0 && c->alpha <= 1);
        check(fabsf(c->red) <= SCENE_MAX_COLOR && fabsf(c->green) <= SCENE_MAX_COLOR &&
              fabsf(c->blue) <= SCENE_MAX_COLOR);
        check(i == 0 || c[-1].z >= c->z);
    }
}

static void check_round_trip(const struct scene *scene, const char *extension)
{
    struct error error = {""};
    struct scene again;
    char path[64];
    snprintf(path, sizeof(path), "/tmp/fuzz_scene.%ld%s", (long)getpid(), extension);
    check(scene_write(path, scene, NULL, &error) == 0);
    check(scene_read(path, NULL, &again, NULL, &error) == 0);
    check(again.count == scene->count && again.soft == scene->soft);
    const int is_json = strcmp(extension, ".json") == 0; /* CSV holds no size */
    check(again.width == (is_json ? scene->width : 0));
    check(again.height == (is_json ? scene->height : 0));
    check(same_bits(again.background, scene->background, sizeof(again.background)));
    check(again.transmittance == scene->transmittance);
    for (int i = 0; i < 3; i++)
        check(again.rise[i] == scene->rise[i]);
    check(same_bits(again.circles, scene->circles, scene->count * sizeof(*scene->circles)));
    scene_free(&again);
    unlink(path);
}

/* At most ten warnings, one for skipped elements, one that counts the rest. */
static void check_warning(void *context, const char *line)
{
    int *count = context;
    check(line[0] == '\'' && !strchr(line, '\n') && ++*count <= SCENE_MAX_WARNINGS + 2);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct error error = {""};
    struct scene scene;
    int count = 0;
    const struct scene_warning warning = {check_warning, &count};
    if (size == 0)
        return 0;
    const char *name = bytes[0] == 'j' ? "fuzz.json" : bytes[0] == 's' ? "fuzz.svg" : "fuzz.csv";
    if (scene_parse(bytes + 1, size - 1, name, &scene, &warning, &error) != 0) {
        check(error.text[0] && !strchr(error.text, '\n') && !scene.circles);
        return 0;
    }
    check_scene(&scene);
    if (is_plain(&scene))
        check_round_trip(&scene, ".csv");
    check_round_trip(&scene, ".json");
    scene_free(&scene);
    return 0;
}
