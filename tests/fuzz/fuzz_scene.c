/* scene_parse of any bytes: what it gives is valid, and reads back when written. The first byte says
 * the format. */
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

static void check_scene(const struct scene *scene)
{
    check(scene->count >= 1 && scene->count <= SCENE_MAX_CIRCLES && !scene->step);
    check(scene->width >= 0 && scene->width <= 65535 && scene->height >= 0 &&
          scene->height <= 65535 && !scene->width == !scene->height);
    for (int i = 0; i < 3; i++)
        check(fabsf(scene->background[i]) <= SCENE_MAX_COLOUR &&
              fabsf(scene->rise[i]) <= SCENE_MAX_COLOUR);
    for (size_t i = 0; i < scene->count; i++) {
        const struct circle *c = &scene->circles[i];
        check(isfinite(c->x) && isfinite(c->y) && isfinite(c->z) && isfinite(c->r));
        check(c->r >= 0 && c->alpha >= 0 && c->alpha <= 1);
        check(fabsf(c->red) <= SCENE_MAX_COLOUR && fabsf(c->green) <= SCENE_MAX_COLOUR &&
              fabsf(c->blue) <= SCENE_MAX_COLOUR);
        check(i == 0 || c[-1].z >= c->z);
    }
}

static void check_round_trip(const struct scene *scene, const char *ending)
{
    struct error error = {""};
    struct scene again;
    size_t ignored;
    char path[64];
    snprintf(path, sizeof(path), "/tmp/fuzz_scene.%ld%s", (long)getpid(), ending);
    const int rc = scene_write(path, scene, &error);
    const int is_plain = rc == 0 || strcmp(ending, ".csv") != 0;
    check(rc == 0 || (rc == ERROR_USAGE && !is_plain));
    if (rc == 0) {
        check(scene_read(path, &again, &ignored, &error) == 0);
        check(again.count == scene->count && again.soft == scene->soft);
        check(memcmp(again.background, scene->background, sizeof(again.background)) == 0);
        check(memcmp(again.rise, scene->rise, sizeof(again.rise)) == 0 || is_plain);
        check(memcmp(again.circles, scene->circles, scene->count * sizeof(*scene->circles)) == 0);
        scene_free(&again);
        unlink(path);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct error error = {""};
    struct scene scene;
    size_t ignored;
    if (size == 0)
        return 0;
    const char *name = bytes[0] == 'j' ? "fuzz.json" : bytes[0] == 's' ? "fuzz.svg" : "fuzz.csv";
    if (scene_parse(bytes + 1, size - 1, name, &scene, &ignored, &error) != 0) {
        check(error.text[0] && !strchr(error.text, '\n') && !scene.circles);
        return 0;
    }
    check_scene(&scene);
    check_round_trip(&scene, ".csv");
    check_round_trip(&scene, ".json");
    scene_free(&scene);
    return 0;
}
