/* Times level 1 of bezier alone, kernel by kernel, without sides and copies:
 *
 *   bezier_bench DEVICE [THREADS]
 *
 * reads cases from standard input, a line each:
 *
 *   METHOD PRECISION CONTROLS RESOLUTION PATCHES KIND SEED     (sep float 4 256 1 polynomial 1)
 *
 * and prints each with the milliseconds of a launch, the largest error against the reference over
 * the largest control point (of up to 64 x 64 points of the first patch), and the bytes written a
 * second in GB. Control points are random, of a side as many as CONTROLS, grids RESOLUTION x
 * RESOLUTION. As Palomar et al. (2017): 10 warm-ups, the mean of 10 launches, ten times; what
 * exceeds the mean by 1.96 standard deviations is dropped. Slow cases (RUN_SECONDS) have fewer
 * launches. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/device/clock.h"
#include "random.h"
#include "stages/bezier/chunk.h"
#include "stages/bezier/reference.h"

#define SAMPLES 10
#define RUN_SECONDS 0.02 /* of a launch, above which there is one a sample */

static const char *const METHODS[] = {"sep", "mle", "brf", "mat3", "mat4", "casteljau", "direct"};

struct test_case {
    char method[16], precision[16], kind[16];
    int controls, resolution, patches;
    unsigned long long seed;
};

/* Random floats from -0.5 to 0.5, weights from 0.5 to 1.5; of patches after the first the same. */
static int make_patches(const struct test_case *test, struct patches *patches)
{
    const size_t count = (size_t)test->patches, net = (size_t)test->controls * test->controls;
    const int is_rational = strcmp(test->kind, "rational") == 0;
    uint64_t state = test->seed;
    *patches = (struct patches){.count = count,
        .patches = calloc(count, sizeof(*patches->patches)),
        .controls = malloc(net * sizeof(*patches->controls)),
        .control_count = net};
    if (!patches->patches || !patches->controls)
        return 0;
    for (size_t i = 0; i < net; i++) {
        double *p = patches->controls[i];
        for (int c = 0; c < 3; c++)
            p[c] = (double)(random_unit(&state) - 0.5f);
        p[3] = is_rational ? (double)(0.5f + random_unit(&state)) : 1;
        for (int c = 0; c < 3; c++)
            p[c] *= p[3];
    }
    for (size_t i = 0; i < count; i++)
        patches->patches[i] = (struct patch){.kind = is_rational ? KIND_RATIONAL : KIND_TENSOR,
            .degree_u = test->controls - 1,
            .degree_v = test->controls - 1,
            .control_count = net};
    return 1;
}

static double find_error(const struct bezier *b, const void *points)
{
    const double size = (double)reference_magnitude(&b->patches, b->patches.patches);
    const uint32_t last = b->result.points_u - 1, step = last / 64 + 1;
    double largest = 0;
    for (uint32_t i = 0; i <= last; i += step)
        for (uint32_t j = 0; j <= last; j += step) {
            struct reference_point exact;
            reference_point(&b->patches, b->patches.patches, (long double)i / last,
                (long double)j / last, &exact);
            for (size_t c = 0; c < 3; c++)
                largest = fmax(
                    largest, fabs(number_get(points, 3 * ((size_t)i * b->result.points_v + j) + c,
                                      b->options.precision) -
                                  (double)exact.position[c]));
        }
    return largest / size;
}

static double seconds_of(struct run *run, const struct bezier *b, const struct chunk *chunk,
    const struct buffer *const buffers[5], int launches, int *rc)
{
    struct device_times times = {0};
    for (int i = 0; i < launches && *rc == 0; i++)
        *rc = chunk_launch(&run->device, b, chunk, buffers, &run->error);
    if (*rc == 0)
        *rc = device_finish(&run->device, &times, &run->error);
    return times.kernel / launches;
}

