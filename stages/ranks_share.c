/* Sharing work out in parts: run_share to run_await. */
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "stages/ranks_state.h"

/* With whom work is shared. */
static struct ranks *sharing(const struct run *run)
{
    return run->is_alone ? NULL : run->ranks;
}

int run_ranks(const struct run *run)
{
    const struct ranks *ranks = sharing(run);
    return ranks ? ranks->place.count : 1;
}

int run_is_spread(const struct run *run)
{
    const struct ranks *ranks = sharing(run);
    return ranks && ranks->place.host_count < ranks->place.count;
}

int run_alone(struct run *run, int (*make)(void *context), void *context)
{
    const struct share outer = run->shared;
    const int was_alone = run->is_alone;
    run->is_alone = 1;
    const int rc = make(context);
    run->is_alone = was_alone;
    run->shared = outer;
    return rc;
}

/* Rank 0: from now on the others get parts of this work. */
static void begin_share(struct ranks *ranks, const struct share *share)
{
    pthread_mutex_lock(&ranks->lock);
    ranks->share = *share;
    ranks->number++;
    ranks->next = ranks->finished = 0;
    ranks->places = share->finish ? share->places : share->parts;
    ranks->is_there = share->finish ? calloc(share->places, 1) : NULL;
    ranks->finish_rc = 0;
    pthread_mutex_unlock(&ranks->lock);
    if (share->finish && !ranks->is_there)
        ranks->table->abort();
}

int run_share(struct run *run, const struct share *share)
{
    struct ranks *ranks = sharing(run);
    run->shared = *share;
    run->next_part = 0;
    const int rc = ranks_check(run);
    if (rc || !ranks)
        return rc;
    pthread_mutex_lock(&ranks->mpi_lock);
    begin_share(ranks, share);
    struct message message = {
        .kind = MESSAGE_SHARE, .number = ranks->number, .parts = share->parts};
    memcpy(message.size, share->input_size, sizeof(message.size));
    for (int to = 1; to < ranks->place.count; to++)
        ranks_send_head(ranks, to, message);
    for (int i = 0; i < SHARE_INPUTS; i++)
        if (share->input_size[i])
            ranks_broadcast(ranks, share->input[i], share->input_size[i]);
    pthread_mutex_unlock(&ranks->mpi_lock);
    omp_set_num_threads(ranks->threads_shared);
    return 0;
}

static void free_part_input(struct ranks *ranks)
{
    free(ranks->part_input);
    ranks->part_input = NULL;
    ranks->part_input_size = 0;
}

/* Memory for what is received. */
static void *new_memory(size_t size)
{
    void *bytes = malloc(size);
    if (bytes)
        memory_touch(bytes, size);
    return bytes;
}

static void receive_part_input(struct ranks *ranks, size_t size)
{
    free_part_input(ranks);
    if (size == 0)
        return;
    ranks->part_input = new_memory(size);
    if (!ranks->part_input)
        ranks->table->abort(); /* rank 0 is sending it */
    ranks_receive_body(ranks, 0, ranks->part_input, size);
    ranks->part_input_size = size;
}

struct message ranks_take_head(struct ranks *ranks)
{
    struct message message;
    ranks->table->receive(0, TAG_HEAD, &message, sizeof(message));
    if (message.kind == MESSAGE_SHARE)
        ranks->pending = message;
    ranks->has_pending |= message.kind == MESSAGE_SHARE;
    ranks->has_ended |= message.kind == MESSAGE_END;
    if (message.kind == MESSAGE_PART)
        receive_part_input(ranks, message.size[0]);
    return message;
}

/* Another rank waits until there is a message. */
static void wait_for_head(struct run *run)
{
    double pause = NAP_LEAST;
    int from;
    while (!run->ranks->table->probe(TAG_HEAD, &from)) {
        ranks_stop(run, run->progress && run->progress(run->context, "", 0));
        ranks_nap(&pause);
    }
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
    wait_for_head(run);
    const struct message message = ranks_take_head(ranks);
    *part = ranks->held = message.part;
    ranks->holds_part = message.kind == MESSAGE_PART;
    return ranks->holds_part;
}

/* Rank 0: finishes the parts whose turn it is. */
static int finish_parts(struct ranks *ranks)
{
    int rc = 0, is_there = ranks->is_there != NULL;
    while (rc == 0 && is_there) {
        pthread_mutex_lock(&ranks->lock);
        is_there = ranks->is_there[ranks->finished % ranks->places] != 0;
        pthread_mutex_unlock(&ranks->lock);
        if (!is_there)
            break;
        rc = ranks->share.finish(ranks->share.context, ranks->finished);
        pthread_mutex_lock(&ranks->lock);
        ranks->is_there[ranks->finished % ranks->places] = 0;
        ranks->finished++;
        pthread_mutex_unlock(&ranks->lock);
    }
    return rc;
}

