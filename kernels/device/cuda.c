/* CUDA through the driver API, opened at run time; kernels come compiled (fatbin) in the program. */
#include <assert.h>
#include <cuda.h>
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>

#include "kernels/device/clock.h"
#include "kernels/device/device.h"
#include "kernels/device/embed.h"

#define MAX_SPANS 256 /* whose times are not yet read */

#define EMBED_FATBIN(name, group, table) EMBED(cuda_##name, BUILD "/kernels/" #name ".fatbin")
KERNELS(EMBED_FATBIN)

/* cuda.h renames functions to their versions by macros; these names follow. */
#define FUNCTIONS(X) \
    X(cuInit) \
    X(cuDriverGetVersion) \
    X(cuGetErrorString) \
    X(cuDeviceGetCount) \
    X(cuDeviceGet) \
    X(cuDeviceGetName) \
    X(cuDeviceGetAttribute) \
    X(cuDeviceTotalMem) \
    X(cuDevicePrimaryCtxRetain) \
    X(cuDevicePrimaryCtxRelease) \
    X(cuCtxSetCurrent) \
    X(cuCtxSynchronize) \
    X(cuModuleLoadData) \
    X(cuModuleUnload) \
    X(cuModuleGetFunction) \
    X(cuModuleGetGlobal) \
    X(cuMemAlloc) \
    X(cuMemFree) \
    X(cuMemHostRegister) \
    X(cuMemHostUnregister) \
    X(cuMemHostGetDevicePointer) \
    X(cuMemcpyHtoD) \
    X(cuMemcpyDtoH) \
    X(cuMemcpyDtoDAsync) \
    X(cuLaunchKernel) \
    X(cuEventCreate) \
    X(cuEventDestroy) \
    X(cuEventRecord) \
    X(cuEventElapsedTime)
#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)
#define POINTER(function) __typeof__(&function) function;

struct library {
    FUNCTIONS(POINTER)
};

struct cuda {
    struct library cu;
    CUdevice device;
    CUcontext context;
    CUmodule modules[KERNEL_COUNT];
    CUfunction functions[KERNEL_COUNT];
    CUdeviceptr tables[KERNEL_COUNT]; /* constant memory */
    size_t table_sizes[KERNEL_COUNT]; /* bytes */
    /* A span is what launches take from the start of the first to the end of the last, the gaps
     * between them included; a transfer or a look at the times ends it. */
    CUevent starts[MAX_SPANS], ends[MAX_SPANS];
    int event_count, span_count, is_in_span;
    struct device_times times; /* not yet reported */
};

static int library_open(struct library *library, struct error *error)
{
    void *handle = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!handle)
        return error_set(error, ERROR_INPUT, "NVIDIA's driver (libcuda.so.1) is not installed");
#define LOAD(function) \
    *(void **)&library->function = dlsym(handle, TEXT(function)); \
    if (!library->function) \
        return error_set( \
            error, ERROR_INPUT, "NVIDIA's driver is too old: it has no " TEXT(function));
    FUNCTIONS(LOAD)
    return 0;
}

static int fail(const struct library *cu, CUresult status, const char *action, struct error *error)
{
    const char *reason = "unknown error";
    cu->cuGetErrorString(status, &reason);
    return error_set(error, ERROR_DEVICE, "CUDA: %s: %s (%d)", action, reason, (int)status);
}

