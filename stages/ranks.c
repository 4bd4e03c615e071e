#include "stages/ranks.h"

#include <dlfcn.h>
#include <limits.h>
#include <omp.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kernels/device/clock.h"
#include "stages/ranks_module.h"
#include "stages/run.h"

#define MODULE "libtessera_mpi.so"
#define NAP_LEAST 20e-6   /* seconds between two looks for messages, just after one */
#define NAP_MOST 1e-3     /* where nothing has come for long */
#define LEAVE_SECONDS 3.0 /* that the others have to leave before they are killed */

/* Heads of messages have one tag, what follows some of them the other. */
enum { TAG_HEAD = 1, TAG_BODY };

enum message_kind {
    /* To rank 0: */
    MESSAGE_TAKE,
    MESSAGE_GIVE, /* part and size; its result follows */
    MESSAGE_FAIL, /* the reason follows */
    MESSAGE_BYE,  /* a struct rank_times follows */
    /* From rank 0: */
    MESSAGE_PART,  /* to make */
    MESSAGE_NONE,  /* no part is left */
    MESSAGE_SHARE, /* parts and size; the inputs are broadcast */
    MESSAGE_END,   /* of the job */
};

struct message {
    enum message_kind kind;
    uint32_t number; /* of the share that it belongs to, from 1 */
    uint32_t part, parts;
    size_t size[SHARE_INPUTS];
};

/* How long a rank's stages took. */
struct rank_times {
    int count;
    struct {
        char stage[32];
        double seconds;
    } row[MAX_STAGES];
};

struct ranks {
    void *library;
    const struct ranks_table *table;
    struct ranks_place place;

    /* Rank 0's threads share all that follows, and the table: the pipeline, and the one that
     * answers the others. */
    pthread_mutex_t lock;
    pthread_t answers;
    struct share share;
    uint32_t number;    /* of the share; of another rank, of the one it works on */
    uint32_t next;      /* part to be handed out */
    int made_by_others; /* parts that are being made */
    int has_failed;     /* another rank; `error` says why */
    struct error error;
    int left;        /* ranks that have said goodbye */
    int is_over;     /* nothing more is answered */
    struct run *run; /* whose times the others' are added to */

    /* Another rank's: */
    void *input[SHARE_INPUTS];
    struct message pending; /* rank 0 has gone on to this work */
    int has_pending;
    int has_ended; /* rank 0 has said so */
};

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

/* Sleeps between two looks, longer and longer. */
static void nap(double *seconds)
{
    const struct timespec time = {0, (long)(*seconds * 1e9)};
    nanosleep(&time, NULL);
    *seconds = *seconds * 1.5 < NAP_MOST ? *seconds * 1.5 : NAP_MOST;
}

static void send_head(struct ranks *ranks, int to, struct message message)
{
    ranks->table->send(to, TAG_HEAD, &message, sizeof(message));
}

/* Adds the times of another rank to the run's, of which `others` are there already. */
static void add_times(struct run *run, const struct rank_times *times)
{
    for (int i = 0; i < times->count; i++)
        for (int k = 0; k < run->stage_count; k++)
            if (strcmp(run->timings[k].stage, times->row[i].stage) == 0) {
                struct timing *timing = &run->timings[k];
                timing->ranks++;
                timing->sum += times->row[i].seconds;
                if (times->row[i].seconds > timing->slowest)
                    timing->slowest = times->row[i].seconds;
            }
}

/* Rank 0 gets the result of a part, which nobody waits for any more where the work was given up. */
static void take_result(struct ranks *ranks, int from, const struct message *message)
{
    size_t size = message->size[0];
    void *unwanted = ranks->share.result ? NULL : malloc(size);
    void *result =
        unwanted ? unwanted : ranks->share.result(ranks->share.context, message->part, &size);
    if (!result)
        ranks->table->abort();
    ranks->table->receive(from, TAG_BODY, result, size);
    free(unwanted);
    ranks->made_by_others--;
}

