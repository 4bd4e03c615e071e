#include "stages/pipeline.h"

#include <assert.h>
#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>

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
    run->notice(run->context, is_warning, line.text);
}

int run_progress(struct run *run, double share)
{
    char label[128];
    snprintf(label, sizeof(label), "%s%s%s", run->part, run->part[0] ? ": " : "", run->stage);
    if (run->progress && run->progress(run->context, label, share) && !run->is_finishing)
        return error_set(&run->error, ERROR_STOPPED, "stopped");
    return 0;
}

static int report_share(void *context, double share)
{
    return run_progress(context, share) != 0;
}

const struct progress *run_watch(struct run *run)
{
    run->watch = (struct progress){report_share, run};
    return &run->watch;
}

static int is_auto(const struct run *run)
{
    return !run->device_id || strcmp(run->device_id, "auto") == 0;
}

int run_device(struct run *run, const struct workload *work)
{
    struct error reason;
    int rc;
    if (run->device.backend)
        return 0;
    if (is_auto(run))
        rc = device_open_auto(work, run->threads, &run->device, &reason, &run->error);
    else
        rc = device_open(run->device_id, run->threads, &run->device, &run->error);
    if (rc)
        return rc;
    if (is_auto(run))
        run_notice(run, 0, "%s", reason.text);
    run->device.progress = report_share;
    run->device.context = run;
    return 0;
}

/* From now on the run frees it. */
static int keep_buffer(struct run *run, struct buffer *buffer)
{
    for (int i = 0; i < run->buffer_count; i++)
        if (run->buffers[i] == buffer)
            return 0;
    if (run->buffer_count == MAX_BUFFERS)
        return error_set(&run->error, ERROR_INPUT, "more than %d buffers", MAX_BUFFERS);
    *buffer = (struct buffer){0};
    run->buffers[run->buffer_count++] = buffer;
    return 0;
}

int run_buffer(struct run *run, struct buffer *buffer, size_t size, void *host)
{
    const int rc = keep_buffer(run, buffer);
    const int is_own = !buffer->borrowed && !buffer->mapped;
    if (rc || (buffer->size == size && is_own && !(host && run->device.shares_memory)))
        return rc;
    buffer_free(buffer);
    return buffer_new(&run->device, size, host, buffer, &run->error);
}

int run_map(struct run *run, struct buffer *buffer, void *host, size_t size)
{
    const int rc = keep_buffer(run, buffer);
    if (rc || (buffer->mapped == host && buffer->size == size))
        return rc;
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
        buffer_free(run->buffers[i]);
    run->buffer_count = 0;
}

void run_end(struct run *run)
{
    run_buffers_free(run);
    device_close(&run->device);
}

int pipeline_picture_path(const char *folder, const struct stage *stage, int number,
    char path[PATH_MAX], struct error *error)
{
    if (snprintf(path, PATH_MAX, "%s/%d-%s.png", folder, number, stage->name) < PATH_MAX)
        return 0;
    return error_set(
        error, ERROR_INPUT, "the name of folder '%.100s...' is too long; choose another", folder);
}

static int save_picture(struct run *run, const struct stage *stage, int number, void *state)
{
    struct image picture = {0};
    struct device_times not_the_stages = {0};
    char path[PATH_MAX];
    int rc = pipeline_picture_path(run->save_stages, stage, number, path, &run->error);
    if (rc == 0)
        rc = stage->picture(run, state, &picture);
    if (rc == 0)
        rc = image_write(path, NULL, &picture, run_watch(run), &run->error);
    image_free(&picture);
    if (rc == 0 && run->device.backend)
        rc = device_finish(&run->device, &not_the_stages, &run->error);
    return rc;
}

static int run_stage(struct run *run, const struct stage *stage, int index, void *state)
{
    assert(index < MAX_STAGES);
    struct timing *timing = &run->timings[index];
    const double start = clock_seconds();
    if (index == run->stage_count)
        run->timings[run->stage_count++] = (struct timing){.stage = stage->name};
    run->stage = stage->name;
    run->timing = timing;
    int rc = run_progress(run, 0);
    if (rc == 0)
        rc = stage->run(run, state);
    if (rc >= 0 && run->device.backend) {
        const int finished = run_finish(run);
        rc = finished ? finished : rc;
    }
    timing->wall += clock_seconds() - start;
    if (rc == 0 && run->save_stages && stage->picture)
        rc = save_picture(run, stage, index + 1, state);
    return rc;
}

static int find_stage(const struct stage *const *stages, const struct stage *stage)
{
    int index = 0;
    while (stages[index] && stages[index] != stage)
        index++;
    assert(stages[index]);
    return index;
}

int pipeline_run(struct run *run, const struct stage *const *stages, void *state)
{
    const struct stage *const *table = stages;
    int rc = 0, before = 0; /* stages of the tables before this one */
    run->stage_count = 0;
    run->is_finishing = 0;
    run->part[0] = 0;
    if (run->save_stages && mkdir(run->save_stages, 0777) != 0 && errno != EEXIST)
        return error_set(&run->error, ERROR_INPUT, "cannot make folder '%s': %s", run->save_stages,
            strerror(errno));
    for (int i = 0; rc >= 0 && table[i];) {
        const struct stage *stage = table[i];
        rc = run_stage(run, stage, before + i, state);
        if (rc == STAGE_AGAIN) {
            i = find_stage(table, stage->again);
        } else if (rc == 0 && stage->next) {
            before += i + 1;
            table = stage->next(state);
            i = 0;
        } else {
            i++;
        }
    }
    if (rc == ERROR_DEVICE && is_auto(run) && run->device.backend != &CPU_BACKEND) {
        run_notice(run, 1, "%.900s; going on with the CPU", run->error.text);
        run_end(run);
        run->device_id = "cpu";
        return pipeline_run(run, stages, state);
    }
    return rc;
}
