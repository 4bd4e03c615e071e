/* How many of a block's circles each bin has: counts[block][bin], from the matrix of bits. A group has
 * LIST_WORDS words of 32 circles. Sets list_start's cursor to 0.
 *
 * Must move, a block: (columns + rows) x LIST_WORDS words in, a word a bin out. Must do, a bin and
 * word: an AND, a population count and an addition. */
#include "kernels/lists.h"

#define GROUP LIST_GROUP

KERNEL4(list_count, GLOBAL const uint *RESTRICT, bins, GLOBAL uint *RESTRICT, counts,
    GLOBAL uint *RESTRICT, lists, struct list_args, args)
{
    LOCAL uint lines[2 * BIN_LINES * LIST_STRIDE];
    const uint bin_count = args.columns * args.rows;
    LIST_LOAD_LINES(lines, bins, args);
    if (GROUP_X == 0) {
        ITEMS_TO(1) {
            lists[2 * bin_count] = 0;
        }
    }
    for (uint first = 0; first < bin_count; first += GROUP) {
        ITEMS
        {
            const uint bin = first + ITEM;
            if (bin < bin_count) {
                const uint column = bin % args.columns * LIST_STRIDE;
                const uint row = (args.columns + bin / args.columns) * LIST_STRIDE;
                uint sum = 0;
                for (uint word = 0; word < LIST_WORDS; word++)
                    sum += BITS(lines[column + word] & lines[row + word]);
                counts[GROUP_X * bin_count + bin] = sum;
            }
        }
    }
}
