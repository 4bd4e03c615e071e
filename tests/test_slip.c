/* Slips of small boards with costs made up, beside a search that tries every one. */
#include <stdlib.h>
#include <string.h>

#include "cli/tap.h"
#include "random.h"
#include "stages/unscramble/board.h"
#include "stages/unscramble/chain.h"

enum { MAX_PLACES = 25, FAR = 1200, LISTED = 1000 };

/* Every pair of edges that may meet has a cost of its own, or, one in three, that of unlisted
 * ones. */
static void costs_make(int tiles, uint64_t *random, struct compatibility *c)
{
    const size_t edges = (size_t)tiles * 4;
    *c = (struct compatibility){.tiles = tiles,
        .width = tiles,
        .turns = TURNS_NONE,
        .list = malloc(edges * (size_t)tiles * sizeof(struct partner)),
        .unlisted = malloc(edges * sizeof(struct unlisted))};
    if (!c->list || !c->unlisted)
        abort();
    for (size_t i = 0; i < edges * (size_t)tiles; i++)
        c->list[i] = (struct partner){NOTHING, 0};
    for (size_t e = 0; e < edges; e++)
        c->unlisted[e] = (struct unlisted){FAR, {NO_COLOR}};
    for (int a = 0; a < tiles; a++)
        for (int d = 2; d < 4; d++) {
            struct partner *next = c->list + (4 * a + d) * tiles; /* lists have no gaps */
            for (int b = 0; b < tiles; b++)
                if (a != b && random_index(random, 3))
                    *next++ = (struct partner){4 * b + d - 2, random_index(random, LISTED)};
        }
    if (compatibility_index(c))
        abort();
}

/* A search through all slips. */
struct trial {
    const struct problem *p;
    int direction, lines, length;
    int32_t board[MAX_PLACES], slipped[MAX_PLACES];
    int64_t least;
};

static int place_of(const struct trial *t, int line, int i)
{
    const int d = t->direction, at = d == SIDE_LEFT || d == SIDE_TOP ? t->length - 1 - i : i;
    return d == SIDE_LEFT || d == SIDE_RIGHT ? line * t->length + at : at * t->lines + line;
}

/* Tries each run of this line, and with it all of the lines after it; `begin` and `end` are those
 * of the line before, both 0 where it is still. */
static void try_line(struct trial *t, int line, int begin, int end, int areas)
{
    if (line == t->lines) {
        const int64_t cost =
            board_cost(t->p->c, t->slipped, t->p->columns, t->p->rows) + (int64_t)areas * TIE_COST;
        t->least = cost < t->least ? cost : t->least;
        return;
    }
    try_line(t, line + 1, 0, 0, areas);
    for (int a = 0; a < t->length; a++)
        for (int b = a + 1; b < t->length; b++) {
            if (t->board[place_of(t, line, a)] == NOTHING ||
                t->board[place_of(t, line, b)] != NOTHING ||
                t->board[place_of(t, line, b - 1)] == NOTHING || (end && (a > end || begin > b)))
                continue;
            for (int i = b; i > a; i--)
                t->slipped[place_of(t, line, i)] = t->board[place_of(t, line, i - 1)];
            t->slipped[place_of(t, line, a)] = NOTHING;
            try_line(t, line + 1, a, b, areas + !end);
            for (int i = a; i <= b; i++)
                t->slipped[place_of(t, line, i)] = t->board[place_of(t, line, i)];
        }
}

/* What the board costs after a slip: its areas are runs of lines that slip. */
static int64_t cost_of_slip(const struct trial *t, const uint8_t *slips)
{
    int32_t board[MAX_PLACES];
    int areas = 0, before = 0;
    for (int line = 0; line < t->lines; line++) {
        int does = 0;
        for (int i = t->length - 1; i >= 0; i--) {
            const int from = i ? place_of(t, line, i - 1) : 0, place = place_of(t, line, i);
            does |= slips[place];
            board[place] = i && slips[from] ? t->board[from]
                           : slips[place]   ? NOTHING
                                            : t->board[place];
        }
        areas += does && !before;
        before = does;
    }
    return board_cost(t->p->c, board, t->p->columns, t->p->rows) + (int64_t)areas * TIE_COST;
}

