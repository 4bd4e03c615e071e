#include "stages/ranks.h"

#include <dlfcn.h>
#include <limits.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kernels/device/clock.h"
#include "stages/ranks_state.h"

#define ANSWERS_SHARE 4   /* of rank 0's threads one in so many answers the others */
#define LEAVE_SECONDS 3.0 /* that the others have, after a failure, before they are killed */

/* What launchers say of a process: how many there are, and which it is. */
static const char *const LAUNCHERS[][2] = {
    {"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"},
    {"PMI_SIZE", "PMI_RANK"},
    {"SLURM_STEP_NUM_TASKS", "SLURM_PROCID"},
};

int ranks_started(int *rank)
{
    *rank = 0;
    for (size_t i = 0; i < sizeof(LAUNCHERS) / sizeof(LAUNCHERS[0]); i++) {
        const char *count = getenv(LAUNCHERS[i][0]), *own = getenv(LAUNCHERS[i][1]);
        if (!count || !own || atoi(count) < 2)
            continue;
        *rank = atoi(own);
        return atoi(count);
    }
    return 1;
}

int ranks_is_other(const struct run *run)
{
    return run->ranks && run->ranks->place.rank > 0;
}

/* Opens the library beside the one that this is in, or by its name alone. */
static void *open_library(void)
{
    char path[PATH_MAX];
    Dl_info own;
    void *library = NULL;
    const char *slash;
    if (dladdr((void *)(uintptr_t)ranks_start, &own) && (slash = strrchr(own.dli_fname, '/'))) {
        snprintf(
            path, sizeof(path), "%.*s/" RANKS_LIBRARY, (int)(slash - own.dli_fname), own.dli_fname);
        library = dlopen(path, RTLD_NOW | RTLD_GLOBAL); /* MPI's own modules look for its names */
    }
    return library ? library : dlopen(RANKS_LIBRARY, RTLD_NOW | RTLD_GLOBAL);
}

/* The ranks of a machine take its devices of a kind in turn, and share its processors while all are
 * at work: more threads than processors would wait for each other. At other times rank 0 has all.
 */
static void take_own(struct ranks *ranks, struct run *run)
{
    const int processors = (int)sysconf(_SC_NPROCESSORS_ONLN), bound = omp_get_num_procs();
    const int share = processors / ranks->place.host_count;
    ranks->threads_alone = run->threads;
    if (!run->threads) {
        run->threads = share < 1 ? 1 : share < bound ? share : bound;
        ranks->threads_alone = ranks->place.rank == 0 ? bound : run->threads;
        if (ranks->place.rank == 0 && bound < share)
            run_notice(run, 1,
                "rank 0 may use %d of %d processors; if mpirun ties it to them, add --bind-to none",
                bound, processors);
    }
    ranks->threads_answers = run->threads < ANSWERS_SHARE ? 1 : run->threads / ANSWERS_SHARE;
    ranks->threads_shared =
        run->threads < ANSWERS_SHARE ? run->threads : run->threads - ranks->threads_answers;
    omp_set_num_threads(ranks->threads_alone);
    run->turn = ranks->place.on_host;
}

int ranks_start(struct run *run, struct error *error)
{
    int rank;
    const int count = ranks_started(&rank);
    if (count == 1)
        return 0;
    struct ranks *ranks = calloc(1, sizeof(*ranks));
    if (!ranks)
        return error_set(error, ERROR_INPUT, "not enough memory to start");
    void *library = open_library(); /* until this process ends */
    if (library)
        ranks->table = dlsym(library, RANKS_TABLE);
    if (!ranks->table) {
        error_write(error,
            "cannot work with %d ranks: %.400s; build where MPI is installed, or start one process",
            count, dlerror());
        free(ranks);
        return ERROR_INPUT;
    }
    const char *reason = ranks->table->start(&ranks->place);
    if (!reason && (ranks->place.rank != rank || ranks->place.count != count)) {
        ranks->table->end();
        reason = "it was started by the launcher of another MPI than it was built with";
    }
    if (reason) {
        free(ranks);
        return error_set(error, ERROR_INPUT, "cannot work with %d ranks: %s", count, reason);
    }
    pthread_mutex_init(&ranks->mpi_lock, NULL);
    pthread_mutex_init(&ranks->lock, NULL);
    ranks->run = run;
    take_own(ranks, run);
    ranks->waiting = calloc((size_t)count, sizeof(*ranks->waiting));
    ranks->pid = calloc((size_t)count, sizeof(*ranks->pid));
    if (!ranks->waiting || !ranks->pid)
        ranks->table->abort();
    ranks_find_reach(ranks);
    if (rank == 0 && pthread_create(&ranks->answers, NULL, ranks_answer, ranks) != 0)
        ranks->table->abort();
    run->ranks = ranks;
    return 0;
}

void ranks_gather(struct run *run, const void *own, size_t size, void *all)
{
    struct ranks *ranks = run->ranks;
    if (ranks_is_other(run)) {
        ranks->table->send(0, TAG_GATHER, own, size);
        return;
    }
    memcpy(all, own, size);
    pthread_mutex_lock(&ranks->mpi_lock);
    for (int from = 1; from < ranks->place.count; from++)
        ranks->table->receive(from, TAG_GATHER, (char *)all + (size_t)from * size, size);
    pthread_mutex_unlock(&ranks->mpi_lock);
}

/* Of another rank: looks whether rank 0 has gone on, or ended the job. */
static int check_orders(struct run *run)
{
    struct ranks *ranks = run->ranks;
    int from;
    pthread_mutex_lock(&ranks->mpi_lock);
    if (!ranks->has_pending && !ranks->has_ended && ranks->table->probe(TAG_HEAD, &from))
        ranks_take_head(ranks);
    pthread_mutex_unlock(&ranks->mpi_lock);
    return ranks->has_pending || ranks->has_ended ? error_set(&run->error, ERROR_STOPPED, "stopped")
                                                  : 0;
}

