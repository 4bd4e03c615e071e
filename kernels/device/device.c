#include "kernels/device/device.h"

#include <assert.h>
#include <math.h>
#include <omp.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define COPY_BYTES ((size_t)1 << 16) /* that a thread copies at a time */
#define COPY_PARTS 4                 /* from which other threads are woken */
#define PAGE 4096                    /* bytes, the least that Linux maps at a touch */

static const struct kind {
    const char *name;
    const struct backend *backend; /* NULL where the program was built without it */
} KINDS[] = {
#define KIND_ROW(name, table, is_built) {#name, (is_built) ? &(table) : NULL},
    DEVICE_KINDS(KIND_ROW)};
static const int KIND_COUNT = sizeof(KINDS) / sizeof(KINDS[0]);

/* Drivers are not all safe where several threads start or end them at once. */
static pthread_mutex_t drivers = PTHREAD_MUTEX_INITIALIZER;

struct words device_kinds(void)
{
    struct words kinds = {0};
    for (int i = 0; i < KIND_COUNT; i++)
        words_add(&kinds, KINDS[i].name);
    return kinds;
}

static int list_kind(
    const struct backend *backend, struct device_info *infos, int capacity, struct error *error)
{
    pthread_mutex_lock(&drivers);
    const int count = backend->list(infos, capacity, error);
    pthread_mutex_unlock(&drivers);
    return count;
}

int device_list(struct device_info infos[DEVICE_LIMIT])
{
    struct error ignored;
    int count = 0;
    for (int i = 0; i < KIND_COUNT; i++)
        if (KINDS[i].backend)
            count += list_kind(KINDS[i].backend, infos + count, DEVICE_LIMIT - count, &ignored);
    return count;
}

/* Splits "cuda:1" into its backend and index, which is -1 in "cuda". */
static int parse_id(const char *id, const struct backend **backend, int *index, struct error *error)
{
    const size_t length = strcspn(id, ":");
    const struct words kinds = device_kinds();
    char kind[WORDS_LETTERS];
    *index = -1;
    for (int i = 0; i < KIND_COUNT; i++) {
        if (strlen(KINDS[i].name) != length || strncmp(KINDS[i].name, id, length) != 0)
            continue;
        if (!KINDS[i].backend)
            return error_set(error, ERROR_INPUT,
                "cannot use device '%s': this program was built without it", id);
        *backend = KINDS[i].backend;
        if (!id[length])
            return 0;
        char *end;
        const long number = strtol(id + length + 1, &end, 10);
        if (id[length + 1] >= '0' && id[length + 1] <= '9' && !*end && number <= INT32_MAX) {
            *index = (int)number;
            return 0;
        }
    }
    snprintf(kind, sizeof(kind), "%.*s", (int)length, id);
    return error_set(error, ERROR_USAGE,
        "unknown device '%s'; use auto, %s, or one of these by its number, as in cpu:0%s", id,
        words_join(&kinds, " or ").text, words_suggest(&kinds, "", kind).text);
}

int device_open(const char *id, int turn, int threads, struct device *device, struct error *error)
{
    struct device_info infos[DEVICE_LIMIT];
    struct error reason = {"there is none"};
    const struct backend *backend = NULL;
    int index;
    int rc = parse_id(id, &backend, &index, error);
    if (rc)
        return rc;
    const int count = list_kind(backend, infos, DEVICE_LIMIT, &reason);
    if (index < 0)
        index = count ? device_find(id, turn, infos, count) : 0;
    if (index >= count && count == 0)
        return error_set(
            error, ERROR_INPUT, "cannot use device '%s': %.400s; use cpu", id, reason.text);
    if (index >= count)
        return error_set(error, ERROR_INPUT, "cannot use device '%s': the last one is '%s'", id,
            infos[count - 1].id);
    *device = (struct device){.backend = backend,
        .info = infos[index],
        .threads = threads ? threads : omp_get_max_threads()};
    pthread_mutex_lock(&drivers);
    rc = backend->open(device, index, &reason);
    pthread_mutex_unlock(&drivers);
    if (rc) {
        *device = (struct device){0};
        return error_set(error, rc, "cannot open device '%s' (%s): %.400s", infos[index].id,
            infos[index].name, reason.text);
    }
    return 0;
}