/* Rank 0 deals with a message that is there. */
static void answer(struct ranks *ranks, int from)
{
    struct message message;
    struct rank_times times;
    const int has_part = ranks->next < ranks->share.parts;
    ranks->table->receive(from, TAG_HEAD, &message, sizeof(message));
    switch (message.kind) {
    case MESSAGE_TAKE:
        if (message.number != ranks->number) /* it will find the next share, or the end */
            break;
        send_head(ranks, from,
            (struct message){.kind = has_part ? MESSAGE_PART : MESSAGE_NONE, .part = ranks->next});
        ranks->next += (uint32_t)has_part;
        ranks->made_by_others += has_part;
        break;
    case MESSAGE_GIVE:
        take_result(ranks, from, &message);
        break;
    case MESSAGE_FAIL: {
        char reason[sizeof(ranks->error.text)];
        ranks->table->receive(from, TAG_BODY, reason, message.size[0]);
        if (!ranks->has_failed)
            error_write(&ranks->error, "rank %d: %.8000s", from, reason);
        ranks->has_failed = 1;
        ranks->next = ranks->share.parts; /* none is handed out any more */
        break;
    }
    default: /* MESSAGE_BYE */
        ranks->table->receive(from, TAG_BODY, &times, sizeof(times));
        add_times(ranks->run, &times);
        ranks->left++;
        break;
    }
}

/* Rank 0's thread for the others. */
static void *answer_all(void *context)
{
    struct ranks *ranks = context;
    double pause = NAP_LEAST;
    int is_over = 0;
    while (!is_over) {
        int from;
        pthread_mutex_lock(&ranks->lock);
        while (ranks->table->probe(TAG_HEAD, &from)) {
            answer(ranks, from);
            pause = NAP_LEAST;
        }
        is_over = ranks->is_over;
        pthread_mutex_unlock(&ranks->lock);
        nap(&pause);
    }
    return NULL;
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
        snprintf(path, sizeof(path), "%.*s/" MODULE, (int)(slash - own.dli_fname), own.dli_fname);
        library = dlopen(path, RTLD_NOW | RTLD_GLOBAL); /* MPI's own modules look for its names */
    }
    return library ? library : dlopen(MODULE, RTLD_NOW | RTLD_GLOBAL);
}

/* The processors are shared by the ranks of a machine, of whose devices of a kind each takes one in
 * turn. */
static void take_own(const struct ranks *ranks, struct run *run)
{
    const int processors = (int)sysconf(_SC_NPROCESSORS_ONLN), bound = omp_get_num_procs();
    const int share = processors / ranks->place.host_count;
    if (!run->threads) {
        run->threads = share < 1 ? 1 : share < bound ? share : bound;
        omp_set_num_threads(run->threads);
    }
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
    ranks->library = open_library();
    if (ranks->library)
        ranks->table = dlsym(ranks->library, RANKS_TABLE);
    if (!ranks->table) {
        error_write(error,
            "cannot work with %d ranks: %.400s; build where MPI is installed, or start one process",
            count, dlerror());
        free(ranks);
        return ERROR_INPUT;
    }
    const char *reason = ranks->table->start(&ranks->place);
    if (reason) {
        free(ranks);
        return error_set(error, ERROR_INPUT, "cannot work with other ranks: %s", reason);
    }
    pthread_mutex_init(&ranks->lock, NULL);
    ranks->run = run;
    if (ranks->place.rank == 0 && pthread_create(&ranks->answers, NULL, answer_all, ranks) != 0)
        ranks->table->abort();
    take_own(ranks, run);
    run->ranks = ranks;
    return 0;
}

int run_ranks(const struct run *run)
{
    return run->ranks ? run->ranks->place.count : 1;
}

int run_share(struct run *run, const struct share *share)
{
    struct ranks *ranks = run->ranks;
    run->shared = *share;
    run->next_part = 0;
    if (!ranks)
        return 0;
    pthread_mutex_lock(&ranks->lock);
    ranks->share = *share;
    ranks->number++;
    ranks->next = 0;
    for (int to = 1; to < ranks->place.count; to++)
        send_head(ranks, to,
            (struct message){.kind = MESSAGE_SHARE,
                .number = ranks->number,
                .parts = share->parts,
                .size = {share->input_size[0], share->input_size[1], share->input_size[2]}});
    for (int i = 0; i < SHARE_INPUTS; i++)
        if (share->input_size[i])
            ranks->table->broadcast(share->input[i], share->input_size[i]);
    pthread_mutex_unlock(&ranks->lock);
    return ranks_check(run);
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
        nap(&pause);
    }
    return 0;
}

