/* The solver of puzzles of any size, on images of smooth colors. */
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "cli/tap.h"
#include "stages/unscramble/agree.h"
#include "stages/unscramble/anneal.h"
#include "stages/unscramble/chain.h"
#include "stages/unscramble/solutions.h"
#include "tests/compare_by.h"
#include "tests/test_random.h"

enum { LONGEST = 12, PIXELS = 14, WAVES = 9 };

/* An image of columns x rows tiles, each moved to another place and turned; place[tile] is where
 * tile belongs, turn[tile] by how many quarters clockwise it was turned. */
static void draw(uint64_t random, int columns, int rows, enum turns turns, struct image *image,
    int *place, int *turn, struct error *error)
{
    float wave[3][WAVES][3];
    for (int i = 0; i < 3 * WAVES * 3; i++)
        (&wave[0][0][0])[i] = random_unit(&random) - 0.5f;
    const int tiles = columns * rows;
    image_new(columns * PIXELS, rows * PIXELS, 3, 8, image, error);
    for (int i = 0; i < tiles; i++)
        place[i] = i;
    for (int i = tiles - 1; i > 0; i--) {
        const int j = (int)(random_bits(&random) % (uint64_t)(i + 1)), t = place[i];
        place[i] = place[j];
        place[j] = t;
    }
    for (int tile = 0; tile < tiles; tile++) {
        const int any = (int)(random_bits(&random) & 3);
        turn[tile] = turns == TURNS_ANY ? any : turns == TURNS_HALF ? any & 2 : 0;
        for (int y = 0; y < PIXELS; y++)
            for (int x = 0; x < PIXELS; x++) {
                const int last = PIXELS - 1;
                const int from[4][2] = {{x, y}, {y, last - x}, {last - x, last - y}, {last - y, x}};
                const int sx = place[tile] % columns * PIXELS + from[turn[tile]][0];
                const int sy = place[tile] / columns * PIXELS + from[turn[tile]][1];
                uint8_t *pixel =
                    (uint8_t *)image->pixels + 4 * ((tile / columns * PIXELS + y) * image->width +
                                                       tile % columns * PIXELS + x);
                for (int c = 0; c < 3; c++) {
                    /* Parabolas, folded: smooth within, different everywhere. */
                    float v = 0;
                    for (int w = 0; w < WAVES; w++) {
                        float t = wave[c][w][0] * (float)sx + wave[c][w][1] * (float)sy +
                                  wave[c][w][2] * 50;
                        t *= 0.3f;
                        t -= (float)(int)(t + (t < 0 ? -0.5f : 0.5f));
                        v += t * t;
                    }
                    pixel[c] = (uint8_t)(v * 1000 / WAVES);
                }
            }
    }
}

/* Draws an image and compares its edges. truth[place] is the oriented tile that belongs there.
 * compatibility_free frees. */
static void compare_drawn(uint64_t random, int columns, int rows, enum turns turns, int *place,
    int *turn, int32_t *truth, struct compatibility *c)
{
    struct image image = {0};
    struct strips strips = {0};
    struct run run = {.device_id = "cpu", .stage = "compare"};
    struct error error;
    draw(random, columns, rows, turns, &image, place, turn, &error);
    if (strips_make(&image, columns, rows, PIXELS, PIXELS, &strips, &error) ||
        compare_by(&run, &strips, NULL, turns, NULL, DISSIMILARITY_BLEND, 10, c))
        abort();
    for (int tile = 0; tile < columns * rows; tile++)
        truth[place[tile]] = 4 * tile + (-turn[tile] & 3);
    run_end(&run);
    strips_free(&strips);
    image_free(&image);
}

/* Rolls a right board round by every shift. One pass of translations puts most of them back: what
 * it empties, up to half of the board, is refilled greedily. */
static void check_translation(int columns, int rows)
{
    const int tiles = columns * rows;
    int place[LONGEST * LONGEST], turn[LONGEST * LONGEST], right = 0;
    int32_t truth[LONGEST * LONGEST], board[LONGEST * LONGEST], buddy[4 * LONGEST * LONGEST];
    struct compatibility c = {0};
    struct error error;
    compare_drawn(7, columns, rows, TURNS_NONE, place, turn, truth, &c);
    buddies_find(&c, buddy);
    const struct problem p = {&c, buddy, columns, rows, 0, NULL};
    for (int shift = 0; shift < tiles; shift++) {
        struct chain chain = {0};
        for (int i = 0; i < tiles; i++)
            board[i] = truth[(i / columns + shift / columns) % rows * columns +
                             (i % columns + shift % columns) % columns];
        if (chain_make(&p, NULL, board, board_cost(&c, board, columns, rows), 1, &chain, &error) ||
            chain_translate(&p, &chain))
            abort();
        right += memcmp(chain.board, truth, (size_t)tiles * sizeof(*truth)) == 0;
        chain_free(&chain);
    }
    tap_check(10 * right >= 8 * tiles, "%d x %d, rolled round by %d of %d shifts: as it was",
        columns, rows, right, tiles);
    compatibility_free(&c);
}