double device_seconds(const struct device_cost *cost, const struct workload *work)
{
    return cost->start_seconds + work->bytes / cost->bytes_a_second +
           work->cpu_seconds / cost->processors;
}

int device_fastest(const struct device_info *infos, int count, const struct workload *work)
{
    int fastest = -1;
    for (int i = 0; i < count; i++)
        if (infos[i].is_gpu && infos[i].cost.processors > 0 &&
            (fastest < 0 ||
                device_seconds(&infos[i].cost, work) < device_seconds(&infos[fastest].cost, work)))
            fastest = i;
    return fastest;
}

/* What the work should take on the fastest GPU that was measured; INFINITY where the program was
 * built for none. */
static double least_seconds(const struct workload *work)
{
    double least = INFINITY;
    for (int i = 0; i < KIND_COUNT; i++)
        if (KINDS[i].backend && KINDS[i].backend->best.processors > 0)
            least = fmin(least, device_seconds(&KINDS[i].backend->best, work));
    return least;
}

/* Of the GPUs that are like the one at `first`, the one whose turn it is. */
static int take_turn(const struct device_info *infos, int count, int first, int turn)
{
    const size_t kind = strcspn(infos[first].id, ":");
    int alike[DEVICE_LIMIT], found = 0;
    for (int i = first; i < count; i++)
        if (infos[i].is_gpu && strcmp(infos[i].name, infos[first].name) == 0 &&
            strncmp(infos[i].id, infos[first].id, kind + 1) == 0)
            alike[found++] = i;
    return alike[turn % found];
}

int device_find(const char *id, int turn, const struct device_info *infos, int count)
{
    const struct workload much = {.cpu_seconds = 1e9};
    const size_t length = id ? strlen(id) : 0;
    int alike[DEVICE_LIMIT], found = 0;
    if (!id) {
        const int fastest = device_fastest(infos, count, &much);
        return fastest < 0 ? (count ? 0 : -1) : take_turn(infos, count, fastest, turn);
    }
    for (int i = 0; i < count; i++) {
        if (strcmp(infos[i].id, id) == 0)
            return i;
        if (strncmp(infos[i].id, id, length) == 0 && infos[i].id[length] == ':' &&
            (!found || (infos[alike[0]].is_gpu && infos[i].is_gpu)))
            alike[found++] = i;
    }
    return found ? alike[turn % found] : -1;
}

/* Opens the GPU that should finish soonest, of several alike the one whose turn it is, or the next
 * where that cannot be opened, as long as it needs less than `most` seconds. `seconds` gets the
 * estimate of the last one that was considered.
 * Returns 1, 0 where the CPU is as fast, or -1 where no GPU can be used. */
static int open_gpu(const struct workload *work, double most, int turn, int threads,
    struct device *device, double *seconds)
{
    struct device_info infos[DEVICE_LIMIT];
    struct error ignored;
    const int count = device_list(infos);
    for (int i; (i = device_fastest(infos, count, work)) >= 0; infos[i].is_gpu = 0) {
        *seconds = device_seconds(&infos[i].cost, work);
        if (*seconds >= most)
            return 0;
        i = take_turn(infos, count, i, turn);
        if (device_open(infos[i].id, 0, threads, device, &ignored) == 0)
            return 1;
    }
    return -1;
}

int device_open_auto(const struct workload *work, int turn, int threads, struct device *device,
    struct error *reason, struct error *error)
{
    const double cpu = work->cpu_seconds / (threads ? threads : omp_get_max_threads());
    double gpu = least_seconds(work);
    const int wants_gpu = cpu > gpu;
    const int has_gpu = wants_gpu ? open_gpu(work, cpu, turn, threads, device, &gpu) : 0;
    const int rc = has_gpu > 0 ? 0 : device_open(KINDS[0].name, 0, threads, device, error);
    if (rc == 0 && isfinite(gpu))
        error_write(reason, "device %s: about %.2f s on the CPU, %.2f s on a GPU%s",
            device->info.id, cpu, gpu, has_gpu < 0 ? ", but none can be used" : "");
    else if (rc == 0)
        error_write(reason, "device %s: about %.2f s on the CPU; this program was built for no GPU",
            device->info.id, cpu);
    return rc;
}

