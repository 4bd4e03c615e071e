/* CUDA through the driver API, opened at run time; kernels come compiled (fatbin) in the
 * program. */
#include <stdint.h>
#include <stdlib.h>

#include "embed.h"
#include "kernels/device/cuda_backend.h"
#include "library.h"

/* Measured on an H200 (docs/kernels.md): opening CUDA and its context, pageable copies, and how
 * many processors of a CPU its kernels are worth. Other GPUs are judged by what the H200 tells of
 * itself: lanes times clock, and bytes of its memory. */
#define START_SECONDS 0.3
#define COPIED_BYTES_A_SECOND 9e9
#define H200_PROCESSORS 400.0
#define H200_LANE_HERTZ (132 * 128 * 1.98e9)
#define H200_BYTES_A_SECOND (2 * 3.201e9 * 6016 / 8)
#define COPIED_SHARE_OF_LINK 0.8 /* at most, of what the bus could move */

#define EMBED_FATBIN(name, ...) EMBED(cuda_##name, BUILD "/kernels/" #name ".fatbin")
KERNELS(EMBED_FATBIN)

static int open_cuda(struct library *library, struct error *error)
{
    static const char *const FILES[] = {"libcuda.so.1", NULL};
    static const char *const NAMES[] = {FUNCTIONS(LIBRARY_NAME) NULL};
    *library = (struct library){0};
    return library_open("NVIDIA's driver (libcuda.so.1)", FILES, NAMES, (void **)library, error);
}

int cuda_fail(const struct library *cu, CUresult status, const char *action, struct error *error)
{
    const char *reason;
    if (cu->cuGetErrorString(status, &reason) != CUDA_SUCCESS)
        reason = "unknown error";
    return error_set(error, ERROR_DEVICE, "CUDA: %s: %s (%d)", action, reason, (int)status);
}

/* Loads the driver and counts its devices; 0 with the reason in `error` where there are none. */
static int count_devices(struct library *cu, struct error *error)
{
    int count = 0;
    if (open_cuda(cu, error))
        return 0;
    const CUresult status = cu->cuInit(0);
    if (status != CUDA_SUCCESS) {
        cuda_fail(cu, status, "cannot start the driver", error);
        return 0;
    }
    if (cu->cuDeviceGetCount(&count) != CUDA_SUCCESS || count == 0)
        error_write(error, "NVIDIA's driver sees no GPU");
    return count < DEVICE_LIMIT ? count : DEVICE_LIMIT;
}

static double attribute(const struct library *cu, CUdevice device, CUdevice_attribute name)
{
    int value = 0;
    cu->cuDeviceGetAttribute(&value, name, device);
    return value;
}

/* A number at the beginning of a file that Linux keeps of a PCI device, or 0. */
static double read_link(const struct library *cu, CUdevice device, const char *file)
{
    char path[128];
    double number = 0;
    snprintf(path, sizeof(path), "/sys/bus/pci/devices/%04x:%02x:%02x.0/%s",
        (unsigned)attribute(cu, device, CU_DEVICE_ATTRIBUTE_PCI_DOMAIN_ID),
        (unsigned)attribute(cu, device, CU_DEVICE_ATTRIBUTE_PCI_BUS_ID),
        (unsigned)attribute(cu, device, CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID), file);
    FILE *stream = fopen(path, "r");
    if (stream && fscanf(stream, "%lf", &number) != 1)
        number = 0;
    if (stream)
        fclose(stream);
    return number;
}

