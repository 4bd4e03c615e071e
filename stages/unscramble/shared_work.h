/* What ranks share of a puzzle. The first input of each share says which work it is. */
#ifndef SHARED_WORK_H
#define SHARED_WORK_H

enum shared_work {
    SHARED_PAIRS,   /* of edges, which COMPARE compares */
    SHARED_REGIONS, /* of a large board, which REFINE refills */
    SHARED_WORKS,
};

#endif