void device_close(struct device *device)
{
    pthread_mutex_lock(&drivers);
    if (device->backend)
        device->backend->close(device);
    pthread_mutex_unlock(&drivers);
    *device = (struct device){0};
}

int buffer_new(
    struct device *device, size_t size, void *host, struct buffer *buffer, struct error *error)
{
    *buffer = (struct buffer){.device = device, .size = size, .room = size};
    if (host && device->shares_memory) {
        buffer->memory = host;
        buffer->borrowed = 1;
        return 0;
    }
    const int rc = device->backend->allocate(buffer, error);
    if (rc)
        *buffer = (struct buffer){0};
    return rc;
}

void buffer_free(struct buffer *buffer)
{
    if (buffer->mapped)
        buffer->device->backend->unmap(buffer);
    else if (buffer->memory && !buffer->borrowed)
        buffer->device->backend->release(buffer);
    *buffer = (struct buffer){0};
}

int device_maps_memory(const struct device *device)
{
    return device->shares_memory || device->backend->map;
}

int buffer_map(
    struct device *device, void *host, size_t size, struct buffer *buffer, struct error *error)
{
    if (device->shares_memory)
        return buffer_new(device, size, host, buffer, error);
    *buffer = (struct buffer){.device = device, .size = size, .room = size, .mapped = host};
    const int rc = device->backend->map(buffer, error);
    if (rc)
        *buffer = (struct buffer){0};
    return rc;
}

int buffer_upload(struct buffer *buffer, const void *from, size_t size, struct error *error)
{
    if (buffer->borrowed && buffer->memory == from)
        return 0;
    buffer->device->is_busy = 1;
    return buffer->device->backend->upload(buffer, from, size, error);
}

int buffer_download(const struct buffer *buffer, void *to, size_t size, struct error *error)
{
    if (buffer->borrowed && buffer->memory == to)
        return 0;
    return buffer_download_from(buffer, 0, to, size, error);
}

int buffer_download_from(
    const struct buffer *buffer, size_t offset, void *to, size_t size, struct error *error)
{
    buffer->device->is_busy = 1;
    return buffer->device->backend->download(buffer, offset, to, size, error);
}

void device_for(
    struct device *device, int threads, int64_t count, team_function *function, void *context)
{
    if (device->team) {
        team_run(device->team, threads, count, function, NULL, context);
        return;
    }
#pragma omp parallel for if (threads > 1)
    for (int64_t i = 0; i < count; i++)
        function(context, i);
}

void memory_copy(void *to, const void *from, size_t size)
{
    const size_t parts = (size + COPY_BYTES - 1) / COPY_BYTES;
#pragma omp parallel for if (parts >= COPY_PARTS)
    for (size_t i = 0; i < parts; i++) {
        const size_t first = i * COPY_BYTES;
        memcpy((char *)to + first, (const char *)from + first,
            size - first < COPY_BYTES ? size - first : COPY_BYTES);
    }
}

void memory_touch(void *memory, size_t size)
{
#pragma omp parallel for if (size >= COPY_PARTS * COPY_BYTES)
    for (size_t i = 0; i < size; i += PAGE)
        ((unsigned char *)memory)[i] = 0;
}

int device_hold(struct device *device, struct error *error)
{
    device->is_busy = 1;
    return device->backend->hold ? device->backend->hold(device, error) : 0;
}

int device_finish(struct device *device, struct device_times *times, struct error *error)
{
    if (!device->is_busy)
        return 0;
    device->is_busy = 0;
    return device->backend->finish(device, times, error);
}
