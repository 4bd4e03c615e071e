/* Which bins each circle may touch, as a matrix of bits: line l of the first `columns` has bit i of
 * word w set where the box around circle 32 w + i reaches into column l of bins, the next `rows`
 * lines likewise. The AND of a column's and a row's line gives a bin's circles in order, without
 * lists, at one cost for small and large ones. Group (x, y): the circles from GROUP x on, and the
 * BIN_LINES_A_GROUP lines from BIN_LINES_A_GROUP y on.
 *
 * Must move, a circle: 16 bytes in, once for each y, (columns + rows) / 8 out. Must do: 4
 * operations a line. */
#include "kernels/circles/lists.h"

#define WORDS (GROUP / BIN_LINES_A_GROUP) /* that hold a bit of each circle */

KERNEL3(bin, GLOBAL const float4 *RESTRICT, geometry, GLOBAL uint *RESTRICT, matrix,
    struct bin_args, args)
{
    /* Of circle i of the group: its bin_range; padded, so that words lie in different banks. */
    LOCAL uint ranges[WORDS * 33];
    ITEMS
    {
        const uint circle = GROUP_X * GROUP + ITEM;
        uint packed = 0x00ff00ff; /* no line lies between 255 and 0 */
        if (circle < args.circles)
            packed = bin_range(geometry[circle], args);
        ranges[ITEM / 32 * 33 + ITEM % 32] = packed;
    }
    SYNC;
    ITEMS
    {
        const uint unit = GROUP_Y * GROUP + ITEM, word = unit % WORDS, line = unit / WORDS;
        if (line < args.columns + args.rows) {
            const uint is_row = line >= args.columns, shift = is_row ? 16 : 0;
            const uint number = 1 + line - (is_row ? args.columns : 0);
            uint bits = 0;
            for (uint i = 0; i < 32; i++) {
                const uint range = ranges[word * 33 + i] >> shift;
                bits |= (uint)((range & 0xff) <= number && number <= (range >> 8 & 0xff)) << i;
            }
            matrix[line * args.words + GROUP_X * WORDS + word] = bits;
        }
    }
}