/* Whether a board is the image, or the image upside down where that cannot be told. */
static int is_right(
    const int32_t *board, int tiles, enum turns turns, const int *place, const int *turn)
{
    int right = 0, upside_down = 0;
    for (int i = 0; i < tiles; i++) {
        const int32_t tile = board[i] >> 2, turned = (turn[tile] + board[i]) & 3;
        right += place[tile] == i && turned == 0;
        upside_down += place[tile] == tiles - 1 - i && turned == 2;
    }
    return right == tiles || (turns != TURNS_NONE && upside_down == tiles);
}

static void check(int columns, int rows, enum turns turns)
{
    const int tiles = columns * rows;
    int place[LONGEST * LONGEST], turn[LONGEST * LONGEST];
    int32_t board[LONGEST * LONGEST], buddy[4 * LONGEST * LONGEST];
    struct image image = {0};
    struct strips strips = {0};
    struct compatibility c = {0};
    struct run run = {.device_id = "cpu", .stage = "compare"};
    struct forest forest = {0};
    struct fill fill = {0};
    struct error error;
    int64_t before = 0, after = 0, truth_cost = 0;
    int32_t truth[LONGEST * LONGEST];
    draw(5, columns, rows, turns, &image, place, turn, &error);
    int rc = strips_make(&image, columns, rows, PIXELS, PIXELS, &strips, &error);
    if (rc == 0)
        rc = compare_by(&run, &strips, NULL, turns, NULL, DISSIMILARITY_BLEND, 10, &c);
    if (rc == 0) {
        buddies_find(&c, buddy);
        rc = tree_make(&c, buddy, columns, rows, &forest, &error);
    }
    if (rc == 0)
        rc = fill_make(&c, buddy, NULL, columns, rows, &fill, &error);
    if (rc == 0)
        rc = board_from_forest(&forest, &fill, board);
    if (rc == 0) {
        before = board_cost(&c, board, columns, rows);
        const struct refine_options options = {
            .columns = columns, .rows = rows, .chains = 2, .effort = 100, .seed = 1};
        rc = refine(&c, buddy, NULL, &options, board, &after, &error);
        for (int tile = 0; tile < tiles; tile++)
            truth[place[tile]] = 4 * tile + (-turn[tile] & 3);
        truth_cost = board_cost(&c, truth, columns, rows);
    }
    tap_check(rc == 0 && after <= before && after <= truth_cost &&
                  after == board_cost(&c, board, columns, rows) &&
                  is_right(board, tiles, turns, place, turn),
        "%d x %d, turns %d", columns, rows, (int)turns);
    fill_free(&fill);
    forest_free(&forest);
    compatibility_free(&c);
    run_end(&run);
    strips_free(&strips);
    image_free(&image);
}

/* Two images of different sizes in one puzzle, whose tiles stand in one row; how many they are is
 * given or has to be found. */
