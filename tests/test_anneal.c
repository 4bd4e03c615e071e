/* Annealing, and what boards agree on, on images of smooth colors. */
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "cli/tap.h"
#include "stages/unscramble/agree.h"
#include "stages/unscramble/anneal.h"
#include "stages/unscramble/anneal_chain.h"
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

/* Anneals the right board, after places of a third of the tiles were exchanged: the board still
 * holds all tiles, the cost that is told is its own, and no more than that of the right one.
 * Threads make no difference. Ends after `rounds`, if any. */
static void check_anneal(int columns, int rows, enum turns turns, int rounds)
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
        if (anneal(&c, &options, c.tiles, board[i], &cost[i], &error))
            abort();
    }
    tap_check(cost[0] == sum_of_joints(&c, board[0], columns, rows) &&
                  cost[0] <= sum_of_joints(&c, begin, columns, rows) &&
                  (rounds || cost[0] <= truth_cost) && holds_all(board[0], tiles, turns) &&
                  cost[0] == cost[1] && memcmp(board[0], board[1], bytes) == 0 &&
                  (rounds ? told[0].count == rounds : told[0].count > 1),
        "annealing %d x %d, turns %d, %d rounds: cost %ld, of the right board %ld", columns, rows,
        (int)turns, told[0].count, (long)cost[0], (long)truth_cost);
    compatibility_free(&c);
    free(place);
    free(begin);
}

/* The upper left corner of the right board, of width x height places, is turned as a whole by some
 * quarters where it is; the width and height are equal where these are odd. A chain that takes
 * nothing that costs more turns it back, though only its seams tell. When it is so hot that all is
 * taken, tiles are still turned only as they may be. */
static void check_turned_part(enum turns turns, int width, int height, int quarters)
{
    enum { COLUMNS = 12, ROWS = 10, TILES = COLUMNS * ROWS };
    int place[TILES], turn[TILES];
    int32_t truth[TILES], board[TILES], buddy[4 * TILES];
    uint8_t present[TILES];
    struct compatibility c = {0};
    struct annealing s = {0};
    struct costs costs = {0};
    struct error error;
    compare_drawn(11, COLUMNS, ROWS, turns, place, turn, truth, &c);
    buddies_find(&c, buddy);
    memset(present, 1, sizeof(present));
    memcpy(board, truth, sizeof(truth));
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            const int from[4][2] = {
                {x, y}, {y, width - 1 - x}, {width - 1 - x, height - 1 - y}, {height - 1 - y, x}};
            board[y * COLUMNS + x] =
                oriented_turned(truth[from[quarters][1] * COLUMNS + from[quarters][0]], quarters);
        }
    const struct problem p = {&c, buddy, COLUMNS, ROWS, 0, NULL};
    const struct annealing_start start = {board, present, 1, 0, TILES};
    if (costs_make(&p, &costs) || annealing_make(&p, &costs, &start, &s, &error))
        abort();
    const int64_t begin = s.cost, least = sum_of_joints(&c, truth, COLUMNS, ROWS);
    for (int i = 0; i < 16; i++)
        annealing_round(&s, 1024);
    tap_check(least < begin && s.cost <= least && s.best_cost == s.cost &&
                  s.cost == sum_of_joints(&c, s.board, COLUMNS, ROWS),
        "%d x %d places turned by %d quarters come back: cost %ld, %ld before", width, height,
        quarters, (long)s.cost, (long)begin);
    memcpy(s.board, board, sizeof(board));
    annealing_begin(&s, 5000);
    annealing_round(&s, 1024);
    tap_check(memcmp(s.board, board, sizeof(board)) != 0 && holds_all(s.board, TILES, turns) &&
                  s.cost == sum_of_joints(&c, s.board, COLUMNS, ROWS),
        "moves of any cost, turns %d: each tile once, turned as it may be", (int)turns);
    annealing_free(&s);
    costs_free(&costs);
    compatibility_free(&c);
}

/* The right board moved to the left by two columns, whose tiles lie in any order at the right. */
static void move_left(const int32_t *truth, int columns, int rows, int32_t *board)
{
    int32_t rest[2 * LONGEST];
    int count = 0;
    for (int i = 0; i < columns * rows; i++)
        if (i % columns < 2)
            rest[count++] = truth[i];
        else
            board[i - 2] = truth[i];
    for (int i = 0; i < columns * rows; i++)
        if (i % columns >= columns - 2) {
            const int chosen = (int)(next_random() % (uint32_t)count);
            board[i] = rest[chosen];
            rest[chosen] = rest[--count];
        }
}

static void turn_board(const int32_t *board, int side, int32_t *turned)
{
    for (int i = 0; i < side * side; i++)
        turned[i % side * side + side - 1 - i / side] = oriented_turned(board[i], 1);
}

/* Boards that lie beside their place agree on the rest, which comes to its place and is filled
 * around; of a board without sense and itself, which is turned if the grid is a square and tiles
 * may be turned, all stays. */
static void check_agree(int columns, int rows, enum turns turns)
{
    enum { BOARDS = 3 };
    const int tiles = columns * rows;
    int place[LONGEST * LONGEST], turn[LONGEST * LONGEST];
    int32_t truth[LONGEST * LONGEST], made[LONGEST * LONGEST], buddy[4 * LONGEST * LONGEST];
    int32_t board[BOARDS][LONGEST * LONGEST];
    const int32_t *const boards[BOARDS] = {board[0], board[1], board[2]};
    struct compatibility c = {0};
    struct fill fill = {0};
    struct error error;
    compare_drawn(7, columns, rows, turns, place, turn, truth, &c);
    buddies_find(&c, buddy);
    for (int i = 0; i < BOARDS; i++)
        move_left(truth, columns, rows, board[i]);
    const struct problem p = {&c, buddy, columns, rows, 0, NULL};
    if (fill_make(&c, buddy, NULL, columns, rows, &fill, &error) ||
        boards_agree(&p, boards, BOARDS, &fill, made))
        abort();
    tap_check(is_right(made, tiles, turns, place, turn),
        "what boards of %d x %d agree on, turns %d: the right board", columns, rows, (int)turns);
    for (int i = 0; i < tiles; i++)
        board[0][i] = board[1][i] = 4 * (tiles - 1 - i);
    if (turns == TURNS_ANY && columns == rows)
        turn_board(board[0], columns, board[1]);
    if (boards_agree(&p, boards, 2, &fill, made))
        abort();
    tap_check(memcmp(made, board[0], (size_t)tiles * sizeof(*made)) == 0,
        "what a board of %d x %d and itself agree on, turns %d", columns, rows, (int)turns);
    fill_free(&fill);
    compatibility_free(&c);
}

int main(void)
{
    for (enum turns turns = TURNS_NONE; turns <= TURNS_ANY; turns++) {
        check_anneal(1, 1, turns, 0);
        check_anneal(1, 7, turns, 0);
        check_anneal(9, 8, turns, 0);
        check_anneal(11, 7, turns, 0);
        check_agree(11, 7, turns);
        check_agree(9, 9, turns);
        check_agree(5, 12, turns);
    }
    check_turned_part(TURNS_HALF, 12, 5, 2);
    check_turned_part(TURNS_HALF, 7, 7, 2);
    check_turned_part(TURNS_ANY, 12, 6, 2);
    check_turned_part(TURNS_ANY, 7, 7, 1);
    check_turned_part(TURNS_ANY, 7, 7, 3);
    check_anneal(46, 45, TURNS_ANY, 1); /* too many pairs of edges for a table */
    return tap_finish();
}
