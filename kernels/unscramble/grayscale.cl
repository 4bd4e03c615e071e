/* Scales the tiled part of a puzzle to 64 x 64 gray pixels a tile.
 *
 * Gray pixel (x, y) stands for the box of source pixels [start(x), end(x)) x [start(y), end(y)):
 * floor(sum of (3 R + 6 G + B) / (10 x pixels in the box)), 16-bit channels divided by 257 as well.
 * Group (x, y) makes a run of gray pixels of row y: first each item sums its columns of the box row
 * downward, so that neighbors read neighbors; then each item adds up the columns of its box.
 *
 * Must move: 4 (8 deep) bytes a source pixel in, 1 byte a gray pixel out.
 * Must do: 3 multiply-adds a source pixel. */
#include "kernels/dialect.h"
#include "kernels/unscramble/unscramble_args.h"

#define COLUMNS GRAYSCALE_COLUMNS
#define ROWS_A_SUM 4096u /* 4096 * 10 * 65535 fits in 32 bits */

/* floor(i * side / 64) without overflow: where box i of a row of tiles starts. */
DEVICE uint box_start(uint i, uint side)
{
    return i * (side / EDGE_PIXELS) + i * (side % EDGE_PIXELS) / EDGE_PIXELS;
}

/* A box has at least one pixel, and just one where its first is the sample. */
DEVICE uint box_end(uint i, uint side, uint point)
{
    const uint start = box_start(i, side), end = box_start(i + 1, side);
    return point || end <= start ? start + 1 : end;
}

DEVICE uint weigh(uint red, uint green, uint blue)
{
    return 3 * red + 6 * green + blue;
}

KERNEL3(grayscale, GLOBAL const uint *RESTRICT, puzzle, GLOBAL uchar *RESTRICT, gray,
    struct grayscale_args, a)
{
    LOCAL ulong column_sums[COLUMNS];
    PRIVATE(uint, sum);
    PRIVATE(ulong, total);
    const uint first = GROUP_X * a.group_outputs;
    const uint outputs = a.width - first < a.group_outputs ? a.width - first : a.group_outputs;
    const uint left = box_start(first, a.tile_width);
    const uint right = box_end(first + outputs - 1, a.tile_width, a.point);
    const uint top = box_start(GROUP_Y, a.tile_height);
    const uint bottom = box_end(GROUP_Y, a.tile_height, a.point);

    ITEMS
    {
        for (uint i = ITEM; i < COLUMNS; i += GROUP)
            column_sums[i] = 0;
    }
    for (uint column = left; column < right; column += GROUP) {
        const uint width = right - column < GROUP ? right - column : GROUP;
        ITEMS
        {
            MINE(total) = 0;
        }
        for (uint row = top; row < bottom;) {
            const uint stop = bottom - row < ROWS_A_SUM ? bottom : row + ROWS_A_SUM;
            ITEMS
            {
                MINE(sum) = 0;
            }
            for (; row < stop; row++) {
                const ulong at = (ulong)row * a.row_pixels + column;
                if (a.deep) {
                    GLOBAL const uint *words = puzzle + 2 * at;
                    ITEMS_TO(width) {
                        const uint rg = words[2 * ITEM], ba = words[2 * ITEM + 1];
                        MINE(sum) += weigh(rg & 0xffff, rg >> 16, ba & 0xffff);
                    }
                } else {
                    GLOBAL const uint *words = puzzle + at;
                    ITEMS_TO(width) {
                        const uint rgba = words[ITEM];
                        MINE(sum) += weigh(rgba & 0xff, rgba >> 8 & 0xff, rgba >> 16 & 0xff);
                    }
                }
            }
            ITEMS
            {
                MINE(total) += MINE(sum);
            }
        }
        /* Columns wrap round only where the group makes one gray pixel, whose sum they all join. */
        ITEMS_TO(width) {
            column_sums[(column - left + ITEM) % COLUMNS] += MINE(total);
        }
    }
    SYNC;
    ITEMS_TO(outputs) {
        const uint x = first + ITEM;
        const uint start = box_start(x, a.tile_width) - left;
        const uint columns = box_end(x, a.tile_width, a.point) - left - start;
        ulong box = 0;
        for (uint i = 0; i < columns && i < COLUMNS; i++)
            box += column_sums[start + i];
        const ulong weight = 10 * (ulong)columns * (bottom - top) * (a.deep ? 257 : 1);
        gray[GROUP_Y * a.width + x] = (uchar)(box / weight);
    }
}
