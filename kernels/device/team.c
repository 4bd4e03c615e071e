/* Threads sleep until there is a launch that wants more of them. Then they take chunks of its items
 * until none is left, as the thread that launches does itself. */
#include "kernels/device/team.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "kernels/device/clock.h"

#define STACK_BYTES ((size_t)4 << 20) /* kernels keep LOCAL arrays there */
#define REPORT_SECONDS 0.05           /* between two calls of `watch` */

struct team {
    pthread_mutex_t lock;
    pthread_cond_t work, idle;
    pthread_t *threads;
    int count;
    int wanted; /* threads that may still join the launch */
    int active; /* threads that have joined and not yet left */
    int is_ending;

    /* The launch: written before threads join, under the lock. */
    team_function *function;
    void *context;
    int64_t items;
    int shares;         /* threads that there may be */
    atomic_llong next;  /* the first item that nobody has taken */
    atomic_int stopped; /* what `watch` returned */
};

/* Takes items that nobody has taken, a thread's share of them, so that chunks become smaller toward
 * the end. Returns how many, 0 where none is left. */
static int64_t take_chunk(struct team *team, int64_t *first)
{
    long long next = atomic_load(&team->next);
    int64_t size;
    do {
        const int64_t left = team->items - next;
        size = left / team->shares > 0 ? left / team->shares : left > 0;
    } while (size && !atomic_compare_exchange_weak(&team->next, &next, next + size));
    *first = next;
    return size;
}

/* Does items until none is left. The thread that launches has a `watch`, and takes it that the
 * others have done as much as it has. */
static void do_items(struct team *team, team_watch *watch)
{
    double reported = clock_seconds(), done = 0;
    int64_t first, size;
    while ((size = take_chunk(team, &first)) > 0)
        for (int64_t i = first; i < first + size; i++) {
            if (atomic_load_explicit(&team->stopped, memory_order_relaxed))
                return;
            team->function(team->context, i);
            done += team->shares;
            if (!watch || clock_seconds() - reported < REPORT_SECONDS)
                continue;
            reported = clock_seconds();
            const double share = done / (double)team->items;
            atomic_store(&team->stopped, watch(team->context, share < 1 ? share : 1));
        }
}

/* Wakes two of the threads that may join; each that does wakes two more, so that none spends much
 * time on it, and few are woken for what is done soon. */
static void wake(struct team *team, int wanted)
{
    for (int i = 0; i < wanted && i < 2; i++)
        pthread_cond_signal(&team->work);
}

static void *serve(void *argument)
{
    struct team *team = argument;
    pthread_mutex_lock(&team->lock);
    for (;;) {
        while (!team->wanted && !team->is_ending)
            pthread_cond_wait(&team->work, &team->lock);
        if (team->is_ending)
            break;
        const int others = --team->wanted;
        team->active++;
        pthread_mutex_unlock(&team->lock);
        wake(team, others);
        do_items(team, NULL);
        pthread_mutex_lock(&team->lock);
        team->wanted = 0; /* nothing is left to join for */
        if (--team->active == 0)
            pthread_cond_signal(&team->idle);
    }
    pthread_mutex_unlock(&team->lock);
    return NULL;
}

/* Starts threads until there are that many, or as many as the system allows. */
static void start_threads(struct team *team, int count)
{
    pthread_attr_t attributes;
    if (team->count >= count)
        return;
    pthread_t *threads = realloc(team->threads, (size_t)count * sizeof(*threads));
    if (!threads)
        return;
    team->threads = threads;
    if (pthread_attr_init(&attributes) != 0)
        return;
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    while (team->count < count &&
           pthread_create(&team->threads[team->count], &attributes, serve, team) == 0)
        team->count++;
    pthread_attr_destroy(&attributes);
}

struct team *team_new(void)
{
    struct team *team = calloc(1, sizeof(*team));
    if (!team)
        return NULL;
    pthread_mutex_init(&team->lock, NULL);
    pthread_cond_init(&team->work, NULL);
    pthread_cond_init(&team->idle, NULL);
    return team;
}

void team_free(struct team *team)
{
    if (!team)
        return;
    pthread_mutex_lock(&team->lock);
    team->is_ending = 1;
    pthread_cond_broadcast(&team->work);
    pthread_mutex_unlock(&team->lock);
    for (int i = 0; i < team->count; i++)
        pthread_join(team->threads[i], NULL);
    pthread_cond_destroy(&team->work);
    pthread_cond_destroy(&team->idle);
    pthread_mutex_destroy(&team->lock);
    free(team->threads);
    free(team);
}

int team_run(struct team *team, int threads, int64_t count, team_function *function,
    team_watch *watch, void *context)
{
    pthread_mutex_lock(&team->lock);
    team->function = function;
    team->context = context;
    team->items = count;
    team->shares = threads;
    atomic_store(&team->next, 0);
    atomic_store(&team->stopped, 0);
    start_threads(team, threads - 1);
    const int wanted = threads - 1 < team->count ? threads - 1 : team->count;
    team->wanted = wanted;
    pthread_mutex_unlock(&team->lock);
    wake(team, wanted);
    do_items(team, watch);
    pthread_mutex_lock(&team->lock);
    team->wanted = 0; /* those that have not begun are not waited for */
    while (team->active)
        pthread_cond_wait(&team->idle, &team->lock);
    pthread_mutex_unlock(&team->lock);
    return atomic_load(&team->stopped);
}
