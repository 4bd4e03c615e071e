/* Every item of a launch is done once, by any number of threads; a launch can be ended; teams do
 * not touch each other. */
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/tap.h"
#include "kernels/device/team.h"

#define MAX_ITEMS 1000003
#define TEAMS 4

struct work {
    atomic_uchar *done; /* how often, for each item */
    int calls;          /* of stop */
    double share;       /* that stop was given last */
};

static void mark(void *context, int64_t item)
{
    const struct work *work = context;
    atomic_fetch_add(&work->done[item], 1);
}

static void do_nothing(void *context, int64_t item)
{
    (void)context;
    (void)item;
}

static int stop(void *context, double share)
{
    struct work *work = context;
    work->calls++;
    work->share = share;
    return 7;
}

/* How many of the first `count` items were done other than once; clears them. */
static int64_t count_wrong(struct work *work, int64_t count)
{
    int64_t wrong = 0;
    for (int64_t i = 0; i < count; i++)
        wrong += atomic_exchange(&work->done[i], 0) != 1;
    return wrong;
}

/* Returns how many items were not done once in launches of all sizes and numbers of threads. */
static int64_t run_all(struct team *team, struct work *work)
{
    static const int64_t COUNTS[] = {0, 1, 2, 3, 63, 64, 65, 1009, MAX_ITEMS};
    static const int THREADS[] = {1, 2, 3, 7, 16, 64, 2};
    int64_t wrong = 0;
    for (size_t t = 0; t < sizeof(THREADS) / sizeof(THREADS[0]); t++)
        for (size_t c = 0; c < sizeof(COUNTS) / sizeof(COUNTS[0]); c++) {
            wrong += team_run(team, THREADS[t], COUNTS[c], mark, NULL, work) != 0;
            wrong += count_wrong(work, COUNTS[c]);
        }
    return wrong;
}

/* Has a team and items of its own. Returns run_all's as a pointer's number. */
static void *run_own(void *argument)
{
    (void)argument;
    struct team *team = team_new(2);
    struct work work = {.done = calloc(MAX_ITEMS, sizeof(*work.done))};
    const int64_t wrong = team && work.done ? run_all(team, &work) : 1;
    free(work.done);
    team_free(team);
    return (void *)(intptr_t)wrong;
}

static void check_teams(void)
{
    pthread_t threads[TEAMS];
    void *wrong;
    for (int i = 0; i < TEAMS; i++)
        if (pthread_create(&threads[i], NULL, run_own, NULL) != 0)
            abort();
    for (int i = 0; i < TEAMS; i++) {
        pthread_join(threads[i], &wrong);
        tap_check(
            !wrong, "team %d of several does every item once (%d wrong)", i, (int)(intptr_t)wrong);
    }
}

static void check_stops(int threads)
{
    struct team *team = team_new(threads);
    struct work work = {0};
    if (!team)
        abort();
    const int rc = team_run(team, threads, INT64_MAX / 2, do_nothing, stop, &work);
    tap_check(rc == 7, "%d threads: a launch without end ends with what is returned", threads);
    tap_check(work.calls == 1 && work.share > 0 && work.share < 1,
        "%d threads: asked %d times, at %.3g of the items", threads, work.calls, work.share);
    work.done = calloc(MAX_ITEMS, sizeof(*work.done));
    if (!work.done)
        abort();
    tap_check(team_run(team, threads, MAX_ITEMS, mark, NULL, &work) == 0 &&
                  count_wrong(&work, MAX_ITEMS) == 0,
        "%d threads: the next launch does every item once", threads);
    free(work.done);
    team_free(team);
}

/* A child has a team of its parent's, but none of its threads. */
static void check_child(void)
{
    struct team *team = team_new(4);
    struct work work = {.done = calloc(MAX_ITEMS, sizeof(*work.done))};
    int status = 1;
    if (!team || !work.done || team_run(team, 4, MAX_ITEMS, mark, NULL, &work) != 0 ||
        count_wrong(&work, MAX_ITEMS) != 0)
        abort();
    const pid_t child = fork();
    if (child == 0) {
        alarm(60); /* a child that waits for them ends with a signal */
        const int rc = team_run(team, 4, MAX_ITEMS, mark, NULL, &work);
        const int64_t wrong = count_wrong(&work, MAX_ITEMS);
        team_free(team);
        _exit(rc || wrong);
    }
    tap_check(child > 0 && waitpid(child, &status, 0) == child && status == 0,
        "a child does every item once and frees the team of its parent");
    free(work.done);
    team_free(team);
}

#ifdef __linux__
/* Two items, each done when both have begun, so that two threads do them. */
struct both {
    pthread_t caller;
    atomic_int begun, processors; /* that the other thread may have */
};

static void await_both(void *context, int64_t item)
{
    struct both *both = context;
    cpu_set_t set;
    (void)item;
    atomic_fetch_add(&both->begun, 1);
    while (atomic_load(&both->begun) < 2)
        sched_yield();
    if (!pthread_equal(pthread_self(), both->caller) &&
        sched_getaffinity(0, sizeof(set), &set) == 0)
        both->processors = CPU_COUNT(&set);
}

/* OpenMP binds the main thread to one processor where it is asked to, which is not for a team. */
static void check_binding(char **argv)
{
    if (!getenv("OMP_PROC_BIND")) {
        setenv("OMP_PROC_BIND", "true", 1);
        execv("/proc/self/exe", argv); /* an emulator may refuse, then it is not asked to */
    }
    struct both both = {.caller = pthread_self()};
    struct team *team = team_new(2);
    if (!team || team_run(team, 2, 2, await_both, NULL, &both) != 0)
        abort();
    team_free(team);
    tap_check(both.processors == omp_get_num_procs(),
        "a thread of a team may have %d of %d processors though OpenMP binds its own",
        both.processors, omp_get_num_procs());
}
#endif

int main(int argc, char **argv)
{
    (void)argc;
#ifdef __linux__
    check_binding(argv);
#else
    (void)argv;
#endif
    check_teams();
    check_stops(1);
    check_stops(2);
    check_stops(16);
    check_child();
    return tap_finish();
}
