/* The frame that all tools run on. A tool's pipeline is a C function that runs stages in their
 * order; the run gives each stage what all need: times, progress, a device, buffers, a snapshot
 * of what it did. */
#ifndef RUN_H
#define RUN_H

#include <pthread.h>

#include "error.h"
#include "images/image.h"
#include "kernels/device/device.h"
#include "progress.h"
#include "stages/ranks.h"

#define MAX_STAGES 32
#define MAX_BUFFERS 32

/* What every stage has, whichever tool it belongs to. */
struct stage {
    const char *name;    /* "edges": in timings, names of snapshots and lists */
    const char *summary; /* one line for --list-stages */
};

struct timing {
    const char *stage;
    double wall;                /* seconds, transfers and kernels included */
    struct device_times device; /* seconds */
    /* Of the other ranks that ran it: how many they are, their wall times' sum and the longest. */
    int ranks;
    double sum, slowest;
};

/* A run of a stage, or the start of the device, which goes on beside stages; in seconds by
 * clock_seconds. */
struct event {
    const char *name;
    double start, end;
    int is_device;
};

/* A device that starts in a thread of its own, while stages read what it will work on. */
struct starting {
    int is_going; /* the thread is there; what follows is its own until it is joined */
    pthread_t thread;
    const char *id; /* as in struct run */
    int turn, threads;
    struct workload work;
    struct device device;
    double start, end;          /* seconds, by clock_seconds */
    struct error reason, error; /* of the choice; of the failure */
    int rc;
};

/* A device that is closed in a thread of its own, while the last results are written. */
struct closing {
    int is_going; /* the thread is there */
    pthread_t thread;
    struct device device;
};

/* What a stage that is to come may take. */
struct weight {
    const struct stage *stage; /* NULL: of several, as in further searches */
    double seconds;            /* only their ratios matter */
};

/* How much of the whole work is done, as far as that is known; see run_plan and run_round. */
struct outlook {
    uint32_t round, rounds; /* of work that goes in rounds: which one, from 0, of how many */
    struct weight weights[MAX_STAGES];
    int count;
    double passed, running, left;        /* seconds, as the weights have them */
    double planned_share, planned_after; /* the share, and `passed`, when this was foreseen */
    double start;                        /* when it began to be known, by clock_seconds */
};

/* What all tools share. Zeros mean the defaults: device auto, all processors, no snapshots,
 * silence. */
struct run {
    const char *device_id; /* NULL or "auto" chooses; else as device_open takes it */
    int turn;              /* as in device_open: which of several devices */
    int threads;           /* 0: all processors */
    /* Called when a stage has done `share` (0 to 1) of its work; asks to stop by returning 1. */
    int (*progress)(void *context, const char *stage, double share);
    /* Called with one line for the user: a warning, or detail that is shown when asked for. */
    void (*notice)(void *context, int is_warning, const char *line);
    int wants_detail; /* whether detail is asked for, where it takes work to find out */
    int keeps_events; /* whether `events` are asked for */
    int is_reference; /* runs the references of stages that have one; only on the CPU */
    /* Takes what is to be seen of the `number`th stage that ran, from 1; NULL: nothing is asked
     * for. Returns 0, or an ERROR_ code with the reason in run->error. */
    int (*snapshot)(
        struct run *run, const struct stage *stage, int number, const struct image *snapshot);
    void *context;
    struct scratch *scratch; /* whose memory the CPU's kernels work on, or NULL */

    struct device device; /* open from run_device on, until run_release_device */
    struct starting starting;
    struct closing closing;
    int stage_count;
    struct timing timings[MAX_STAGES];
    struct event *events; /* in the order in which they ended; run_end frees them */
    size_t event_count, event_capacity;
    const char *stage;     /* the one running */
    double done;           /* the share of it that was reported last */
    struct timing *timing; /* its own */
    double stage_start;    /* when it began, by clock_seconds */
    struct progress watch; /* see run_watch */
    int watch_part, watch_parts;
    int has_answer;    /* a pipeline that could do without further search sets this */
    int is_finishing;  /* somebody asked to stop: the rest makes what it can of the answer */
    int has_told_stop; /* see run_leave_out */
    struct outlook outlook;
    double launch_from, launch_to; /* shares of the stage, at the ends of a launch of a kernel */
    char part[64]; /* told with the progress of a stage: "frame 7 of 60", "best cost 0.4512" */
    struct run_buffer {
        struct buffer *buffer;
        const char *stage; /* that made it */
    } buffers[MAX_BUFFERS];
    int buffer_count;
    struct ranks *ranks; /* NULL: this process is alone; see ranks.h */
    struct share shared; /* the work that was shared last */
    uint32_t next_part;  /* of it, where this process is alone */
    int is_alone;        /* in run_alone: ranks share nothing now */
    struct error error;  /* why a stage failed */
};

/* Declares struct TOOL_stage, a step of the tool whose state is struct TOOL, and TOOL_run_stage,
 * which runs one: with progress, its times (the sum where it runs again) and, where the run asks
 * for them, its snapshot (the last one stays). A stage makes its results from those of earlier
 * stages, which it leaves as they are, so it can run again. `run` and TOOL_run_stage return 0 or
 * an ERROR_ code with the reason in run->error. `reference` makes the same as `run` by sequential C
 * instead of kernels, in the memory of buffers of the CPU: what kernels are checked against and
 * compared with in benchmarks. `snapshot` draws what the caller frees. Both may be NULL. */
