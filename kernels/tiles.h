/* Tiles of patches (struct patch_args), which a group takes one after the other, or of which it has the
 * one with its number. LOCAL uint taken. Both end with a SYNC, NEXT_TILE starts with one. */
#ifndef TILES_H
#define TILES_H

#include "kernels/kernel.h"

#define FIRST_TILE(taken, counter, a) \
    ITEMS_TO(1) \
    { \
        taken = (a).takes ? ATOMIC_TAKE(counter) : (a).first + GROUP_X; \
    } \
    SYNC
#define NEXT_TILE(taken, counter, a) \
    SYNC; \
    ITEMS_TO(1) \
    { \
        taken = (a).takes ? ATOMIC_TAKE(counter) : (a).end; \
    } \
    SYNC

#endif