/* Loads the driver and counts its devices; 0 with the reason in `error` where there are none. */
static int count_devices(struct library *cu, struct error *error)
{
    int count = 0;
    if (library_open(cu, error))
        return 0;
    const CUresult status = cu->cuInit(0);
    if (status != CUDA_SUCCESS) {
        fail(cu, status, "cannot start the driver", error);
        return 0;
    }
    if (cu->cuDeviceGetCount(&count) != CUDA_SUCCESS || count == 0)
        error_write(error, "NVIDIA's driver sees no GPU");
    return count < DEVICE_LIMIT ? count : DEVICE_LIMIT;
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
        int units = 0, major = 0, minor = 0;
        *info = (struct device_info){.is_gpu = 1};
        cu.cuDeviceGet(&device, i);
        cu.cuDeviceGetName(info->name, sizeof(info->name), device);
        cu.cuDeviceTotalMem(&info->memory, device);
        cu.cuDeviceGetAttribute(&units, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, device);
        cu.cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device);
        cu.cuDeviceGetAttribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device);
        info->units = (unsigned)units;
        snprintf(info->id, sizeof(info->id), "cuda:%d", i);
        snprintf(info->detail, sizeof(info->detail),
            "compute capability %d.%d, driver for CUDA %d.%d", major, minor, version / 1000,
            version % 1000 / 10);
    }
    return count;
}

/* A thread has one current context; with several devices open, each call chooses its own. */
static struct cuda *state_of(const struct device *device)
{
    struct cuda *state = device->state;
    state->cu.cuCtxSetCurrent(state->context);
    return state;
}

static void cuda_close(struct device *device)
{
    struct cuda *state = state_of(device);
    const struct library *cu = &state->cu;
    if (state->context) {
        for (int i = 0; i < state->event_count; i++) {
            cu->cuEventDestroy(state->starts[i]);
            cu->cuEventDestroy(state->ends[i]);
        }
        for (int i = 0; i < KERNEL_COUNT; i++)
            if (state->modules[i])
                cu->cuModuleUnload(state->modules[i]);
        cu->cuDevicePrimaryCtxRelease(state->device);
    }
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
    if (status != CUDA_SUCCESS) {
        fail(cu, status, "cannot make a context", error);
        cuda_close(device);
        return ERROR_DEVICE;
    }
    return 0;
}

static int cuda_allocate(struct buffer *buffer, struct error *error)
{
    struct cuda *state = state_of(buffer->device);
    CUdeviceptr address = 0;
    const CUresult status = state->cu.cuMemAlloc(&address, buffer->size);
    buffer->memory = (void *)(uintptr_t)address;
    return status == CUDA_SUCCESS ? 0 : fail(&state->cu, status, "cannot allocate a buffer", error);
}

static void cuda_release(struct buffer *buffer)
{
    struct cuda *state = state_of(buffer->device);
    state->cu.cuMemFree((CUdeviceptr)(uintptr_t)buffer->memory);
}

/* Ends the span that is open and waits for the device. */
static CUresult end_span(struct cuda *state)
{
    CUresult status = CUDA_SUCCESS;
    if (state->is_in_span)
        status = state->cu.cuEventRecord(state->ends[state->span_count++], NULL);
    state->is_in_span = 0;
    return status == CUDA_SUCCESS ? state->cu.cuCtxSynchronize() : status;
}

static int cuda_upload(struct buffer *buffer, const void *from, size_t size, struct error *error)
{
    struct cuda *state = state_of(buffer->device);
    CUresult status = end_span(state);
    const double start = clock_seconds();
    if (status == CUDA_SUCCESS)
        status = state->cu.cuMemcpyHtoD((CUdeviceptr)(uintptr_t)buffer->memory, from, size);
    if (status == CUDA_SUCCESS)
        status = state->cu.cuCtxSynchronize();
    state->times.transfer += clock_seconds() - start;
    return status == CUDA_SUCCESS ? 0
                                  : fail(&state->cu, status, "cannot copy to the device", error);
}

/* The host's memory stays where it is and is reached over the bus. */
static int cuda_map(struct buffer *buffer, struct error *error)
{
    struct cuda *state = state_of(buffer->device);
    CUdeviceptr address = 0;
    CUresult status =
        state->cu.cuMemHostRegister(buffer->mapped, buffer->size, CU_MEMHOSTREGISTER_DEVICEMAP);
    if (status != CUDA_SUCCESS)
        return fail(&state->cu, status, "cannot map memory", error);
    status = state->cu.cuMemHostGetDevicePointer(&address, buffer->mapped, 0);
    buffer->memory = (void *)(uintptr_t)address;
    if (status == CUDA_SUCCESS)
        return 0;
    state->cu.cuMemHostUnregister(buffer->mapped);
    return fail(&state->cu, status, "cannot map memory", error);
}