static void check_split(enum turns turns, int finds_count)
{
    enum { MAX = 5 };
    static const int size[2][2] = {{7, 6}, {4, 5}};
    enum { FIRST = 7 * 6, TILES = FIRST + 4 * 5 };
    int place[TILES], turn[TILES], right = 1;
    int32_t buddy[4 * TILES];
    struct image puzzle = {0};
    struct strips strips = {0};
    struct compatibility c = {0};
    struct run run = {.device_id = "cpu", .stage = "compare"};
    struct solution_board solutions[MAX] = {0};
    struct error error;
    int rc = image_new(TILES * PIXELS, PIXELS, 3, 8, &puzzle, &error);
    for (int i = 0, tile = 0; rc == 0 && i < 2; i++) {
        struct image image = {0};
        draw(5 + (uint64_t)i, size[i][0], size[i][1], turns, &image, place + tile, turn + tile,
            &error);
        for (int k = 0; k < size[i][0] * size[i][1]; k++, tile++)
            for (int y = 0; y < PIXELS; y++)
                memcpy((uint8_t *)puzzle.pixels + 4 * (y * TILES + tile) * PIXELS,
                    (uint8_t *)image.pixels + 4 * (k / size[i][0] * PIXELS + y) * image.width +
                        4 * (k % size[i][0]) * PIXELS,
                    4 * PIXELS);
        image_free(&image);
    }
    if (rc == 0)
        rc = strips_make(&puzzle, TILES, 1, PIXELS, PIXELS, &strips, &error);
    if (rc == 0)
        rc = compare_by(&run, &strips, NULL, turns, NULL, DISSIMILARITY_BLEND, 10, &c);
    if (rc == 0) {
        const struct refine_options options = {
            .columns = LONGEST, .rows = LONGEST, .chains = 2, .effort = 100, .seed = 1};
        buddies_find(&c, buddy);
        rc = solutions_split(&c, buddy, NULL, &options, TILES, finds_count ? MAX : 2, finds_count,
            solutions, &error);
    }
    right = !solutions[2].board;
    for (int i = 0; rc == 0 && i < 2; i++) {
        const int w = solutions[i].columns, h = solutions[i].rows, first = i ? FIRST : 0;
        const int turned = w != size[i][0];
        right &=
            turned ? turns == TURNS_ANY && w == size[i][1] && h == size[i][0] : h == size[i][1];
        for (int k = 0; right && k < w * h; k++) {
            const int x = k % w, y = k / w;
            const int32_t oriented = solutions[i].board[k], tile = oriented >> 2;
            right = oriented != NOTHING && tile >= first && tile < (i ? TILES : FIRST);
            if (!right)
                break;
            /* Where the tile is if the board is the image turned clockwise so. */
            const int way = (turn[tile] + oriented) & 3;
            const int at[4] = {y * w + x, (w - 1 - x) * h + y, w * h - 1 - k, x * h + h - 1 - y};
            right = place[tile] == at[way];
        }
    }
    tap_check(rc == 0 && right, "two images in one puzzle, turns %d, their number %s", (int)turns,
        finds_count ? "found" : "given");
    solutions_free(solutions, MAX);
    compatibility_free(&c);
    run_end(&run);
    strips_free(&strips);
    image_free(&puzzle);
}

/* The upper half is white, so that no list of partners holds all tiles that fit; of the lower half
 * some tiles are absent. Their places stay empty: white tiles fit better above. */
static void check_white(enum turns turns)
{
    enum { COLUMNS = 12, ROWS = 10, TILES = COLUMNS * ROWS, HALF = TILES / 2 };
    int place[TILES], turn[TILES], right = 1;
    int32_t board[TILES], buddy[4 * TILES];
    uint8_t present[TILES];
    struct image image = {0};
    struct strips strips = {0};
    struct compatibility c = {0};
    struct run run = {.device_id = "cpu", .stage = "compare"};
    struct forest forest = {0};
    struct fill fill = {0};
    struct error error;
    int64_t cost = 0;
    draw(5, COLUMNS, ROWS, turns, &image, place, turn, &error);
    for (int tile = 0; tile < TILES; tile++) {
        present[tile] = place[tile] < HALF || place[tile] % 9 != 4;
        for (int y = 0; place[tile] < HALF && y < PIXELS; y++)
            memset((uint8_t *)image.pixels +
                       4 * ((tile / COLUMNS * PIXELS + y) * image.width + tile % COLUMNS * PIXELS),
                255, 4 * PIXELS);
    }
    const struct refine_options options = {
        .columns = COLUMNS, .rows = ROWS, .chains = 2, .effort = 200, .seed = 1};
    if (strips_make(&image, COLUMNS, ROWS, PIXELS, PIXELS, &strips, &error) ||
        compare_by(&run, &strips, NULL, turns, present, DISSIMILARITY_BLEND, 10, &c))
        abort();
    buddies_find(&c, buddy);
    if (tree_make(&c, buddy, COLUMNS, ROWS, &forest, &error) ||
        fill_make(&c, buddy, present, COLUMNS, ROWS, &fill, &error) ||
        board_from_forest(&forest, &fill, board) ||
        refine(&c, buddy, present, &options, board, &cost, &error))
        abort();
    for (int i = 0; i < TILES; i++)
        right &= i < HALF     ? board[i] != NOTHING && place[board[i] >> 2] < HALF
                 : i % 9 == 4 ? board[i] == NOTHING
                              : board[i] != NOTHING && place[board[i] >> 2] == i;
    tap_check(right, "a white half and absent tiles, turns %d", (int)turns);
    fill_free(&fill);
    forest_free(&forest);
    compatibility_free(&c);
    run_end(&run);
    strips_free(&strips);
    image_free(&image);
}

