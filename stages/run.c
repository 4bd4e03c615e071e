#include "stages/run.h"

#include <assert.h>
#include <omp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/device/clock.h"

void run_notice(struct run *run, int is_warning, const char *format, ...)
{
    struct error line;
    va_list arguments;
    if (!run->notice)
        return;
    va_start(arguments, format);
    vsnprintf(line.text, sizeof(line.text), format, arguments);
    va_end(arguments);
    if (is_warning && run->is_alone && ranks_warn(run, line.text))
        return;
    run->notice(run->context, is_warning, line.text);
}

void run_plan(struct run *run, const struct weight *weights, int count)
{
    struct outlook *outlook = &run->outlook;
    assert(count <= MAX_STAGES);
    if (outlook->start <= 0)
        outlook->start = clock_seconds();
    else
        outlook->planned_share = run_overall(run, 0);
    outlook->planned_after = outlook->passed;
    outlook->left = 0;
    outlook->count = count;
    for (int i = 0; i < count; i++) {
        outlook->weights[i] = weights[i];
        outlook->left += weights[i].seconds;
    }
}

void run_round(struct run *run, uint32_t frame, uint32_t first, uint32_t last)
{
    struct outlook *outlook = &run->outlook;
    snprintf(run->part, sizeof(run->part), "frame %u of %u", frame - first + 1, last - first + 1);
    if (outlook->start <= 0)
        outlook->start = clock_seconds();
    outlook->round = frame - first;
    outlook->rounds = last - first + 1;
}

/* A stage that nobody has foreseen counts nothing, and its time does not either. */
static void begin_outlook(struct outlook *outlook, const struct stage *stage)
{
    int at = 0;
    while (at < outlook->count && outlook->weights[at].stage != stage)
        at++;
    outlook->running = 0;
    if (at == outlook->count)
        return;
    outlook->running = outlook->weights[at].seconds;
    outlook->count -= at + 1;
    memmove(outlook->weights, outlook->weights + at + 1,
        (size_t)outlook->count * sizeof(*outlook->weights));
    outlook->left = 0;
    for (int i = 0; i < outlook->count; i++)
        outlook->left += outlook->weights[i].seconds;
}

static void end_outlook(struct outlook *outlook, double start, double end)
{
    if (outlook->start > 0 && outlook->rounds <= 1 && outlook->running <= 0)
        outlook->start += end - (start > outlook->start ? start : outlook->start);
    outlook->passed += outlook->running;
    outlook->running = 0;
}

double run_overall(const struct run *run, double share)
{
    const struct outlook *outlook = &run->outlook;
    const double passed = outlook->passed - outlook->planned_after;
    const double whole = passed + outlook->running + outlook->left;
    if (outlook->rounds > 1)
        return (double)outlook->round / outlook->rounds;
    if (whole <= 0)
        return -1;
    return outlook->planned_share +
           (1 - outlook->planned_share) * (passed + share * outlook->running) / whole;
}

double run_left(const struct run *run, double share)
{
    const struct outlook *outlook = &run->outlook;
    const int is_frames = outlook->rounds > 1;
    const double now = is_frames || outlook->running > 0 ? clock_seconds() : run->stage_start;
    const double done = is_frames ? outlook->round : outlook->passed + share * outlook->running;
    const double left = is_frames ? outlook->rounds - outlook->round
                                  : (1 - share) * outlook->running + outlook->left;
    return done > 0 ? (now - outlook->start) * left / done : -1;
}

void run_leave_out(struct run *run, const char *what)
{
    if (!run->has_told_stop)
        run_notice(run, 1, "stopped; %s", what);
    run->is_finishing = run->has_told_stop = 1;
}

int run_progress(struct run *run, double share)
{
    run->done = share;
    if (ranks_stop(run, run->progress && run->progress(run->context, run->stage, share))) {
        if (!run->has_answer)
            return error_set(&run->error, ERROR_STOPPED, "stopped");
        run->is_finishing = 1;
    }
    return ranks_check(run);
}

int run_progress_part(struct run *run, uint32_t *done, uint32_t count)
{
    uint32_t number;
#pragma omp atomic capture
    number = ++*done;
    return omp_get_thread_num() == 0 ? run_progress(run, (double)number / count) : 0;
}

