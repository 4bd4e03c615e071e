/* Devices: finding and opening them, memory on them, running kernels. One small table of functions
 * a kind of device (struct backend) stands behind it, with a row in kinds.h. */
#ifndef DEVICE_H
#define DEVICE_H

#include <stddef.h>

#include "error.h"
#include "kernels/device/kinds.h"
#include "kernels/device/team.h"
#include "kernels/kernels.h"
#include "words.h"

#define DEVICE_LIMIT 64  /* devices of one machine that are listed */
#define MAX_ARGUMENTS 10 /* of a kernel */

/* What `auto` has to know of a device. */
struct device_cost {
    double start_seconds;  /* until the first kernel can run */
    double bytes_a_second; /* copied between the host and the device */
    double processors;     /* how many processors of a CPU work as fast; 0: nothing is known */
};

struct device_info {
    char id[32];      /* as --device takes it: "cpu:0", "cuda:0", "opencl:1" */
    char name[128];   /* as its maker calls it */
    char detail[160]; /* platform, driver, instruction set */
    size_t memory;    /* bytes; 0 unknown */
    unsigned units;   /* compute units, multiprocessors or processors */
    int is_gpu;
    struct device_cost cost; /* of a GPU, from what it tells about itself */
};

struct device_times {
    double kernel, transfer; /* seconds */
};

struct device;

/* Memory on a device. */
struct buffer {
    struct device *device;
    size_t size;  /* bytes */
    size_t room;  /* bytes that were allocated; run_buffer may use fewer */
    void *memory; /* the backend's own: host pointer, CUdeviceptr or cl_mem */
    int borrowed; /* the memory is the caller's, used in place */
    void *mapped; /* the caller's memory, that the device reaches at `memory`; or NULL */
};

/* One argument of a kernel, in the order of its parameters. */
struct argument {
    const void *value; /* of `size` bytes, where there is no buffer */
    size_t size;
    const struct buffer *buffer;
    int constant; /* the buffer fills the kernel's table in constant memory */
};
#define ARGUMENT(x) ((struct argument){.value = &(x), .size = sizeof(x)})
#define ARGUMENT_BUFFER(buffer_) ((struct argument){.buffer = (buffer_)})
#define ARGUMENT_CONSTANT(buffer_) ((struct argument){.buffer = (buffer_), .constant = 1})

/* One kind of device. Functions return 0 or an ERROR_ code, and fill `error`. */
struct backend {
    /* That of the fastest GPU of this kind that was measured; zeros where it has no GPUs. `auto`
     * decides by it whether to look for one at all, because looking starts a driver. */
    struct device_cost best;
    int skips_sync; /* SYNC_MAY_BE_SKIPPED of kernels/dialect.h */
    /* Describes up to `capacity` devices, the best first; gives how many there are, or 0 with the
     * reason in `error`. */
    int (*list)(struct device_info *infos, int capacity, struct error *error);
    int (*open)(struct device *device, int index, struct error *error);
    void (*close)(struct device *device);
    int (*allocate)(struct buffer *buffer, struct error *error);
    void (*release)(struct buffer *buffer);
    int (*upload)(struct buffer *buffer, const void *from, size_t size, struct error *error);
    int (*download)(
        const struct buffer *buffer, size_t offset, void *to, size_t size, struct error *error);
    /* Lets the device work on buffer->mapped itself, beside the host; NULL where it cannot. */
    int (*map)(struct buffer *buffer, struct error *error);
    void (*unmap)(struct buffer *buffer);
    int (*launch)(struct device *device, enum kernel kernel, unsigned groups_x, unsigned groups_y,
        const struct argument *arguments, int count, struct error *error);
    /* Holds the launches that follow back until `finish`; NULL where that is not known. */
    int (*hold)(struct device *device, struct error *error);
    /* Waits for all work and adds its times. */
    int (*finish)(struct device *device, struct device_times *times, struct error *error);
};

#define DEVICE_BACKEND(name, table, is_built) extern const struct backend table;
DEVICE_KINDS(DEVICE_BACKEND)

/* An open device. */
struct device {
    const struct backend *backend;
    struct device_info info;
    int threads;       /* of the host, for kernels of the CPU and loops; at least 1 */
    struct team *team; /* that runs the CPU's kernels; NULL elsewhere */
    int shares_memory; /* kernels work on the host's memory itself */
    int is_busy;       /* it has got work since the last device_finish */
    /* Called now and then while the CPU runs a kernel; asks to stop by returning 1. Others run
     * theirs to the end. NULL where nobody asks. */
    int (*progress)(void *context, double share);
    /* Called by each thread of the CPU after each group of a kernel that works on much of the
     * caller's memory; NULL where nobody asks. */
    void (*after_group)(void *context);
    void *context;
    void *state; /* the backend's own */
};

#define DEVICE_MAX_THREADS 4096 /* of the CPU */

