#include "stages/unscramble/board.h"

#include <stdlib.h>
#include <string.h>

#include "stages/unscramble/pack.h"

enum {
    MAX_REPACKED = 4, /* times */
    MAX_SIDE = 8      /* of an area that is turned */
};

int64_t board_cost(
    const struct compatibility *compatibility, const int32_t *board, int columns, int rows)
{
    int64_t sum = 0;
    for (int place = 0; place < columns * rows; place++)
        for (int d = SIDE_RIGHT; d <= SIDE_BOTTOM; d++) {
            const int next = place_beside(columns, rows, place, d);
            if (next != NOTHING)
                sum += joint_cost(compatibility, board[place], board[next], d);
        }
    return sum;
}

/* Fills the frame around the largest component. */
static int grow_largest(const struct forest *forest, struct fill *fill, int32_t *board)
{
    const int32_t root = forest_largest(forest, fill->present);
    int box[4] = {INT32_MAX, INT32_MAX, INT32_MIN, INT32_MIN};
    for (int32_t t = 0; t < forest->tiles; t++)
        if (forest->root[t] == root)
            box_extend(box, forest->x[t], forest->y[t]);
    const int dx = fill->width / 2 - box[0] - (box[2] - box[0] + 1) / 2;
    const int dy = fill->height / 2 - box[1] - (box[3] - box[1] + 1) / 2;
    fill_begin(fill, 0);
    for (int32_t t = 0; t < forest->tiles; t++)
        if (forest->root[t] == root && !fill->used[t])
            fill_put(
                fill, (forest->y[t] + dy) * fill->width + forest->x[t] + dx, forest->oriented[t]);
    const int rc = fill_run(fill, NULL, 0);
    fill_board(fill, board);
    return rc;
}

/* Whether the tiles at a place and beside it in a direction are sure to be neighbors. */
static int are_sure(const struct problem *p, const int32_t *board, int place, int direction)
{
    const int32_t a = board[place], b = board[place_beside(p->columns, p->rows, place, direction)];
    const int32_t edge = oriented_edge(a, direction);
    return a != NOTHING && b != NOTHING && p->buddy[edge] == oriented_edge(b, direction ^ 2) &&
           is_sure(p->c, p->buddy, edge);
}

/* Components of a board: the tiles of each square of 2 x 2 whose four pairs are sure are in one.
 * So single pairs join nothing, nor do tiles that were only chosen because they fit. */
static int forest_of_board(const struct problem *p, const int32_t *board, struct forest *forest)
{
    const int columns = p->columns;
    if (forest_make(p->c->tiles, forest))
        return -1;
    for (int place = 0; place < columns * p->rows; place++) {
        if (board[place] == NOTHING)
            continue;
        const int32_t tile = board[place] >> 2;
        forest->x[tile] = place % columns;
        forest->y[tile] = place / columns;
        forest->oriented[tile] = board[place];
    }
    for (int place = 0; place + columns < columns * p->rows; place++)
        if ((place + 1) % columns && are_sure(p, board, place, SIDE_RIGHT) &&
            are_sure(p, board, place, SIDE_BOTTOM) && are_sure(p, board, place + 1, SIDE_BOTTOM) &&
            are_sure(p, board, place + columns, SIDE_RIGHT))
            for (int i = 1; i < 4; i++) {
                const int32_t other = board[place + i % 2 + i / 2 * columns] >> 2;
                sets_join(forest->root, other, board[place] >> 2);
            }
    for (int32_t tile = 0; tile < forest->tiles; tile++) {
        forest->root[tile] = root_of(forest->root, tile);
        forest->size[forest->root[tile]] += forest->root[tile] != tile;
    }
    return 0;
}

/* Packs the components of a board anew, joined as most sure buddies want. */
static int repack(const struct problem *p, struct fill *fill, const int32_t *board, int32_t *packed)
{
    struct forest forest = {0};
    int rc = forest_of_board(p, board, &forest);
    if (rc == 0)
        rc = forest_join(p->c, p->buddy, p->columns, p->rows, &forest);
    if (rc == 0)
        rc = pack(&forest, fill, packed);
    forest_free(&forest);
    return rc;
}

/* How many pairs of neighbors on a board are sure. What tiles of one color cost beside each other,
 * which hardly ever are, says little of two boards. */
