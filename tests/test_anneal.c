/* Annealing on full boards and in fields with empty places, on images of smooth colors. */
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "cli/tap.h"
#include "stages/unscramble/anneal.h"
#include "stages/unscramble/anneal_loosen.h"
#include "stages/unscramble/anneal_part.h"
#include "tests/drawn_puzzle.h"
#include "tests/test_random.h"

/* Counts the rounds that a search tells of; stops it after some. */
struct rounds {
    int count, most;
};

static int note_round(void *context, double done, int64_t cost)
{
    struct rounds *rounds = context;
    (void)done;
    (void)cost;
    return ++rounds->count == rounds->most;
}

/* Rounds of annealing: without a field, and with one three times. */
enum { ONCE = 64, ALL = 4 * ONCE + 3 * LOOSENING_ROUNDS };

/* Anneals the right board, after places of a third of the tiles were exchanged: the board still
 * holds all tiles, the cost that is told is its own, and no more than that of the right one.
 * Threads make no difference. Ends after `rounds`, if any. That share of the tiles is told to be
 * wrong. It takes as many rounds as are expected. */
static void check_anneal(
    int columns, int rows, enum turns turns, double wrong, int rounds, int expected)
{
    const int tiles = columns * rows;
    const size_t bytes = (size_t)tiles * sizeof(int32_t);
    int *place = malloc(2 * bytes), *turn = place + tiles;
    int32_t *begin = malloc(4 * bytes), *truth = begin + tiles, *board[] = {truth + tiles, NULL};
    board[1] = board[0] + tiles;
    int64_t cost[2], truth_cost;
    struct rounds told[2] = {{0, rounds}, {0, rounds}};
    struct compatibility c = {0};
    struct error error;
    compare_drawn(3, columns, rows, turns, place, turn, truth, &c);
    memcpy(begin, truth, bytes);
    for (int i = 0; i < tiles / 3; i++) {
        int32_t *a = &begin[next_random() % (uint32_t)tiles];
        int32_t *b = &begin[next_random() % (uint32_t)tiles], old = *a;
        *a = *b;
        *b = old;
    }
    truth_cost = sum_of_joints(&c, truth, columns, rows);
    for (int i = 0; i < 2; i++) {
        const struct refine_options options = {.columns = columns,
            .rows = rows,
            .seed = 1,
            .progress = note_round,
            .context = &told[i]};
        memcpy(board[i], begin, bytes);
        omp_set_num_threads(1 + 2 * i);
        if (anneal(&c, &options, wrong * c.tiles, board[i], &cost[i], &error))
            abort();
    }
    tap_check(cost[0] == sum_of_joints(&c, board[0], columns, rows) &&
                  cost[0] <= sum_of_joints(&c, begin, columns, rows) &&
                  (rounds || cost[0] <= truth_cost) && holds_all(board[0], tiles, turns) &&
                  cost[0] == cost[1] && memcmp(board[0], board[1], bytes) == 0 &&
                  told[0].count == told[1].count && told[0].count == expected,
        "annealing %d x %d, turns %d, %d rounds: cost %ld, of the right board %ld", columns, rows,
        (int)turns, told[0].count, (long)cost[0], (long)truth_cost);
    compatibility_free(&c);
    free(place);
    free(begin);
}

/* Tiles of noise, of which no two chains find the same board. Where that share is told to be
 * wrong, a search that is stopped after some rounds, if any, takes as many as expected, and its
 * board holds all tiles and costs what is told. */
static void check_rounds(double wrong, int stopped, int expected)
{
    enum { COLUMNS = 8, ROWS = 6, TILES = COLUMNS * ROWS };
    int32_t board[TILES];
    int64_t cost, begin;
    struct image image;
    struct error error;
    struct compatibility c = {0};
    struct rounds told = {0, stopped};
    const struct refine_options options = {
        .columns = COLUMNS, .rows = ROWS, .seed = 5, .progress = note_round, .context = &told};
    if (image_new(COLUMNS * PIXELS, ROWS * PIXELS, 3, 8, &image, &error))
        abort();
    for (size_t i = 0; i < 4 * (size_t)image.width * (size_t)image.height; i++)
        ((uint8_t *)image.pixels)[i] = (uint8_t)next_random();
    compare_image(&image, COLUMNS, ROWS, TURNS_ANY, &c);
    for (int i = 0; i < TILES; i++)
        board[i] = 4 * i;
    begin = sum_of_joints(&c, board, COLUMNS, ROWS);
    if (anneal(&c, &options, wrong * TILES, board, &cost, &error))
        abort();
    tap_check(told.count == expected && holds_all(board, TILES, TURNS_ANY) && cost < begin &&
                  cost == sum_of_joints(&c, board, COLUMNS, ROWS),
        "tiles of noise, %g of them wrong: %d rounds, %d expected", wrong, told.count, expected);
    compatibility_free(&c);
    image_free(&image);
}

