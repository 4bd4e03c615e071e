/* Times rendering without the reference: circles_bench DEVICE METHOD SIZE RUNS SCENE...
 *
 * A scene is a name, or N/RADIUS: N circles of that radius, uniform, alpha 0.5. Prints a line each:
 * scene, circles, size, method, device, then medians of 5 (or what a single one takes, where that
 * is more than a second) in milliseconds: the whole (upload to
 * download), the kernels, and those of each stage; kernels are timed in RUNS after one another. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "random.h"
#include "stages/circles/circles.h"

#define MOST_RUNS 100 /* of up to 3 kernels, as device_hold takes them */

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

/* Seconds that the kernels of a stage take: of `runs` after one another, which begin when all are
 * launched, so that the device does not wait for the host between them. */
static int time_kernels(struct run *run, const struct circles_stage *stage, int runs,
    struct circles *c, double *seconds)
{
    struct device_times times = {0};
    int rc = 0;
    if (run->device.backend->hold) { /* once before, so that all buffers are there */
        rc = stage->run(run, c);
        if (rc == 0)
            rc = device_finish(&run->device, &times, &run->error);
        times = (struct device_times){0};
    }
    if (rc == 0)
        rc = device_hold(&run->device, &run->error);
    for (int i = 0; rc == 0 && i < runs; i++)
        rc = stage->run(run, c);
    if (rc == 0)
        rc = device_finish(&run->device, &times, &run->error);
    *seconds += times.kernel / runs;
    return rc;
}

static int time_scene(
    struct run *run, const char *method, uint32_t side, int runs, const char *name)
{
    enum { REPEATS = 5 };
    const int is_good = strcmp(method, "good") == 0;
    const struct circles_stage *const stages[2] = {is_good ? &CULL : &BIN, is_good ? NULL : &SHADE};
    struct scene uniform = {0};
    struct circles c = {.options = {.input = name,
                            .width = side,
                            .height = side,
                            .method = is_good ? METHOD_GOOD : METHOD_FAST,
                            .block = is_good ? 32 : 0}};
    double whole[REPEATS], kernel[2][REPEATS] = {{0}};
    int rc = 0;
    if (strchr(name, '/')) {
        make_uniform(name, &uniform);
        c.options.scene = &uniform;
    }
    int repeats = REPEATS;
    for (int i = -1; rc == 0 && i < repeats; i++) {
        double wall = 0;
        run_start(run);
        rc = circles_paint(run, &c);
        for (int stage = 1; stage < run->stage_count; stage++)
            wall += run->timings[stage].wall;
        c.band_row = 0; /* the only band again */
        double seconds[2] = {0};
        do {
            for (int stage = 0; rc == 0 && stage < 2 && stages[stage]; stage++)
                rc = time_kernels(run, stages[stage], runs, &c, &seconds[stage]);
            if (rc == 0)
                rc = circles_look_at_marks(run, &c);
        } while (rc == 0 && c.repeats);
        for (int stage = 0; stage < 2; stage++)
            kernel[stage][i < 0 ? 0 : i] = seconds[stage];
        whole[i < 0 ? 0 : i] = wall;
        if (i < 0 && wall > 1)
            repeats = 1;
    }
    if (rc)
        return fail(name, &run->error);
    const double first = median(kernel[0], repeats), second = median(kernel[1], repeats);
    printf("%s\t%zu\t%u\t%s\t%s\t%.3f\t%.4f\t%.4f\t%.4f\n", name, c.scene.count, side, method,
        run->device.info.id, 1e3 * median(whole, repeats), 1e3 * (first + second), 1e3 * first,
        1e3 * second);
    fflush(stdout);
    run_buffers_free(run);
    circles_end(&c);
    scene_free(&uniform);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc < 6) {
        fprintf(stderr, "usage: circles_bench DEVICE METHOD SIZE RUNS SCENE..., 1 to 100 RUNS\n");
        return 2;
    }
    struct run run = {.device_id = argv[1]};
    const int runs = atoi(argv[4]);
    int failed = runs < 1 || runs > MOST_RUNS;
    for (int i = 5; i < argc && !failed; i++)
        failed = time_scene(&run, argv[2], (uint32_t)atoi(argv[3]), runs, argv[i]);
    run_end(&run);
    return failed;
}