/* Another rank asks for a part. Where rank 0 has gone on meanwhile, it does not answer. */
static int ask_for_part(struct run *run, uint32_t *part)
{
    struct ranks *ranks = run->ranks;
    if (ranks->has_pending || ranks->has_ended)
        return 0;
    send_head(ranks, 0, (struct message){.kind = MESSAGE_TAKE, .number = ranks->number});
    if (wait_for_head(run))
        return 0;
    const struct message message = take_head(ranks);
    *part = message.part;
    return message.kind == MESSAGE_PART;
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
    send_head(run->ranks, 0, (struct message){.kind = MESSAGE_GIVE, .part = part, .size = {size}});
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
        is_open = ranks->made_by_others > 0;
        if (rc)
            ranks->next = ranks->share.parts;
        if (rc == ERROR_STOPPED || ranks->has_failed) { /* the others may take long */
            ranks->share.result = NULL;
            is_open = 0;
        }
        pthread_mutex_unlock(&ranks->lock);
        if (rc == 0)
            rc = run_progress(run, 1); /* all are at work on the last parts */
        if (is_open)
            nap(&pause);
    }
    return rc;
}

static void free_inputs(struct ranks *ranks)
{
    for (int i = 0; i < SHARE_INPUTS; i++) {
        free(ranks->input[i]);
        ranks->input[i] = NULL;
    }
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
    const struct message message = ranks->pending;
    ranks->has_pending = 0;
    ranks->number = message.number;
    run->shared = (struct share){.parts = message.parts};
    for (int i = 0; i < SHARE_INPUTS; i++) {
        const size_t size = message.size[i];
        if (!size)
            continue;
        ranks->input[i] = malloc(size);
        if (!ranks->input[i])
            ranks->table->abort(); /* the others are in the broadcast */
        ranks->table->broadcast(ranks->input[i], size);
        run->shared.input[i] = ranks->input[i];
        run->shared.input_size[i] = size;
    }
    return 1;
}

int ranks_check(struct run *run)
{
    struct ranks *ranks = run->ranks;
    int from, rc = 0;
    if (!ranks)
        return 0;
    pthread_mutex_lock(&ranks->lock);
    if (ranks->place.rank > 0 && !ranks->has_pending && !ranks->has_ended &&
        ranks->table->probe(TAG_HEAD, &from))
        take_head(ranks);
    if (ranks->has_pending || ranks->has_ended)
        rc = error_set(&run->error, ERROR_STOPPED, "stopped");
    if (ranks->has_failed) {
        run->error = ranks->error;
        rc = ERROR_INPUT;
    }
    pthread_mutex_unlock(&ranks->lock);
    return rc;
}

/* Another rank leaves: after a failure of its own it says why, and waits to be let go. */
static void leave(struct run *run, int rc)
{
    struct ranks *ranks = run->ranks;
    struct rank_times times = {.count = run->stage_count};
    if (rc && !ranks->has_ended) {
        const size_t size = strlen(run->error.text) + 1;
        send_head(ranks, 0, (struct message){.kind = MESSAGE_FAIL, .size = {size}});
        ranks->table->send(0, TAG_BODY, run->error.text, size);
        while (!ranks->has_ended && wait_for_head(run) == 0)
            take_head(ranks);
    }
    for (int i = 0; i < times.count; i++) {
        snprintf(times.row[i].stage, sizeof(times.row[i].stage), "%s", run->timings[i].stage);
        times.row[i].seconds = run->timings[i].wall;
    }
    send_head(ranks, 0, (struct message){.kind = MESSAGE_BYE});
    ranks->table->send(0, TAG_BODY, &times, sizeof(times));
}

/* Rank 0 ends the job. Returns whether all others have said goodbye. */
static int dismiss(struct ranks *ranks)
{
    const double end = clock_seconds() + LEAVE_SECONDS;
    double pause = NAP_LEAST;
    int have_left = 0;
    pthread_mutex_lock(&ranks->lock);
    ranks->number++;
    for (int to = 1; to < ranks->place.count; to++)
        send_head(ranks, to, (struct message){.kind = MESSAGE_END});
    pthread_mutex_unlock(&ranks->lock);
    while (!have_left && clock_seconds() < end) {
        nap(&pause);
        pthread_mutex_lock(&ranks->lock);
        have_left = ranks->left == ranks->place.count - 1;
        pthread_mutex_unlock(&ranks->lock);
    }
    pthread_mutex_lock(&ranks->lock);
    ranks->is_over = 1;
    pthread_mutex_unlock(&ranks->lock);
    pthread_join(ranks->answers, NULL);
    return have_left;
}

void ranks_end(struct run *run, int rc)
{
    struct ranks *ranks = run->ranks;
    if (!ranks)
        return;
    if (ranks->place.rank > 0)
        leave(run, rc);
    else if (!dismiss(ranks))
        ranks->table->abort();
    ranks->table->end();
    free_inputs(ranks);
    pthread_mutex_destroy(&ranks->lock);
    free(ranks);
    run->ranks = NULL;
}
