/* The library as programs use it: contexts, images, errors, stopping, threads. */
#include "stages/tessera.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "cli/tap.h"
#include "stages/context.h"

#define WIDTH 60
#define HEIGHT 40
#define THREADS 4

static uint16_t samples[HEIGHT * WIDTH * 4];

/* Of one tile, a puzzle comes back as it was, whatever it holds. */
static void check_images(struct tessera *tessera)
{
    static const struct tessera_puzzle_options ONE = {.columns = 1, .rows = 1};
    for (int depth = 8; depth <= 16; depth += 8)
        for (int channels = 1; channels <= 4; channels++) {
            const struct tessera_image image = {WIDTH, HEIGHT, channels, depth, samples};
            const size_t size = (size_t)(WIDTH * HEIGHT * channels * depth / 8);
            struct tessera_solution *solutions;
            int count;
            const int code = tessera_unscramble(tessera, &image, &ONE, &solutions, &count);
            tap_check(code == 0 && count == 1 && solutions->image.channels == channels &&
                          solutions->image.depth == depth && solutions->columns == 1 &&
                          solutions->tiles[0] == 0 && solutions->probability == 1 &&
                          solutions->confidence[0] == 1 &&
                          memcmp(solutions->image.pixels, samples, size) == 0,
                "%d channels of %d bits come back", channels, depth);
            tessera_solutions_free(solutions, count);
        }
}

static void check_puzzle_refused(struct tessera *tessera, const struct tessera_image *image,
    const struct tessera_puzzle_options *options, const char *words)
{
    struct tessera_solution *solutions = (struct tessera_solution *)1;
    int count = 1;
    tap_check(tessera_unscramble(tessera, image, options, &solutions, &count) == TESSERA_INPUT &&
                  !solutions && !count && strstr(tessera_error(tessera), words),
        "refused: %s", tessera_error(tessera));
}

static void check_refusals(struct tessera *tessera)
{
    const struct tessera_image good = {WIDTH, HEIGHT, 3, 8, samples};
    const struct tessera_image bad[] = {{0, HEIGHT, 3, 8, samples}, {WIDTH, HEIGHT, 5, 8, samples},
        {WIDTH, HEIGHT, 3, 12, samples}, {WIDTH, HEIGHT, 3, 8, NULL},
        {1 << 30, 1 << 30, 3, 8, samples}, {-1, -1, 3, 8, samples}};
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        check_puzzle_refused(tessera, &bad[i], NULL, "bad image");
    check_puzzle_refused(tessera, NULL, NULL, "no image");
    tessera_image_free(NULL);
    tessera_points_free(NULL);
    tessera_solutions_free(NULL, 2);
    check_puzzle_refused(
        tessera, &good, &(struct tessera_puzzle_options){.columns = 2}, "go together");
    check_puzzle_refused(
        tessera, &good, &(struct tessera_puzzle_options){.columns = 61, .rows = 1}, "only 60 x 40");
    check_puzzle_refused(tessera, &good, &(struct tessera_puzzle_options){.has_missing_color = 1},
        "has_missing is not set");
    check_puzzle_refused(
        tessera, &good, &(struct tessera_puzzle_options){.effort = -1}, "negative");
    check_puzzle_refused(tessera, &good,
        &(struct tessera_puzzle_options){.columns = 100000, .rows = 100000}, "at most");
    check_puzzle_refused(tessera, &good,
        &(struct tessera_puzzle_options){.solution_columns = 65536, .solution_rows = 65536},
        "at most");
    check_puzzle_refused(
        tessera, &good, &(struct tessera_puzzle_options){.dissimilarity = "x"}, "use auto, ");
    struct tessera_image image = good;
    const struct tessera_circle circle = {.r = NAN};
    tap_check(tessera_paint_circles(tessera, &circle, 1, NULL, &image) == TESSERA_INPUT &&
                  !image.pixels && strstr(tessera_error(tessera), "circle 1: r is not a finite"),
        "refused: %s", tessera_error(tessera));
    tap_check(tessera_paint_circles(tessera, NULL, 0,
                  &(struct tessera_circles_options){.width = 1 << 23, .height = 1},
                  &image) == TESSERA_INPUT,
        "refused: %s", tessera_error(tessera));
    tap_check(tessera_paint_circles(tessera, NULL, 0,
                  &(struct tessera_circles_options){.samples = 65}, &image) == TESSERA_INPUT,
        "refused: %s", tessera_error(tessera));
    tap_check(tessera_paint_circles(tessera, NULL, 0,
                  &(struct tessera_circles_options){.width = 1, .height = 1, .background = {-1}},
                  &image) == 0,
        "a background that is not given is not looked at");
    tessera_image_free(&image);
    const double corners[12] = {0};
    struct tessera_points points;
    for (int degree = 0; degree <= 101; degree += 101) {
        const struct tessera_patch patch = {0, 0, degree, 1, corners};
        tap_check(tessera_evaluate_patches(tessera, &patch, 1, NULL, &points) == TESSERA_INPUT &&
                      !points.positions && strstr(tessera_error(tessera), "bad patch 1: degrees"),
            "refused: %s", tessera_error(tessera));
    }
    const struct tessera_patch empty = {0, 0, 1, 1, NULL};
    tap_check(tessera_evaluate_patches(tessera, &empty, 1, NULL, &points) == TESSERA_INPUT,
        "refused: %s", tessera_error(tessera));
    tap_check(tessera_evaluate_patches(tessera, NULL, 1, NULL, &points) == TESSERA_INPUT,
        "refused: %s", tessera_error(tessera));
    double far[16];
    for (int i = 0; i < 16; i++)
        far[i] = i % 4 == 3 ? 1e-30 : 1e30;
    const struct tessera_patch weighted = {0, 1, 1, 1, far};
    tap_check(tessera_evaluate_patches(tessera, &weighted, 1, NULL, &points) == TESSERA_INPUT &&
                  strstr(tessera_error(tessera), "1e+60 with weight 1e-30 is not from"),
        "refused: %s", tessera_error(tessera));
    tap_check(tessera_paint_circles(tessera, NULL, 5, NULL, &image) == TESSERA_INPUT, "refused: %s",
        tessera_error(tessera));
    tap_check(tessera_set_device(tessera, "abacus") == TESSERA_INPUT &&
                  tessera_set_device(tessera, NULL) == TESSERA_INPUT &&
                  tessera_set_device(tessera, "cpu:7") == TESSERA_INPUT,
        "refused: %s", tessera_error(tessera));
    tap_check(tessera_paint_circles(tessera, NULL, 0, NULL, &image) == 0 &&
                  !tessera_error(tessera)[0] && strcmp(tessera_device(tessera), "cpu:0") == 0,
        "after an error all is as before");
    tessera_image_free(&image);
    tessera_image_free(&image);
}