/* What --device auto decides by. */
struct workload {
    double cpu_seconds; /* the kernels' time on one processor */
    double bytes;       /* moved to and from a device */
};

/* The names of all kinds of devices, those that this program was built without included. */
struct words device_kinds(void);

/* Describes every device of the machine; gives how many. */
int device_list(struct device_info infos[DEVICE_LIMIT]);

/* Opens a device by its id, "cuda:1"; where that is only a kind, the GPU whose turn it is: number
 * `turn`, counted round and round; of other devices the best. Threads 0 means all processors.
 * Returns 0, ERROR_USAGE for an unknown kind, ERROR_INPUT for an absent device, ERROR_DEVICE for
 * one that cannot be opened. */
int device_open(const char *id, int turn, int threads, struct device *device, struct error *error);

/* How long the work should take on a device of that cost. */
double device_seconds(const struct device_cost *cost, const struct workload *work);

/* The GPU that should finish the work soonest, the first of equal ones, or -1 where there is
 * none. */
int device_fastest(const struct device_info *infos, int count, const struct workload *work);

/* The one of the listed devices that device_open would take, or with `id` NULL device_open_auto for
 * much work. Returns its index, or -1 where there is none. */
int device_find(const char *id, int turn, const struct device_info *infos, int count);

/* Opens the device that should finish the work soonest. GPUs are looked for only where the CPU
 * needs longer than the fastest GPU that was measured would; of several alike the one whose `turn`
 * it is, as in device_open, is opened. `reason` gets one line that says why. */
int device_open_auto(const struct workload *work, int turn, int threads, struct device *device,
    struct error *reason, struct error *error);

void device_close(struct device *device);

/* Allocates `size` bytes. Where the device shares the host's memory and `host` is not NULL, that
 * memory is used in place, and uploads and downloads with it do nothing. */
int buffer_new(
    struct device *device, size_t size, void *host, struct buffer *buffer, struct error *error);
void buffer_free(struct buffer *buffer);

/* Makes a buffer of the host's memory itself, which the device and the host may use at the same
 * time, atomic operations between them included. Downloads of other buffers to that memory go there
 * directly, not through pinned blocks. Only where device_maps_memory says so. */
int buffer_map(
    struct device *device, void *host, size_t size, struct buffer *buffer, struct error *error);
int device_maps_memory(const struct device *device);

/* Copies the first `size` bytes. What is uploaded may be changed at once, though it may still be on
 * its way to a GPU: the time that this takes counts neither as a transfer nor as a kernel. */
int buffer_upload(struct buffer *buffer, const void *from, size_t size, struct error *error);
int buffer_download(const struct buffer *buffer, void *to, size_t size, struct error *error);

/* Copies `size` bytes from `offset` on. */
int buffer_download_from(
    const struct buffer *buffer, size_t offset, void *to, size_t size, struct error *error);

/* Does items 0 to count - 1 of a loop on the host, each once, in any order. Where the device is the
 * CPU, up to `threads` of those threads do it that run the kernels, since others would keep them
 * from their processors; beside a GPU all of OpenMP's, or this one alone if `threads` is 1. */
void device_for(
    struct device *device, int threads, int64_t count, team_function *function, void *context);

/* Copies bytes by as many threads as it pays for. */
void memory_copy(void *to, const void *from, size_t size);

/* Writes to each page of new memory, by as many threads as it pays for: the system clears a page
 * when it is touched first, and a driver or MPI would have one thread do that. */
void memory_touch(void *memory, size_t size);

/* Runs a kernel over groups_x x groups_y groups (groups_y at most 65535), in the order of calls;
 * zero groups do nothing. Returns ERROR_STOPPED, and leaves it to the caller to say so, where
 * device->progress has asked to stop. Returns ERROR_DEVICE where the device fails, or where the
 * arguments differ in number, kind or size from those that the kernel declares. */
int device_launch(struct device *device, enum kernel kernel, size_t groups_x, size_t groups_y,
    const struct argument *arguments, int count, struct error *error);
#define DEVICE_LAUNCH(device, kernel, groups_x, groups_y, error, ...) \
    device_launch(device, kernel, groups_x, groups_y, (const struct argument[]){__VA_ARGS__}, \
        (int)(sizeof((const struct argument[]){__VA_ARGS__}) / sizeof(struct argument)), error)

/* For benchmarks. Call after device_finish: launches from now on start only at the next
 * device_finish, so that the device does not wait for the host between them. They are at most 500,
 * which a queue holds, of kernels that have run before; no buffer is made or copied in between.
 * Where backend->hold is NULL kernels start at once. */
int device_hold(struct device *device, struct error *error);

/* Waits for all work, if there was any since the last call, and adds the time that kernels and
 * transfers took. */
int device_finish(struct device *device, struct device_times *times, struct error *error);

const char *kernel_name(enum kernel kernel);
unsigned kernel_group(enum kernel kernel);    /* items a group */
const char *kernel_table(enum kernel kernel); /* its table in constant memory, or NULL */

#endif
