/* Tiles of patches (struct patch_args): a group has the one with its number; or, where a.takes, so
 * many at a time, one after the other, that it takes from a counter. LOCAL uint taken[2]: the tile,
 * and the end of those taken. NEXT_TILE starts with a SYNC, both end with one. */
#ifndef TILES_H
#define TILES_H

#include "kernels/bezier/bezier_args.h"
#include "kernels/dialect.h"

#define FIRST_TILE(taken, counter, a) \
    ITEMS_TO(1) { \
        taken[0] = (a).takes ? ATOMIC_ADD_SYSTEM(counter, (a).takes) : (a).first + GROUP_X; \
        taken[1] = taken[0] + (a).takes; \
    } \
    SYNC
#define NEXT_TILE(taken, counter, a) \
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