/* Kernels go as fast as the scarcer of the multiprocessors and the memory lets them. */
static struct device_cost estimate_cost(const struct library *cu, CUdevice device)
{
    const int major = (int)attribute(cu, device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
    const int minor = (int)attribute(cu, device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
    const int lanes = major == 7 || ((major == 6 || major == 8) && minor == 0) ? 64 : 128;
    const double kernels = lanes * 1e3 *
                           attribute(cu, device, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT) *
                           attribute(cu, device, CU_DEVICE_ATTRIBUTE_CLOCK_RATE) / H200_LANE_HERTZ;
    const double memory = 2e3 * attribute(cu, device, CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE) *
                          attribute(cu, device, CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH) / 8 /
                          H200_BYTES_A_SECOND;
    const double link = read_link(cu, device, "max_link_speed") * 1e9 *
                        read_link(cu, device, "current_link_width") / 8 * COPIED_SHARE_OF_LINK;
    const int is_memory_known = memory > 0, is_link_known = link > 0;
    return (struct device_cost){
        .start_seconds = START_SECONDS,
        .bytes_a_second =
            is_link_known && link < COPIED_BYTES_A_SECOND ? link : COPIED_BYTES_A_SECOND,
        .processors = H200_PROCESSORS * (is_memory_known && memory < kernels ? memory : kernels),
    };
}

static int cuda_list(struct device_info *infos, int capacity, struct error *error)
{
    struct library cu;
    int count = count_devices(&cu, error), version = 0;
    count = count < capacity ? count : capacity;
    if (count)
        cu.cuDriverGetVersion(&version);
    for (int i = 0; i < count; i++) {
        struct device_info *info = &infos[i];
        CUdevice device;
        *info = (struct device_info){.is_gpu = 1};
        cu.cuDeviceGet(&device, i);
        cu.cuDeviceGetName(info->name, sizeof(info->name), device);
        cu.cuDeviceTotalMem(&info->memory, device);
        const int major = (int)attribute(&cu, device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
        const int minor = (int)attribute(&cu, device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
        info->units = (unsigned)attribute(&cu, device, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
        info->cost = estimate_cost(&cu, device);
        snprintf(info->id, sizeof(info->id), "cuda:%d", i);
        snprintf(info->detail, sizeof(info->detail),
            "compute capability %d.%d, driver for CUDA %d.%d", major, minor, version / 1000,
            version % 1000 / 10);
    }
    return count;
}

struct cuda *cuda_state(const struct device *device)
{
    struct cuda *state = device->state;
    state->cu.cuCtxSetCurrent(state->context);
    return state;
}

/* Lets launches begin that are held back. */
static void release(struct cuda *state)
{
    if (state->is_held)
        pthread_mutex_unlock(&state->gate);
    state->is_held = 0;
}

static void cuda_close(struct device *device)
{
    struct cuda *state = cuda_state(device);
    const struct library *cu = &state->cu;
    release(state);
    if (state->context) {
        cuda_memory_close(state);
        for (int i = 0; i < state->event_count; i++) {
            cu->cuEventDestroy(state->starts[i]);
            cu->cuEventDestroy(state->ends[i]);
        }
        for (int i = 0; i < KERNEL_COUNT; i++)
            if (state->modules[i])
                cu->cuModuleUnload(state->modules[i]);
        cu->cuDevicePrimaryCtxRelease(state->device);
    }
    pthread_mutex_destroy(&state->gate);
    free(state);
}

static int cuda_open(struct device *device, int index, struct error *error)
{
    struct cuda *state = calloc(1, sizeof(*state));
    if (!state)
        return error_set(error, ERROR_INPUT, "not enough memory");
    if (index >= count_devices(&state->cu, error)) {
        free(state);
        return ERROR_DEVICE;
    }
    device->state = state;
    pthread_mutex_init(&state->gate, NULL);
    const struct library *cu = &state->cu;
    CUresult status = cu->cuDeviceGet(&state->device, index);
    if (status == CUDA_SUCCESS)
        status = cu->cuDevicePrimaryCtxRetain(&state->context, state->device);
    if (status == CUDA_SUCCESS)
        status = cu->cuCtxSetCurrent(state->context);
    for (; status == CUDA_SUCCESS && state->event_count < MAX_SPANS; state->event_count++) {
        status = cu->cuEventCreate(&state->starts[state->event_count], CU_EVENT_DEFAULT);
        if (status == CUDA_SUCCESS)
            status = cu->cuEventCreate(&state->ends[state->event_count], CU_EVENT_DEFAULT);
    }
    if (status == CUDA_SUCCESS)
        status = cuda_memory_open(state);
    if (status != CUDA_SUCCESS) {
        cuda_fail(cu, status, "cannot make a context", error);
        cuda_close(device);
        return ERROR_DEVICE;
    }
    return 0;
}

/* Stands in the queue before the launches that are held back, until they are released. */
static void CUDA_CB wait_at_gate(void *gate)
{
    pthread_mutex_lock(gate);
    pthread_mutex_unlock(gate);
}

static int cuda_hold(struct device *device, struct error *error)
{
    struct cuda *state = cuda_state(device);
    pthread_mutex_lock(&state->gate);
    state->is_held = 1;
    const CUresult status = state->cu.cuLaunchHostFunc(NULL, wait_at_gate, &state->gate);
    return status == CUDA_SUCCESS ? 0
                                  : cuda_fail(&state->cu, status, "cannot hold launches", error);
}

CUresult cuda_end_span(struct cuda *state)
{
    CUresult status = CUDA_SUCCESS;
    if (state->is_in_span)
        status = state->cu.cuEventRecord(state->ends[state->span_count++], NULL);
    state->is_in_span = 0;
    release(state);
    return status;
}

/* Loads a kernel's module and finds its function and its table in constant memory. */
static CUresult load(struct cuda *state, enum kernel kernel)
{
#define FATBIN(name, ...) cuda_##name,
    static const char *const FATBINS[] = {KERNELS(FATBIN)};
    const struct library *cu = &state->cu;
    CUresult status = CUDA_SUCCESS;
    if (!state->modules[kernel])
        status = cu->cuModuleLoadData(&state->modules[kernel], FATBINS[kernel]);
    if (status == CUDA_SUCCESS && kernel_table(kernel))
        status = cu->cuModuleGetGlobal(
            &state->tables[kernel], NULL, state->modules[kernel], kernel_table(kernel));
    if (status == CUDA_SUCCESS)
        status = cu->cuModuleGetFunction(
            &state->functions[kernel], state->modules[kernel], kernel_name(kernel));
    return status;
}

/* Waits for the device and reads the times of the spans. */
static int collect_times(struct cuda *state, struct error *error)
{
    CUresult status = cuda_end_span(state);
    if (status == CUDA_SUCCESS)
        status = state->cu.cuCtxSynchronize();
    for (int i = 0; i < state->span_count && status == CUDA_SUCCESS; i++) {
        float milliseconds = 0;
        state->cu.cuEventElapsedTime(&milliseconds, state->starts[i], state->ends[i]);
        state->times.kernel += 1e-3 * (double)milliseconds;
    }
    state->span_count = 0;
    return status == CUDA_SUCCESS ? 0
                                  : cuda_fail(&state->cu, status, "kernels did not finish", error);
}

/* Constant memory is filled in the order of launches, by a copy on the device. */
static int cuda_launch(struct device *device, enum kernel kernel, unsigned groups_x,
    unsigned groups_y, const struct argument *arguments, int count, struct error *error)
{
    struct cuda *state = cuda_state(device);
    const struct library *cu = &state->cu;
    void *values[MAX_ARGUMENTS];
    int used = 0;
    if (state->span_count == MAX_SPANS && collect_times(state, error))
        return ERROR_DEVICE;
    CUresult status = state->functions[kernel] ? CUDA_SUCCESS : load(state, kernel);
    for (int i = 0; i < count && status == CUDA_SUCCESS; i++) {
        const struct buffer *buffer = arguments[i].buffer;
        if (arguments[i].constant) {
            status = cu->cuMemcpyDtoDAsync(
                state->tables[kernel], (CUdeviceptr)(uintptr_t)buffer->memory, buffer->size, NULL);
        } else {
            values[used++] =
                buffer ? (void *)&buffer->memory : (void *)(uintptr_t)arguments[i].value;
        }
    }
    if (status == CUDA_SUCCESS && !state->is_in_span) {
        status = cu->cuEventRecord(state->starts[state->span_count], NULL);
        state->is_in_span = 1;
    }
    if (status == CUDA_SUCCESS)
        status = cu->cuLaunchKernel(state->functions[kernel], groups_x, groups_y, 1,
            kernel_group(kernel), 1, 1, 0, NULL, values, NULL);
    if (status != CUDA_SUCCESS) {
        char action[64];
        snprintf(action, sizeof(action), "cannot run kernel '%s'", kernel_name(kernel));
        return cuda_fail(cu, status, action, error);
    }
    return 0;
}

static int cuda_finish(struct device *device, struct device_times *times, struct error *error)
{
    struct cuda *state = cuda_state(device);
    const int rc = collect_times(state, error);
    times->kernel += state->times.kernel;
    times->transfer += state->times.transfer;
    state->times = (struct device_times){0};
    return rc;
}

const struct backend CUDA_BACKEND = {
    .best = {START_SECONDS, COPIED_BYTES_A_SECOND, H200_PROCESSORS},
    .skips_sync = 1,
    .list = cuda_list,
    .open = cuda_open,
    .close = cuda_close,
    .allocate = cuda_allocate,
    .release = cuda_release,
    .upload = cuda_upload,
    .download = cuda_download,
    .map = cuda_map,
    .unmap = cuda_unmap,
    .launch = cuda_launch,
    .hold = cuda_hold,
    .finish = cuda_finish,
};
