/* Patch blocks (struct patch_args): a group has the one with its number; or, where a.takes, so many
 * at a time, one after the other, that it takes from a counter. LOCAL uint taken[2]: the block, and
 * the end of those taken. NEXT_BLOCK starts with a SYNC, both end with one. */
#ifndef BLOCKS_H
#define BLOCKS_H

#include "kernels/bezier/bezier_args.h"
#include "kernels/dialect.h"

#define FIRST_BLOCK(taken, counter, a) \
    ITEMS_TO(1) { \
        taken[0] = (a).takes ? ATOMIC_ADD_SYSTEM(counter, (a).takes) : (a).first + GROUP_X; \
        taken[1] = taken[0] + (a).takes; \
    } \
    SYNC
#define NEXT_BLOCK(taken, counter, a) \
    SYNC; \
    ITEMS_TO(1) { \
        if (!(a).takes) { \
            taken[0] = (a).end; \
        } else if (++taken[0] == taken[1]) { \
            taken[0] = ATOMIC_ADD_SYSTEM(counter, (a).takes); \
            taken[1] = taken[0] + (a).takes; \
        } \
    } \
    SYNC

#endif
