/* Threads wait until there is a launch that wants more of them, first awake, then asleep: to wake
 * takes longer than many a launch. Then they take chunks of its items until none is left, as the
 * thread that launches does itself. */
#include "kernels/device/team.h"

#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "kernels/device/clock.h"

#define STACK_BYTES ((size_t)4 << 20) /* kernels keep LOCAL arrays there */
#define REPORT_SECONDS 0.05           /* between two calls of `watch` */
#define NO_SECONDS 1e-4               /* items so short are timed MOST_ITEMS at once */
#define MOST_ITEMS 16
#define AWAKE_SECONDS 100e-6 /* before a thread sleeps: about as long as to wake takes */
#define MANY_PROCESSORS 8    /* that threads are started ahead of the first launch for */

/* Of `places`. */
#define JOINED 0xffff
#define ONE_WANTED 0x10000

struct team {
    pid_t process; /* that has the threads: a child has none of its parent's */
    pthread_mutex_t lock;
    pthread_cond_t work, idle, end;
    pthread_t *threads, outnumbering;
    int count, is_outnumbering;
    atomic_uint places; /* threads that may still join the launch (high half); threads that have
                         * joined and not yet left (low half) */
    atomic_int is_ending;

    /* The launch: written before threads may join. */
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
 * others have done as much as it has. It reads the clock after each item where items are long;
 * where they may be as short as reading it, after several. */
static void do_items(struct team *team, team_watch *watch)
{
    double seen = clock_seconds(), reported = seen;
    int64_t first, size, done = 0, step = 1, look = 1;
    while ((size = take_chunk(team, &first)) > 0)
        for (int64_t i = first; i < first + size; i++) {
            if (atomic_load_explicit(&team->stopped, memory_order_relaxed))
                return;
            team->function(team->context, i);
            if (!watch || ++done < look)
                continue;
            const double now = clock_seconds();
            step = now - seen < NO_SECONDS ? MOST_ITEMS : 1;
            look = done + step;
            seen = now;
            if (now - reported < REPORT_SECONDS)
                continue;
            reported = now;
            const double share = (double)done * team->shares / (double)team->items;
            atomic_store(&team->stopped, watch(team->context, share < 1 ? share : 1));
        }
}

/* Wakes two of the threads that sleep; each that joins wakes two more, so that none spends much
 * time on it, and few are woken for what is done soon. */
static void wake(struct team *team, int wanted)
{
    for (int i = 0; i < wanted && i < 2; i++)
        pthread_cond_signal(&team->work);
}

/* Waits until a thread may join a launch, or shall end. */
static void await_work(struct team *team)
{
    const double start = clock_seconds();
    while (atomic_load(&team->places) < ONE_WANTED && !atomic_load(&team->is_ending)) {
        sched_yield();
        if (clock_seconds() - start > AWAKE_SECONDS) {
            pthread_mutex_lock(&team->lock);
            while (atomic_load(&team->places) < ONE_WANTED && !atomic_load(&team->is_ending))
                pthread_cond_wait(&team->work, &team->lock);
            pthread_mutex_unlock(&team->lock);
        }
    }
}

/* Joins the launch and does its items, unless others were faster to join. */
static void join_launch(struct team *team)
{
    unsigned places = atomic_load(&team->places);
    do {
        if (places < ONE_WANTED)
            return;
    } while (!atomic_compare_exchange_weak(&team->places, &places, places - ONE_WANTED + 1));
    wake(team, (int)(places / ONE_WANTED) - 1);
    do_items(team, NULL);
    atomic_fetch_and(&team->places, JOINED); /* nothing is left to join for */
    if (atomic_fetch_sub(&team->places, 1) == 1) {
        pthread_mutex_lock(&team->lock);
        pthread_cond_signal(&team->idle);
        pthread_mutex_unlock(&team->lock);
    }
}

static void *serve(void *argument)
{
    struct team *team = argument;
    while (!atomic_load(&team->is_ending)) {
        await_work(team);
        join_launch(team);
    }
    return NULL;
}

/* Waits until all threads have left the launch. */
static void await_others(struct team *team)
{
    const double start = clock_seconds();
    while (atomic_load(&team->places)) {
        sched_yield();
        if (clock_seconds() - start > AWAKE_SECONDS) {
            pthread_mutex_lock(&team->lock);
            while (atomic_load(&team->places))
                pthread_cond_wait(&team->idle, &team->lock);
            pthread_mutex_unlock(&team->lock);
        }
    }
}

#ifdef __linux__
/* The processors that threads may have: those of this one or, as OpenMP may have bound it to a
 * place, of all places. Returns whether they are known. */
static int get_processors(cpu_set_t *all)
{
    int numbers[CPU_SETSIZE];
    const int places = omp_get_num_places();
    if (places == 0)
        return sched_getaffinity(0, sizeof(*all), all) == 0;
    CPU_ZERO(all);
    for (int place = 0; place < places; place++) {
        const int count = omp_get_place_num_procs(place);
        if (count > CPU_SETSIZE)
            return 0;
        omp_get_place_proc_ids(place, numbers);
        for (int i = 0; i < count; i++)
            if (numbers[i] < CPU_SETSIZE)
                CPU_SET(numbers[i], all);
    }
    return 1;
}
#endif

/* Moves a new thread off the processor that starts it, where Linux often leaves it until the work
 * is done. From there it may go anywhere. */
static void move_away(pthread_t thread)
{
#ifdef __linux__
    cpu_set_t all, others;
    const int here = sched_getcpu();
    if (here < 0 || here >= CPU_SETSIZE || !get_processors(&all))
        return;
    others = all;
    CPU_CLR(here, &others);
    pthread_setaffinity_np(thread, sizeof(others), &others);
    pthread_setaffinity_np(thread, sizeof(all), &all);
#else
    (void)thread;
#endif
}

/* Signals are for the threads that the user's program has. Returns 0 or an errno. */
static int start_thread(pthread_t *thread, void *(*function)(void *), struct team *team)
{
    pthread_attr_t attributes;
    sigset_t all, before;
    int failure = pthread_attr_init(&attributes);
    if (failure)
        return failure;
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    failure = pthread_create(thread, &attributes, function, team);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    return failure;
}

/* Starts threads until there are that many, or as many as the system allows. */
static void start_threads(struct team *team, int count)
{
    if (team->count >= count)
        return;
    pthread_t *threads = realloc(team->threads, (size_t)count * sizeof(*threads));
    if (!threads)
        return;
    team->threads = threads;
    while (team->count < count && start_thread(&team->threads[team->count], serve, team) == 0)
        move_away(team->threads[team->count++]);
}

/* Threads of libgomp spin for milliseconds after each loop of OpenMP, on processors that a team may
 * need by then; for microseconds only, if there are more of them than processors. This thread and
 * one that it starts are more, and sleep. With few processors it costs as much to start them as
 * they save. */
static void *outnumber_processors(void *argument)
{
    struct team *team = argument;
#pragma omp parallel num_threads(2)
    {
        pthread_mutex_lock(&team->lock);
        while (!atomic_load(&team->is_ending))
            pthread_cond_wait(&team->end, &team->lock);
        pthread_mutex_unlock(&team->lock);
    }
    return NULL;
}

struct team *team_new(int threads)
{
    struct team *team = calloc(1, sizeof(*team));
    if (!team)
        return NULL;
    pthread_mutex_init(&team->lock, NULL);
    pthread_cond_init(&team->work, NULL);
    pthread_cond_init(&team->idle, NULL);
    pthread_cond_init(&team->end, NULL);
    team->process = getpid();
    if (threads < 2 || omp_get_num_procs() < MANY_PROCESSORS)
        return team;
    start_threads(team, threads - 1);
    /* Where the system allows no more, libgomp would end the process. */
    team->is_outnumbering = team->count == threads - 1 &&
                            start_thread(&team->outnumbering, outnumber_processors, team) == 0;
    return team;
}

static void end_threads(struct team *team)
{
    pthread_mutex_lock(&team->lock);
    atomic_store(&team->is_ending, 1);
    pthread_cond_broadcast(&team->work);
    pthread_cond_broadcast(&team->end);
    pthread_mutex_unlock(&team->lock);
    for (int i = 0; i < team->count; i++)
        pthread_join(team->threads[i], NULL);
    if (team->is_outnumbering)
        pthread_join(team->outnumbering, NULL);
    pthread_cond_destroy(&team->work);
    pthread_cond_destroy(&team->idle);
    pthread_cond_destroy(&team->end);
    pthread_mutex_destroy(&team->lock);
}

void team_free(struct team *team)
{
    if (!team)
        return;
    if (team->process == getpid())
        end_threads(team);
    free(team->threads);
    free(team);
}

int team_run(struct team *team, int threads, int64_t count, team_function *function,
    team_watch *watch, void *context)
{
    int wanted = 0;
    if (threads > 1 && team->process == getpid()) {
        start_threads(team, threads - 1);
        wanted = threads - 1 < team->count ? threads - 1 : team->count;
    }
    team->function = function;
    team->context = context;
    team->items = count;
    team->shares = threads;
    atomic_store(&team->next, 0);
    atomic_store(&team->stopped, 0);
    if (wanted) {
        pthread_mutex_lock(&team->lock);
        atomic_store(&team->places, (unsigned)wanted * ONE_WANTED);
        pthread_mutex_unlock(&team->lock);
        wake(team, wanted);
    }
    do_items(team, watch);
    atomic_fetch_and(&team->places, JOINED); /* those that have not begun are not waited for */
    await_others(team);
    return atomic_load(&team->stopped);
}
