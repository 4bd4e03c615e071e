/* Writes every bin's list: the circles of the matrix of bits in their order, from the places that
 * list_start has found.
 *
 * Must move, a block: (columns + rows) x LIST_WORDS words and a word a bin in; a word for each circle
 * in each of its bins out. */
#include "kernels/lists.h"

#define GROUP LIST_GROUP

KERNEL4(list_fill, GLOBAL const uint *RESTRICT, bins, GLOBAL const uint *RESTRICT, starts,
    GLOBAL uint *RESTRICT, lists, struct list_args, args)
{
    LOCAL uint lines[2 * BIN_LINES * LIST_STRIDE];
    const uint bin_count = args.columns * args.rows;
    LIST_LOAD_LINES(lines, bins, args);
    for (uint first = 0; first < bin_count; first += GROUP) {
        ITEMS
        {
            const uint bin = first + ITEM;
            if (bin < bin_count) {
                const uint column = bin % args.columns * LIST_STRIDE;
                const uint row = (args.columns + bin / args.columns) * LIST_STRIDE;
                uint place = starts[GROUP_X * bin_count + bin];
                for (uint word = 0; word < LIST_WORDS; word++)
                    for (uint bits = lines[column + word] & lines[row + word]; bits;
                         bits &= bits - 1)
                        lists[place++] =
                            (GROUP_X * LIST_WORDS + word) * 32 + (uint)LOWEST_BIT(bits);
            }
        }
    }
}
