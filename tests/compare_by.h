/* The compatibility of the tiles of strips by one dissimilarity, on the host. */
#ifndef COMPARE_BY_H
#define COMPARE_BY_H

#include <stdlib.h>

#include "stages/unscramble/compare.h"

/* `features` are needed by those that are learned. Returns 0 or an ERROR_ code with the reason in
 * run->error. compatibility_free frees. */
static inline int compare_by(struct run *run, const struct strips *strips,
    const struct terms *features, enum turns turns, const uint8_t *present,
    enum dissimilarity dissimilarity, int width, struct compatibility *c)
{
    struct strips seen;
    struct terms terms = {0};
    const int is_learned = dissimilarity_learned(dissimilarity) > 0;
    struct partner *list = malloc((size_t)strips->tiles * 4 * (size_t)width * sizeof(*list));
    int rc = strips_see(strips, dissimilarity_view(dissimilarity), &seen, &run->error);
    if (rc == 0)
        rc = terms_of_strips(&seen, dissimilarity_predicts(dissimilarity), &terms, &run->error);
    if (rc == 0)
        rc = compare_edges(run, is_learned ? features : &terms, turns, present, width, list);
    if (rc == 0)
        rc = compatibility_make(
            &seen, turns, dissimilarity, width, list, run_watch(run), c, &run->error);
    else
        free(list);
    if (rc == 0 && compatibility_index(c) != 0)
        abort();
    terms_free(&terms);
    strips_free(&seen);
    return rc;
}

#endif