static int count_calls(void *context, const char *stage, double share)
{
    int *left = context;
    if (!stage[0] || !(share >= 0 && share <= 1))
        abort();
    return --*left == 0;
}

/* Asks to stop at the first call, at the second, ... until none is left; on a device that is chosen
 * automatically and on one by its name. */
static void check_stops(struct tessera *tessera, const char *device)
{
    const struct tessera_circle circles[2] = {{.r = 1, .alpha = 0.5f}, {.r = 0.3f, .alpha = 1}};
    int code = tessera_set_device(tessera, device) ? TESSERA_INPUT : TESSERA_STOPPED, calls = 0;
    while (code == TESSERA_STOPPED && calls < 1000) {
        struct tessera_image image;
        int left = ++calls;
        tessera_set_progress(tessera, count_calls, &left);
        code = tessera_paint_circles(tessera, circles, 2, NULL, &image);
        tessera_image_free(&image);
    }
    tessera_set_progress(tessera, NULL, NULL);
    tap_check(code == 0 && calls > 3 && !tessera_error(tessera)[0],
        "%s: each of %d calls of progress can stop", device, calls - 1);
}

struct search_stop {
    int left, has_answer;
};

static int stop_search(void *context, const char *stage, double share)
{
    struct search_stop *stop = context;
    (void)share;
    stop->has_answer |= strcmp(stage, "refine") == 0;
    return --stop->left == 0;
}

/* A puzzle of noise is stopped at the first call, at the second, ... : from the first answer on
 * none is lost. */
