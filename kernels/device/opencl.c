/* OpenCL 1.2, opened at run time; kernels are built from the source in the program when first
 * run. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <CL/cl_ext.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "embed.h"
#include "kernels/device/clock.h"
#include "kernels/device/device.h"
#include "library.h"

#define MAX_PENDING 256 /* launches whose times are not yet read */

/* Measured on an H200 (docs/kernels.md), where OpenCL starts and copies as CUDA does. Other GPUs
 * are judged by lanes times clock. */
#define START_SECONDS 0.3
#define COPIED_BYTES_A_SECOND 9e9
#define H200_PROCESSORS 400.0
#define H200_LANE_HERTZ (132 * 128 * 1.98e9)

#define EMBED_SOURCE(name, ...) EMBED(opencl_##name, BUILD "/kernels/" #name ".opencl")
KERNELS(EMBED_SOURCE)

#define FUNCTIONS(X) \
    X(clGetPlatformIDs) \
    X(clGetPlatformInfo) \
    X(clGetDeviceIDs) \
    X(clGetDeviceInfo) \
    X(clCreateContext) \
    X(clReleaseContext) \
    X(clCreateCommandQueue) \
    X(clReleaseCommandQueue) \
    X(clCreateProgramWithSource) \
    X(clBuildProgram) \
    X(clGetProgramBuildInfo) \
    X(clReleaseProgram) \
    X(clCreateKernel) \
    X(clReleaseKernel) \
    X(clSetKernelArg) \
    X(clCreateBuffer) \
    X(clReleaseMemObject) \
    X(clEnqueueWriteBuffer) \
    X(clEnqueueReadBuffer) \
    X(clEnqueueNDRangeKernel) \
    X(clGetEventProfilingInfo) \
    X(clReleaseEvent) \
    X(clFlush) \
    X(clFinish)

/* It stays loaded: drivers start threads and do not outlive being unloaded. */
struct library {
    FUNCTIONS(LIBRARY_POINTER)
};

struct opencl {
    struct library cl;
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
    cl_program programs[KERNEL_COUNT];
    cl_kernel kernels[KERNEL_COUNT];
    cl_event pending[MAX_PENDING];
    int pending_count;
    struct device_times times; /* not yet reported */
};

static int open_opencl(struct library *library, struct error *error)
{
    static const char *const FILES[] = {"libOpenCL.so.1", "libOpenCL.so",
        "/System/Library/Frameworks/OpenCL.framework/OpenCL", NULL};
    static const char *const NAMES[] = {FUNCTIONS(LIBRARY_NAME) NULL};
    *library = (struct library){0};
    return library_open(FILES[0], FILES, NAMES, (void **)library, error);
}

static int fail(cl_int status, const char *action, struct error *error)
{
    const char *reason = status == CL_MEM_OBJECT_ALLOCATION_FAILURE ? "out of device memory"
                         : status == CL_OUT_OF_RESOURCES            ? "out of resources"
                         : status == CL_OUT_OF_HOST_MEMORY          ? "out of memory"
                         : status == CL_DEVICE_NOT_AVAILABLE        ? "the device is gone"
                         : status == CL_INVALID_BUFFER_SIZE
                             ? "more than the device gives to one buffer"
                             : "error";
    return error_set(error, ERROR_DEVICE, "OpenCL: %s: %s (%d)", action, reason, status);
}

/* The machine's devices over all platforms, in the order in which they are told. A driver that uses
 * LLVM takes over SIGQUIT when it starts, and Ctrl-\ would then not end the program; so what
 * SIGQUIT did before is put back. */
static cl_uint ask_for_devices(const struct library *cl, cl_device_id all[DEVICE_LIMIT])
{
    cl_platform_id platforms[DEVICE_LIMIT];
    cl_uint platform_count = 0, count = 0, found;
    struct sigaction quit = {0};
    sigaction(SIGQUIT, NULL, &quit);
    if (cl->clGetPlatformIDs(DEVICE_LIMIT, platforms, &platform_count) != CL_SUCCESS)
        platform_count = 0;
    for (cl_uint i = 0; i < platform_count && i < DEVICE_LIMIT && count < DEVICE_LIMIT; i++)
        if (cl->clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, DEVICE_LIMIT - count, all + count,
                &found) == CL_SUCCESS)
            count += found < DEVICE_LIMIT - count ? found : DEVICE_LIMIT - count;
    sigaction(SIGQUIT, &quit, NULL);
    return count;
}

