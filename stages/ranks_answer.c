/* What rank 0 answers the others, in a thread of its own. */
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "stages/ranks_state.h"

#define NAP_MAX 1e-3 /* seconds between two looks for messages, where none has come for long */

void ranks_nap(double *seconds)
{
    const struct timespec time = {0, (long)(*seconds * 1e9)};
    nanosleep(&time, NULL);
    *seconds = *seconds * 1.5 < NAP_MAX ? *seconds * 1.5 : NAP_MAX;
}

void ranks_send_head(struct ranks *ranks, int to, struct message message)
{
    ranks->table->send(to, TAG_HEAD, &message, sizeof(message));
}

/* Adds the times of another rank to the run's. */
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

/* Gets the result of a part, which nobody waits for any more where the work was given up. */
static void take_result(struct ranks *ranks, int from, const struct message *message)
{
    size_t size = message->size[0];
    void *result, *unwanted = NULL;
    pthread_mutex_lock(&ranks->lock);
    ranks->uses_share = ranks->share.result != NULL;
    if (ranks->uses_share)
        result = ranks->share.result(ranks->share.context, message->part, &size);
    else
        result = unwanted = malloc(size);
    pthread_mutex_unlock(&ranks->lock);
    if (!result)
        ranks->table->abort();
    ranks_receive_body(ranks, from, result, size);
    free(unwanted);
    pthread_mutex_lock(&ranks->lock);
    if (ranks->uses_share && ranks->is_there)
        ranks->is_there[message->part % ranks->places] = 1;
    ranks->uses_share = 0;
    ranks->parts_out--;
    pthread_mutex_unlock(&ranks->lock);
}

/* Hands out the next part, unless there is other work meanwhile, which the rank will find, or no
 * place for its result, for which the rank waits. */
static void hand_out(struct ranks *ranks, int to, uint32_t number)
{
    pthread_mutex_lock(&ranks->lock);
    const int is_late = number != ranks->number, is_left = ranks->next < ranks->share.parts;
    const int has_place = ranks->next - ranks->finished < ranks->places;
    struct message message = {.kind = is_left ? MESSAGE_PART : MESSAGE_NONE, .part = ranks->next};
    const int is_handed = is_left && has_place && !is_late;
    ranks->next += (uint32_t)is_handed;
    ranks->parts_out += is_handed;
    ranks->uses_share = is_handed;
    pthread_mutex_unlock(&ranks->lock);
    ranks->waiting[to] = is_left && !has_place && !is_late ? number : 0;
    if (is_late || (is_left && !is_handed))
        return;
    void *input = NULL;
    if (is_handed && ranks->share.part_input) {
        input = ranks->share.part_input(ranks->share.context, message.part, &message.size[0]);
        if (!input)
            ranks->table->abort(); /* as where another rank has no memory for it */
    }
    pthread_mutex_lock(&ranks->lock);
    ranks->uses_share = 0;
    pthread_mutex_unlock(&ranks->lock);
    ranks_send_head(ranks, to, message);
    ranks_send_body(ranks, to, input, message.size[0]);
    free(input);
}

static void take_failure(struct ranks *ranks, int from, const struct message *message)
{
    char reason[sizeof(ranks->error.text)];
    ranks->table->receive(from, TAG_BODY, reason, message->size[0]);
    pthread_mutex_lock(&ranks->lock);
    if (!ranks->has_failed)
        error_write(&ranks->error, "rank %d: %.8000s", from, reason);
    ranks->has_failed = 1;
    ranks->next = ranks->share.parts; /* none is handed out any more */
    pthread_mutex_unlock(&ranks->lock);
}

/* It is told by the pipeline's thread, see ranks_check. */
static void take_warning(struct ranks *ranks, int from, const struct message *message)
{
    struct warning *warning = malloc(sizeof(*warning) + message->size[0]), **end;
    if (!warning)
        ranks->table->abort();
    ranks->table->receive(from, TAG_BODY, warning->text, message->size[0]);
    warning->rank = from;
    warning->next = NULL;
    pthread_mutex_lock(&ranks->lock);
    for (end = &ranks->warnings; *end;)
        end = &(*end)->next;
    *end = warning;
    pthread_mutex_unlock(&ranks->lock);
}

static void take_stop(struct ranks *ranks)
{
    pthread_mutex_lock(&ranks->lock);
    ranks->is_stopped = 1;
    pthread_mutex_unlock(&ranks->lock);
}

static void take_leave(struct ranks *ranks, int from)
{
    struct rank_times times;
    ranks->table->receive(from, TAG_BODY, &times, sizeof(times));
    pthread_mutex_lock(&ranks->lock);
    add_times(ranks->run, &times);
    ranks->left++;
    pthread_mutex_unlock(&ranks->lock);
}

static void answer(struct ranks *ranks, int from)
{
    struct message message;
    ranks->table->receive(from, TAG_HEAD, &message, sizeof(message));
    if (message.kind == MESSAGE_TAKE)
        hand_out(ranks, from, message.number);
    else if (message.kind == MESSAGE_GIVE)
        take_result(ranks, from, &message);
    else if (message.kind == MESSAGE_FAIL)
        take_failure(ranks, from, &message);
    else if (message.kind == MESSAGE_WARN)
        take_warning(ranks, from, &message);
    else if (message.kind == MESSAGE_STOP)
        take_stop(ranks);
    else /* MESSAGE_BYE */
        take_leave(ranks, from);
}

void *ranks_answer(void *context)
{
    struct ranks *ranks = context;
    double pause = NAP_LEAST;
    int is_over = 0;
    omp_set_num_threads(ranks->threads_answers); /* of part_input, and of what is copied */
    while (!is_over) {
        int from;
        pthread_mutex_lock(&ranks->mpi_lock);
        while (ranks->table->probe(TAG_HEAD, &from)) {
            answer(ranks, from);
            pause = NAP_LEAST;
        }
        for (int to = 1; to < ranks->place.count; to++)
            if (ranks->waiting[to])
                hand_out(ranks, to, ranks->waiting[to]);
        pthread_mutex_unlock(&ranks->mpi_lock);
        pthread_mutex_lock(&ranks->lock);
        is_over = ranks->is_over;
        pthread_mutex_unlock(&ranks->lock);
        ranks_nap(&pause);
    }
    return NULL;
}