#define STAGE_OF(tool) \
    struct tool##_stage { \
        struct stage stage; \
        int (*run)(struct run * run, struct tool *state); \
        int (*reference)(struct run * run, struct tool *state); \
        int (*snapshot)(struct run * run, struct tool *state, struct image *snapshot); \
    }; \
    static inline int tool##_run_stage( \
        struct run *run, const struct tool##_stage *stage, struct tool *state) \
    { \
        struct image snapshot = {0}; \
        int rc = run_begin_stage(run, &stage->stage); \
        if (rc == 0) \
            rc = run->is_reference && stage->reference ? stage->reference(run, state) \
                                                       : stage->run(run, state); \
        rc = run_end_stage(run, rc); \
        if (rc == 0 && run->snapshot && stage->snapshot) { \
            rc = stage->snapshot(run, state, &snapshot); \
            rc = run_end_snapshot(run, &stage->stage, &snapshot, rc); \
        } \
        return rc; \
    } \
    struct tool##_stage

/* STAGE_OF calls these before and after a stage and after its snapshot; ranks other than 0 call the
 * first two around their part of a stage. */
int run_begin_stage(struct run *run, const struct stage *stage);
int run_end_stage(struct run *run, int rc);
int run_end_snapshot(struct run *run, const struct stage *stage, struct image *snapshot, int rc);

/* Forgets the stages of an earlier pipeline, and lets a device that was named start. Every pipeline
 * begins with it. */
void run_start(struct run *run);

/* Lets the device start that is best for this work, beside what the running stage does; for stages
 * that know what work will come before they have read or made it all. Does nothing where a device
 * is open or starting. */
void run_expect(struct run *run, const struct workload *work);

/* Says that these stages are still to come, in this order, in place of what was said before: the
 * share that is done stays, and what is left of it is shared out among them. A stage that runs
 * several times is listed as often. Those before the one that runs next are taken for left out. */
void run_plan(struct run *run, const struct weight *weights, int count);

/* Says which frame of an animation the work is at. */
void run_round(struct run *run, uint32_t frame, uint32_t first, uint32_t last);

/* The share of the whole that is done when that share of the running stage is; below 0 where that
 * is not known. */
double run_overall(const struct run *run, double share);

/* The seconds that are left then, by the time that the work so far has taken; below 0 where that is
 * not known. */
double run_left(const struct run *run, double share);

/* Whether to run the pipeline (in other ranks than 0 their part of it) once more, on the CPU, after
 * it returned rc. That is so where a device that was chosen by itself has failed; it is closed,
 * with a warning. A device that was named stays. */
int run_falls_back(struct run *run, int rc);

/* For a stage that is the last to need the device: waits for its work, frees the run's buffers and
 * closes it in a thread, for which run_end waits; to close CUDA takes 60 ms on one H200. The CPU
 * stays open, and run->device.info stays as it is. run_device may open a device again, which
 * run_end closes. Returns 0, or ERROR_DEVICE where the work has failed. */
int run_release_device(struct run *run);

/* Frees the run's buffers; run_end also closes its device. */
void run_buffers_free(struct run *run);
void run_end(struct run *run);

/* Opens the run's device unless it is open, or waits until it has started; `work` is what the
 * choice is made by where run_expect has not been called. */
int run_device(struct run *run, const struct workload *work);

/* Makes a buffer on the run's device, which the run frees; an old one in its place is used again
 * where it has room and no more than an eighth of that is left over, or freed. `host` as buffer_new
 * has it. */
int run_buffer(struct run *run, struct buffer *buffer, size_t size, void *host);

/* The same for the host's memory itself, as buffer_map has it. */
int run_map(struct run *run, struct buffer *buffer, void *host, size_t size);

/* Waits for the run's device, in the middle of a stage. */
int run_finish(struct run *run);

/* Reports the share of its work that the running stage has done; the CPU's kernels report by
 * themselves. Returns 0, ERROR_STOPPED where somebody asks to stop and there is no answer, or
 * ERROR_INPUT where another rank has failed. Where there is an answer, a stop sets is_finishing and
 * nothing else: a stage or pipeline that then leaves work out calls run_leave_out. */
int run_progress(struct run *run, double share);

/* As run_progress, in a parallel loop, for one of `count` parts that is done; `done` counts them.
 * Only the first thread reports, and gets anything but 0. */
int run_progress_part(struct run *run, uint32_t *done, uint32_t count);

/* As run_progress, for readers and writers that report by themselves. */
const struct progress *run_watch(struct run *run);

/* As run_watch, where the stage reads or writes `parts` files, and this is number `part` from 0. */
const struct progress *run_watch_part(struct run *run, int part, int parts);

/* Says what a stop has left out, or what the answer is without that; only the first is said. */
void run_leave_out(struct run *run, const char *what);

/* Passes a line to the user; `...` as in printf. */
void run_notice(struct run *run, int is_warning, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
