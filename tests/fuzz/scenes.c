/* scene_attack [-n COUNT] [-f FIRST] [-s SEED] [-o DIR] [DEVICE...]: random scenes, a third of
 * them extreme, by every method on every device that is named (all that are there), byte for byte
 * against the sequential reference. What differs is left in DIR (default .) as a scene file, and
 * the command that paints it is printed. Seed and number give the same scene everywhere. A name
 * that is no device's is an error. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "random.h"
#include "stages/circles/circles.h"
#include "stages/circles/reference.h"
#include "tests/fuzz/watch.h"

#define FAR 1e18f       /* of coordinates and radii, either side of 0 */
#define LEAST 0x1p-149f /* the least float above 0 */
#define SECONDS 240     /* for a scene: the first waits for a device's compiler */
#define MAX_REPORTED 20 /* differences that are written as files */
#define COUNT_OF(table) (sizeof(table) / sizeof((table)[0]))

enum places {
    NEAR,     /* in and around the image */
    ALIKE,    /* all circles the same but for their colors */
    ON_GRID,  /* centers and radii on or beside pixels and half pixels */
    HUGE_RIM, /* far and large, their rims through the image */
    ANY_SIZE, /* every power of two as likely, from denormals to FAR */
    MIXED,    /* a different one for each circle */
};
enum colors { PLAIN, BRIGHT, ON_BYTES, ANY_COLOR };
enum alphas { ONE_ALPHA, OWN_ALPHA, COMMON_ALPHA, EDGE_ALPHA };
enum depths { ORDER, EQUAL, ANY_DEPTH };

/* How a scene is made. */
struct recipe {
    int is_extreme;
    enum places places;
    enum colors colors;
    enum alphas alphas;
    enum depths depths;
    float alpha, most; /* of ONE_ALPHA; radius of NEAR */
    float side;        /* samples of the longer one */
};

struct attack {
    uint64_t seed, number, first, count;
    const char *folder;
    int device_count;
    struct device_info infos[DEVICE_LIMIT];
    struct run runs[DEVICE_LIMIT];
    uint64_t images, different, refused, extreme;
    double seconds[DEVICE_LIMIT], reference_seconds;
};

static const struct {
    const char *name;
    enum method method;
    uint32_t block;
} METHODS[] = {
    {"fast", METHOD_FAST, 0},
    {"good", METHOD_GOOD, 8},
    {"good", METHOD_GOOD, 16},
    {"good", METHOD_GOOD, 32},
};

static uint32_t below(uint64_t *state, uint32_t bound)
{
    return (uint32_t)(random_bits(state) >> 32) % bound;
}

static float between(uint64_t *state, float least, float most)
{
    return least + (most - least) * random_unit(state);
}

static float either_sign(uint64_t *state, float value)
{
    return below(state, 2) ? -value : value;
}

/* Up to `most`: every power of two as likely, now and then an end, 0, or a denormal. */
static float any_size(uint64_t *state, float most)
{
    switch (below(state, 12)) {
    case 0:
        return 0;
    case 1:
        return most;
    case 2:
        return LEAST * (float)(1 + below(state, 3));
    case 3:
        return ldexpf(random_unit(state), -126);
    default:
        return fminf(most, ldexpf(1 + random_unit(state), -149 + (int)below(state, 210)));
    }
}

/* Up to two floats away. */
static float nudge(uint64_t *state, float value)
{
    for (uint32_t steps = below(state, 3); steps > 0; steps--)
        value = nextafterf(value, below(state, 2) ? INFINITY : -INFINITY);
    return value;
}

static float on_grid(uint64_t *state, float side)
{
    const float half = below(state, 2) ? .5f : 0;
    return nudge(state, ((float)below(state, (uint32_t)side + 1) + half) / side);
}

/* A circle whose rim goes through the image, up to FAR away. */
static void draw_rim(uint64_t *state, struct circle *circle)
{
    const float r = ldexpf(1 + random_unit(state), (int)below(state, 59));
    float x = between(state, -1, 1), y = between(state, -1, 1);
    const float length = sqrtf(x * x + y * y);
    if (below(state, 4) == 0 || length == 0) {
        x = either_sign(state, 1);
        y = 0;
    } else {
        x /= length;
        y /= length;
    }
    circle->x = random_unit(state) + r * x;
    circle->y = random_unit(state) + r * y;
    circle->r = nudge(state, r);
}

