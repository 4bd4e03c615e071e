/* Segments of a board: tiles that belong together by all the joints between them. */
#ifndef SEGMENTS_H
#define SEGMENTS_H

#include "stages/unscramble/problem.h"

struct segments {
    int32_t *number; /* [place] its segment, NOTHING where no tile lies */
    int32_t *size;   /* [number] its places */
    /* Work space. A place has two joints, 2 * place to the right and 2 * place + 1 below. */
    int32_t *next;          /* [place] */
    int32_t *gain, *joints; /* [joint] */
};

/* Returns 0, or -1 when memory is short. segments_free frees, after a failure too. */
int segments_make(int places, struct segments *segments);
void segments_free(struct segments *segments);

/* Finds the segments of a board [rows][columns] of oriented tiles. What a joint costs less than
 * `tie`, it gains. The joints that gain most come first; the two segments beside a joint become one
 * where all joints between them together gain something. So one false joint merges nothing that
 * does not fit elsewhere. Returns how many segments there are. After Keuper et al., "Efficient
 * decomposition of image and mesh graphs by lifted multicuts" (ICCV 2015), whose greedy edge
 * contraction also takes up the joints anew that a merge adds up. */
int segments_find(
    const struct problem *p, const int32_t *board, int tie, struct segments *segments);

/* Whether the places beside this one are all of its segment. */
static inline int segment_surrounds(
    const struct problem *p, const struct segments *segments, int place)
{
    for (int d = 0; d < 4; d++) {
        const int other = place_beside(p->columns, p->rows, place, d);
        if (other != NOTHING && segments->number[other] != segments->number[place])
            return 0;
    }
    return 1;
}

#endif
