/* What the functions of libtessera share. */
#ifndef CONTEXT_H
#define CONTEXT_H

#include "stages/run.h"
#include "stages/tessera.h"

struct tessera {
    struct run run;
    char device_id[32]; /* that was asked for */
    int threads;
    int (*progress)(void *context, const char *stage, double share);
    void *context;
    char used[32];     /* the device of the last job */
    int outer_threads; /* OpenMP's number of threads before the job */
};

/* Before and after a job. A device that was chosen by name, and a GPU, stay open for the next.
 * context_end returns rc, with ERROR_USAGE as ERROR_INPUT. */
void context_begin(struct tessera *tessera);
int context_end(struct tessera *tessera, int rc);

/* Refuses an argument: TESSERA_INPUT, with the reason. */
#define context_refuse(tessera, ...) error_set(&(tessera)->run.error, ERROR_INPUT, __VA_ARGS__)

/* Makes the image that the stages work with of the caller's, and the other way round. image_free
 * and tessera_image_free free them. Return 0 or ERROR_INPUT. */
int context_take_image(
    struct tessera *tessera, const struct tessera_image *from, struct image *image);
int context_give_image(
    struct tessera *tessera, const struct image *from, struct tessera_image *image);

#endif
