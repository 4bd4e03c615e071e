#include "stages/ranks.h"

#include <dlfcn.h>
#include <limits.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kernels/device/clock.h"
#include "stages/ranks_state.h"

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

static int is_other(const struct run *run)
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
    }
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
    ranks->warnings = calloc((size_t)count, sizeof(*ranks->warnings));
    if (!ranks->warnings ||
        (rank == 0 && pthread_create(&ranks->answers, NULL, ranks_answer, ranks) != 0))
        ranks->table->abort();
    take_own(ranks, run);
    run->ranks = ranks;
    return 0;
}

int run_ranks(const struct run *run)
{
    return run->ranks ? run->ranks->place.count : 1;
}

void ranks_gather(struct run *run, const void *own, size_t size, void *all)
{
    struct ranks *ranks = run->ranks;
    if (is_other(run)) {
        ranks->table->send(0, TAG_GATHER, own, size);
        return;
    }
    memcpy(all, own, size);
    pthread_mutex_lock(&ranks->mpi_lock);
    for (int from = 1; from < ranks->place.count; from++)
        ranks->table->receive(from, TAG_GATHER, (char *)all + (size_t)from * size, size);
    pthread_mutex_unlock(&ranks->mpi_lock);
}

int run_share(struct run *run, const struct share *share)
{
    struct ranks *ranks = run->ranks;
    run->shared = *share;
    run->next_part = 0;
    const int rc = ranks_check(run);
    if (rc || !ranks)
        return rc;
    pthread_mutex_lock(&ranks->mpi_lock);
    pthread_mutex_lock(&ranks->lock);
    ranks->share = *share;
    ranks->number++;
    ranks->next = 0;
    pthread_mutex_unlock(&ranks->lock);
    struct message message = {
        .kind = MESSAGE_SHARE, .number = ranks->number, .parts = share->parts};
    memcpy(message.size, share->input_size, sizeof(message.size));
    for (int to = 1; to < ranks->place.count; to++)
        ranks_send_head(ranks, to, message);
    for (int i = 0; i < SHARE_INPUTS; i++)
        if (share->input_size[i])
            ranks->table->broadcast(share->input[i], share->input_size[i]);
    pthread_mutex_unlock(&ranks->mpi_lock);
    omp_set_num_threads(run->threads);
    return 0;
}

/* Another rank takes a message of rank 0 that is there, and keeps it where it is not an answer. */
static struct message take_head(struct ranks *ranks)
{
    struct message message;
    ranks->table->receive(0, TAG_HEAD, &message, sizeof(message));
    if (message.kind == MESSAGE_SHARE)
        ranks->pending = message;
    ranks->has_pending |= message.kind == MESSAGE_SHARE;
    ranks->has_ended |= message.kind == MESSAGE_END;
    return message;
}

/* Another rank waits until there is a message, or the user asks to stop. Returns 0 or
 * ERROR_STOPPED. */
static int wait_for_head(struct run *run)
{
    double pause = NAP_LEAST;
    int from;
    while (!run->ranks->table->probe(TAG_HEAD, &from)) {
        if (run->progress && run->progress(run->context, "", 0))
            return error_set(&run->error, ERROR_STOPPED, "stopped");
        ranks_nap(&pause);
    }
    return 0;
}

/* Another rank asks for a part. Where rank 0 has gone on meanwhile, it does not answer. */
static int ask_for_part(struct run *run, uint32_t *part)
{
    struct ranks *ranks = run->ranks;
    if (ranks->has_pending || ranks->has_ended)
        return 0;
    *part = ranks->held;
    if (ranks->holds_part)
        return 1;
    ranks_send_head(ranks, 0, (struct message){.kind = MESSAGE_TAKE, .number = ranks->number});
    if (wait_for_head(run))
        return 0;
    const struct message message = take_head(ranks);
    *part = ranks->held = message.part;
    ranks->holds_part = message.kind == MESSAGE_PART;
    return ranks->holds_part;
}