/* Boards of which one place in `empty` is so; by chance boards slip and do not. */
static void check(int columns, int rows, int empty, int boards)
{
    uint64_t random = (uint64_t)(columns * 100 + rows * 10 + empty);
    int agree = 0, moved = 0;
    struct slip *slip = slip_make(columns, rows);
    if (!slip)
        abort();
    for (int k = 0; k < boards; k++) {
        struct compatibility c;
        const struct problem p = {&c, NULL, columns, rows, NULL};
        struct trial t = {.p = &p, .direction = k % 4};
        const int is_row = t.direction == SIDE_LEFT || t.direction == SIDE_RIGHT;
        t.lines = is_row ? rows : columns;
        t.length = is_row ? columns : rows;
        costs_make(columns * rows, &random, &c);
        for (int i = 0; i < columns * rows; i++)
            t.board[i] = random_index(&random, empty) ? 4 * i : NOTHING;
        memcpy(t.slipped, t.board, sizeof(t.slipped));
        t.least = INT64_MAX;
        try_line(&t, 0, 0, 0, 0);
        const uint8_t *slips = slip_find(slip, &p, t.board, t.direction);
        const int64_t found =
            slips ? cost_of_slip(&t, slips) : board_cost(&c, t.board, columns, rows);
        agree += found == t.least;
        moved += slips != NULL;
        compatibility_free(&c);
    }
    tap_check(agree == boards, "%d x %d places, one in %d empty: %d of %d boards, %d slip", columns,
        rows, empty, agree, boards, moved);
    slip_free(slip);
}

/* A chain brings back rows of an image that were pushed into the empty column at its border. */
static void check_chain(void)
{
    enum { COLUMNS = 6, ROWS = 5, TILES = (COLUMNS - 1) * ROWS };
    struct compatibility c = {.tiles = TILES,
        .width = 1,
        .turns = TURNS_NONE,
        .list = malloc(4 * TILES * sizeof(struct partner)),
        .unlisted = malloc(4 * TILES * sizeof(struct unlisted))};
    int32_t buddy[4 * TILES], board[COLUMNS * ROWS], whole[COLUMNS * ROWS];
    const struct problem p = {&c, buddy, COLUMNS, ROWS, NULL};
    struct error error;
    struct chain chain;
    if (!c.list || !c.unlisted)
        abort();
    for (int e = 0; e < 4 * TILES; e++) {
        const int other = place_beside(COLUMNS - 1, ROWS, e / 4, e % 4);
        c.list[e] = (struct partner){other == NOTHING ? NOTHING : 4 * other + (e % 4 ^ 2), 0};
        c.unlisted[e] = (struct unlisted){FAR, {NO_COLOR}};
        buddy[e] = NOTHING;
    }
    if (compatibility_index(&c))
        abort();
    for (int i = 0; i < COLUMNS * ROWS; i++) {
        const int x = i % COLUMNS, y = i / COLUMNS, pushed = y > 0 && y < ROWS - 1;
        whole[i] = x < COLUMNS - 1 ? 4 * (y * (COLUMNS - 1) + x) : NOTHING;
        board[i] = x < pushed || x - pushed == COLUMNS - 1 ? NOTHING
                                                           : 4 * (y * (COLUMNS - 1) + x - pushed);
    }
    struct slip *slip = slip_make(COLUMNS, ROWS);
    if (!slip ||
        chain_make(&p, NULL, board, board_cost(&c, board, COLUMNS, ROWS), 1, &chain, &error))
        abort();
    const int rc = chain_slip(&p, &chain, slip);
    tap_check(rc == 0 && memcmp(chain.board, whole, sizeof(whole)) == 0 &&
                  chain.cost == board_cost(&c, whole, COLUMNS, ROWS),
        "a chain brings back what was pushed aside");
    chain_free(&chain);
    slip_free(slip);
    compatibility_free(&c);
}

int main(void)
{
    static const int SIZES[][2] = {{1, 1}, {2, 1}, {1, 5}, {5, 1}, {3, 3}, {4, 5}, {5, 4}, {5, 5}};
    for (int i = 0; i < (int)(sizeof(SIZES) / sizeof(SIZES[0])); i++)
        for (int empty = 2; empty < 5; empty++)
            check(SIZES[i][0], SIZES[i][1], empty, 40);
    check_chain();
    return tap_finish();
}