/* The machine's devices over all platforms, GPUs first. */
static int find_devices(const struct library *cl, cl_device_id devices[DEVICE_LIMIT])
{
    cl_device_id all[DEVICE_LIMIT];
    const cl_uint count = ask_for_devices(cl, all);
    int ordered = 0;
    for (int gpus = 1; gpus >= 0; gpus--)
        for (cl_uint i = 0; i < count; i++) {
            cl_device_type type = 0;
            cl->clGetDeviceInfo(all[i], CL_DEVICE_TYPE, sizeof(type), &type, NULL);
            if (!!(type & CL_DEVICE_TYPE_GPU) == gpus)
                devices[ordered++] = all[i];
        }
    return ordered;
}

/* What makers count as a compute unit has so many lanes. */
static int count_lanes(cl_uint vendor)
{
    enum { AMD = 0x1002, NVIDIA = 0x10de, INTEL = 0x8086 };
    return vendor == NVIDIA ? 128 : vendor == AMD ? 64 : vendor == INTEL ? 8 : 32;
}

static struct device_cost estimate_cost(
    const struct library *cl, cl_device_id device, unsigned units)
{
    cl_uint megahertz = 0, vendor = 0;
    cl->clGetDeviceInfo(device, CL_DEVICE_MAX_CLOCK_FREQUENCY, sizeof(megahertz), &megahertz, NULL);
    cl->clGetDeviceInfo(device, CL_DEVICE_VENDOR_ID, sizeof(vendor), &vendor, NULL);
    const double hertz = 1e6 * megahertz * units * count_lanes(vendor);
    return (struct device_cost){
        START_SECONDS, COPIED_BYTES_A_SECOND, H200_PROCESSORS * hertz / H200_LANE_HERTZ};
}

static void describe(
    const struct library *cl, cl_device_id device, int index, struct device_info *info)
{
    cl_platform_id platform;
    cl_device_type type = 0;
    cl_ulong memory = 0;
    char platform_name[64] = "", version[64] = "";
    *info = (struct device_info){0};
    snprintf(info->id, sizeof(info->id), "opencl:%d", index);
    cl->clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof(info->name) - 1, info->name, NULL);
    cl->clGetDeviceInfo(device, CL_DEVICE_TYPE, sizeof(type), &type, NULL);
    cl->clGetDeviceInfo(device, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof(memory), &memory, NULL);
    cl->clGetDeviceInfo(device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof(cl_uint), &info->units, NULL);
    cl->clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof(platform), &platform, NULL);
    cl->clGetDeviceInfo(device, CL_DRIVER_VERSION, sizeof(version) - 1, version, NULL);
    cl->clGetPlatformInfo(
        platform, CL_PLATFORM_NAME, sizeof(platform_name) - 1, platform_name, NULL);
    snprintf(info->detail, sizeof(info->detail), "%s %s", platform_name, version);
    info->memory = memory;
    info->is_gpu = !!(type & CL_DEVICE_TYPE_GPU);
    info->cost = estimate_cost(cl, device, info->units);
}

static int opencl_list(struct device_info *infos, int capacity, struct error *error)
{
    struct library cl;
    cl_device_id devices[DEVICE_LIMIT];
    if (open_opencl(&cl, error))
        return 0;
    int count = find_devices(&cl, devices);
    if (count == 0)
        error_write(error, "OpenCL has no device");
    count = count < capacity ? count : capacity;
    for (int i = 0; i < count; i++)
        describe(&cl, devices[i], i, &infos[i]);
    return count;
}

static void opencl_close(struct device *device)
{
    struct opencl *state = device->state;
    const struct library *cl = &state->cl;
    for (int i = 0; i < state->pending_count; i++)
        cl->clReleaseEvent(state->pending[i]);
    for (int i = 0; i < KERNEL_COUNT; i++) {
        if (state->kernels[i])
            cl->clReleaseKernel(state->kernels[i]);
        if (state->programs[i])
            cl->clReleaseProgram(state->programs[i]);
    }
    if (state->queue)
        cl->clReleaseCommandQueue(state->queue);
    if (state->context)
        cl->clReleaseContext(state->context);
    free(state);
}