static void check_stopped_search(struct tessera *tessera)
{
    static const struct tessera_puzzle_options TILES = {.columns = 6, .rows = 4};
    const struct tessera_image image = {WIDTH, HEIGHT, 3, 8, samples};
    struct search_stop stop = {0, 0};
    int wrong = 0, stopped = 0, answers = 0;
    for (int calls = 1; calls < 10000 && stop.left <= 0; calls++) {
        struct tessera_solution *solutions;
        int count;
        stop = (struct search_stop){.left = calls};
        tessera_set_progress(tessera, stop_search, &stop);
        const int code = tessera_unscramble(tessera, &image, &TILES, &solutions, &count);
        wrong += code != (stop.has_answer ? 0 : TESSERA_STOPPED);
        wrong += code == 0 && (count != 1 || solutions->columns != 6);
        *(stop.has_answer ? &answers : &stopped) += 1;
        tessera_solutions_free(solutions, count);
    }
    tessera_set_progress(tessera, NULL, NULL);
    tap_check(!wrong && stopped > 3 && answers > 10,
        "a search stopped before its first answer (%d) or after it (%d)", stopped, answers);
}

static int stop_in_kernel(void *context, const char *stage, double share)
{
    (void)context;
    (void)stage;
    return share > 0 && share < 1;
}

/* A kernel of tenths of a second is stopped while it runs, whichever way the device was chosen. */
static void check_stop_in_kernel(struct tessera *tessera, const char *device)
{
    static struct tessera_circle circles[30000];
    const struct tessera_circles_options options = {.width = 2000, .height = 2000, .samples = 4};
    struct tessera_image image;
    for (int i = 0; i < 30000; i++)
        circles[i] = (struct tessera_circle){
            .x = (float)(i % 173) / 173, .y = (float)(i % 199) / 199, .r = 0.1f, .alpha = 0.01f};
    tessera_set_progress(tessera, stop_in_kernel, NULL);
    tap_check(
        tessera_set_device(tessera, device) == 0 &&
            tessera_paint_circles(tessera, circles, 30000, &options, &image) == TESSERA_STOPPED &&
            !image.pixels,
        "%s: a kernel is stopped while it runs", device);
    tessera_set_progress(tessera, NULL, NULL);
}

/* A rational patch, a quarter of a cylinder of radius 1, has curvatures 0 and 1. */
static void check_normals(struct tessera *tessera)
{
    const double control[] = {1, 0, 0, 1, 1, 0, 2, 1, M_SQRT1_2, M_SQRT1_2, 0, M_SQRT1_2, M_SQRT1_2,
        M_SQRT1_2, M_SQRT2, M_SQRT1_2, 0, 1, 0, 1, 0, 1, 2, 1};
    const struct tessera_patch patches[2] = {{0, 1, 2, 1, control}, {0, 1, 2, 1, control}};
    const struct tessera_bezier_options options = {5, 3, 1, 1};
    struct tessera_points points;
    int right =
        tessera_evaluate_patches(tessera, patches, 2, &options, &points) == 0 && points.count == 30;
    for (size_t i = 0; right && i < points.count; i++) {
        const double *p = points.positions + 3 * i;
        const float *n = points.normals + 3 * i, *k = points.curvatures + TESSERA_CURVATURES * i;
        right = fabs(hypot(p[0], p[1]) - 1) < 1e-14 &&
                fabs(fabs(n[0] * p[0] + n[1] * p[1]) - 1) < 1e-6 && fabsf(k[0]) < 1e-6f &&
                fabsf(fabsf(k[1]) - 0.5f) < 1e-6f && fabsf(fabsf(k[2] + k[3]) - 1) < 1e-6f;
    }
    tap_check(right, "points, normals and curvatures of a cylinder, twice");
    tessera_points_free(&points);
}

/* Twice in one process. */
static void check_tools(void)
{
    char name[] = "circles", version[] = "--version", wrong[] = "--wrong";
    char *good[] = {name, version, NULL}, *bad[] = {name, wrong, NULL};
    const int first = tessera_circles_main(2, good), second = tessera_circles_main(2, bad);
    tap_check(first == 0 && second == 2 && tessera_circles_main(2, good) == 0,
        "tools can run several times");
}

/* Where a job fell back, the next one chooses a device anew. */
static void check_next_job(struct tessera *tessera)
{
    const int code = tessera_set_device(tessera, "auto");
    tessera->run.device_id = "cpu"; /* as run_falls_back leaves it */
    context_begin(tessera);
    tap_check(code == 0 && !tessera->run.starting.is_going,
        "after a job whose device failed, the next one starts no device before it has chosen");
    context_end(tessera, 0);
}

