/* How long work tells how far it is and is asked to stop. */
#ifndef PROGRESS_H
#define PROGRESS_H

struct progress {
    /* Called with the share of the work that is done, 0 to 1; returns 1 to stop. NULL: nobody asks. */
    int (*report)(void *context, double share);
    void *context;
};

/* Reports to whoever watches; `progress` may be NULL. Returns whether to stop. */
static inline int progress_report(const struct progress *progress, double share)
{
    return progress && progress->report && progress->report(progress->context, share) != 0;
}

#endif
