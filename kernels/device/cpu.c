/* The CPU: a thread does one group after another; kernels are compiled for several instruction
 * sets. */
#include <omp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kernels/device/clock.h"
#include "kernels/device/device.h"
#include "kernels/device/parameter.h"

#define THREAD_ITEMS 2048              /* fewer do not justify another thread */
#define LARGE_BYTES ((size_t)16 << 20) /* of memory for which after_group is called */

typedef void kernel_function(struct group, void *const *values);

/* The kernels of one instruction set: grayscale_base, ... */
#define DECLARE_BASE(name, ...) kernel_function name##_base;
#define DECLARE_V3(name, ...) kernel_function name##_v3;
#define DECLARE_V4(name, ...) kernel_function name##_v4;
#define ENTRY_BASE(name, ...) name##_base,
#define ENTRY_V3(name, ...) name##_v3,
#define ENTRY_V4(name, ...) name##_v4,
KERNELS(DECLARE_BASE)
#if defined(__x86_64__)
KERNELS(DECLARE_V3)
KERNELS(DECLARE_V4)

static int has_v3(void)
{
    /* Every processor with these has the rest of x86-64-v3. */
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
           __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("fma");
}

static int has_v4(void)
{
    return has_v3() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512vnni");
}
#endif

static int has_base(void)
{
    return 1;
}

struct variant {
    const char *name;
    int (*is_present)(void);
    kernel_function *functions[KERNEL_COUNT];
};

static const struct variant VARIANTS[] = {
#if defined(__x86_64__)
    {"x86-64-v4 (AVX-512, VNNI)", has_v4, {KERNELS(ENTRY_V4)}},
    {"x86-64-v3 (AVX2)", has_v3, {KERNELS(ENTRY_V3)}},
    {"x86-64", has_base, {KERNELS(ENTRY_BASE)}},
#else
    {"native", has_base, {KERNELS(ENTRY_BASE)}},
#endif
};
static const int VARIANT_COUNT = sizeof(VARIANTS) / sizeof(VARIANTS[0]);

struct cpu {
    const struct variant *variant;
    struct device_times times;
};

/* The processor's name where the system tells it (Linux); else just "CPU". */
static void processor_name(char *name, size_t size)
{
    char line[256];
    FILE *file = fopen("/proc/cpuinfo", "r");
    snprintf(name, size, "CPU");
    while (file && fgets(line, sizeof(line), file)) {
        const char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) == 0 && colon) {
            snprintf(name, size, "%.*s", (int)strcspn(colon + 2, "\n"), colon + 2);
            break;
        }
    }
    if (file)
        fclose(file);
}

static const struct variant *find_variant(int index)
{
    for (int i = 0; i < VARIANT_COUNT; i++)
        if (VARIANTS[i].is_present() && index-- == 0)
            return &VARIANTS[i];
    return NULL;
}

static int cpu_list(struct device_info *infos, int capacity, struct error *error)
{
    (void)error;
    const struct variant *variant;
    int count = 0;
    for (; count < capacity && (variant = find_variant(count)); count++) {
        struct device_info *info = &infos[count];
        *info = (struct device_info){.units = (unsigned)omp_get_num_procs(),
            .memory = (size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE)};
        snprintf(info->id, sizeof(info->id), "cpu:%d", count);
        snprintf(info->detail, sizeof(info->detail), "%s", variant->name);
        processor_name(info->name, sizeof(info->name));
    }
    return count;
}

static int cpu_open(struct device *device, int index, struct error *error)
{
    struct cpu *cpu = calloc(1, sizeof(*cpu));
    if (!cpu || !(device->team = team_new(device->threads))) {
        free(cpu);
        return error_set(error, ERROR_INPUT, "not enough memory");
    }
    cpu->variant = find_variant(index);
    device->state = cpu;
    device->shares_memory = 1;
    return 0;
}

static void cpu_close(struct device *device)
{
    team_free(device->team);
    free(device->state);
}

static int cpu_allocate(struct buffer *buffer, struct error *error)
{
    buffer->memory = malloc(buffer->size);
    if (!buffer->memory)
        return error_set(error, ERROR_INPUT, "not enough memory for %zu bytes", buffer->size);
    return 0;
}

static void cpu_release(struct buffer *buffer)
{
    free(buffer->memory);
}

static int cpu_upload(struct buffer *buffer, const void *from, size_t size, struct error *error)
{
    (void)error;
    struct cpu *cpu = buffer->device->state;
    const double start = clock_seconds();
    memory_copy(buffer->memory, from, size);
    cpu->times.transfer += clock_seconds() - start;
    return 0;
}

static int cpu_download(
    const struct buffer *buffer, size_t offset, void *to, size_t size, struct error *error)
{
    (void)error;
    struct cpu *cpu = buffer->device->state;
    const double start = clock_seconds();
    memory_copy(to, (const char *)buffer->memory + offset, size);
    cpu->times.transfer += clock_seconds() - start;
    return 0;
}

/* What the groups of a launch have in common. */
struct launch {
    struct device *device;
    kernel_function *function;
    unsigned groups_x;
    void (*after_group)(void *context);
    void *values[MAX_ARGUMENTS];
};

static void run_group(void *context, int64_t group)
{
    const struct launch *launch = context;
    launch->function(
        (struct group){(uint32_t)(group % launch->groups_x), (uint32_t)(group / launch->groups_x)},
        launch->values);
    if (launch->after_group)
        launch->after_group(launch->device->context);
}

static int report(void *context, double share)
{
    const struct device *device = ((const struct launch *)context)->device;
    return device->progress(device->context, share);
}

static int cpu_launch(struct device *device, enum kernel kernel, unsigned groups_x,
    unsigned groups_y, const struct argument *arguments, int count, struct error *error)
{
    (void)error;
    struct cpu *cpu = device->state;
    struct launch launch = {device, cpu->variant->functions[kernel], groups_x, NULL, {0}};
    for (int i = 0; i < count; i++) {
        launch.values[i] = arguments[i].buffer ? (void *)&arguments[i].buffer->memory
                                               : (void *)(uintptr_t)arguments[i].value;
        if (arguments[i].buffer && arguments[i].buffer->borrowed &&
            arguments[i].buffer->size > LARGE_BYTES)
            launch.after_group = device->after_group;
    }
    const int64_t groups = (int64_t)groups_x * groups_y;
    const int64_t worth = 1 + groups * kernel_group(kernel) / THREAD_ITEMS;
    const int threads = worth < device->threads ? (int)worth : device->threads;
    const double start = clock_seconds();
    const int stopped = team_run(
        device->team, threads, groups, run_group, device->progress ? report : NULL, &launch);
    cpu->times.kernel += clock_seconds() - start;
    return stopped ? ERROR_STOPPED : 0;
}

static int cpu_finish(struct device *device, struct device_times *times, struct error *error)
{
    (void)error;
    struct cpu *cpu = device->state;
    times->kernel += cpu->times.kernel;
    times->transfer += cpu->times.transfer;
    cpu->times = (struct device_times){0};
    return 0;
}

const struct backend CPU_BACKEND = {
    .skips_sync = 1,
    .list = cpu_list,
    .open = cpu_open,
    .close = cpu_close,
    .allocate = cpu_allocate,
    .release = cpu_release,
    .upload = cpu_upload,
    .download = cpu_download,
    .launch = cpu_launch,
    .finish = cpu_finish,
};
