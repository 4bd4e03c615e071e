/* Puts tiles where they belong, turned where they must be, and paints the places that stay empty.
 * Where tiles do not cover the result (a strip at the right and at the bottom), it has the puzzle's
 * size and what stands there stays. Group y * (columns + 1) + column: the part of row y that lies
 * in that column of tiles, or in the strip beside the last.
 *
 * Must move: 4 (8 deep) bytes a pixel in and out. */
#include "kernels/dialect.h"
#include "kernels/unscramble/unscramble_args.h"

KERNEL4(assemble, GLOBAL const uint *RESTRICT, puzzle, GLOBAL uint *RESTRICT, result,
    GLOBAL const uint *RESTRICT, placed, struct assemble_args, a)
{
    const uint y = GROUP_X / (a.columns + 1), column = GROUP_X % (a.columns + 1);
    const uint row = y / a.tile_height, strip = column == a.columns;
    const uint width = strip ? a.row_words - column * a.tile_words : a.tile_words;
    const ulong to = (ulong)y * a.row_words + column * a.tile_words;
    ulong from = to, step = 0; /* of the first pixel's word; words from one pixel to the next */
    uint tile = 0, turn = 0;
    if (!strip && row < a.rows) {
        const uint place = row * a.columns + column, line = y % a.tile_height;
        const uint pixel = 1 + a.deep, right = a.tile_words - pixel, bottom = a.tile_height - 1;
        const ulong pitch = a.puzzle_row_words;
        tile = placed[2 * place];
        turn = placed[2 * place + 1];
        from = tile / a.puzzle_columns * a.tile_height * pitch;
        from += tile % a.puzzle_columns * a.tile_words;
        if (turn == 0)
            from += line * pitch;
        if (turn == 1) { /* the tile's column `line` upward */
            from += bottom * pitch + line * pixel;
            step = 0 - pitch;
        }
        if (turn == 2) {
            from += (bottom - line) * pitch + right;
            step = 0 - (ulong)pixel;
        }
        if (turn == 3) {
            from += right - line * pixel;
            step = pitch;
        }
    }
    if (tile == NO_TILE) {
        for (uint i = 0; i < width; i += GROUP) {
            const uint items = width - i < GROUP ? width - i : GROUP;
            ITEMS_TO(items) {
                result[to + i + ITEM] = a.missing[ITEM & a.deep];
            }
        }
    } else if (turn) {
        for (uint i = 0; i < width; i += GROUP) {
            const uint items = width - i < GROUP ? width - i : GROUP;
            ITEMS_TO(items) {
                const uint word = i + ITEM;
                result[to + word] = puzzle[from + (word >> a.deep) * step + (word & a.deep)];
            }
        }
    } else {
        const uint rounds = width / GROUP, rest = width % GROUP;
        UNROLL(4)
        for (uint i = 0; i < rounds; i++) {
            ITEMS
            {
                result[to + i * GROUP + ITEM] = puzzle[from + i * GROUP + ITEM];
            }
        }
        ITEMS_TO(rest) {
            result[to + width - rest + ITEM] = puzzle[from + width - rest + ITEM];
        }
    }
}