int run_take(struct run *run, uint32_t *part)
{
    struct ranks *ranks = run->ranks;
    int has_part;
    if (is_other(run)) {
        has_part = ask_for_part(run, part);
    } else if (ranks) {
        pthread_mutex_lock(&ranks->lock);
        has_part = ranks->next < ranks->share.parts && !ranks->has_failed;
        *part = ranks->next;
        ranks->next += (uint32_t)has_part;
        pthread_mutex_unlock(&ranks->lock);
    } else {
        has_part = run->next_part < run->shared.parts;
        *part = run->next_part++;
    }
    return has_part;
}

void run_give(struct run *run, uint32_t part)
{
    size_t size;
    if (!is_other(run))
        return; /* it lies there already */
    const void *result = run->shared.result(run->shared.context, part, &size);
    run->ranks->holds_part = 0;
    ranks_send_head(
        run->ranks, 0, (struct message){.kind = MESSAGE_GIVE, .part = part, .size = {size}});
    run->ranks->table->send(0, TAG_BODY, result, size);
}

int run_join(struct run *run, int rc)
{
    struct ranks *ranks = run->ranks;
    double pause = NAP_LEAST;
    if (!ranks || is_other(run))
        return rc;
    for (int is_open = 1; is_open;) {
        pthread_mutex_lock(&ranks->lock);
        is_open = ranks->parts_out > 0;
        if (rc)
            ranks->next = ranks->share.parts;
        if (rc == ERROR_STOPPED || ranks->has_failed) { /* the others may take long */
            ranks->share.result = NULL;
            is_open = ranks->is_receiving;
        }
        pthread_mutex_unlock(&ranks->lock);
        if (rc == 0)
            rc = run_progress(run, 1); /* all are at work on the last parts */
        if (is_open)
            ranks_nap(&pause);
    }
    omp_set_num_threads(ranks->threads_alone);
    return rc;
}

void *run_keep_input(struct run *run, int input)
{
    void *bytes = run->ranks->input[input];
    run->ranks->input[input] = NULL;
    return bytes;
}

static void free_inputs(struct ranks *ranks)
{
    for (int i = 0; i < SHARE_INPUTS; i++) {
        free(ranks->input[i]);
        ranks->input[i] = NULL;
    }
}

/* Another rank gets the inputs of the work that rank 0 has gone on to, as all ranks have to. */
static void receive_inputs(struct ranks *ranks, struct share *share)
{
    *share = (struct share){.parts = ranks->pending.parts};
    for (int i = 0; i < SHARE_INPUTS; i++) {
        const size_t size = ranks->pending.size[i];
        if (!size)
            continue;
        ranks->input[i] = malloc(size);
        if (!ranks->input[i])
            ranks->table->abort(); /* the others are in the broadcast */
        ranks->table->broadcast(ranks->input[i], size);
        share->input[i] = ranks->input[i];
        share->input_size[i] = size;
    }
    ranks->number = ranks->pending.number;
    ranks->has_pending = ranks->holds_part = 0;
}

int run_await(struct run *run, int rc)
{
    struct ranks *ranks = run->ranks;
    free_inputs(ranks);
    if (rc && !(rc == ERROR_STOPPED && (ranks->has_pending || ranks->has_ended)))
        return rc;
    while (!ranks->has_pending && !ranks->has_ended) {
        rc = wait_for_head(run);
        if (rc)
            return rc;
        take_head(ranks);
    }
    if (ranks->has_ended)
        return 0;
    receive_inputs(ranks, &run->shared);
    return 1;
}

/* Of another rank: looks whether rank 0 has gone on, or ended the job. */
static int check_orders(struct run *run)
{
    struct ranks *ranks = run->ranks;
    int from;
    pthread_mutex_lock(&ranks->mpi_lock);
    if (!ranks->has_pending && !ranks->has_ended && ranks->table->probe(TAG_HEAD, &from))
        take_head(ranks);
    pthread_mutex_unlock(&ranks->mpi_lock);
    return ranks->has_pending || ranks->has_ended ? error_set(&run->error, ERROR_STOPPED, "stopped")
                                                  : 0;
}

