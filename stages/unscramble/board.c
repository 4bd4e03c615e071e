#include "stages/unscramble/board.h"

#include <stdlib.h>
#include <string.h>

#include "stages/unscramble/pack.h"

enum { MAX_GROWN = 10000 }; /* places of a board that is not packed, too */

int64_t board_cost(
    const struct compatibility *compatibility, const int32_t *board, int columns, int rows)
{
    int64_t sum = 0;
    for (int y = 0; y < rows; y++)
        for (int x = 0; x < columns; x++) {
            const int32_t a = board[y * columns + x];
            for (int d = 2; d < 4; d++) {
                if (d == 2 ? x + 1 == columns : y + 1 == rows)
                    continue;
                const int32_t b = board[d == 2 ? y * columns + x + 1 : (y + 1) * columns + x];
                if (a != NOTHING && b != NOTHING)
                    sum += cost_of(compatibility, oriented_edge(a, d), oriented_edge(b, d ^ 2));
                else if (a != NOTHING || b != NOTHING)
                    sum += OPEN_COST;
            }
        }
    return sum;
}

/* Fills the frame around the largest component. */
static int grow_largest(const struct forest *forest, struct fill *fill, int32_t *board)
{
    const int32_t root = forest_largest(forest, fill->present);
    int x0 = INT32_MAX, y0 = INT32_MAX, x1 = INT32_MIN, y1 = INT32_MIN;
    for (int32_t t = 0; t < forest->tiles; t++)
        if (forest->root[t] == root) {
            x0 = forest->x[t] < x0 ? forest->x[t] : x0;
            y0 = forest->y[t] < y0 ? forest->y[t] : y0;
            x1 = forest->x[t] > x1 ? forest->x[t] : x1;
            y1 = forest->y[t] > y1 ? forest->y[t] : y1;
        }
    const int dx = fill->width / 2 - x0 - (x1 - x0 + 1) / 2;
    const int dy = fill->height / 2 - y0 - (y1 - y0 + 1) / 2;
    fill_begin(fill, 0);
    for (int32_t t = 0; t < forest->tiles; t++)
        if (forest->root[t] == root && !fill->used[t])
            fill_put(
                fill, (forest->y[t] + dy) * fill->width + forest->x[t] + dx, forest->oriented[t]);
    const int rc = fill_run(fill, NULL, 0);
    fill_board(fill, board);
    return rc;
}

int board_from_forest(const struct forest *forest, struct fill *fill, int32_t *board)
{
    const int columns = fill->columns, rows = fill->rows, places = columns * rows;
    int rc = grow_largest(forest, fill, board);
    if (rc || places <= MAX_GROWN || fill->tiles < places)
        return rc;
    int32_t *packed = malloc((size_t)places * sizeof(*packed));
    rc = packed ? pack(forest, fill, packed) : -1;
    if (rc == 0 && board_cost(fill->compatibility, packed, columns, rows) <
                       board_cost(fill->compatibility, board, columns, rows))
        memcpy(board, packed, (size_t)places * sizeof(*board));
    free(packed);
    return rc;
}

void board_crop(int32_t *board, int *columns, int *rows)
{
    int x0 = *columns, y0 = *rows, x1 = -1, y1 = -1;
    for (int i = 0; i < *columns * *rows; i++) {
        const int x = i % *columns, y = i / *columns;
        if (board[i] == NOTHING)
            continue;
        x0 = x < x0 ? x : x0;
        x1 = x > x1 ? x : x1;
        y0 = y < y0 ? y : y0;
        y1 = y;
    }
    const int w = x1 < 0 ? 0 : x1 - x0 + 1, h = x1 < 0 ? 0 : y1 - y0 + 1;
    for (int y = 0; y < h; y++)
        memmove(board + y * w, board + (y + y0) * *columns + x0, (size_t)w * sizeof(*board));
    *columns = w;
    *rows = h;
}