/* The upper left corner of the right board, of width x height places, is turned as a whole by some
 * quarters where it is; the width and height are equal where these are odd. A chain that takes
 * nothing that costs more turns it back, though only its seams tell. When it is so hot that all is
 * taken, tiles are still turned only as they may be. */
static void check_turned_part(enum turns turns, int width, int height, int quarters)
{
    enum { COLUMNS = 12, ROWS = 10, TILES = COLUMNS * ROWS };
    int place[TILES], turn[TILES];
    int32_t truth[TILES], board[TILES];
    struct compatibility c = {0};
    struct annealing s = {0};
    struct costs costs = {0};
    struct error error;
    compare_drawn(11, COLUMNS, ROWS, turns, place, turn, truth, &c);
    memcpy(board, truth, sizeof(truth));
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            const int from[4][2] = {
                {x, y}, {y, width - 1 - x}, {width - 1 - x, height - 1 - y}, {height - 1 - y, x}};
            board[y * COLUMNS + x] =
                oriented_turned(truth[from[quarters][1] * COLUMNS + from[quarters][0]], quarters);
        }
    const struct problem p = {.c = &c, .columns = COLUMNS, .rows = ROWS};
    const struct annealing_start start = {
        .board = board, .room = TILES, .seed = 1, .most_places = TILES};
    if (costs_make(&p, &costs) || annealing_make(&p, &costs, &start, &s, &error))
        abort();
    const int64_t begin = s.cost, least = sum_of_joints(&c, truth, COLUMNS, ROWS);
    for (int i = 0; i < 16; i++)
        annealing_round(&s, 200, 1024);
    tap_check(least < begin && s.cost <= least && s.best_cost == s.cost &&
                  s.cost == sum_of_joints(&c, s.board, COLUMNS, ROWS),
        "%d x %d places turned by %d quarters come back: cost %ld, %ld before", width, height,
        quarters, (long)s.cost, (long)begin);
    memcpy(s.board, board, sizeof(board));
    annealing_begin(&s, 5000);
    annealing_round(&s, 200, 1024);
    tap_check(memcmp(s.board, board, sizeof(board)) != 0 && holds_all(s.board, TILES, turns) &&
                  s.cost == sum_of_joints(&c, s.board, COLUMNS, ROWS),
        "moves of any cost, turns %d: each tile once, turned as it may be", (int)turns);
    annealing_free(&s);
    costs_free(&costs);
    compatibility_free(&c);
}

/* What a board with empty places costs, added up anew. */
static int64_t sum_with_empty(const struct annealing *s)
{
    const int columns = s->p->columns, rows = s->p->rows;
    int64_t sum = 0;
    for (int i = 0; i < columns * rows; i++)
        for (int d = 2; d < 4; d++) {
            if (d == 2 ? i % columns + 1 == columns : i / columns + 1 == rows)
                continue;
            const int32_t a = s->board[i], b = s->board[i + (d == 2 ? 1 : columns)];
            const int is_joint = a < 4 * s->p->c->tiles && b < 4 * s->p->c->tiles;
            sum += is_joint ? cost_of(s->p->c, oriented_edge(a, d), oriented_edge(b, d ^ 2))
                            : s->costs->empty_cost;
        }
    return sum;
}

/* Whether a board with empty places holds each tile once, and knows where. */
static int holds_each(const struct annealing *s, enum turns turns)
{
    int count = 0;
    for (int i = 0; i < s->p->columns * s->p->rows; i++)
        if (s->board[i] < 4 * s->p->c->tiles) {
            const int turn = s->board[i] % 4;
            count++;
            if (s->place[s->board[i] / 4] != i || (turns == TURNS_NONE && turn) ||
                (turns == TURNS_HALF && turn % 2))
                return 0;
        }
    return count == s->p->c->tiles && s->tiles == count;
}

/* A puzzle of columns x rows, its right board in a field that is `margin` places wider on each
 * side, and a chain on that. */