static void draw_place(uint64_t *state, const struct recipe *recipe, struct circle *circle)
{
    enum places places = recipe->places;
    if (places == MIXED)
        places = (enum places)below(state, MIXED);
    switch (places) {
    case ALIKE:
        circle->x = .45f;
        circle->y = .55f;
        circle->r = recipe->most;
        break;
    case ON_GRID:
        circle->x = on_grid(state, recipe->side);
        circle->y = on_grid(state, recipe->side);
        circle->r = fmaxf(0, nudge(state, (float)below(state, 20) / recipe->side));
        break;
    case HUGE_RIM:
        draw_rim(state, circle);
        break;
    case ANY_SIZE:
        circle->x = either_sign(state, any_size(state, FAR));
        circle->y = either_sign(state, any_size(state, FAR));
        circle->r = any_size(state, FAR);
        break;
    default:
        circle->x = between(state, -.2f, 1.2f);
        circle->y = between(state, -.2f, 1.2f);
        circle->r = between(state, 0, recipe->most);
    }
}

static float draw_color(uint64_t *state, enum colors colors)
{
    switch (colors) {
    case BRIGHT:
        return between(state, -2, 3);
    case ON_BYTES:
        return nudge(state, (float)below(state, 256) / 255);
    case ANY_COLOR:
        return either_sign(state, any_size(state, SCENE_MAX_COLOR));
    default:
        return random_unit(state);
    }
}

static float draw_alpha(uint64_t *state, const struct recipe *recipe)
{
    static const float COMMON[] = {0, .004f, .02f, .1f, .5f, .9f, 1};
    static const float EDGES[] = {0, 1, 1 - 0x1p-24f, LEAST, 0x1p-126f, 0x1p-25f, 0x1p-24f,
        0x1p-23f, 0x1p-12f, .5f, 1 - 0x1p-23f};
    switch (recipe->alphas) {
    case COMMON_ALPHA:
        return COMMON[below(state, COUNT_OF(COMMON))];
    case EDGE_ALPHA:
        return EDGES[below(state, COUNT_OF(EDGES))];
    case OWN_ALPHA:
        return random_unit(state);
    default:
        return recipe->alpha;
    }
}

static struct recipe draw_recipe(uint64_t *state, int is_extreme, float side)
{
    static const float ALPHAS[] = {0, .004f, .02f, .1f, .5f, .9f, 1, 1 - 0x1p-24f, 0x1p-24f};
    static const float RADII[] = {.01f, .05f, .1f, .3f, 1};
    struct recipe recipe = {.is_extreme = is_extreme, .side = side};
    recipe.alpha = ALPHAS[below(state, is_extreme ? COUNT_OF(ALPHAS) : 7)];
    recipe.most = RADII[below(state, COUNT_OF(RADII))];
    recipe.alphas = (enum alphas)below(state, is_extreme ? EDGE_ALPHA + 1 : EDGE_ALPHA);
    if (is_extreme) {
        recipe.places = (enum places)below(state, MIXED + 1);
        recipe.colors = (enum colors)below(state, ANY_COLOR + 1);
        recipe.depths = (enum depths)below(state, ANY_DEPTH + 1);
    }
    return recipe;
}

static uint32_t draw_count(uint64_t *state)
{
    switch (below(state, 40)) {
    case 0:
        return 1000 + below(state, 5000);
    case 1:
    case 2:
        return 1;
    case 3:
        return 14 + below(state, 6); /* 16 are few */
    default:
        return 1 + below(state, 300);
    }
}

static void draw_background(uint64_t *state, const struct recipe *recipe, struct scene *scene)
{
    const uint32_t kind = below(state, 4);
    for (int i = 0; i < 3; i++) {
        scene->background[i] = kind == 0 ? 1 : draw_color(state, recipe->colors);
        scene->rise[i] = kind == 3 ? either_sign(state, draw_color(state, recipe->colors)) : 0;
    }
}

static int is_farther(const void *a, const void *b)
{
    const float one = ((const struct circle *)a)->z, other = ((const struct circle *)b)->z;
    return (one < other) - (one > other);
}

/* Before all else is drawn, so that circles of equal depth are alike and any sort puts them in one
 * order. */
static void draw_depths(uint64_t *state, enum depths depths, struct scene *scene)
{
    for (size_t i = 0; i < scene->count; i++) {
        const size_t four = (scene->count - i) / 4; /* have one depth */
        scene->circles[i].z = depths == ORDER   ? (float)four
                              : depths == EQUAL ? 0
                                                : either_sign(state, 1 + any_size(state, 3e38f));
    }
    if (depths == ANY_DEPTH)
        qsort(scene->circles, scene->count, sizeof(*scene->circles), is_farther);
}

