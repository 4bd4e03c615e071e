#include "cli/bezier_benchmark.h"

#include <float.h>
#include <math.h>

#include "kernels/device/clock.h"
#include "stages/bezier/reference.h"

#define SWEEP_STEP 5 /* percent */
#define SWEEP_RUNS 5

/* What is timed. */
struct subject {
    struct cli *cli;
    struct bezier *bezier;
    double largest_error; /* of the points, over the size of the patch */
};

/* The same points in long double, one after the other; leaves the largest difference. */
static int make_reference(void *context)
{
    struct subject *subject = context;
    const struct bezier *b = subject->bezier;
    subject->largest_error = 0;
    subject->cli->run.stage = "reference";
    for (size_t i = 0; i < b->batch_count; i++) {
        const struct batch *batch = &b->batches[i];
        for (size_t j = 0; j < batch->count; j++) {
            const struct patch *patch = &b->patches.patches[batch->members[j]];
            const double size = (double)reference_magnitude(&b->patches, patch);
            size_t point = batch->first_point + j * batch->rows * batch->columns;
            for (uint32_t r = 0; r < b->result.points_u; r++)
                for (uint32_t s = 0;
                     s < (batch->is_triangle ? b->result.points_u - r : b->result.points_v);
                     s++, point++) {
                    struct reference_point exact;
                    const long double last_u = b->result.points_u > 1 ? b->result.points_u - 1 : 1;
                    const long double last_v = batch->is_triangle       ? last_u
                                               : b->result.points_v > 1 ? b->result.points_v - 1
                                                                        : 1;
                    reference_point(&b->patches, patch, r / last_u, s / last_v, &exact);
                    for (size_t c = 0; c < 3; c++)
                        subject->largest_error = reference_worse(subject->largest_error,
                            fabs(number_get(b->result.points, 3 * point + c, b->options.precision) -
                                 (double)exact.position[c]) /
                                size);
                }
            const int rc = run_progress(&subject->cli->run, (double)(j + 1) / (double)batch->count);
            if (rc)
                return rc;
        }
    }
    return 0;
}

static int evaluate(void *context)
{
    struct subject *subject = context;
    return bezier_run_stage(&subject->cli->run, &EVALUATE, subject->bezier);
}

static int evaluate_first(struct run *run, struct bezier *b)
{
    run_start(run);
    int rc = bezier_run_stage(run, &PATCHES, b);
    return rc ? rc : bezier_evaluate(run, b);
}

/* All levels once; then only level 1 is timed. */
static int start(struct run *run, struct bezier *b)
{
    const int rc = evaluate_first(run, b);
    return run_falls_back(run, rc) ? evaluate_first(run, b) : rc;
}

int bezier_benchmark(
    struct cli *cli, struct bezier *b, const char *method, const char *precision, json_t *result)
{
    void (*const notice)(void *, int, const char *) = cli->run.notice;
    struct subject subject = {cli, b, 0};
    char finding[100];
    const double epsilon = b->options.precision == PRECISION_FLOAT ? FLT_EPSILON : DBL_EPSILON;
    int rc = start(&cli->run, b);
    if (rc)
        return rc;
    cli->run.notice = NULL; /* what the stages say has been said */
    if (!cli->json)
        printf("%s, %zu points by %s in %s on %s (%s); 5 runs\n", b->options.input,
            b->result.point_count, method, precision, cli->run.device.info.id,
            cli->run.device.info.name);
    rc = benchmark(cli, "evaluate", evaluate, make_reference, &subject, result);
    cli->run.notice = notice;
    if (rc)
        return rc;
    json_object_set_new(
        result, "largest_error_epsilons", json_real(subject.largest_error / epsilon));
    snprintf(finding, sizeof(finding),
        "the points differ from long double by at most %.2g epsilon of the patch's size",
        subject.largest_error / epsilon);
    benchmark_tell(cli, result, finding);
    return 0;
}

/* The median wall time of level 1. Its notices were given when it ran before, so they are left out
 * here. */
static int time_level_1(struct run *run, struct bezier *b, double *median)
{
    void (*const notice)(void *, int, const char *) = run->notice;
    double seconds[SWEEP_RUNS];
    int rc = 0;
    run->notice = NULL;
    for (int i = -1; rc == 0 && i < SWEEP_RUNS; i++) {
        const double start = clock_seconds();
        rc = bezier_run_stage(run, &EVALUATE, b);
        seconds[i < 0 ? 0 : i] = clock_seconds() - start;
    }
    run->notice = notice;
    if (rc == 0)
        *median = benchmark_median(seconds, SWEEP_RUNS);
    return rc;
}

int bezier_sweep(struct cli *cli, struct bezier *b, json_t *result)
{
    double best = INFINITY, alone = 0, seconds = 0;
    uint32_t best_share = 0;
    int rc = start(&cli->run, b);
    if (rc)
        return rc;
    json_t *table = json_array();
    json_object_set_new(result, "sweep", table);
    if (!cli->json)
        printf("%8s %12s\n", "CPU %", "ms");
    for (b->options.share = 0; b->options.share <= 100; b->options.share += SWEEP_STEP) {
        rc = time_level_1(&cli->run, b, &seconds);
        if (rc)
            return rc;
        if (b->options.share == 0)
            alone = seconds;
        if (seconds < best) {
            best = seconds;
            best_share = b->options.share;
        }
        json_array_append_new(table,
            json_pack("{s:i, s:f}", "cpu_percent", (int)b->options.share, "seconds", seconds));
        if (!cli->json)
            printf("%8u %12.4f\n", b->options.share, 1e3 * seconds);
    }
    b->options.sharing = SHARE_DYNAMIC;
    rc = time_level_1(&cli->run, b, &seconds);
    if (rc)
        return rc;
    json_object_set_new(result, "dynamic_seconds", json_real(seconds));
    json_object_set_new(result, "best_percent", json_integer(best_share));
    if (!cli->json)
        printf("%8s %12.4f, %.2f times as fast as the device alone\nbest: %u %%, %.2f times\n",
            "dynamic", 1e3 * seconds, alone / seconds, best_share, alone / best);
    return 0;
}
