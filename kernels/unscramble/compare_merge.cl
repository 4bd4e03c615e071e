/* Merges the lists from all parts of the partners into those of the first part. Group (block of own
 * edges, side), an item for each own edge.
 *
 * Must move: 8 bytes a key in, and out for the first part. */
#include "kernels/unscramble/keys.h"

KERNEL2(compare_merge, GLOBAL ulong *RESTRICT, lists, struct compare_args, args)
{
    const uint tiles = args.tiles - (args.first + GROUP_X) * GROUP;
    ITEMS_TO(tiles < GROUP ? tiles : GROUP) {
        GLOBAL ulong *best = lists + list_start(args, 0, GROUP_Y, GROUP_X * GROUP + ITEM);
        for (uint split = 1; split < args.splits; split++) {
            GLOBAL const ulong *list =
                lists + list_start(args, split, GROUP_Y, GROUP_X * GROUP + ITEM);
            for (uint i = 0; i < args.width && list[i] < best[args.width - 1]; i++)
                list_insert(best, args.width, list[i]);
        }
    }
}