/* Makes the scene, and sets what circles' options would. Gives whether there was memory for it. */
static int draw_scene(struct attack *attack, struct circles_options *o, struct scene *scene)
{
    uint64_t state = attack->seed ^ attack->number * 0xd1342543de82ef95;
    const int is_extreme = attack->number % 3 == 2;
    random_bits(&state);
    o->width = below(&state, 8) ? 1 + below(&state, 100) : 1 + below(&state, 3);
    o->height = below(&state, 8) ? 1 + below(&state, 70) : 1 + below(&state, 3);
    scene->count = draw_count(&state);
    o->samples = scene->count >= 1000 || below(&state, 2) ? 1 : 2 + below(&state, 2);
    o->device_memory = below(&state, 6) ? 0 : ((uint64_t)64 << 10) + below(&state, 200 << 10);
    scene->soft = below(&state, 4) == 0;
    const uint32_t longer = o->width > o->height ? o->width : o->height;
    const struct recipe recipe = draw_recipe(&state, is_extreme, (float)(longer * o->samples));
    draw_background(&state, &recipe, scene);
    scene->circles = calloc(scene->count, sizeof(*scene->circles));
    if (!scene->circles)
        return 0;
    draw_depths(&state, recipe.depths, scene);
    for (size_t i = 0; i < scene->count; i++) {
        struct circle *circle = &scene->circles[i];
        draw_place(&state, &recipe, circle);
        circle->red = draw_color(&state, recipe.colors);
        circle->green = draw_color(&state, recipe.colors);
        circle->blue = draw_color(&state, recipe.colors);
        circle->alpha = draw_alpha(&state, &recipe);
    }
    if (below(&state, 4) == 0)
        scene->transmittance = below(&state, 2) ? 1 : random_unit(&state);
    attack->extreme += (uint64_t)is_extreme;
    return 1;
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Leaves the scene as a file and says how to paint it. */
static void report(struct attack *attack, const struct circles *c, const char *device,
    size_t method, const struct image *expected)
{
    struct error error;
    char path[4096], memory[64] = "", block[32] = "";
    const struct circles_options *o = &c->options;
    const uint8_t *got = c->result.image.pixels, *wanted = expected->pixels;
    const size_t size = (size_t)o->width * o->height * 4;
    size_t bytes = 0, first = 0;
    for (size_t i = size; i-- > 0;)
        if (got[i] != wanted[i]) {
            bytes++;
            first = i;
        }
    printf(
        "scene %llu of seed %llu: %s, %s %u: %zu bytes differ, the first in column %zu of row %zu: "
        "%u, not %u\n",
        (unsigned long long)attack->number, (unsigned long long)attack->seed, device,
        METHODS[method].name, METHODS[method].block, bytes, first / 4 % o->width,
        first / 4 / o->width, got[first], wanted[first]);
    if (attack->different++ >= MAX_REPORTED)
        return;
    snprintf(path, sizeof(path), "%s/scene-%llu-%llu.json", attack->folder,
        (unsigned long long)attack->seed, (unsigned long long)attack->number);
    if (scene_write(path, &c->scene, NULL, &error) != 0)
        fprintf(stderr, "scene_attack: %s\n", error.text);
    if (o->device_memory)
        snprintf(
            memory, sizeof(memory), " --device-memory=%llu", (unsigned long long)o->device_memory);
    if (METHODS[method].block)
        snprintf(block, sizeof(block), " --block=%u", METHODS[method].block);
    printf("  circles -s %ux%u --antialias=%u -r %s%s -m %s%s %s got.png\n"
           "  circles -s %ux%u --antialias=%u -m reference %s wanted.png\n",
        o->width, o->height, o->samples, device, memory, METHODS[method].name, block, path,
        o->width, o->height, o->samples, path);
}

/* Paints again with twice the memory while that is too little. Gives whether there is an image. */
static int paint(struct attack *attack, struct run *run, size_t method, struct circles *c)
{
    struct circles_options *o = &c->options;
    o->method = METHODS[method].method;
    for (;;) {
        memset(c->result.image.pixels, 0xa5, (size_t)o->width * o->height * 4);
        run_start(run);
        int rc = circles_paint(run, c);
        if (rc == 0)
            return 1;
        if (rc != ERROR_INPUT || !o->device_memory || o->device_memory >> 30) {
            printf("scene %llu of seed %llu: %s, %s: %s\n", (unsigned long long)attack->number,
                (unsigned long long)attack->seed, run->device_id, METHODS[method].name,
                run->error.text);
            return 0;
        }
        o->device_memory *= 2;
    }
}

static void try_device(struct attack *attack, int device, const struct circles_options *options,
    const struct image *expected)
{
    struct run *run = &attack->runs[device];
    const double start = now();
    const size_t size = (size_t)expected->width * (size_t)expected->height * 4;
    for (size_t i = 0; i < COUNT_OF(METHODS); i++) {
        struct circles c = {.options = *options};
        c.options.block = METHODS[i].block;
        const int rc =
            image_new(expected->width, expected->height, 3, 8, &c.result.image, &run->error);
        if (rc || !paint(attack, run, i, &c))
            attack->refused++;
        else if (memcmp(c.result.image.pixels, expected->pixels, size) != 0)
            report(attack, &c, attack->infos[device].id, i, expected);
        attack->images++;
        run_buffers_free(run);
        circles_end(&c);
    }
    attack->seconds[device] += now() - start;
}

static int go_on(void *context, double share)
{
    (void)context;
    (void)share;
    return 0;
}

static int try_scene(struct attack *attack)
{
    struct scene scene = {0};
    struct circles_options options = {.input = "attack", .scene = &scene};
    struct image expected = {0};
    struct error error = {"no memory for the circles"};
    const double start = now();
    int rc = draw_scene(attack, &options, &scene) ? 0 : ERROR_INPUT;
    if (rc == 0)
        rc = image_new((int)options.width, (int)options.height, 3, 8, &expected, &error);
    if (rc == 0)
        rc = reference_circles(&scene, options.samples, &expected, go_on, NULL, &error);
    attack->reference_seconds += now() - start;
    if (rc)
        fprintf(stderr, "scene_attack: %s\n", error.text);
    for (int i = 0; rc == 0 && i < attack->device_count; i++)
        try_device(attack, i, &options, &expected);
    scene_free(&scene);
    image_free(&expected);
    return rc;
}

/* Whether the name is the device's: its id, or its kind alone. */
static int is_name_of(const char *name, const char *id)
{
    const size_t length = strlen(name);
    return strncmp(id, name, length) == 0 && (id[length] == ':' || !id[length]);
}

/* Takes the devices that are named, or all. Gives whether each name is that of one. */
static int choose_devices(struct attack *attack, char *const *names, int count)
{
    struct device_info infos[DEVICE_LIMIT];
    const int found = device_list(infos);
    int are_all_known = 1;
    for (int i = 0; i < found; i++) {
        int is_wanted = count == 0;
        for (int n = 0; n < count; n++)
            is_wanted |= is_name_of(names[n], infos[i].id);
        if (is_wanted)
            attack->infos[attack->device_count++] = infos[i];
    }
    for (int n = 0; n < count; n++) {
        int is_known = 0;
        for (int i = 0; i < found; i++)
            is_known |= is_name_of(names[n], infos[i].id);
        if (!is_known)
            fprintf(stderr, "scene_attack: there is no device '%s'\n", names[n]);
        are_all_known &= is_known;
    }
    return are_all_known;
}

static int usage(void)
{
    fputs("usage: scene_attack [-n COUNT] [-f FIRST] [-s SEED] [-o DIR] [DEVICE...]\n", stderr);
    return 2;
}

static int finish(struct attack *attack)
{
    printf("reference: %.1f s\n", attack->reference_seconds);
    for (int i = 0; i < attack->device_count; i++) {
        printf("%s, %s: %.1f s\n", attack->infos[i].id, attack->infos[i].name, attack->seconds[i]);
        run_end(&attack->runs[i]);
    }
    printf("scenes: %llu, of which extreme: %llu; images: %llu; different: %llu; failed: %llu\n",
        (unsigned long long)attack->count, (unsigned long long)attack->extreme,
        (unsigned long long)attack->images, (unsigned long long)attack->different,
        (unsigned long long)attack->refused);
    return attack->images == 0 || attack->different || attack->refused;
}

int main(int argc, char **argv)
{
    static struct attack attack = {.seed = 1, .count = 10000, .folder = "."};
    int option;
    while ((option = getopt(argc, argv, "n:f:s:o:")) != -1)
        if (option == 'n')
            attack.count = strtoull(optarg, NULL, 10);
        else if (option == 'f')
            attack.first = strtoull(optarg, NULL, 10);
        else if (option == 's')
            attack.seed = strtoull(optarg, NULL, 10);
        else if (option == 'o')
            attack.folder = optarg;
        else
            return usage();
    if (!choose_devices(&attack, argv + optind, argc - optind))
        return 1;
    for (int i = 0; i < attack.device_count; i++)
        attack.runs[i] = (struct run){.device_id = attack.infos[i].id};
    setvbuf(stdout, NULL, _IOLBF, 0);
    watch_start("scene", attack.seed, SECONDS);
    for (uint64_t i = 0; i < attack.count; i++) {
        attack.number = attack.first + i;
        watch_next(attack.number);
        if (try_scene(&attack) != 0)
            return 1;
        if (isatty(STDERR_FILENO) && i % 100 == 0)
            fprintf(stderr, "\r%llu of %llu scenes", (unsigned long long)i,
                (unsigned long long)attack.count);
    }
    if (isatty(STDERR_FILENO))
        fputs("\r\033[K", stderr);
    return finish(&attack);
}