/* What each thread does; gives whether the result is the right one. */
static void *work(void *image)
{
    const struct tessera_image *puzzle = image;
    const struct tessera_puzzle_options options = {.columns = 3, .rows = 2};
    const double control[12] = {0, 0, 0, 0, 1, 0, 1, 0, 0, 1, 1, 1};
    const struct tessera_patch patch = {0, 0, 1, 1, control};
    struct tessera *tessera = tessera_new();
    int right = tessera != NULL;
    tessera_set_threads(tessera, 2);
#ifndef __SANITIZE_ADDRESS__ /* under which OpenCL's compiler fails in several threads */
    tessera_set_device(tessera, "opencl"); /* if it is there */
#endif
    for (int i = 0; right && i < 3; i++) {
        struct tessera_solution *solutions;
        struct tessera_points points;
        int count;
        right = tessera_unscramble(tessera, puzzle, &options, &solutions, &count) == 0 &&
                tessera_evaluate_patches(tessera, &patch, 1, NULL, &points) == 0;
        right = right && points.count == 17 * 17 && points.positions[3 * 17 * 17 - 1] == 1 &&
                memcmp(solutions->image.pixels, puzzle->pixels, WIDTH * HEIGHT) == 0;
        tessera_points_free(&points);
        tessera_solutions_free(solutions, count);
    }
    tessera_free(tessera);
    return right ? image : NULL;
}

static void check_threads(void)
{
    static uint8_t slope[HEIGHT * WIDTH];
    struct tessera_image image = {WIDTH, HEIGHT, 1, 8, slope};
    pthread_t threads[THREADS];
    int right = 0;
    for (int i = 0; i < HEIGHT * WIDTH; i++)
        slope[i] = (uint8_t)(2 * (i % WIDTH) + 3 * (i / WIDTH));
    for (int i = 0; i < THREADS; i++)
        if (pthread_create(&threads[i], NULL, work, &image) != 0)
            abort();
    for (int i = 0; i < THREADS; i++) {
        void *result;
        pthread_join(threads[i], &result);
        right += result != NULL;
    }
    tap_check(right == THREADS, "%d contexts in %d threads", THREADS, THREADS);
}

/* Circles that are sorted are used where they are, others are copied: what the caller has stays as
 * it is, and the image is the same. */
static void check_order(struct tessera *tessera)
{
    const struct tessera_circle sorted[3] = {{.4f, .5f, .75f, .3f, 1, 0, 0, .5f},
        {.5f, .5f, .5f, .3f, 0, 1, 0, .5f}, {.6f, .5f, .25f, .3f, 0, 0, 1, .5f}};
    float memory[2 * 3 * 8 + 1]; /* the second half is aligned to no more than a float */
    struct tessera_circle *const given[2] = {
        (struct tessera_circle *)(void *)memory, (struct tessera_circle *)(void *)(memory + 25)};
    struct tessera_image images[2] = {0};
    int right = 1;
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < 3; k++)
            given[i][k] = sorted[i ? 2 - k : k];
        right &= tessera_paint_circles(tessera, given[i], 3,
                     &(struct tessera_circles_options){.width = 33, .height = 20}, &images[i]) == 0;
        for (int k = 0; k < 3; k++)
            right &= memcmp(&given[i][k], &sorted[i ? 2 - k : k], sizeof(sorted[0])) == 0;
    }
    tap_check(right && memcmp(images[0].pixels, images[1].pixels, (size_t)33 * 20 * 3) == 0,
        "circles in any order: the same image, and they stay as they are");
    tessera_image_free(&images[0]);
    tessera_image_free(&images[1]);
}

int main(void)
{
    struct tessera *tessera = tessera_new();
    for (size_t i = 0; i < sizeof(samples) / sizeof(samples[0]); i++)
        samples[i] = (uint16_t)(i * 40503);
    tap_check(tessera && strcmp(tessera_version(), VERSION) == 0 && !tessera_error(tessera)[0] &&
                  !tessera_device(tessera)[0],
        "a new context");
    check_images(tessera);
    check_refusals(tessera);
    check_order(tessera);
    check_normals(tessera);
    check_stops(tessera, "auto");
    check_stops(tessera, "cpu");
    check_stopped_search(tessera);
    check_stop_in_kernel(tessera, "auto");
    check_stop_in_kernel(tessera, "cpu");
    tessera_set_device(tessera, "auto");
    check_tools();
    check_next_job(tessera);
    tessera_free(tessera);
    tessera_free(NULL);
    check_threads();
    return tap_finish();
}
