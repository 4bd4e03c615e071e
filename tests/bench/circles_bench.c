/* Times rendering without the reference: circles_bench DEVICE METHOD SIZE RUNS SCENE...
 *
 * A scene is a name, or N/RADIUS: N circles of that radius, uniform, alpha 0.5. Prints a line each:
 * scene, circles, size, method, device, then medians in milliseconds of the whole (upload to download),
 * of each stage's kernels, and of their sum. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "random.h"
#include "stages/circles/circles.h"

static int compare_doubles(const void *a, const void *b)
{
    const double difference = *(const double *)a - *(const double *)b;
    return (difference > 0) - (difference < 0);
}

static double median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof(*values), compare_doubles);
    return values[count / 2];
}

static int fail(const char *what, const struct error *error)
{
    fprintf(stderr, "circles_bench: %s: %s\n", what, error->text);
    return 1;
}

/* "100000/0.05" */
static void make_uniform(const char *text, struct scene *scene)
{
    uint64_t state = 1;
    char *end;
    scene->count = strtoul(text, &end, 10);
    const float radius = strtof(end + 1, NULL);
    scene->circles = malloc(scene->count * sizeof(*scene->circles));
    for (int i = 0; i < 3; i++)
        scene->background[i] = 1;
    for (size_t i = 0; scene->circles && i < scene->count; i++)
        scene->circles[i] = (struct circle){random_unit(&state), random_unit(&state), 0, radius,
            random_unit(&state), random_unit(&state), random_unit(&state), 0.5f};
}

static const struct stage *const *stages_of(const char *method)
{
    return strcmp(method, "good") == 0 ? CIRCLES_GOOD : CIRCLES_FAST;
}

static int time_scene(struct run *run, const char *method, uint32_t side, int runs, const char *name)
{
    struct circles c = {.input = name, .width = side, .height = side, .block = 32};
    const struct stage *stages[MAX_STAGES] = {0};
    double wall[64], kernel[64], each[MAX_STAGES][64];
    for (int i = 0; stages_of(method)[i + 1]; i++)
        stages[i] = stages_of(method)[i];
    if (strchr(name, '/'))
        make_uniform(name, &c.scene);
    for (int i = -2; i < runs; i++) {
        if (pipeline_run(run, stages, &c))
            return fail(name, &run->error);
        if (i < 0)
            continue;
        wall[i] = kernel[i] = 0;
        for (int stage = 0; stage < run->stage_count; stage++) {
            wall[i] += run->timings[stage].wall;
            kernel[i] += run->timings[stage].device.kernel;
            each[stage][i] = run->timings[stage].device.kernel;
        }
    }
    printf("%s\t%zu\t%u\t%s\t%s\t%.3f\t%.4f", name, c.scene.count, side, method,
        run->device.info.id, 1e3 * median(wall, runs), 1e3 * median(kernel, runs));
    for (int stage = 2; stage < run->stage_count; stage++)
        printf("\t%.4f", 1e3 * median(each[stage], runs));
    printf("\n");
    fflush(stdout);
    run_buffers_free(run);
    circles_end(&c);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc < 6) {
        fprintf(stderr, "usage: circles_bench DEVICE METHOD SIZE RUNS SCENE...\n");
        return 2;
    }
    struct run run = {.device_id = argv[1]};
    const int runs = atoi(argv[4]);
    int failed = runs < 1 || runs > 64;
    for (int i = 5; i < argc && !failed; i++)
        failed = time_scene(&run, argv[2], (uint32_t)atoi(argv[3]), runs, argv[i]);
    run_end(&run);
    return failed;
}