static int report_share(void *context, double share)
{
    struct run *run = context;
    const double launch = run->launch_to - run->launch_from;
    return run_progress(run, run->launch_from + launch * share) != 0;
}

#define MAPPED_AROUND ((size_t)2 << 20) /* a byte that is touched, by Linux, at most */

/* A group reads in one place and writes in another. */
static void pass_group(void *context)
{
    const struct run *run = context;
    scratch_pass(run->scratch, 2 * MAPPED_AROUND);
}

static int report_part(void *context, double share)
{
    struct run *run = context;
    return run_progress(run, (run->watch_part + share) / run->watch_parts) != 0;
}

const struct progress *run_watch_part(struct run *run, int part, int parts)
{
    run->watch = (struct progress){report_part, run};
    run->watch_part = part;
    run->watch_parts = parts;
    return &run->watch;
}

const struct progress *run_watch(struct run *run)
{
    return run_watch_part(run, 0, 1);
}

static int is_auto(const struct run *run)
{
    return !run->device_id || strcmp(run->device_id, "auto") == 0;
}

/* An event that there is no memory for is left out. */
static void keep_event(struct run *run, const char *name, double start, double end, int is_device)
{
    if (!run->keeps_events)
        return;
    if (run->event_count == run->event_capacity) {
        const size_t capacity = run->event_capacity ? 2 * run->event_capacity : 64;
        struct event *events = realloc(run->events, capacity * sizeof(*events));
        if (!events)
            return;
        run->events = events;
        run->event_capacity = capacity;
    }
    run->events[run->event_count++] = (struct event){name, start, end, is_device};
}

/* Opens the device, or chooses one; in the thread that starts it, or where none does. */
static void *open_device(void *context)
{
    struct starting *s = context;
    s->start = clock_seconds();
    s->rc =
        s->id ? device_open(s->id, s->turn, s->threads, &s->device, &s->error)
              : device_open_auto(&s->work, s->turn, s->threads, &s->device, &s->reason, &s->error);
    s->end = clock_seconds();
    return NULL;
}

static void set_starting(struct run *run, const struct workload *work)
{
    run->starting = (struct starting){.id = is_auto(run) ? NULL : run->device_id,
        .turn = run->turn,
        .threads = run->threads,
        .work = *work};
}

void run_expect(struct run *run, const struct workload *work)
{
    struct starting *s = &run->starting;
    if (run->device.backend || s->is_going)
        return;
    set_starting(run, work);
    s->is_going = pthread_create(&s->thread, NULL, open_device, s) == 0;
}

/* Waits for a device that starts. */
static void join_starting(struct run *run)
{
    struct starting *s = &run->starting;
    if (s->is_going) {
        pthread_join(s->thread, NULL);
        keep_event(run, "device", s->start, s->end, 1);
    }
    s->is_going = 0;
    run->device = s->device;
    s->device = (struct device){0};
}

int run_device(struct run *run, const struct workload *work)
{
    struct starting *s = &run->starting;
    if (!run->device.backend) {
        if (!s->is_going) {
            set_starting(run, work);
            open_device(s);
        }
        join_starting(run);
        if (s->rc) {
            run->error = s->error;
            return s->rc;
        }
        if (!s->id)
            run_notice(run, 0, "%s", s->reason.text);
    }
    run->device.progress = report_share;
    run->device.after_group = run->scratch ? pass_group : NULL;
    run->device.context = run;
    return 0;
}

/* From now on the run frees it. */
static void keep_buffer(struct run *run, struct buffer *buffer)
{
    for (int i = 0; i < run->buffer_count; i++)
        if (run->buffers[i].buffer == buffer)
            return;
    assert(run->buffer_count < MAX_BUFFERS);
    *buffer = (struct buffer){0};
    run->buffers[run->buffer_count++] = (struct run_buffer){buffer, run->stage};
}

int run_buffer(struct run *run, struct buffer *buffer, size_t size, void *host)
{
    keep_buffer(run, buffer);
    const int is_own = buffer->memory && !buffer->borrowed && !buffer->mapped;
    const int fits = size <= buffer->room && size >= buffer->room / 8 * 7;
    if (is_own && fits && !(host && run->device.shares_memory)) {
        buffer->size = size;
        return 0;
    }
    buffer_free(buffer);
    return buffer_new(&run->device, size, host, buffer, &run->error);
}