/* Rank 0 takes a part, when there is a place for its result. */
static int take_part(struct run *run, uint32_t *part)
{
    struct ranks *ranks = run->ranks;
    double pause = NAP_LEAST;
    for (;;) {
        ranks->finish_rc = finish_parts(ranks);
        pthread_mutex_lock(&ranks->lock);
        const int is_left =
            ranks->next < ranks->share.parts && !ranks->has_failed && !ranks->finish_rc;
        const int has_part = is_left && ranks->next - ranks->finished < ranks->places;
        *part = ranks->next;
        ranks->next += (uint32_t)has_part;
        pthread_mutex_unlock(&ranks->lock);
        if (has_part || !is_left)
            return has_part;
        ranks->finish_rc =
            run_progress(run, run->done); /* the others are at work on what comes first */
        if (ranks->finish_rc)
            return 0;
        ranks_nap(&pause);
    }
}

int run_take(struct run *run, uint32_t *part)
{
    struct ranks *ranks = sharing(run);
    if (ranks)
        return ranks_is_other(run) ? ask_for_part(run, part) : take_part(run, part);
    if (run->next_part == run->shared.parts)
        return 0;
    *part = run->next_part++;
    return 1;
}

void *run_part_input(struct run *run, uint32_t part, size_t *size)
{
    struct ranks *ranks = run->ranks;
    if (!ranks_is_other(run)) {
        free_part_input(ranks);
        ranks->part_input =
            ranks->share.part_input(ranks->share.context, part, &ranks->part_input_size);
    }
    *size = ranks->part_input_size;
    return ranks->part_input;
}

void run_give(struct run *run, uint32_t part)
{
    struct ranks *ranks = sharing(run);
    size_t size;
    if (!ranks)
        return;
    free_part_input(ranks);
    if (!ranks_is_other(run)) { /* it lies there already */
        if (ranks->is_there) {
            pthread_mutex_lock(&ranks->lock);
            ranks->is_there[part % ranks->places] = 1;
            pthread_mutex_unlock(&ranks->lock);
        }
        return;
    }
    const void *result = run->shared.result(run->shared.context, part, &size);
    ranks->holds_part = 0;
    ranks_send_head(ranks, 0, (struct message){.kind = MESSAGE_GIVE, .part = part, .size = {size}});
    ranks_send_body(ranks, 0, result, size);
}

/* Rank 0 lets go of the work. */
static void end_share(struct ranks *ranks)
{
    pthread_mutex_lock(&ranks->lock);
    free(ranks->is_there);
    ranks->is_there = NULL;
    pthread_mutex_unlock(&ranks->lock);
    omp_set_num_threads(ranks->threads_alone);
}

int run_join(struct run *run, int rc)
{
    struct ranks *ranks = sharing(run);
    double pause = NAP_LEAST;
    if (!ranks || ranks_is_other(run))
        return rc;
    rc = rc ? rc : ranks->finish_rc;
    for (int is_open = 1; is_open;) {
        if (rc == 0)
            rc = finish_parts(ranks);
        pthread_mutex_lock(&ranks->lock);
        is_open = ranks->parts_out > 0 ||
                  (rc == 0 && ranks->is_there && ranks->finished < ranks->share.parts);
        if (rc)
            ranks->next = ranks->share.parts;
        if (rc == ERROR_STOPPED || ranks->has_failed) { /* the others may take long */
            ranks->share.result = NULL;
            is_open = ranks->uses_share;
        }
        pthread_mutex_unlock(&ranks->lock);
        if (rc == 0)
            rc = run_progress(run, run->done); /* all are at work on the last parts */
        if (is_open)
            ranks_nap(&pause);
    }
    end_share(ranks);
    return rc;
}

void *run_keep_input(struct run *run, int input)
{
    void *bytes = run->ranks->input[input];
    run->ranks->input[input] = NULL;
    return bytes;
}

void ranks_free_inputs(struct ranks *ranks)
{
    for (int i = 0; i < SHARE_INPUTS; i++) {
        free(ranks->input[i]);
        ranks->input[i] = NULL;
    }
    free_part_input(ranks);
}

void ranks_receive_inputs(struct ranks *ranks, struct share *share)
{
    *share = (struct share){.parts = ranks->pending.parts};
    for (int i = 0; i < SHARE_INPUTS; i++) {
        const size_t size = ranks->pending.size[i];
        if (!size)
            continue;
        ranks->input[i] = new_memory(size);
        if (!ranks->input[i])
            ranks->table->abort(); /* the others are in the broadcast */
        ranks_broadcast(ranks, ranks->input[i], size);
        share->input[i] = ranks->input[i];
        share->input_size[i] = size;
    }
    ranks->number = ranks->pending.number;
    ranks->has_pending = ranks->holds_part = 0;
}

int run_await(struct run *run, int rc)
{
    struct ranks *ranks = run->ranks;
    ranks_free_inputs(ranks);
    if (rc && !(rc == ERROR_STOPPED && (ranks->has_pending || ranks->has_ended)))
        return rc;
    while (!ranks->has_pending && !ranks->has_ended) {
        wait_for_head(run);
        ranks_take_head(ranks);
    }
    if (ranks->has_ended)
        return 0;
    ranks_receive_inputs(ranks, &run->shared);
    return 1;
}