/* Rank 0 tells the user what the others warn of. */
static void tell_warnings(struct run *run)
{
    struct ranks *ranks = run->ranks;
    for (int rank = 1; rank < ranks->place.count; rank++) {
        pthread_mutex_lock(&ranks->lock);
        char *warning = ranks->warnings[rank];
        ranks->warnings[rank] = NULL;
        ranks->warning_count -= warning != NULL;
        pthread_mutex_unlock(&ranks->lock);
        if (warning)
            run_notice(run, 1, "rank %d: %s", rank, warning);
        free(warning);
    }
}

int ranks_warn(struct run *run, const char *warning)
{
    const size_t size = strlen(warning) + 1;
    if (!is_other(run))
        return 0;
    ranks_send_head(run->ranks, 0, (struct message){.kind = MESSAGE_WARN, .size = {size}});
    run->ranks->table->send(0, TAG_BODY, warning, size);
    return 1;
}

int ranks_check(struct run *run)
{
    struct ranks *ranks = run->ranks;
    if (!ranks)
        return 0;
    if (is_other(run))
        return check_orders(run);
    pthread_mutex_lock(&ranks->lock);
    const int has_failed = ranks->has_failed, has_warnings = ranks->warning_count > 0;
    if (has_failed)
        run->error = ranks->error;
    pthread_mutex_unlock(&ranks->lock);
    if (has_warnings)
        tell_warnings(run);
    return has_failed ? ERROR_INPUT : 0;
}

/* Another rank says why it has failed, and waits to be let go, after Ctrl-C too: rank 0 has files
 * to remove first. */
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
            take_head(ranks);
        if (ranks->has_pending)
            receive_inputs(ranks, &run->shared); /* which are in vain */
        free_inputs(ranks);
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

/* Rank 0 ends the job. Returns whether all others have said goodbye, for which it waits; not for
 * long where the job has failed. */
static int dismiss(struct run *run, int has_failed)
{
    struct ranks *ranks = run->ranks;
    const double end = clock_seconds() + LEAVE_SECONDS;
    double pause = NAP_LEAST;
    int have_left = 0;
    pthread_mutex_lock(&ranks->mpi_lock);
    pthread_mutex_lock(&ranks->lock);
    ranks->number++;
    pthread_mutex_unlock(&ranks->lock);
    for (int to = 1; to < ranks->place.count; to++)
        ranks_send_head(ranks, to, (struct message){.kind = MESSAGE_END});
    pthread_mutex_unlock(&ranks->mpi_lock);
    while (!have_left && (!has_failed || clock_seconds() < end)) {
        ranks_nap(&pause);
        has_failed |= run->progress && run->progress(run->context, "other ranks", 1);
        pthread_mutex_lock(&ranks->lock);
        have_left = ranks->left == ranks->place.count - 1;
        pthread_mutex_unlock(&ranks->lock);
    }
    pthread_mutex_lock(&ranks->lock);
    ranks->is_over = 1;
    pthread_mutex_unlock(&ranks->lock);
    pthread_join(ranks->answers, NULL);
    tell_warnings(run);
    return have_left;
}

void ranks_end(struct run *run, int rc)
{
    struct ranks *ranks = run->ranks;
    if (!ranks)
        return;
    if (is_other(run) && rc && !ranks->has_ended)
        tell_failure(run);
    if (is_other(run))
        say_goodbye(run);
    else if (!dismiss(run, rc != 0))
        ranks->table->abort();
    ranks->table->end();
    free_inputs(ranks);
    pthread_mutex_destroy(&ranks->mpi_lock);
    pthread_mutex_destroy(&ranks->lock);
    free(ranks->warnings);
    free(ranks);
    run->ranks = NULL;
}
