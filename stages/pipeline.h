/* The frame that all tools run on: a tool is a state struct and a table of stages. */
#ifndef PIPELINE_H
#define PIPELINE_H

#include <limits.h>

#include "error.h"
#include "images/image.h"
#include "kernels/device/device.h"
#include "progress.h"

#define MAX_STAGES 16
#define MAX_BUFFERS 32

struct run;

/* What a stage returns where the work goes in rounds: bands of a picture, frames of an animation. */
#define STAGE_AGAIN 1

/* One step of a tool. A stage may be run again: it makes its results anew from those before it. */
struct stage {
    const char *name;    /* "edges": in timings, picture names and --list-stages */
    const char *summary; /* one line for --list-stages */
    /* Returns 0, an ERROR_ code, or STAGE_AGAIN: the table goes on from `again`. */
    int (*run)(struct run *run, void *state);
    /* What --save-stages shows of it; NULL where there is nothing to see. */
    int (*picture)(struct run *run, void *state, struct image *picture);
    const struct stage *again; /* an earlier stage of the table, or itself */
    /* The last stage of a table may choose another table that the work goes on with; or NULL. */
    const struct stage *const *(*next)(const void *state);
};

struct timing {
    const char *stage;
    double wall;                /* seconds, transfers and kernels included */
    struct device_times device; /* seconds */
};

/* What all tools share. Zeros mean the defaults: device auto, all processors, no pictures, silence. */
struct run {
    const char *device_id;   /* NULL or "auto" chooses; else as device_open takes it */
    int threads;             /* 0: all processors */
    const char *save_stages; /* folder for the pictures of stages, or NULL */
    /* Called when a stage has done `share` (0 to 1) of its work; asks to stop by returning 1. */
    int (*progress)(void *context, const char *stage, double share);
    /* Called with one line for the user: a warning, or detail that is shown when asked for. */
    void (*notice)(void *context, int is_warning, const char *line);
    int wants_detail; /* whether detail is asked for, where it takes work to find out */
    void *context;

    struct device device; /* open once a stage has called run_device */
    int stage_count;
    struct timing timings[MAX_STAGES];
    const char *stage;     /* the one running */
    struct timing *timing; /* its own */
    struct progress watch; /* see run_watch */
    int is_finishing; /* a stage was asked to stop and the rest writes what it has: none asks again */
    char part[64];    /* of the work that goes in rounds: "frame 7 of 60"; a stage sets it */
    struct buffer *buffers[MAX_BUFFERS];
    int buffer_count;
    struct error error; /* why pipeline_run failed */
};

/* Runs the stages of the NULL-terminated table, and of those that it goes on with, in order, times each
 * (the sum of its rounds) and writes its picture (of the last round). When a device that was chosen by
 * itself fails, all is run again on the CPU, so a table that is run in parts must name its device.
 * Returns 0, or the ERROR_ code of the stage that failed, with the reason in run->error. */
int pipeline_run(struct run *run, const struct stage *const *stages, void *state);

/* The file in that folder for the picture of a stage, the `number`th that runs, from 1. Returns 0, or
 * ERROR_INPUT where its name is too long. */
int pipeline_picture_path(const char *folder, const struct stage *stage, int number,
    char path[PATH_MAX], struct error *error);

/* Frees the run's buffers; run_end also closes its device. */
void run_buffers_free(struct run *run);
void run_end(struct run *run);

/* Opens the run's device unless it is open; `work` is what the choice is made by. */
int run_device(struct run *run, const struct workload *work);

/* Makes a buffer on the run's device, which the run frees; an old one in its place is used again where
 * it has that size, or freed. `host` as buffer_new has it. */
int run_buffer(struct run *run, struct buffer *buffer, size_t size, void *host);

/* The same for the host's memory itself, as buffer_map has it. */
int run_map(struct run *run, struct buffer *buffer, void *host, size_t size);

/* Waits for the run's device, in the middle of a stage. */
int run_finish(struct run *run);

/* Reports the share of its work that the running stage has done, with the part of the work that it
 * is at; the CPU's kernels report by themselves. Returns 0, or ERROR_STOPPED. */
int run_progress(struct run *run, double share);

/* The same for readers and writers that report by themselves. */
const struct progress *run_watch(struct run *run);

/* Passes a line to the user; `...` as in printf. */
void run_notice(struct run *run, int is_warning, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