struct field_puzzle {
    int margin;
    struct compatibility c;
    struct problem p, field;
    struct costs costs;
    struct annealing s;
    int32_t truth[LONGEST * LONGEST];
};

static void field_puzzle_make(
    int columns, int rows, enum turns turns, int margin, struct field_puzzle *w)
{
    const int width = columns + 2 * margin, height = rows + 2 * margin;
    int place[LONGEST * LONGEST], turn[LONGEST * LONGEST];
    int32_t *board = malloc((size_t)(width * height) * sizeof(*board));
    struct error error;
    *w = (struct field_puzzle){.margin = margin};
    compare_drawn(7, columns, rows, turns, place, turn, w->truth, &w->c);
    w->p = (struct problem){.c = &w->c, .columns = columns, .rows = rows};
    w->field = (struct problem){.c = &w->c, .columns = width, .rows = height};
    if (costs_make(&w->field, &w->costs))
        abort();
    for (int i = 0; i < width * height; i++) {
        const int x = i % width - margin, y = i / width - margin;
        board[i] = x >= 0 && y >= 0 && x < columns && y < rows ? w->truth[y * columns + x]
                                                               : w->costs.empty;
    }
    const struct annealing_start start = {
        .board = board, .room = width * height, .seed = 3, .most_places = columns * rows};
    if (annealing_make(&w->field, &w->costs, &start, &w->s, &error))
        abort();
    free(board);
}

static void field_puzzle_free(struct field_puzzle *w)
{
    annealing_free(&w->s);
    costs_free(&w->costs);
    compatibility_free(&w->c);
}

/* Takes the right board's upper left corner of width x height places away from the rest, turned by
 * quarters. A part that comes back costs less, so it is taken; one that would lie on tiles or
 * outside of the field, or that has more tiles than it may have, stays. It may also move by less
 * than its own size. All that is kept of the board stays right. */
static void check_part(enum turns turns, int quarters)
{
    enum { COLUMNS = 9, ROWS = 7, MARGIN = 8, WIDTH = 4, HEIGHT = 3, FIELD = COLUMNS + 2 * MARGIN };
    struct field_puzzle w;
    field_puzzle_make(COLUMNS, ROWS, turns, MARGIN, &w);
    struct annealing *s = &w.s;
    const int home = MARGIN * FIELD + MARGIN, away = 3 * FIELD + 4;
    const int64_t right = s->cost, all = sum_with_empty(s);
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        int x, y;
        step_turned(quarters, i % WIDTH, i / WIDTH, &x, &y);
        const int from = home + i / WIDTH * FIELD + i % WIDTH;
        s->board[away + y * FIELD + x] = oriented_turned(s->board[from], quarters);
        s->board[from] = w.costs.empty;
    }
    annealing_take_board(s);
    const int64_t apart = s->cost;
    const int part_tile = s->board[away] / 4;
    const struct loose_part part = {away, w.costs.empty_cost, WIDTH * HEIGHT},
                            few = {away, w.costs.empty_cost, WIDTH * HEIGHT - 1};
    annealing_try_part(s, &few, home, -quarters & 3);
    annealing_try_part(s, &part, home + WIDTH * FIELD, -quarters & 3);
    annealing_try_part(s, &part, FIELD - 1, -quarters & 3);
    annealing_try_part(s, &part, home + 1, -quarters & 3);
    const struct loose_part moved = {away + 1, w.costs.empty_cost, WIDTH * HEIGHT};
    annealing_try_part(s, &part, away + 1, 0);
    const int moves = s->cost == apart && s->place[part_tile] == away + 1;
    annealing_try_part(s, &moved, away, 0);
    const int stayed = moves && s->cost == apart && s->place[part_tile] == away;
    annealing_try_part(s, &part, home, -quarters & 3);
    tap_check(all == right && stayed && right < apart && s->cost == right &&
                  s->cost == sum_with_empty(s) && holds_each(s, turns) &&
                  s->board[home] == w.truth[0],
        "a part comes back where it is free, turned by %d quarters: cost %ld, apart %ld", quarters,
        (long)s->cost, (long)apart);
    field_puzzle_free(&w);
}