/* Rank 0 tells the user what the others warn of. */
static void tell_warnings(struct run *run)
{
    struct ranks *ranks = run->ranks;
    pthread_mutex_lock(&ranks->lock);
    struct warning *warning = ranks->warnings;
    ranks->warnings = NULL;
    pthread_mutex_unlock(&ranks->lock);
    while (warning) {
        struct warning *next = warning->next;
        run_notice(run, 1, "rank %d: %s", warning->rank, warning->text);
        free(warning);
        warning = next;
    }
}

int ranks_warn(struct run *run, const char *warning)
{
    const size_t size = strlen(warning) + 1;
    if (!ranks_is_other(run))
        return 0;
    ranks_send_head(run->ranks, 0, (struct message){.kind = MESSAGE_WARN, .size = {size}});
    run->ranks->table->send(0, TAG_BODY, warning, size);
    return 1;
}

int ranks_stop(struct run *run, int is_asked)
{
    struct ranks *ranks = run->ranks;
    if (!ranks)
        return is_asked;
    if (ranks_is_other(run)) {
        if (is_asked && !ranks->is_stopped)
            ranks_send_head(ranks, 0, (struct message){.kind = MESSAGE_STOP});
        ranks->is_stopped |= is_asked;
        return 0;
    }
    pthread_mutex_lock(&ranks->lock);
    is_asked |= ranks->is_stopped;
    pthread_mutex_unlock(&ranks->lock);
    return is_asked;
}

int ranks_check(struct run *run)
{
    struct ranks *ranks = run->ranks;
    if (!ranks)
        return 0;
    if (ranks_is_other(run))
        return check_orders(run);
    pthread_mutex_lock(&ranks->lock);
    const int has_failed = ranks->has_failed, has_warnings = ranks->warnings != NULL;
    if (has_failed)
        run->error = ranks->error;
    pthread_mutex_unlock(&ranks->lock);
    if (has_warnings)
        tell_warnings(run);
    return has_failed ? ERROR_INPUT : 0;
}

/* Another rank says why it has failed, and waits to be let go: rank 0 has files to remove first. */
static void tell_failure(struct run *run)
{
    double pause = NAP_LEAST;
    int from;
    struct ranks *ranks = run->ranks;
    const size_t size = strlen(run->error.text) + 1;
    ranks_send_head(ranks, 0, (struct message){.kind = MESSAGE_FAIL, .size = {size}});
    ranks->table->send(0, TAG_BODY, run->error.text, size);
    while (!ranks->has_ended) {
        if (!ranks->has_pending && ranks->table->probe(TAG_HEAD, &from))
            ranks_take_head(ranks);
        if (ranks->has_pending)
            ranks_receive_inputs(ranks, &run->shared); /* which are in vain */
        ranks_free_inputs(ranks);
        ranks_nap(&pause);
    }
}

static void say_goodbye(struct run *run)
{
    struct rank_times times = {.count = run->stage_count};
    for (int i = 0; i < times.count; i++) {
        snprintf(times.row[i].stage, sizeof(times.row[i].stage), "%s", run->timings[i].stage);
        times.row[i].seconds = run->timings[i].wall;
    }
    ranks_send_head(run->ranks, 0, (struct message){.kind = MESSAGE_BYE});
    run->ranks->table->send(0, TAG_BODY, &times, sizeof(times));
}

/* Rank 0 lets the others go, and waits until all have said goodbye; not for long where the job has
 * failed. */
static void dismiss(struct run *run, int has_failed)
{
    struct ranks *ranks = run->ranks;
    const double end = clock_seconds() + LEAVE_SECONDS;
    double pause = NAP_LEAST;
    pthread_mutex_lock(&ranks->mpi_lock);
    pthread_mutex_lock(&ranks->lock);
    ranks->number++;
    pthread_mutex_unlock(&ranks->lock);
    for (int to = 1; to < ranks->place.count; to++)
        ranks_send_head(ranks, to, (struct message){.kind = MESSAGE_END});
    pthread_mutex_unlock(&ranks->mpi_lock);
    while (!ranks->have_left && (!has_failed || clock_seconds() < end)) {
        ranks_nap(&pause);
        has_failed |= run->progress && run->progress(run->context, "other ranks", 1);
        pthread_mutex_lock(&ranks->lock);
        ranks->have_left = ranks->left == ranks->place.count - 1;
        pthread_mutex_unlock(&ranks->lock);
    }
    pthread_mutex_lock(&ranks->lock);
    ranks->is_over = 1;
    pthread_mutex_unlock(&ranks->lock);
    pthread_join(ranks->answers, NULL);
    tell_warnings(run);
}

void ranks_disband(struct run *run, int rc)
{
    struct ranks *ranks = run->ranks;
    if (!ranks || ranks->has_disbanded)
        return;
    ranks->has_disbanded = 1;
    if (ranks_is_other(run) && rc && !ranks->has_ended)
        tell_failure(run);
    if (ranks_is_other(run))
        say_goodbye(run);
    else
        dismiss(run, rc != 0);
}

void ranks_end(struct run *run, int rc)
{
    struct ranks *ranks = run->ranks;
    if (!ranks)
        return;
    ranks_disband(run, rc);
    if (!ranks_is_other(run) && !ranks->have_left)
        ranks->table->abort();
    ranks->table->end();
    ranks_free_inputs(ranks);
    pthread_mutex_destroy(&ranks->mpi_lock);
    pthread_mutex_destroy(&ranks->lock);
    free(ranks->waiting);
    free(ranks->pid);
    free(ranks);
    run->ranks = NULL;
}
