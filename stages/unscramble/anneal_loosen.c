/* Annealing in a field with empty places. */
#include "stages/unscramble/anneal_loosen.h"

#include <stdlib.h>
#include <string.h>

#include "random.h"

/* On each side a field has a margin of a MARGIN-th of the board's length, within these limits. */
enum { MARGIN = 4, LEAST_MARGIN = 3, MOST_MARGIN = 8 };

/* A change that costs `heat` more is accepted half of the time. Each round multiplies it by COOLING
 * / 1024, so that it falls from HEAT to 96. A round has ANNEALING_MOVES moves for each unsettled
 * place. */
enum { HEAT = 140, COOLING = 1018 };

/* The round after which the field begins to shrink: by then what is loose has come off. */
enum { SHRINKING = 16 };

static int spare_lines(int length)
{
    const int share = length / MARGIN;
    return share < LEAST_MARGIN ? LEAST_MARGIN : share > MOST_MARGIN ? MOST_MARGIN : share;
}

int loosening_places(int columns, int rows)
{
    return (columns + 2 * spare_lines(columns)) * (rows + 2 * spare_lines(rows));
}

int loosening_make(
    const struct problem *board, const struct costs *costs, struct loosening *loosening)
{
    const size_t places = (size_t)loosening_places(board->columns, board->rows);
    *loosening = (struct loosening){board, costs, *board, *costs};
    loosening->costs.beside = malloc(4 * places * sizeof(*loosening->costs.beside));
    return loosening->costs.beside ? 0 : -1;
}

void loosening_free(struct loosening *loosening)
{
    free(loosening->costs.beside);
}

void loosening_begin(struct loosening *loosening, struct annealing *chains, int count)
{
    const int columns = loosening->board->columns, rows = loosening->board->rows;
    const int left = spare_lines(columns), top = spare_lines(rows);
    loosening->field.columns = columns + 2 * left;
    loosening->field.rows = rows + 2 * top;
    costs_find_beside(&loosening->field, loosening->costs.beside);
    for (int i = 0; i < count; i++) {
        struct annealing *s = &chains[i];
        s->p = &loosening->field;
        s->costs = &loosening->costs;
        for (int j = 0; j < loosening->field.columns * loosening->field.rows; j++)
            s->board[j] = s->costs->empty;
        for (int y = 0; y < rows; y++)
            memcpy(&s->board[(y + top) * loosening->field.columns + left], &s->best[y * columns],
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

/* Takes the outermost column or row from a board, on the side where it has fewer tiles; these go to
 * empty places of the rest by chance. Of what goes with the board nothing is kept up to date. */
static void take_line(struct annealing *s, int is_column)
{
    const int columns = s->p->columns, rows = s->p->rows;
    const struct area first = {0, 0, is_column ? 1 : columns, is_column ? rows : 1};
    const struct area last = {
        columns - first.width, rows - first.height, first.width, first.height};
    const int is_first = count_tiles(s, &first) < count_tiles(s, &last);
    const struct area *taken = is_first ? &first : &last;
    const int x0 = is_first && is_column, y0 = is_first && !is_column;
    const int width = columns - is_column, places = width * (rows - !is_column);
    int32_t *board = s->work;
    int empty = 0;
    for (int i = 0; i < places; i++) {
        board[i] = s->board[(y0 + i / width) * columns + x0 + i % width];
        empty += board[i] >= s->costs->empty;
    }
    for (int y = taken->y; y < taken->y + taken->height; y++)
        for (int x = taken->x; x < taken->x + taken->width; x++) {
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

/* Shrinks the field to that many columns or rows. Chains see its size, so it changes after all of
 * their boards have. */
static void shrink(
    struct loosening *loosening, int is_column, int length, struct annealing *chains, int count)
{
    int *now = is_column ? &loosening->field.columns : &loosening->field.rows;
    for (; *now > length; --*now)
        for (int i = 0; i < count; i++)
            take_line(&chains[i], is_column);
}

void loosening_round(struct loosening *loosening, int round, struct annealing *chains, int count)
{
    enum { LAST = LOOSENING_ROUNDS - 1 };
    if (round > SHRINKING) {
        const int left = LAST - round, all = LAST - SHRINKING;
        const int columns = loosening->board->columns, rows = loosening->board->rows;
        shrink(loosening, 1, columns + 2 * spare_lines(columns) * left / all, chains, count);
        shrink(loosening, 0, rows + 2 * spare_lines(rows) * left / all, chains, count);
        costs_find_beside(&loosening->field, loosening->costs.beside);
    }
#pragma omp parallel for schedule(dynamic)
    for (int i = 0; i < count; i++) {
        annealing_take_board(&chains[i]);
        annealing_round(&chains[i], ANNEALING_MOVES, COOLING);
    }
}

void loosening_end(const struct loosening *loosening, struct annealing *chains, int count, int heat)
{
    for (int i = 0; i < count; i++) {
        chains[i].p = loosening->board;
        chains[i].costs = loosening->board_costs;
        annealing_begin(&chains[i], heat);
    }
}
