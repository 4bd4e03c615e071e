/* Lets long-running work report how far it is and be asked to stop. */
#ifndef PROGRESS_H
#define PROGRESS_H

struct progress {
    /* Called with the share of the work that is done, 0 to 1; returns 1 to stop. NULL: nobody
     * watches. */
    int (*report)(void *context, double share);
    void *context;
};

#define REPORT_EVERY 4096 /* records of a file that are read or written between two reports */

/* Reports to `progress` (NULL: nobody watches). Returns whether to stop. */
static inline int progress_report(const struct progress *progress, double share)
{
    return progress && progress->report && progress->report(progress->context, share) != 0;
}

#endif
