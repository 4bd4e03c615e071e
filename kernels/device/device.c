#include "kernels/device/device.h"

#include <assert.h>
#include <omp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Measured on an H200: opening CUDA and its context, pageable copies (docs/kernels.md). */
#define GPU_START_SECONDS 0.3
#define GPU_BYTES_A_SECOND 9e9
#define GPU_OVER_ONE_THREAD 400.0

static const struct backend *const BACKENDS[] = {
    &CPU_BACKEND,
#if HAVE_CUDA
    &CUDA_BACKEND,
#endif
#if HAVE_OPENCL
    &OPENCL_BACKEND,
#endif
};
static const int BACKEND_COUNT = sizeof(BACKENDS) / sizeof(BACKENDS[0]);

int device_list(struct device_info infos[DEVICE_LIMIT])
{
    struct error ignored;
    int count = 0;
    for (int i = 0; i < BACKEND_COUNT; i++)
        count += BACKENDS[i]->list(infos + count, DEVICE_LIMIT - count, &ignored);
    return count;
}

/* Splits "cuda:1" into its backend and index; "cuda" is "cuda:0". */
static int parse_id(const char *id, const struct backend **backend, int *index, struct error *error)
{
    const size_t length = strcspn(id, ":");
    *index = 0;
    for (int i = 0; i < BACKEND_COUNT; i++) {
        if (strlen(BACKENDS[i]->name) != length || strncmp(BACKENDS[i]->name, id, length) != 0)
            continue;
        *backend = BACKENDS[i];
        if (!id[length])
            return 0;
        char *end;
        const long number = strtol(id + length + 1, &end, 10);
        if (id[length + 1] >= '0' && id[length + 1] <= '9' && !*end && number <= INT32_MAX) {
            *index = (int)number;
            return 0;
        }
    }
    const int is_cuda = length == 4 && strncmp(id, "cuda", length) == 0;
    const int is_opencl = length == 6 && strncmp(id, "opencl", length) == 0;
    if ((is_cuda && !HAVE_CUDA) || (is_opencl && !HAVE_OPENCL))
        return error_set(
            error, ERROR_INPUT, "cannot use device '%s': this program was built without it", id);
    return error_set(error, ERROR_USAGE,
        "unknown device '%s'; use auto, cpu, cuda or opencl, or a name of --list-devices", id);
}

int device_open(const char *id, int threads, struct device *device, struct error *error)
{
    struct device_info infos[DEVICE_LIMIT];
    struct error reason = {"there is none"};
    const struct backend *backend = NULL;
    int index;
    int rc = parse_id(id, &backend, &index, error);
    if (rc)
        return rc;
    const int count = backend->list(infos, DEVICE_LIMIT, &reason);
    if (index >= count && count == 0)
        return error_set(error, ERROR_INPUT,
            "cannot use device '%s': %.400s; --list-devices shows those present", id, reason.text);
    if (index >= count)
        return error_set(error, ERROR_INPUT,
            "cannot use device '%s': there are only %d; see --list-devices", id, count);
    *device = (struct device){.backend = backend,
        .info = infos[index],
        .threads = threads ? threads : omp_get_max_threads()};
    rc = backend->open(device, index, &reason);
    if (rc) {
        *device = (struct device){0};
        return error_set(error, rc, "cannot open device '%s' (%s): %.400s", infos[index].id,
            infos[index].name, reason.text);
    }
    return 0;
}

/* Opens the first GPU that can be opened, CUDA's before OpenCL's; 0 where there is none. */
static int open_gpu(int threads, struct device *device)
{
    struct device_info infos[DEVICE_LIMIT];
    struct error ignored;
    const int count = device_list(infos);
    for (int i = 0; i < count; i++)
        if (infos[i].is_gpu && device_open(infos[i].id, threads, device, &ignored) == 0)
            return 1;
    return 0;
}

int device_open_auto(const struct workload *work, int threads, struct device *device,
    struct error *reason, struct error *error)
{
    const double cpu = work->cpu_seconds / (threads ? threads : omp_get_max_threads());
    const double gpu = GPU_START_SECONDS + work->bytes / GPU_BYTES_A_SECOND +
                       work->cpu_seconds / GPU_OVER_ONE_THREAD;
    const int wants_gpu = cpu > gpu;
    const int has_gpu = wants_gpu && open_gpu(threads, device);
    const int rc = has_gpu ? 0 : device_open("cpu", threads, device, error);
    if (rc == 0)
        error_write(reason, "device %s: about %.2f s on the CPU, %.2f s on a GPU%s",
            device->info.id, cpu, gpu, wants_gpu && !has_gpu ? ", but none can be used" : "");
    return rc;
}

void device_close(struct device *device)
{
    if (device->backend)
        device->backend->close(device);
    *device = (struct device){0};
}

int buffer_new(
    struct device *device, size_t size, void *host, struct buffer *buffer, struct error *error)
{
    *buffer = (struct buffer){.device = device, .size = size};
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
    *buffer = (struct buffer){.device = device, .size = size, .mapped = host};
    const int rc = device->backend->map(buffer, error);
    if (rc)
        *buffer = (struct buffer){0};
    return rc;
}

int buffer_upload(struct buffer *buffer, const void *from, size_t size, struct error *error)
{
    if (buffer->borrowed && buffer->memory == from)
        return 0;
    return buffer->device->backend->upload(buffer, from, size, error);
}

int buffer_download(const struct buffer *buffer, void *to, size_t size, struct error *error)
{
    if (buffer->borrowed && buffer->memory == to)
        return 0;
    return buffer->device->backend->download(buffer, 0, to, size, error);
}

int buffer_download_from(
    const struct buffer *buffer, size_t offset, void *to, size_t size, struct error *error)
{
    return buffer->device->backend->download(buffer, offset, to, size, error);
}

int device_launch(struct device *device, enum kernel kernel, size_t groups_x, size_t groups_y,
    const struct argument *arguments, int count, struct error *error)
{
    if (groups_x == 0 || groups_y == 0)
        return 0;
    assert(count <= MAX_ARGUMENTS && groups_x <= INT32_MAX && groups_y <= 65535);
    return device->backend->launch(
        device, kernel, (unsigned)groups_x, (unsigned)groups_y, arguments, count, error);
}

int device_finish(struct device *device, struct device_times *times, struct error *error)
{
    return device->backend->finish(device, times, error);
}

#define KERNEL_NAME(name, group, table) #name,
#define KERNEL_GROUP(name, group, table) group,
#define KERNEL_TABLE(name, group, table) #table,

const char *kernel_name(enum kernel kernel)
{
    static const char *const NAMES[] = {KERNELS(KERNEL_NAME)};
    return NAMES[kernel];
}

unsigned kernel_group(enum kernel kernel)
{
    static const unsigned GROUPS[] = {KERNELS(KERNEL_GROUP)};
    return GROUPS[kernel];
}

const char *kernel_table(enum kernel kernel)
{
    static const char *const TABLES[] = {KERNELS(KERNEL_TABLE)};
    return strcmp(TABLES[kernel], "NONE") == 0 ? NULL : TABLES[kernel];
}
