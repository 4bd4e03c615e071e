/* Tiles of patches (struct patch_args): a group has the one with its number; or, where a.takes, those
 * of strips that it takes one after the other from a counter. LOCAL uint taken. NEXT_TILE starts with a
 * SYNC, both end with one. */
#ifndef TILES_H
#define TILES_H

#include "kernels/kernel.h"

#define FIRST_TILE(taken, counter, a) \
    ITEMS_TO(1) { \
        taken = (a).takes ? ATOMIC_TAKE(counter) * (a).blocks : (a).first + GROUP_X; \
    } \
    SYNC
#define NEXT_TILE(taken, counter, a) \
    SYNC; \
    ITEMS_TO(1) { \
        taken = !(a).takes                 ? (a).end \
                : (taken + 1) % (a).blocks ? taken + 1 \
                                           : ATOMIC_TAKE(counter) * (a).blocks; \
    } \
    SYNC

#endif
