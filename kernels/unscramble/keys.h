/* What compare and compare_merge share: lists of an edge's best partners. A partner is a key, the
 * sum of differences in the high word and its edge's number in the low one: of two the smaller is
 * the better, and no two are the same. Lists ascend; NO_KEY stands where there are no more. */
#ifndef KEYS_H
#define KEYS_H

#include "kernels/dialect.h"
#include "kernels/unscramble/unscramble_args.h"

#define NO_KEY (~(ulong)0)

/* Where the list of an own edge begins: lists [split][side][tile of args.blocks][key]. */
DEVICE ulong list_start(struct compare_args args, uint split, uint side, uint tile)
{
    return (((ulong)split * SIDES + side) * args.blocks * COMPARE_TILES + tile) * args.width;
}

/* Puts a key that is smaller than the last one into its place; the last one falls out. */
DEVICE void list_insert(GLOBAL ulong *list, uint width, ulong key)
{
    uint at = width - 1;
    for (; at > 0 && list[at - 1] > key; at--)
        list[at] = list[at - 1];
    list[at] = key;
}

#endif
