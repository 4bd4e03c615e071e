/* Annealing in a field with empty places. */
#include "stages/unscramble/anneal_spread.h"

#include <stdlib.h>
#include <string.h>

#include "random.h"

/* On each side a field has a margin of a MARGIN-th of the board's length, within these limits. */
enum { MARGIN = 4, LEAST_MARGIN = 3, MOST_MARGIN = 8 };

/* As in annealing, heat is what a change may cost that is accepted half of the time. It falls by
 * COOLING / 1024 with each round, to about 100. */
enum { HEAT = 140, COOLING = 1018, MOVES = 200 };

/* The round after which the field begins to shrink. */
enum { SHRINKING = 16 };

static int margin(int length)
{
    const int share = length / MARGIN;
    return share < LEAST_MARGIN ? LEAST_MARGIN : share > MOST_MARGIN ? MOST_MARGIN : share;
}

int spread_places(int columns, int rows)
{
    return (columns + 2 * margin(columns)) * (rows + 2 * margin(rows));
}

int spread_make(const struct problem *p, const struct costs *costs, struct spread *spread)
{
    *spread = (struct spread){*p, *costs, p->columns, p->rows};
    spread->costs.beside =
        malloc(4 * (size_t)spread_places(p->columns, p->rows) * sizeof(*spread->costs.beside));
    return spread->costs.beside ? 0 : -1;
}

void spread_free(struct spread *spread)
{
    free(spread->costs.beside);
}

void spread_begin(struct spread *spread, struct annealing *chains, int count)
{
    const int columns = spread->columns, rows = spread->rows;
    const int left = margin(columns), top = margin(rows);
    spread->field.columns = columns + 2 * left;
    spread->field.rows = rows + 2 * top;
    costs_find_beside(&spread->field, spread->costs.beside);
    for (int i = 0; i < count; i++) {
        struct annealing *s = &chains[i];
        s->p = &spread->field;
        s->costs = &spread->costs;
        for (int j = 0; j < spread->field.columns * spread->field.rows; j++)
            s->board[j] = s->costs->empty;
        for (int y = 0; y < rows; y++)
            memcpy(&s->board[(y + top) * spread->field.columns + left], &s->best[y * columns],
                (size_t)columns * sizeof(*s->board));
        annealing_begin(s, HEAT);
    }
}

static int count_tiles(const struct annealing *s, const struct area *area)
{
    int tiles = 0;
    for (int y = area->y; y < area->y + area->height; y++)
        for (int x = area->x; x < area->x + area->width; x++)
            tiles += s->board[y * s->p->columns + x] < s->costs->empty;
    return tiles;
}

/* Takes the first or the last column, where direction is 2, or row, where it is 3, from the board:
 * that with fewer tiles, which go to empty places of the others by chance. */
static void take_line(struct annealing *s, int direction)
{
    const int columns = s->p->columns, rows = s->p->rows, across = direction == 2;
    const struct area first = {0, 0, across ? 1 : columns, across ? rows : 1};
    const struct area last = {
        columns - first.width, rows - first.height, first.width, first.height};
    const int is_first = count_tiles(s, &first) < count_tiles(s, &last);
    const struct area *line = is_first ? &first : &last;
    const int width = columns - across, places = width * (rows - !across);
    const int x0 = is_first && across, y0 = is_first && !across;
    int32_t *board = s->copy;
    int empty = 0;
    for (int i = 0; i < places; i++) {
        board[i] = s->board[(y0 + i / width) * columns + x0 + i % width];
        empty += board[i] >= s->costs->empty;
    }
    for (int y = line->y; y < line->y + line->height; y++)
        for (int x = line->x; x < line->x + line->width; x++) {
            const int32_t tile = s->board[y * columns + x];
            if (tile >= s->costs->empty)
                continue;
            int skipped = random_index(&s->random, empty--), place = 0;
            while (board[place] < s->costs->empty || skipped-- > 0)
                place++;
            board[place] = tile;
        }
    memcpy(s->board, board, (size_t)places * sizeof(*board));
}

/* Shrinks the field to that many columns, where direction is 2, or rows, where it is 3. */
static void shrink(
    struct spread *spread, int direction, int length, struct annealing *chains, int count)
{
    int *now = direction == 2 ? &spread->field.columns : &spread->field.rows;
    for (; *now > length; --*now)
        for (int i = 0; i < count; i++)
            take_line(&chains[i], direction);
}

void spread_round(struct spread *spread, int round, struct annealing *chains, int count)
{
    enum { LAST = SPREAD_ROUNDS - 1 };
    if (round > SHRINKING) {
        const int left = LAST - round, all = LAST - SHRINKING;
        const int columns = spread->columns, rows = spread->rows;
        shrink(spread, 2, columns + 2 * margin(columns) * left / all, chains, count);
        shrink(spread, 3, rows + 2 * margin(rows) * left / all, chains, count);
        costs_find_beside(&spread->field, spread->costs.beside);
    }
#pragma omp parallel for schedule(dynamic)
    for (int i = 0; i < count; i++) {
        annealing_take_board(&chains[i]);
        annealing_round(&chains[i], MOVES, COOLING);
    }
}
