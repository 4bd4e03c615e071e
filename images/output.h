/* Output files that appear whole or not at all. */
#ifndef OUTPUT_H
#define OUTPUT_H

#include <limits.h>
#include <stdint.h>
#include <stdio.h>

#include "error.h"
#include "progress.h"

struct output {
    FILE *file;       /* write here */
    char *path;       /* the file meant, links resolved; NULL for standard output and devices */
    char *temporary;  /* the name it has until it is whole */
    const char *name; /* as the user gave it, for messages */
    unsigned parts;   /* written so far, for a writer that counts them */
    int failure;      /* errno of the first write that failed, or ECANCELED: see output_commit */
    const struct progress *progress; /* NULL: nobody watches */
};

/* Checks that path can be written, without touching it; "-" is standard output, refused where
 * that is a terminal and the output is binary. Returns 0 or ERROR_INPUT. */
int output_check(const char *path, int binary, struct error *error);

/* The same of a file that is written beside the one that the user named: one that is there must be
 * empty or begin with the mark, else it is refused as a file that `fault`. Returns 0 or
 * ERROR_INPUT. */
int output_check_own(const char *path, const char *mark, const char *fault, struct error *error);

/* The file for a frame of an animation: "a-0007.png" for "a.png"; the output itself where it is not
 * numbered. Returns 0, or ERROR_INPUT where it names no file or is too long. */
int output_frame_path(
    const char *output, int is_numbered, uint32_t frame, char path[PATH_MAX], struct error *error);

/* The name of a file or folder, without the folders that its path goes through. */
const char *output_name(const char *path);

/* The number of the frame of that output to which a name without a folder belongs: 7 for "a.png"
 * and "a-0007.png". Returns whether it belongs to one. */
int output_frame_number(const char *output, const char *name, uint32_t *frame);

/* Calls `visit` with the path of each of the frames `first` to `last` of `output` whose file is
 * there already, in any order, until it returns something else than 0, which is returned; else
 * 0. */
int output_each_frame(const char *output, uint32_t first, uint32_t last,
    int (*visit)(void *context, const char *path), void *context);

/* Refuses a path that leads to a folder. Returns 0 or ERROR_INPUT. */
int output_refuse_folder(const char *path, struct error *error);

/* Checks the files of all these frames as output_check does, and refuses to name them after a
 * device or pipe. Returns 0, ERROR_INPUT or ERROR_USAGE. */
int output_check_frames(const char *output, uint32_t first, uint32_t last, struct error *error);

/* Calls `visit` with the path of each temporary file or folder in the output's folder that a run
 * which was killed has left there. "-" has none. */
void output_each_leftover(
    const char *path, void (*visit)(void *context, const char *path), void *context);

/* Opens path for writing: a regular file under a temporary name in the same folder, a device or
 * pipe in place. Writers report to `progress` (NULL: nobody watches), which must outlive it.
 * Returns 0 or ERROR_INPUT. */
int output_open(const char *path, int binary, const struct progress *progress,
    struct output *output, struct error *error);

/* Makes a folder under a temporary name, which the caller frees, in the folder of the path. Returns
 * it open, to be closed when it has its own name or is removed, or -1 and errno. */
int output_make_folder(const char *path, char **temporary);

/* Writes bytes; a failure is kept for output_commit. */
void output_write(struct output *output, const void *bytes, size_t size);

/* Reports the share that is written. Returns 1 where the rest is in vain: a write has failed, or
 * the user asks to stop. Writers call it every few thousand records and, where it returns 1, return
 * as if done. */
int output_progress(struct output *output, double share);

/* What is known of failures so far: 0, or ERROR_INPUT or ERROR_STOPPED with the message. */
int output_status(const struct output *output, struct error *error);

/* Writes what is still in memory, so that a full disk shows. Returns as output_status. */
int output_flush(struct output *output, struct error *error);

/* Flushes and puts the file in its place. Returns 0, or ERROR_INPUT or ERROR_STOPPED with nothing
 * changed, but for pipes and devices. */
int output_commit(struct output *output, struct error *error);

/* Gives up: removes the temporary file. After output_commit it does nothing. */
void output_abandon(struct output *output);

#endif