static int opencl_open(struct device *device, int index, struct error *error)
{
    struct opencl *state = calloc(1, sizeof(*state));
    cl_device_id devices[DEVICE_LIMIT];
    cl_int status = CL_SUCCESS;
    if (!state)
        return error_set(error, ERROR_INPUT, "not enough memory");
    if (open_opencl(&state->cl, error)) {
        free(state);
        return ERROR_INPUT;
    }
    device->state = state;
    if (index >= find_devices(&state->cl, devices)) {
        opencl_close(device);
        return error_set(error, ERROR_DEVICE, "the device is gone");
    }
    state->device = devices[index];
    state->context = state->cl.clCreateContext(NULL, 1, &state->device, NULL, NULL, &status);
    if (state->context)
        state->queue = state->cl.clCreateCommandQueue(
            state->context, state->device, CL_QUEUE_PROFILING_ENABLE, &status);
    if (!state->queue) {
        opencl_close(device);
        return fail(status, "cannot make a context", error);
    }
    return 0;
}

static int opencl_allocate(struct buffer *buffer, struct error *error)
{
    struct opencl *state = buffer->device->state;
    cl_int status;
    buffer->memory =
        state->cl.clCreateBuffer(state->context, CL_MEM_READ_WRITE, buffer->size, NULL, &status);
    return buffer->memory ? 0 : fail(status, "cannot allocate a buffer", error);
}

static void opencl_release(struct buffer *buffer)
{
    struct opencl *state = buffer->device->state;
    state->cl.clReleaseMemObject(buffer->memory);
}

static int opencl_upload(struct buffer *buffer, const void *from, size_t size, struct error *error)
{
    struct opencl *state = buffer->device->state;
    cl_int status = state->cl.clFinish(state->queue);
    const double start = clock_seconds();
    if (status == CL_SUCCESS)
        status = state->cl.clEnqueueWriteBuffer(
            state->queue, buffer->memory, CL_TRUE, 0, size, from, 0, NULL, NULL);
    state->times.transfer += clock_seconds() - start;
    return status == CL_SUCCESS ? 0 : fail(status, "cannot copy to the device", error);
}

static int opencl_download(
    const struct buffer *buffer, size_t offset, void *to, size_t size, struct error *error)
{
    struct opencl *state = buffer->device->state;
    cl_int status = state->cl.clFinish(state->queue);
    const double start = clock_seconds();
    if (status == CL_SUCCESS)
        status = state->cl.clEnqueueReadBuffer(
            state->queue, buffer->memory, CL_TRUE, offset, size, to, 0, NULL, NULL);
    state->times.transfer += clock_seconds() - start;
    return status == CL_SUCCESS ? 0 : fail(status, "cannot copy from the device", error);
}

/* The first error of the build log, or its first line. */
static int build_failed(struct opencl *state, enum kernel kernel, struct error *error)
{
    char log[16384] = "";
    state->cl.clGetProgramBuildInfo(
        state->programs[kernel], state->device, CL_PROGRAM_BUILD_LOG, sizeof(log) - 1, log, NULL);
    const char *line = strstr(log, "error");
    while (line && line > log && line[-1] != '\n')
        line--;
    if (!line)
        line = log;
    return error_set(error, ERROR_DEVICE, "OpenCL: cannot build kernel '%s': %.*s",
        kernel_name(kernel), (int)strcspn(line, "\n"), line);
}

/* Which instructions a device has, as kernels/dialect.h asks. */
static const char *instructions_of(const struct library *cl, cl_device_id device)
{
    cl_uint major = 0;
    cl->clGetDeviceInfo(device, CL_DEVICE_COMPUTE_CAPABILITY_MAJOR_NV, sizeof(major), &major, NULL);
    return major >= 8 ? " -D HAS_PTX=1 -D HAS_MATRIX_UNITS=1" : major == 7 ? " -D HAS_PTX=1" : "";
}

