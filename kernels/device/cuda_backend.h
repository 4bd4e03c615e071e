/* The CUDA backend's own: its state, and what its two files share. */
#ifndef CUDA_BACKEND_H
#define CUDA_BACKEND_H

#include <cuda.h>
#include <pthread.h>

#include "kernels/device/device.h"
#include "library.h"

#define MAX_SPANS 256 /* whose times are not yet read */

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
    X(cuPointerGetAttributes) \
    X(cuMemHostAlloc) \
    X(cuMemFreeHost) \
    X(cuMemcpyHtoDAsync) \
    X(cuMemcpyDtoHAsync) \
    X(cuMemcpyDtoDAsync) \
    X(cuLaunchKernel) \
    X(cuLaunchHostFunc) \
    X(cuEventCreate) \
    X(cuEventDestroy) \
    X(cuEventRecord) \
    X(cuEventSynchronize) \
    X(cuEventElapsedTime)

struct library {
    FUNCTIONS(LIBRARY_POINTER)
};

/* Copies go through blocks of pinned memory, so that the bus moves one while processors fill or
 * empty the others: from other memory the driver copies at a seventh of the speed. */
#define STAGING_BLOCKS 4
#define STAGING_BYTES ((size_t)1 << 20)

/* Memory that was freed is kept for the next buffer of the same size, since asking for it takes
 * longer than small kernels. */
#define KEPT_BLOCKS 32
#define KEPT_BYTES ((size_t)1 << 28) /* in all, at most */

struct cuda {
    struct library cu;
    CUdevice device;
    CUcontext context;
    CUmodule modules[KERNEL_COUNT];
    CUfunction functions[KERNEL_COUNT];
    CUdeviceptr tables[KERNEL_COUNT]; /* constant memory */
    /* A span is what launches take from the start of the first to the end of the last, the gaps
     * between them included; a transfer or a look at the times ends it. */
    CUevent starts[MAX_SPANS], ends[MAX_SPANS];
    int event_count, span_count, is_in_span;
    pthread_mutex_t gate; /* locked while launches are held back: the device waits for it */
    int is_held;
    struct device_times times; /* not yet reported */
    void *staging[STAGING_BLOCKS];
    CUevent staged[STAGING_BLOCKS]; /* that the block's last copy is done */
    int next_block;                 /* that the next upload fills first */
    struct kept {
        CUdeviceptr address;
        size_t size;
    } kept[KEPT_BLOCKS];
    int kept_count;
    size_t kept_bytes;
};

/* Sets the error of a call that has failed. Returns ERROR_DEVICE. */
int cuda_fail(const struct library *cu, CUresult status, const char *action, struct error *error);

/* The device's state, whose context is made the thread's current one: with several devices open,
 * each call chooses its own. */
struct cuda *cuda_state(const struct device *device);

/* Lets launches start that are held back, and ends the span that is open, without waiting. */
CUresult cuda_end_span(struct cuda *state);

/* Makes the blocks that copies go through; frees them and all memory that is kept. */
CUresult cuda_memory_open(struct cuda *state);
void cuda_memory_close(struct cuda *state);

/* As struct backend has them. */
int cuda_allocate(struct buffer *buffer, struct error *error);
void cuda_release(struct buffer *buffer);
int cuda_upload(struct buffer *buffer, const void *from, size_t size, struct error *error);
int cuda_download(
    const struct buffer *buffer, size_t offset, void *to, size_t size, struct error *error);
int cuda_map(struct buffer *buffer, struct error *error);
void cuda_unmap(struct buffer *buffer);

#endif
