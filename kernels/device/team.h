/* Threads of the CPU that share out the groups of a launch, or the items of a loop.
 *
 * A parallel loop of OpenMP waits for all its threads, also for those that another program keeps
 * from their processor, often ten times as long as a small launch takes. A team's launch waits for
 * none that has not begun. */
#ifndef TEAM_H
#define TEAM_H

#include <stdint.h>

struct team;

/* Does item `item` of a launch. */
typedef void team_function(void *context, int64_t item);

/* Called by the thread that launches, every 0.05 seconds or so, with about the share that is done,
 * at most 1. Returns nonzero to end the launch. */
typedef int team_watch(void *context, double share);

/* A team for launches of up to `threads` threads. Where there are many processors it starts them at
 * once, else as launches want them. team_free ends them. Returns NULL where memory is short. */
struct team *team_new(int threads);
void team_free(struct team *team);

/* Does the items 0 to count - 1, each once, in any order, on the calling thread and up to
 * threads - 1 others. Returns when all are done. `watch` may be NULL. Returns 0, or what `watch`
 * returned, by when any number of items has been done. Only one thread may be in here. */
int team_run(struct team *team, int threads, int64_t count, team_function *function,
    team_watch *watch, void *context);

#endif