int run_map(struct run *run, struct buffer *buffer, void *host, size_t size)
{
    keep_buffer(run, buffer);
    if (buffer->mapped == host && buffer->size == size)
        return 0;
    buffer_free(buffer);
    return buffer_map(&run->device, host, size, buffer, &run->error);
}

int run_finish(struct run *run)
{
    return device_finish(&run->device, &run->timing->device, &run->error);
}

void run_buffers_free(struct run *run)
{
    for (int i = 0; i < run->buffer_count; i++)
        buffer_free(run->buffers[i].buffer);
    run->buffer_count = 0;
}

static void *close_in_thread(void *context)
{
    struct closing *c = context;
    device_close(&c->device);
    return NULL;
}

int run_release_device(struct run *run)
{
    struct closing *c = &run->closing;
    if (!run->device.backend || run->device.shares_memory || c->is_going)
        return 0;
    const int rc = run_finish(run);
    if (rc)
        return rc;
    run_buffers_free(run);
    c->device = run->device;
    c->is_going = pthread_create(&c->thread, NULL, close_in_thread, c) == 0;
    if (c->is_going)
        run->device.backend = NULL;
    return 0;
}

static void close_device(struct run *run)
{
    run_buffers_free(run);
    if (run->starting.is_going)
        join_starting(run);
    if (run->closing.is_going)
        pthread_join(run->closing.thread, NULL);
    run->closing = (struct closing){0};
    device_close(&run->device);
}

void run_end(struct run *run)
{
    close_device(run);
    free(run->events);
    run->events = NULL;
    run->event_count = run->event_capacity = 0;
}

int run_end_snapshot(struct run *run, const struct stage *stage, struct image *snapshot, int rc)
{
    struct device_times not_the_stages = {0};
    if (rc == 0)
        rc = run->snapshot(run, stage, (int)(run->timing - run->timings) + 1, snapshot);
    image_free(snapshot);
    if (rc == 0 && run->device.backend)
        rc = device_finish(&run->device, &not_the_stages, &run->error);
    return rc;
}

/* The times of a stage that has run before are added to. */
static struct timing *find_timing(struct run *run, const struct stage *stage)
{
    int i = 0;
    while (i < run->stage_count && strcmp(run->timings[i].stage, stage->name) != 0)
        i++;
    assert(i < MAX_STAGES);
    if (i == run->stage_count)
        run->timings[run->stage_count++] = (struct timing){.stage = stage->name};
    return &run->timings[i];
}

int run_begin_stage(struct run *run, const struct stage *stage)
{
    run->stage_start = clock_seconds();
    run->timing = find_timing(run, stage);
    run->stage = stage->name;
    run->launch_from = 0;
    run->launch_to = 1;
    begin_outlook(&run->outlook, stage);
    return run_progress(run, 0);
}

int run_end_stage(struct run *run, int rc)
{
    if (rc == 0 && run->device.backend)
        rc = run_finish(run);
    const double end = clock_seconds();
    run->timing->wall += end - run->stage_start;
    end_outlook(&run->outlook, run->stage_start, end);
    keep_event(run, run->stage, run->stage_start, end, 0);
    return rc;
}

void run_start(struct run *run)
{
    run->stage_count = 0;
    run->event_count = 0;
    run->has_answer = run->is_finishing = run->has_told_stop = 0;
    run->part[0] = 0;
    run->outlook = (struct outlook){0};
    if (!is_auto(run))
        run_expect(run, &(struct workload){0});
}

int run_falls_back(struct run *run, int rc)
{
    if (rc != ERROR_DEVICE || !is_auto(run) || run->device.backend == &CPU_BACKEND)
        return 0;
    struct error warning;
    error_write(&warning, "%.900s; going on with the CPU", run->error.text);
    if (!ranks_warn(run, warning.text))
        run_notice(run, 1, "%s", warning.text);
    close_device(run);
    run->device_id = "cpu";
    return 1;
}
