#include <stdlib.h>

#include "cli/cli.h"
#include "kernels/device/clock.h"

#define RUNS 5

/* What is timed of a row, in seconds. */
enum measure { REFERENCE, DEVICE, KERNEL, TRANSFER, MEASURES };

static const struct {
    const char *shown, *json;
} NAMES[MEASURES] = {
    [REFERENCE] = {"the reference", "reference_s"},
    [DEVICE] = {"the device", "device_s"},
    [KERNEL] = {"  its kernels", "kernel_s"},
    [TRANSFER] = {"  its copies", "transfer_s"},
};

struct times {
    double seconds[MEASURES][RUNS];
};

static int compare_doubles(const void *a, const void *b)
{
    const double difference = *(const double *)a - *(const double *)b;
    return (difference > 0) - (difference < 0);
}

double benchmark_median(double *seconds, size_t count)
{
    qsort(seconds, count, sizeof(*seconds), compare_doubles);
    return seconds[count / 2];
}

/* Times RUNS runs of the stages and their reference, after one of each that is not counted, and
 * sorts what each measure took. */
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
    for (int i = 0; i < MEASURES; i++)
        benchmark_median(times->seconds[i], RUNS);
    return 0;
}

static double ratio(double a, double b)
{
    return b > 0 ? a / b : 0;
}

/* How many times as long the reference takes as the measure, by the medians. */
static double speedup(const struct times *times, enum measure measure)
{
    return ratio(times->seconds[REFERENCE][RUNS / 2], times->seconds[measure][RUNS / 2]);
}

/* The least times, the medians or the largest ones: those that have this number when sorted. */
static json_t *describe(const struct times *times, int number)
{
    json_t *row = json_object();
    for (int i = 0; i < MEASURES; i++)
        json_object_set_new(row, NAMES[i].json, json_real(times->seconds[i][number]));
    return row;
}

static void print_row(const char *stage, const struct times *times)
{
    for (int i = 0; i < MEASURES; i++) {
        const double *sorted = times->seconds[i];
        printf("%-10s %-13s %12.4f %12.4f %12.4f", i == 0 ? stage : "", NAMES[i].shown,
            1e3 * sorted[0], 1e3 * sorted[RUNS / 2], 1e3 * sorted[RUNS - 1]);
        if (i == DEVICE || i == KERNEL)
            printf(" %14.2f", speedup(times, i));
        printf("\n");
    }
}

int benchmark(struct cli *cli, const char *name, int (*stages)(void *context),
    int (*reference)(void *context), void *context, json_t *result)
{
    struct times times = {0};
    const int is_first = !json_object_get(result, "benchmark");
    if (run_ranks(&cli->run) > 1)
        return error_set(&cli->run.error, ERROR_USAGE,
            "a benchmark is of one process, not of %d ranks", run_ranks(&cli->run));
    if (is_first)
        json_object_set_new(result, "benchmark", json_array());
    if (is_first && !cli->json)
        printf("%-10s %-13s %12s %12s %12s %14s\n", "stage", "time of", "min ms", "median ms",
            "max ms", "times as fast");
    const int rc = time_row(&cli->run, stages, reference, context, &times);
    if (rc)
        return rc;
    json_t *row = describe(&times, RUNS / 2);
    json_object_set_new(row, "stage", json_string(name));
    json_object_set_new(row, "speedup", json_real(speedup(&times, DEVICE)));
    json_object_set_new(row, "kernel_speedup", json_real(speedup(&times, KERNEL)));
    json_object_set_new(row, "min", describe(&times, 0));
    json_object_set_new(row, "max", describe(&times, RUNS - 1));
    json_array_append_new(json_object_get(result, "benchmark"), row);
    if (!cli->json)
        print_row(name, &times);
    return 0;
}

void benchmark_tell(const struct cli *cli, const json_t *result, const char *finding)
{
    double reference = 0, device = 0;
    size_t i;
    json_t *row;
    if (cli->json)
        return;
    json_array_foreach(json_object_get(result, "benchmark"), i, row)
    {
        reference += json_real_value(json_object_get(row, NAMES[REFERENCE].json));
        device += json_real_value(json_object_get(row, NAMES[DEVICE].json));
    }
    const int is_fast = device <= reference;
    printf("%s is %.1f times as %s as the reference; %s\n", cli->run.device.info.id,
        is_fast ? ratio(reference, device) : ratio(device, reference), is_fast ? "fast" : "slow",
        finding);
}