static int64_t count_sure(const struct problem *p, const int32_t *board)
{
    int64_t count = 0;
#pragma omp parallel for reduction(+ : count)
    for (int place = 0; place < p->columns * p->rows; place++)
        for (int d = SIDE_RIGHT; d <= SIDE_BOTTOM; d++)
            count += place_beside(p->columns, p->rows, place, d) != NOTHING &&
                     are_sure(p, board, place, d);
    return count;
}

/* The same by packing, where that is better than the board. */
static int pack_board(
    const struct problem *p, const struct forest *forest, struct fill *fill, int32_t *board)
{
    const size_t places = (size_t)p->columns * (size_t)p->rows;
    int64_t sure = count_sure(p, board);
    int32_t *packed = malloc(places * sizeof(*packed));
    int rc = packed ? 0 : -1;
    for (int times = 0, is_better = 1; rc == 0 && is_better && times <= MAX_REPACKED; times++) {
        rc = times == 0 ? pack(forest, fill, packed) : repack(p, fill, board, packed);
        const int64_t packed_sure = rc ? 0 : count_sure(p, packed);
        is_better = packed_sure > sure;
        if (is_better) {
            memcpy(board, packed, places * sizeof(*board));
            sure = packed_sure;
        }
        is_better |= times == 0;
    }
    free(packed);
    return rc;
}

int board_from_forest(const struct problem *p, const uint8_t *present, const struct forest *forest,
    int32_t *board, struct error *error)
{
    const int places = p->columns * p->rows;
    struct fill fill;
    const int failed = fill_make(p->c, p->buddy, present, p->columns, p->rows, &fill, error);
    if (failed)
        return failed;
    int rc = grow_largest(forest, &fill, board);
    if (rc == 0 && places > LARGE_PLACES && fill.tiles >= places)
        rc = pack_board(p, forest, &fill, board);
    fill_free(&fill);
    return rc ? error_set(error, ERROR_INPUT, "not enough memory to fill the board") : 0;
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

/* What an area saves if it is turned by half as a whole: its joints with the rest of the
 * board change, those inside of it do not. */
static int64_t half_turn_gain(
    const struct problem *p, const int32_t *board, int x, int y, int width, int height)
{
    int64_t gain = 0;
    for (int i = 0; i < width * height; i++) {
        const int column = i % width, row = i / width;
        const int place = (y + row) * p->columns + x + column;
        const int from = (y + height - 1 - row) * p->columns + x + width - 1 - column;
        const int is_border[4] = {column == 0, row == 0, column == width - 1, row == height - 1};
        const int32_t turned = board[from] == NOTHING ? NOTHING : oriented_turned(board[from], 2);
        for (int d = 0; d < 4; d++) {
            const int other = is_border[d] ? place_beside(p->columns, p->rows, place, d) : NOTHING;
            if (other != NOTHING)
                gain += joint_cost(p->c, board[place], board[other], d) -
                        joint_cost(p->c, turned, board[other], d);
        }
    }
    return gain;
}

static void turn_by_half(
    const struct problem *p, int32_t *board, int x, int y, int width, int height)
{
    for (int i = 0; i < (width * height + 1) / 2; i++) {
        int32_t *a = &board[(y + i / width) * p->columns + x + i % width];
        int32_t *b = &board[(y + height - 1 - i / width) * p->columns + x + width - 1 - i % width];
        const int32_t first = *a == NOTHING ? NOTHING : oriented_turned(*a, 2);
        *a = *b == NOTHING ? NOTHING : oriented_turned(*b, 2);
        *b = first;
    }
}

int64_t board_turn_areas(const struct problem *p, int32_t *board)
{
    int64_t saved = 0;
    for (int i = 0; i < p->columns * p->rows * MAX_SIDE * MAX_SIDE; i++) {
        const int place = i / (MAX_SIDE * MAX_SIDE), x = place % p->columns, y = place / p->columns;
        const int width = 1 + i % MAX_SIDE, height = 1 + i / MAX_SIDE % MAX_SIDE;
        if (x + width > p->columns || y + height > p->rows)
            continue;
        const int64_t gain = half_turn_gain(p, board, x, y, width, height);
        if (gain > 0) {
            turn_by_half(p, board, x, y, width, height);
            saved += gain;
        }
    }
    return saved;
}