static int build(struct opencl *state, enum kernel kernel, struct error *error)
{
#define SOURCE(name, ...) opencl_##name,
    static const char *const SOURCES[] = {KERNELS(SOURCE)};
    const struct library *cl = &state->cl;
    const char *source = SOURCES[kernel];
    char options[128];
    cl_device_fp_config config = 0;
    cl_int status;
    cl->clGetDeviceInfo(state->device, CL_DEVICE_SINGLE_FP_CONFIG, sizeof(config), &config, NULL);
    state->programs[kernel] =
        cl->clCreateProgramWithSource(state->context, 1, &source, NULL, &status);
    if (!state->programs[kernel])
        return fail(status, "cannot make a program", error);
    snprintf(options, sizeof(options), "-cl-std=CL1.2%s%s",
        config & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT ? " -cl-fp32-correctly-rounded-divide-sqrt"
                                                     : "",
        instructions_of(cl, state->device));
    status = cl->clBuildProgram(state->programs[kernel], 1, &state->device, options, NULL, NULL);
    if (status == CL_SUCCESS)
        state->kernels[kernel] =
            cl->clCreateKernel(state->programs[kernel], kernel_name(kernel), &status);
    if (state->kernels[kernel])
        return 0;
    const int rc = build_failed(state, kernel, error);
    cl->clReleaseProgram(state->programs[kernel]);
    state->programs[kernel] = NULL;
    return rc;
}

/* Waits for the queue and reads the times of what was pending. */
static int collect_times(struct opencl *state, struct error *error)
{
    const cl_int status = state->cl.clFinish(state->queue);
    for (int i = 0; i < state->pending_count; i++) {
        cl_ulong start = 0, end = 0;
        state->cl.clGetEventProfilingInfo(
            state->pending[i], CL_PROFILING_COMMAND_START, sizeof(start), &start, NULL);
        state->cl.clGetEventProfilingInfo(
            state->pending[i], CL_PROFILING_COMMAND_END, sizeof(end), &end, NULL);
        state->times.kernel += 1e-9 * (double)(end - start);
        state->cl.clReleaseEvent(state->pending[i]);
    }
    state->pending_count = 0;
    return status == CL_SUCCESS ? 0 : fail(status, "kernels did not finish", error);
}

static int opencl_finish(struct device *device, struct device_times *times, struct error *error)
{
    struct opencl *state = device->state;
    const int rc = collect_times(state, error);
    times->kernel += state->times.kernel;
    times->transfer += state->times.transfer;
    state->times = (struct device_times){0};
    return rc;
}

static int opencl_launch(struct device *device, enum kernel kernel, unsigned groups_x,
    unsigned groups_y, const struct argument *arguments, int count, struct error *error)
{
    struct opencl *state = device->state;
    if (!state->kernels[kernel]) {
        const int rc = build(state, kernel, error);
        if (rc)
            return rc;
    }
    cl_int status = CL_SUCCESS;
    for (int i = 0; i < count && status == CL_SUCCESS; i++) {
        const struct argument *argument = &arguments[i];
        status = argument->buffer ? state->cl.clSetKernelArg(state->kernels[kernel], (cl_uint)i,
                                        sizeof(cl_mem), &argument->buffer->memory)
                                  : state->cl.clSetKernelArg(state->kernels[kernel], (cl_uint)i,
                                        argument->size, argument->value);
    }
    const size_t group[2] = {kernel_group(kernel), 1};
    const size_t items[2] = {groups_x * group[0], groups_y};
    cl_event *event = &state->pending[state->pending_count];
    if (status == CL_SUCCESS)
        status = state->cl.clEnqueueNDRangeKernel(
            state->queue, state->kernels[kernel], 2, NULL, items, group, 0, NULL, event);
    if (status != CL_SUCCESS) {
        char action[64];
        snprintf(action, sizeof(action), "cannot run kernel '%s'", kernel_name(kernel));
        return fail(status, action, error);
    }
    state->cl.clFlush(state->queue); /* it starts, though nobody waits for it yet */
    return ++state->pending_count < MAX_PENDING ? 0 : collect_times(state, error);
}

const struct backend OPENCL_BACKEND = {
    .best = {START_SECONDS, COPIED_BYTES_A_SECOND, H200_PROCESSORS},
    .list = opencl_list,
    .open = opencl_open,
    .close = opencl_close,
    .allocate = opencl_allocate,
    .release = opencl_release,
    .upload = opencl_upload,
    .download = opencl_download,
    .launch = opencl_launch,
    .finish = opencl_finish,
};