/* The cost of a board, joint by joint, from the costs of pairs alone. */
static int64_t sum_of_joints(const struct compatibility *c, const int32_t *board, int w, int h)
{
    int64_t sum = 0;
    for (int i = 0; i < w * h; i++)
        for (int d = 2; d < 4; d++) {
            const int other = d == 2 ? i + 1 : i + w;
            if (d == 2 ? other % w == 0 : other >= w * h)
                continue;
            const int32_t a = board[i], b = board[other];
            sum += cost_of(c, a / 4 * 4 + (d - a % 4 + 4) % 4, b / 4 * 4 + (d + 2 - b % 4) % 4);
        }
    return sum;
}

/* Whether a board holds each tile once, turned only as it may be. */
static int holds_all(const int32_t *board, int tiles, enum turns turns)
{
    int right = 0;
    for (int tile = 0; tile < tiles; tile++) {
        int found = 0;
        for (int i = 0; i < tiles; i++)
            found += board[i] >> 2 == tile &&
                     (turns == TURNS_ANY || board[i] % (turns == TURNS_HALF ? 2 : 4) == 0);
        right += found == 1;
    }
    return right == tiles;
}

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

/* The right board with most of its last row, or of its last column, turned by half as a whole comes
 * right, and saves what that cost. */
static void check_turned_block(int columns, int rows, enum turns turns, int is_column)
{
    const int tiles = columns * rows, length = (is_column ? rows : columns) - 2;
    int place[LONGEST * LONGEST], turn[LONGEST * LONGEST];
    int32_t truth[LONGEST * LONGEST], board[LONGEST * LONGEST];
    struct compatibility c = {0};
    compare_drawn(5, columns, rows, turns, place, turn, truth, &c);
    memcpy(board, truth, (size_t)tiles * sizeof(*truth));
    for (int i = 0; i < length; i++) {
        const int from = length - 1 - i;
        const int at = is_column ? i * columns + columns - 1 : (rows - 1) * columns + i;
        board[at] = oriented_turned(
            truth[is_column ? from * columns + columns - 1 : (rows - 1) * columns + from], 2);
    }
    const struct problem p = {.c = &c, .columns = columns, .rows = rows};
    const int64_t more =
        board_cost(&c, board, columns, rows) - board_cost(&c, truth, columns, rows);
    const int64_t saved = board_turn_areas(&p, board);
    tap_check(
        more > 0 && saved == more && memcmp(board, truth, (size_t)tiles * sizeof(*truth)) == 0,
        "a %s of %d x %d turned by half, turns %d: saves %ld of %ld", is_column ? "column" : "row",
        columns, rows, (int)turns, (long)saved, (long)more);
    compatibility_free(&c);
}

static void check_crop(void)
{
    int32_t board[] = {-1, -1, -1, -1, 4, -1, -1, 8, 12, -1, -1, -1};
    static const int32_t cropped[] = {4, -1, 8, 12};
    int columns = 3, rows = 4;
    board_crop(board, &columns, &rows);
    tap_check(columns == 2 && rows == 2 && memcmp(board, cropped, sizeof(cropped)) == 0,
        "a board cropped to its tiles");
    memset(board, 0xff, sizeof(board));
    board_crop(board, &columns, &rows);
    tap_check(columns == 0 && rows == 0, "an empty board");
}

int main(void)
{
    check_translation(9, 7);
    check_translation(5, 11);
    check_crop();
    for (enum turns turns = TURNS_HALF; turns <= TURNS_ANY; turns++) {
        check_turned_block(7, 6, turns, 0);
        check_turned_block(5, 9, turns, 1);
    }
    for (enum turns turns = TURNS_NONE; turns <= TURNS_ANY; turns++) {
        check_anneal(1, 1, turns, 0);
        check_anneal(1, 7, turns, 0);
        check_anneal(9, 8, turns, 0);
        check_anneal(11, 7, turns, 0);
        check_agree(11, 7, turns);
        check_agree(9, 9, turns);
        check_agree(5, 12, turns);
    }
    check_anneal(46, 45, TURNS_ANY, 1); /* too many pairs of edges for a table */
    check_white(TURNS_NONE);
    for (enum turns turns = TURNS_NONE; turns <= TURNS_ANY; turns++)
        for (int finds_count = 0; finds_count < 2; finds_count++)
            check_split(turns, finds_count);
    static const int sizes[][2] = {{1, 1}, {2, 1}, {1, 9}, {12, 1}, {5, 4}, {12, 10}};
    for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++)
        for (enum turns turns = TURNS_NONE; turns <= TURNS_ANY; turns++)
            if (turns == TURNS_NONE || sizes[i][0] * sizes[i][1] > 9)
                check(sizes[i][0], sizes[i][1], turns);
    return tap_finish();
}
