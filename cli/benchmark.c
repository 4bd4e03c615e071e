#include <stdlib.h>

#include "cli/cli.h"
#include "kernels/device/clock.h"

#define RUNS 5

/* What is timed of a row, in seconds. */
enum measure { REFERENCE, DEVICE, KERNEL, TRANSFER, MEASURES };

struct times {
    double seconds[MEASURES][RUNS];
};

static int compare_doubles(const void *a, const void *b)
{
    const double difference = *(const double *)a - *(const double *)b;
    return (difference > 0) - (difference < 0);
}

static double median(const double values[RUNS])
{
    double sorted[RUNS];
    for (int i = 0; i < RUNS; i++)
        sorted[i] = values[i];
    qsort(sorted, RUNS, sizeof(*sorted), compare_doubles);
    return sorted[RUNS / 2];
}

static double mean(const double values[RUNS])
{
    double sum = 0;
    for (int i = 0; i < RUNS; i++)
        sum += values[i];
    return sum / RUNS;
}

/* Times RUNS runs of the stages and their reference, after one of each that is not counted. */
static int time_row(struct run *run, int (*stages)(void *context), int (*reference)(void *context),
    void *context, struct times *times)
{
    for (int i = -1; i < RUNS; i++) {
        const double start = clock_seconds();
        int rc = reference(context);
        const double sequential = clock_seconds() - start;
        run_start(run);
        if (rc == 0)
            rc = stages(context);
        if (rc)
            return rc;
        if (i < 0)
            continue;
        times->seconds[REFERENCE][i] = sequential;
        for (int stage = 0; stage < run->stage_count; stage++) {
            const struct timing *timing = &run->timings[stage];
            times->seconds[DEVICE][i] += timing->wall;
            times->seconds[KERNEL][i] += timing->device.kernel;
            times->seconds[TRANSFER][i] += timing->device.transfer;
        }
    }
    return 0;
}

static double ratio(double a, double b)
{
    return b > 0 ? a / b : 0;
}

static json_t *describe(const double seconds[MEASURES])
{
    return json_pack("{s:f, s:f, s:f, s:f, s:f, s:f}", "reference_s", seconds[REFERENCE],
        "device_s", seconds[DEVICE], "kernel_s", seconds[KERNEL], "transfer_s", seconds[TRANSFER],
        "speedup", ratio(seconds[REFERENCE], seconds[DEVICE]), "kernel_speedup",
        ratio(seconds[REFERENCE], seconds[KERNEL]));
}

static void print_line(const char *name, const char *kind, const double seconds[MEASURES])
{
    printf("%-10s %-6s %12.4f %12.4f %12.4f %12.4f %9.1f %9.1f\n", name, kind,
        1e3 * seconds[REFERENCE], 1e3 * seconds[DEVICE], 1e3 * seconds[KERNEL],
        1e3 * seconds[TRANSFER], ratio(seconds[REFERENCE], seconds[DEVICE]),
        ratio(seconds[REFERENCE], seconds[KERNEL]));
}

int benchmark(struct cli *cli, const char *name, int (*stages)(void *context),
    int (*reference)(void *context), void *context, json_t *result)
{
    struct times times = {0};
    double medians[MEASURES], means[MEASURES];
    const int is_first = !json_object_get(result, "benchmark");
    if (run_ranks(&cli->run) > 1)
        return error_set(&cli->run.error, ERROR_USAGE,
            "a benchmark is of one process, not of %d ranks", run_ranks(&cli->run));
    if (is_first)
        json_object_set_new(result, "benchmark", json_array());
    if (is_first && !cli->json)
        printf("%-10s %-6s %12s %12s %12s %12s %9s %9s\n", "stage", "", "reference ms", "device ms",
            "kernel ms", "copy ms", "speedup", "kernel's");
    const int rc = time_row(&cli->run, stages, reference, context, &times);
    if (rc)
        return rc;
    for (int i = 0; i < MEASURES; i++) {
        medians[i] = median(times.seconds[i]);
        means[i] = mean(times.seconds[i]);
    }
    json_t *row = describe(medians);
    json_object_set_new(row, "stage", json_string(name));
    json_object_set_new(row, "means", describe(means));
    json_array_append_new(json_object_get(result, "benchmark"), row);
    if (!cli->json) {
        print_line(name, "median", medians);
        print_line(name, "mean", means);
    }
    return 0;
}
