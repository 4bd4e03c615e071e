/* The times of stages: as a table with a chart, in JSON, as a trace. */
#include <string.h>

#include "cli/cli.h"

#define CHART_CELLS 40

/* When the first event of the run began and the last one ended. */
static void find_bounds(const struct run *run, double *start, double *end)
{
    *start = *end = run->event_count ? run->events[0].start : 0;
    for (size_t i = 0; i < run->event_count; i++) {
        *start = run->events[i].start < *start ? run->events[i].start : *start;
        *end = run->events[i].end > *end ? run->events[i].end : *end;
    }
}

/* A cell of the chart for each part of the whole time in which the stage ran; each run of it has at
 * least one. */
static void draw_bar(const struct run *run, const char *stage, char bar[CHART_CELLS + 1])
{
    double start, end;
    find_bounds(run, &start, &end);
    const double cells = end > start ? CHART_CELLS / (end - start) : 0;
    memset(bar, '.', CHART_CELLS);
    bar[CHART_CELLS] = 0;
    for (size_t i = 0; i < run->event_count; i++) {
        const struct event *event = &run->events[i];
        if (strcmp(event->name, stage) != 0)
            continue;
        const int first = (int)((event->start - start) * cells);
        const int last = (int)((event->end - start) * cells);
        for (int cell = first; cell < CHART_CELLS && cell < (last > first ? last : first + 1);
             cell++)
            bar[cell] = '#';
    }
}

/* Of all ranks that ran the stage, rank 0 among them. */
static double mean(const struct timing *timing)
{
    return (timing->wall + timing->sum) / (timing->ranks + 1);
}

static double slowest(const struct timing *timing)
{
    return timing->wall > timing->slowest ? timing->wall : timing->slowest;
}

void timings_print(const struct run *run)
{
    char bar[CHART_CELLS + 1];
    double start, end;
    find_bounds(run, &start, &end);
    fprintf(stderr, "%-13s %10s %10s %10s  0 to %.3f ms\n", "stage", "wall ms", "kernel ms",
        "copy ms", 1e3 * (end - start));
    for (int i = 0; i < run->stage_count; i++) {
        const struct timing *timing = &run->timings[i];
        draw_bar(run, timing->stage, bar);
        fprintf(stderr, "%-13s %10.3f %10.3f %10.3f  %s\n", timing->stage, 1e3 * timing->wall,
            1e3 * timing->device.kernel, 1e3 * timing->device.transfer, bar);
        if (timing->ranks)
            fprintf(stderr, "%13s %10.3f mean of %d ranks, %.3f of the slowest\n", "",
                1e3 * mean(timing), timing->ranks + 1, 1e3 * slowest(timing));
    }
    for (size_t i = 0; i < run->event_count; i++)
        if (run->events[i].is_device && run->device.backend != &CPU_BACKEND) {
            draw_bar(run, run->events[i].name, bar);
            fprintf(stderr, "%-13s %10.3f %10s %10s  %s\n", "device starts",
                1e3 * (run->events[i].end - run->events[i].start), "", "", bar);
        }
}

json_t *timings_describe(const struct run *run)
{
    json_t *stages = json_array();
    for (int i = 0; i < run->stage_count; i++) {
        const struct timing *timing = &run->timings[i];
        json_t *row = json_pack("{s:s, s:f, s:f, s:f}", "stage", timing->stage, "wall_s",
            timing->wall, "kernel_s", timing->device.kernel, "transfer_s", timing->device.transfer);
        if (timing->ranks)
            json_object_update_new(
                row, json_pack("{s:i, s:f, s:f}", "ranks", timing->ranks + 1, "mean_wall_s",
                         mean(timing), "slowest_wall_s", slowest(timing)));
        json_array_append_new(stages, row);
    }
    return stages;
}

int timings_trace(const struct run *run, const char *path, struct error *error)
{
    json_t *events = json_array();
    double start, end;
    find_bounds(run, &start, &end);
    for (size_t i = 0; i < run->event_count; i++) {
        const struct event *event = &run->events[i];
        json_array_append_new(
            events, json_pack("{s:s, s:s, s:I, s:I, s:i, s:i}", "name", event->name, "ph", "X",
                        "ts", (json_int_t)(1e6 * (event->start - start)), "dur",
                        (json_int_t)(1e6 * (event->end - event->start)), "pid", 1, "tid",
                        event->is_device ? 2 : 1));
    }
    json_t *trace = json_pack("{s:o}", "traceEvents", events);
    const int rc = cli_write_json(path, trace, error);
    json_decref(trace);
    return rc;
}