/* In a field, moves of any cost keep each tile once, and the cost is that of the board. */
static void check_field(int columns, int rows, enum turns turns, int margin)
{
    struct field_puzzle w;
    field_puzzle_make(columns, rows, turns, margin, &w);
    annealing_begin(&w.s, 5000);
    annealing_round(&w.s, 300, 1024);
    annealing_begin(&w.s, 200);
    annealing_round(&w.s, 300, 1024);
    int beside = 0;
    for (int i = 0; i < w.field.columns * w.field.rows; i++) {
        const int x = i % w.field.columns - margin, y = i / w.field.columns - margin;
        beside += w.s.board[i] < w.costs.empty && (x < 0 || y < 0 || x >= columns || y >= rows);
    }
    tap_check(holds_each(&w.s, turns) && w.s.cost == sum_with_empty(&w.s) && beside > 0,
        "moves in a field around %d x %d, turns %d: cost %ld, %d tiles beside the board", columns,
        rows, (int)turns, (long)w.s.cost, beside);
    field_puzzle_free(&w);
}

/* Boards that loosen in a field come out full, with each tile once. */
static void check_loosening(int columns, int rows, enum turns turns)
{
    enum { CHAINS = 2 };
    struct field_puzzle w;
    struct loosening loosening;
    struct annealing chains[CHAINS];
    struct costs costs;
    struct error error;
    const size_t bytes = (size_t)(columns * rows) * sizeof(int32_t);
    int right = 1;
    field_puzzle_make(columns, rows, turns, 0, &w);
    if (costs_make(&w.p, &costs) || loosening_make(&w.p, &costs, &loosening))
        abort();
    for (int i = 0; i < CHAINS; i++) {
        const struct annealing_start start = {.board = w.truth,
            .room = loosening_places(columns, rows),
            .seed = (uint64_t)i,
            .most_places = columns * rows};
        if (annealing_make(&w.p, &costs, &start, &chains[i], &error))
            abort();
    }
    loosening_begin(&loosening, chains, CHAINS);
    right &= loosening.field.columns * loosening.field.rows == loosening_places(columns, rows) &&
             loosening.field.columns > columns && loosening.field.rows > rows;
    for (int round = 0; round < LOOSENING_ROUNDS; round++)
        loosening_round(&loosening, round, chains, CHAINS);
    right &= loosening.field.columns == columns && loosening.field.rows == rows;
    loosening_end(&loosening, chains, CHAINS, 7);
    for (int i = 0; i < CHAINS; i++) {
        right &= chains[i].p == &w.p && chains[i].costs == &costs &&
                 chains[i].heat == 7 << HEAT_BITS && chains[i].best_cost == chains[i].cost &&
                 memcmp(chains[i].best, chains[i].board, bytes) == 0 &&
                 holds_all(chains[i].board, columns * rows, turns) &&
                 chains[i].cost == sum_of_joints(&w.c, chains[i].board, columns, rows);
        annealing_free(&chains[i]);
    }
    tap_check(right, "a field around %d x %d, turns %d, shrinks to a full board", columns, rows,
        (int)turns);
    loosening_free(&loosening);
    costs_free(&costs);
    field_puzzle_free(&w);
}

int main(void)
{
    for (enum turns turns = TURNS_NONE; turns <= TURNS_ANY; turns++) {
        check_anneal(1, 1, turns, 1, 0, ONCE);
        check_anneal(9, 8, turns, 1, 0, ONCE);
        check_anneal(11, 7, turns, 1, 0, ONCE);
        check_field(11, 7, turns, 4);
        check_field(1, 1, turns, 2);
        check_loosening(1, 1, turns);
        check_loosening(1, 7, turns);
        check_loosening(11, 7, turns);
        check_loosening(5, 12, turns);
    }
    check_part(TURNS_NONE, 0);
    check_part(TURNS_HALF, 2);
    check_part(TURNS_ANY, 1);
    check_part(TURNS_ANY, 3);
    check_turned_part(TURNS_HALF, 12, 5, 2);
    check_turned_part(TURNS_HALF, 7, 7, 2);
    check_turned_part(TURNS_ANY, 12, 6, 2);
    check_turned_part(TURNS_ANY, 7, 7, 1);
    check_turned_part(TURNS_ANY, 7, 7, 3);
    check_rounds(1, 0, ALL);
    check_rounds(0.0625, 0, ALL);
    check_rounds(0.0624, 0, ONCE);
    check_rounds(1, ONCE + LOOSENING_ROUNDS / 2, ONCE + LOOSENING_ROUNDS / 2);
    check_anneal(46, 45, TURNS_ANY, 1, 1, 1); /* too many pairs of edges for a table */
    return tap_finish();
}
