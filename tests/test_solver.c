/* The solver of puzzles of any size, on images of smooth colors. */
#include <stdlib.h>
#include <string.h>

#include "cli/tap.h"
#include "stages/unscramble/chain.h"
#include "stages/unscramble/solutions.h"
#include "tests/drawn_puzzle.h"

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
    const struct problem p = {&c, buddy, columns, rows, NULL};
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

static void check(int columns, int rows, enum turns turns)
{
    const int tiles = columns * rows;
    int place[LONGEST * LONGEST], turn[LONGEST * LONGEST];
    int32_t board[LONGEST * LONGEST], buddy[4 * LONGEST * LONGEST];
    struct image image = {0};
    struct strips strips = {0};
    struct compatibility c = {0};
    struct run run = {.device_id = "cpu", .stage = "compare"};
    const struct problem p = {&c, buddy, columns, rows, NULL};
    struct forest forest = {0};
    struct error error;
    int64_t before = 0, after = 0, truth_cost = 0;
    int32_t truth[LONGEST * LONGEST];
    draw(5, columns, rows, turns, &image, place, turn, &error);
    int rc = strips_make(
        &(const struct tiling){&image, columns, rows, PIXELS, PIXELS, 0}, &strips, &error);
    if (rc == 0)
        rc = compare_by(&run, &strips, NULL, turns, NULL, DISSIMILARITY_BLEND, 10, &c);
    if (rc == 0) {
        buddies_find(&c, buddy);
        rc = tree_make(&c, buddy, columns, rows, &forest, &error);
    }
    if (rc == 0)
        rc = board_from_forest(&p, NULL, &forest, board, &error);
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
        rc = strips_make(
            &(const struct tiling){&puzzle, TILES, 1, PIXELS, PIXELS, 0}, &strips, &error);
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
    const struct problem p = {&c, buddy, COLUMNS, ROWS, NULL};
    struct forest forest = {0};
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
    if (strips_make(
            &(const struct tiling){&image, COLUMNS, ROWS, PIXELS, PIXELS, 0}, &strips, &error) ||
        compare_by(&run, &strips, NULL, turns, present, DISSIMILARITY_BLEND, 10, &c))
        abort();
    buddies_find(&c, buddy);
    if (tree_make(&c, buddy, COLUMNS, ROWS, &forest, &error) ||
        board_from_forest(&p, present, &forest, board, &error) ||
        refine(&c, buddy, present, &options, board, &cost, &error))
        abort();
    for (int i = 0; i < TILES; i++)
        right &= i < HALF     ? board[i] != NOTHING && place[board[i] >> 2] < HALF
                 : i % 9 == 4 ? board[i] == NOTHING
                              : board[i] != NOTHING && place[board[i] >> 2] == i;
    tap_check(right, "a white half and absent tiles, turns %d", (int)turns);
    forest_free(&forest);
    compatibility_free(&c);
    run_end(&run);
    strips_free(&strips);
    image_free(&image);
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