static void cuda_unmap(struct buffer *buffer)
{
    struct cuda *state = state_of(buffer->device);
    state->cu.cuMemHostUnregister(buffer->mapped);
}

static int cuda_download(
    const struct buffer *buffer, size_t offset, void *to, size_t size, struct error *error)
{
    struct cuda *state = state_of(buffer->device);
    CUresult status = end_span(state);
    const double start = clock_seconds();
    if (status == CUDA_SUCCESS)
        status = state->cu.cuMemcpyDtoH(to, (CUdeviceptr)(uintptr_t)buffer->memory + offset, size);
    state->times.transfer += clock_seconds() - start;
    return status == CUDA_SUCCESS ? 0
                                  : fail(&state->cu, status, "cannot copy from the device", error);
}

/* Loads a kernel's module and finds its function and its table in constant memory. */
static CUresult load(struct cuda *state, enum kernel kernel)
{
#define FATBIN(name, group, table) cuda_##name,
    static const char *const FATBINS[] = {KERNELS(FATBIN)};
    const struct library *cu = &state->cu;
    CUresult status = CUDA_SUCCESS;
    if (!state->modules[kernel])
        status = cu->cuModuleLoadData(&state->modules[kernel], FATBINS[kernel]);
    if (status == CUDA_SUCCESS && kernel_table(kernel))
        status = cu->cuModuleGetGlobal(&state->tables[kernel], &state->table_sizes[kernel],
            state->modules[kernel], kernel_table(kernel));
    if (status == CUDA_SUCCESS)
        status = cu->cuModuleGetFunction(
            &state->functions[kernel], state->modules[kernel], kernel_name(kernel));
    return status;
}

/* Waits for the device and reads the times of the spans. */
static int collect_times(struct cuda *state, struct error *error)
{
    const CUresult status = end_span(state);
    for (int i = 0; i < state->span_count && status == CUDA_SUCCESS; i++) {
        float milliseconds = 0;
        state->cu.cuEventElapsedTime(&milliseconds, state->starts[i], state->ends[i]);
        state->times.kernel += 1e-3 * (double)milliseconds;
    }
    state->span_count = 0;
    return status == CUDA_SUCCESS ? 0 : fail(&state->cu, status, "kernels did not finish", error);
}

/* Constant memory is filled in the order of launches, by a copy on the device. */
static int cuda_launch(struct device *device, enum kernel kernel, unsigned groups_x,
    unsigned groups_y, const struct argument *arguments, int count, struct error *error)
{
    struct cuda *state = state_of(device);
    const struct library *cu = &state->cu;
    void *values[MAX_ARGUMENTS];
    int used = 0;
    if (state->span_count == MAX_SPANS && collect_times(state, error))
        return ERROR_DEVICE;
    CUresult status = state->functions[kernel] ? CUDA_SUCCESS : load(state, kernel);
    for (int i = 0; i < count && status == CUDA_SUCCESS; i++) {
        const struct buffer *buffer = arguments[i].buffer;
        if (arguments[i].constant) {
            assert(buffer->size <= state->table_sizes[kernel]);
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
        return fail(cu, status, action, error);
    }
    return 0;
}

static int cuda_finish(struct device *device, struct device_times *times, struct error *error)
{
    struct cuda *state = state_of(device);
    const int rc = collect_times(state, error);
    times->kernel += state->times.kernel;
    times->transfer += state->times.transfer;
    state->times = (struct device_times){0};
    return rc;
}

const struct backend CUDA_BACKEND = {
    .name = "cuda",
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
    .finish = cuda_finish,
};
