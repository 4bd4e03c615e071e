/* Ranks: several processes that do one job together, on one machine or many. A launcher of MPI
 * starts them all with the same command line. Rank 0 runs the pipeline, reads and writes files and
 * speaks; where a stage has much to do, it shares the work out in parts, and the other ranks, which
 * wait for such work, take parts too. A part's result does not depend on who makes it.
 *
 * A stage that shares its work reads the same with one process and with many:
 *
 *     rc = run_share(run, &share);
 *     while (rc == 0 && run_take(run, &part)) {
 *         ... make the part's result at share.result(share.context, part, &size) ...
 *         if (rc == 0)
 *             run_give(run, part);
 *     }
 *     rc = run_join(run, rc);
 */
#ifndef RANKS_H
#define RANKS_H

#include <stddef.h>
#include <stdint.h>

#include "error.h"

struct run;

#define SHARE_INPUTS 5
#define PARTS_A_RANK 8 /* of a share, so that all ranks end at about the same time */

/* Work that is shared out. */
struct share {
    uint32_t parts; /* of the work; some for each rank, so that all end at about the same time */
    /* What the other ranks need to know. Those get copies, which last until the next run_await. */
    void *input[SHARE_INPUTS];
    size_t input_size[SHARE_INPUTS];
    /* With several ranks: what only who makes a part has to know, in new memory, which is freed
     * when the part is handed in; NULL where memory is short. Two threads of rank 0 may call it at
     * once. NULL: there is nothing of that kind. */
    void *(*part_input)(void *context, uint32_t part, size_t *size);
    /* Where the result of a part lies or is to lie in this process, and its size in bytes. Rank 0
     * calls it from another thread. */
    void *(*result)(void *context, uint32_t part, size_t *size);
    /* With several ranks, for results that are used one by one, as frames of a video are: rank 0
     * calls it with each part in order, from run_take or run_join, as soon as its result is there.
     * Then its place may be that of a later one, up to `places` parts on. Returns 0, or an ERROR_
     * code with the reason in run->error, which ends the work. NULL: all results stay. */
    int (*finish)(void *context, uint32_t part);
    uint32_t places;
    void *context;
};

/* How many ranks this process was started as one of, and which, by what launchers leave in the
 * environment; 1 and 0 where it is alone. */
int ranks_started(int *rank);

/* Joins the ranks: sets run->ranks, and the run's threads and device so that the ranks of a machine
 * share its processors and take its devices in turn. Does nothing where there is only one.
 * Returns 0, or ERROR_INPUT. */
int ranks_start(struct run *run, struct error *error);

/* How many ranks there are; 1 alone, or for what a part is made of (run_alone). */
int run_ranks(const struct run *run);

/* Whether they are on several machines. Where all are on one, rank 0 may use all processors that
 * the launcher or the user does not keep it from while the others wait, so that only work for
 * devices is worth sharing. */
int run_is_spread(const struct run *run);

/* Brings `size` bytes of each rank to rank 0, whose `all` then has them in the order of ranks. All
 * ranks call it, before any work. */
void ranks_gather(struct run *run, const void *own, size_t size, void *all);

/* Rank 0: brings the inputs to all ranks, for which it waits until all are free, and begins to hand
 * out the parts; alone it has all of them. The inputs may change after that; what `result` points
 * to stays until run_join. Returns 0, or ERROR_INPUT where another rank has failed. */
int run_share(struct run *run, const struct share *share);

/* Takes the next part, or once more the one that has not been handed in, since the device failed.
 * Returns whether there is one to make; after a failure or Ctrl-C, which run_join and run_await
 * tell, there is none. */
int run_take(struct run *run, uint32_t *part);

/* With several ranks: what share.part_input has for the part that was taken. Returns NULL where
 * memory is short. */
void *run_part_input(struct run *run, uint32_t part, size_t *size);

/* Hands in the result of a part. */
void run_give(struct run *run, uint32_t part);

/* Ends the work; `rc` is how this rank's own parts ended, and is returned where it is not 0. Rank 0
 * waits until all results are there; after an error of another rank it returns ERROR_INPUT. */
int run_join(struct run *run, int rc);

/* Makes a part that is a whole job of its own: what `make` shares, this rank does alone. */
int run_alone(struct run *run, int (*make)(void *context), void *context);

/* Another rank: waits for work; `rc` is how the last one ended. Leaves its parts and input in
 * run->shared; the caller sets where results lie. Returns 1, 0 at the end of the job, or rc where
 * that is an error. */
int run_await(struct run *run, int rc);

/* Another rank: lets rank 0 warn the user, in this rank's name. Returns whether this is one. Of
 * what all do together, rank 0 warns by itself. */
int ranks_warn(struct run *run, const char *warning);

/* Another rank: takes over input number `input`, which the caller frees. */
void *run_keep_input(struct run *run, int input);

/* Whether the job is to stop; `is_asked` says whether somebody asks this rank. Rank 0 decides what
 * becomes of the job, whichever rank is asked: another one tells it, and goes on until it is let
 * go. */
int ranks_stop(struct run *run, int is_asked);

/* Asks whether work is in vain, since another rank has failed, the job has ended or rank 0 has gone
 * on to the next work; for run_progress. Returns 0, or the code with the reason in run->error. */
int ranks_check(struct run *run);

/* The end of the work that is shared: rank 0 lets the others go and waits until they have left,
 * after a failure (`rc`) for some seconds. Another rank tells rank 0 of its failure, waits to be
 * let go, and hands in its times. What rank 0 still has to write it can write then, before
 * ranks_end: a launcher that has been interrupted may not answer that any more. */
void ranks_disband(struct run *run, int rc);

/* The end, in every case after ranks_start: disbands, if that has not been done, kills those that
 * have not left, ends MPI, and frees run->ranks. */
void ranks_end(struct run *run, int rc);

#endif
