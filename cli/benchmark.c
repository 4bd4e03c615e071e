#include <stdlib.h>

#include "cli/cli.h"
#include "kernels/device/clock.h"

#define RUNS 5

static int compare_doubles(const void *a, const void *b)
{
    const double difference = *(const double *)a - *(const double *)b;
    return (difference > 0) - (difference < 0);
}

static double median(double values[RUNS])
{
    qsort(values, RUNS, sizeof(*values), compare_doubles);
    return values[RUNS / 2];
}

/* Times RUNS runs of a row's stage and reference, after one of each that is not counted. */
static int time_row(struct run *run, const struct benchmark_row *row, void *state,
    struct timing *timing, double *reference)
{
    const struct stage *const stages[] = {row->stage, NULL};
    double wall[RUNS], kernel[RUNS], transfer[RUNS], sequential[RUNS];
    for (int i = -1; i < RUNS; i++) {
        const int rc = pipeline_run(run, stages, state);
        if (rc)
            return rc;
        const double start = clock_seconds();
        row->reference(state);
        if (i < 0)
            continue;
        sequential[i] = clock_seconds() - start;
        wall[i] = run->timings[0].wall;
        kernel[i] = run->timings[0].device.kernel;
        transfer[i] = run->timings[0].device.transfer;
    }
    *timing = (struct timing){row->stage->name, median(wall), {median(kernel), median(transfer)}};
    *reference = median(sequential);
    return 0;
}

int benchmark(struct cli *cli, const struct benchmark_row *rows, void *state, json_t *result)
{
    json_t *table = json_array();
    json_object_set_new(result, "benchmark", table);
    if (!cli->json)
        printf("%-10s %12s %12s %12s %12s %9s %9s\n", "stage", "reference ms", "device ms",
            "kernel ms", "copy ms", "speedup", "kernel's");
    for (const struct benchmark_row *row = rows; row->stage; row++) {
        struct timing timing;
        double reference;
        const int rc = time_row(&cli->run, row, state, &timing, &reference);
        if (rc)
            return rc;
        const double kernel = timing.device.kernel, transfer = timing.device.transfer;
        json_array_append_new(
            table, json_pack("{s:s, s:f, s:f, s:f, s:f, s:f, s:f}", "stage", timing.stage,
                       "reference_s", reference, "device_s", timing.wall, "kernel_s", kernel,
                       "transfer_s", transfer, "speedup", reference / timing.wall, "kernel_speedup",
                       kernel > 0 ? reference / kernel : 0.0));
        if (!cli->json)
            printf("%-10s %12.4f %12.4f %12.4f %12.4f %9.1f %9.1f\n", timing.stage, 1e3 * reference,
                1e3 * timing.wall, 1e3 * kernel, 1e3 * transfer, reference / timing.wall,
                kernel > 0 ? reference / kernel : 0.0);
    }
    return 0;
}