static double measure(struct run *run, const struct bezier *b, const struct chunk *chunk,
    const struct buffer *const buffers[5], int *rc)
{
    double samples[SAMPLES], sum = 0, squares = 0, kept = 0;
    const int is_slow = seconds_of(run, b, chunk, buffers, 1, rc) > RUN_SECONDS;
    if (!is_slow)
        seconds_of(run, b, chunk, buffers, SAMPLES, rc);
    for (int i = 0; i < SAMPLES; i++) {
        samples[i] = seconds_of(run, b, chunk, buffers, is_slow ? 1 : SAMPLES, rc);
        sum += samples[i];
        squares += samples[i] * samples[i];
    }
    const double mean = sum / SAMPLES, spread = sqrt(fmax(0, squares / SAMPLES - mean * mean));
    int count = 0;
    for (int i = 0; i < SAMPLES; i++)
        if (samples[i] <= mean + 1.96 * spread) {
            kept += samples[i];
            count++;
        }
    return kept / count;
}

static int run_case(struct run *run, const struct test_case *test)
{
    struct bezier b = {.options = {.resolution_u = (uint32_t)test->resolution,
                           .resolution_v = (uint32_t)test->resolution,
                           .precision = strcmp(test->precision, "double") == 0}};
    struct chunk chunk = {0};
    const struct buffer *buffers[5] = {
        &b.nets_buffer, &b.basis_u_buffer, &b.basis_v_buffer, &b.points_buffer, &b.counter};
    void *points = NULL;
    double seconds = 0;
    for (size_t i = 0; i < sizeof(METHODS) / sizeof(METHODS[0]); i++)
        if (strcmp(METHODS[i], test->method) == 0)
            b.options.method = (enum evaluation)i;
    int rc = make_patches(test, &b.patches) ? bezier_run_stage(run, &MOVE, &b) : ERROR_INPUT;
    if (rc == 0)
        rc = bezier_run_stage(run, &BINOMIALS, &b);
    if (rc == 0)
        rc = bezier_run_stage(run, &BASES, &b);
    if (rc == 0) {
        chunk.batch = b.batches;
        chunk.end = b.batches->count;
        chunk_next(&b, &chunk);
    }
    const size_t size = chunk_points_size(&b, &chunk);
    if (rc == 0) {
        chunk_plan(&run->device, &b, &chunk);
        buffers[1] = chunk.has_pairs ? &b.folded_buffer : &b.basis_u_buffer;
        rc = chunk_upload_nets(
            run, &b, &chunk, batch_has_powers(&b, b.batches) ? NET_POWERS : NET_CONTROLS, NULL);
    }
    if (rc == 0 && b.options.method == EVALUATION_MAT3) {
        rc = chunk_upload_matrix(run, &b, chunk.batch->order_u, &b.basis_u_buffer, &b.in_u);
        if (rc == 0)
            rc = chunk_upload_matrix(run, &b, chunk.batch->order_v, &b.basis_v_buffer, &b.in_v);
    } else if (rc == 0) {
        rc = chunk_upload_bases(run, &b, &chunk);
    }
    if (rc == 0)
        rc = run_buffer(run, &b.counter, BEZIER_LIST_BYTES, NULL);
    if (rc == 0)
        rc = run_buffer(run, &b.points_buffer, size, NULL);
    if (rc == 0)
        seconds = measure(run, &b, &chunk, buffers, &rc);
    const size_t first = size / chunk.count;
    if (rc == 0) {
        points = malloc(first);
        rc = points ? buffer_download_from(&b.points_buffer, 0, points, first, &run->error)
                    : ERROR_INPUT;
    }
    if (rc == 0)
        printf("%s %s %d %d %d %s %.6f %.3g %.1f\n", test->method, test->precision, test->controls,
            test->resolution, test->patches, test->kind, 1e3 * seconds, find_error(&b, points),
            1e-9 * (double)size / seconds);
    fflush(stdout);
    run_buffers_free(run);
    bezier_end(&b);
    free(points);
    return rc;
}

int main(int argc, char **argv)
{
    struct run run = {
        .device_id = argc > 1 ? argv[1] : "cpu", .threads = argc > 2 ? atoi(argv[2]) : 0};
    const struct workload work = {0};
    struct test_case test;
    int rc = run_device(&run, &work);
    while (
        rc == 0 && scanf("%15s %15s %d %d %d %15s %llu", test.method, test.precision,
                       &test.controls, &test.resolution, &test.patches, test.kind, &test.seed) == 7)
        rc = run_case(&run, &test);
    run_end(&run);
    if (rc)
        fprintf(stderr, "bezier_bench: %s\n", run.error.text);
    return rc != 0;
}
