/* Grids, permutation files, and the shuffle. */
#include "stages/unscramble/permutation.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/tap.h"

static char folder[] = "/tmp/test_permutation.XXXXXX";

/* Each tile of the puzzle occurs once, not turned. */
static int is_permutation(const struct permutation *permutation)
{
    const uint32_t tiles = grid_tiles(permutation->puzzle);
    uint8_t found[SEARCH_TILES] = {0};
    int right = permutation_is_plain(permutation);
    for (uint32_t place = 0; right && place < tiles; place++)
        right =
            permutation->placed[place].tile < tiles && !found[permutation->placed[place].tile]++;
    return right;
}

static int same(const struct permutation *a, const struct permutation *b)
{
    return memcmp(&a->puzzle, &b->puzzle, sizeof(a->puzzle)) == 0 && a->solutions == b->solutions &&
           a->is_without_lines == b->is_without_lines &&
           memcmp(a->grids, b->grids, a->solutions * sizeof(*a->grids)) == 0 &&
           memcmp(a->placed, b->placed, permutation_first(a, a->solutions) * sizeof(*a->placed)) ==
               0;
}

static void check_grid(const char *text, uint32_t columns, uint32_t rows)
{
    struct error error = {""};
    struct grid grid = {0, 0};
    tap_check(grid_parse(text, &grid, &error) == 0 && grid.columns == columns && grid.rows == rows,
        "grid '%s'", text);
}

static void check_bad_grid(const char *text, const char *message)
{
    struct error error = {""};
    struct grid grid = {3, 4};
    char expected[200];
    snprintf(expected, sizeof(expected), message, text);
    tap_check(grid_parse(text, &grid, &error) == ERROR_USAGE && strcmp(error.text, expected) == 0 &&
                  grid.columns == 3 && grid.rows == 4,
        "no grid: '%s'", text);
}

static void check_grids(void)
{
    static const char *const BAD[] = {"", "x", "3", "3x", "x3", "3x0", "0x3", "-1x3", "3x-1",
        "3x3x1", "3x3 ", " 3x3", "3 x3", "+3x3", "3*3", "3.0x3", "1x1000000000", "0x1000000000"};
    check_grid("1x1", 1, 1);
    check_grid("4x3", 4, 3);
    check_grid("3X4", 3, 4);
    check_grid("12x1", 12, 1);
    check_grid("1x12", 1, 12);
    check_grid("004x03", 4, 3);
    for (size_t i = 0; i < sizeof(BAD) / sizeof(BAD[0]); i++)
        check_bad_grid(BAD[i], "bad grid '%s': write columns x rows, each at least 1, as in 4x3");
    check_grid("4000000x1", 4000000, 1);
    check_grid("1x4000000", 1, 4000000);
    check_grid("400x250", 400, 250);
    check_bad_grid("4000001x1", "grid '%s' has 4000001 tiles; at most 4000000 are possible");
    check_bad_grid("2001x2000", "grid '%s' has 4002000 tiles; at most 4000000 are possible");
    check_bad_grid("999999999x999999999",
        "grid '%s' has 999999998000000001 tiles; at most 4000000 are possible");
}

/* Reads text into a copy of exactly its size, so that sanitizers see any overrun. */
static int parse(
    const char *text, size_t size, struct permutation *permutation, struct error *error)
{
    char *copy = malloc(size ? size : 1);
    memcpy(copy, text, size);
    const int rc = permutation_parse(copy, size, "x", permutation, error);
    free(copy);
    return rc;
}

static void check_file(const char *what, const char *text, const struct permutation *expected)
{
    struct error error = {""};
    struct permutation permutation = {0};
    tap_check(parse(text, strlen(text), &permutation, &error) == 0 && same(&permutation, expected),
        "%s %s", what, error.text);
    permutation_free(&permutation);
}

static void check_bad_file(const char *text, size_t size, const char *message)
{
    struct error error = {""};
    struct permutation permutation = {0};
    char expected[200];
    snprintf(expected, sizeof(expected), "bad permutation 'x': %s", message);
    tap_check(parse(text, size, &permutation, &error) == ERROR_INPUT &&
                  strcmp(error.text, expected) == 0 && !permutation.placed,
        "refused: %s", message);
}
#define BAD_FILE(text, message) check_bad_file(text, sizeof(text) - 1, message)
#define EXPECTED_TILE "expected the number of a tile, also turned, as in 17@90, or - for none"

static void check_files(void)
{
    struct placed placed[] = {{5, 0}, {0, 0}, {1, 0}, {2, 0}, {4, 0}, {3, 0}};
    struct placed row[] = {{11, 0}, {10, 0}, {9, 0}, {8, 0}, {7, 0}, {6, 0}, {5, 0}, {4, 0}, {3, 0},
        {2, 0}, {1, 0}, {0, 0}};
    const struct permutation expected = {{3, 2}, 1, {{3, 2}}, placed, 0};
    const struct permutation long_row = {{12, 1}, 1, {{12, 1}}, row, 0};
    const struct permutation one = {{1, 1}, 1, {{1, 1}}, row + 11, 0};
    const struct permutation without = {{3, 2}, 1, {{3, 2}}, placed, 1};
    check_file("plain", "5 0 1\n2 4 3\n", &expected);
    check_file("of a puzzle without its lines", "without lines # here\n5 0 1\n2 4 3\n", &without);
    check_file("no newline at the end", "5 0 1\n2 4 3", &expected);
    check_file("lines end as on Windows", "5 0 1\r\n2 4 3\r\n", &expected);
    check_file("tabs and more blanks", "\t5 \t 0  1 \n 2\t4\t3\t\n", &expected);
    check_file("comments and empty lines", "# 7 8\n\n5 0 1#9\n  # x\n2 4 3 # y", &expected);
    check_file("leading zeros", "05 000 1\n2 4 000000003", &expected);
    check_file("not turned", "5@0 0@00 1\n2 4 3\n", &expected);
    check_file("one image, said so", " picture # 1\n5 0 1\n2 4 3\n", &expected);
    check_file("the puzzle's grid, said", "puzzle 3x2#\n5 0 1\n2 4 3\n", &expected);
    check_file("12 tiles", "11 10 9 8 7 6 5 4 3 2 1 0\n", &long_row);
    check_file("one tile", "0", &one);

    struct placed turned[] = {{3, 1}, {NO_TILE, 0}, {1, 2}, {2, 3}};
    const struct permutation square = {{2, 2}, 1, {{2, 2}}, turned, 0};
    const struct permutation other = {{3, 2}, 1, {{4, 1}}, turned, 0};
    const struct permutation two = {{5, 1}, 2, {{1, 3}, {1, 1}}, turned, 0};
    check_file("turns and an empty place", "3@90 -\n1@180 2@270", &square);
    check_file("the puzzle has another grid", "3@90 - 1@180 2@270\npuzzle 3x2", &other);
    check_file("two images", "puzzle 5x1\npicture\n3@90\n-\n1@180\n\npicture\n2@270", &two);
    check_file("the first without a word", "puzzle 5x1\n3@90\n-\n1@180\npicture\n2@270", &two);

    BAD_FILE("", "it has no tiles");
    BAD_FILE("\n# 0 1\n\r\n", "it has no tiles");
    BAD_FILE("puzzle 1x1\npicture\n", "it has no tiles");
    BAD_FILE("0 1\n2 3\n4\n", "line 3 has 1 tiles, the first row 2");
    BAD_FILE("0\n\n1 2\n", "line 3 has 2 tiles, the first row 1");
    BAD_FILE("0 1\n2 x\n", "line 2: " EXPECTED_TILE);
    BAD_FILE("0 -1\n", "line 1: " EXPECTED_TILE);
    BAD_FILE("0,1\n", "line 1: " EXPECTED_TILE);
    BAD_FILE("0 1.5\n", "line 1: " EXPECTED_TILE);
    BAD_FILE("0 1\0\n", "line 1: " EXPECTED_TILE);
    BAD_FILE("0\n\0", "line 2: " EXPECTED_TILE);
    BAD_FILE("0 1000000000\n", "line 1: " EXPECTED_TILE);
    BAD_FILE("0@45\n", "line 1: " EXPECTED_TILE);
    BAD_FILE("0@360\n", "line 1: " EXPECTED_TILE);
    BAD_FILE("0@-90\n", "line 1: " EXPECTED_TILE);
    BAD_FILE("0@\n", "line 1: " EXPECTED_TILE);
    BAD_FILE("@90\n", "line 1: " EXPECTED_TILE);
    BAD_FILE("-@90\n", "line 1: " EXPECTED_TILE);
    BAD_FILE("0 90@\n", "line 1: " EXPECTED_TILE);
    BAD_FILE("pictures\n0\n", "line 1: " EXPECTED_TILE);
    BAD_FILE("1 0\nwithout 2\n", "line 2: expected without lines");
    BAD_FILE("without lines 0\n", "line 1: expected nothing more");
    BAD_FILE("picture 0\n", "line 1: expected nothing more");
    BAD_FILE("0\npuzzle 0x1\n", "line 2: expected the puzzle's columns x rows, as in puzzle 4x3");
    BAD_FILE("puzzle 1x4000001", "line 1: expected the puzzle's columns x rows, as in puzzle 4x3");
    BAD_FILE("puzzle", "line 1: expected the puzzle's columns x rows, as in puzzle 4x3");
    BAD_FILE("0 1\n2 4\n", "there is no tile 4; with 4 tiles the last is 3");
    BAD_FILE("1 2\n", "there is no tile 2; with 2 tiles the last is 1");
    BAD_FILE("puzzle 1x2\n1 2\n", "there is no tile 2; with 2 tiles the last is 1");
    BAD_FILE("0 1\n1 3\n", "tile 1 occurs twice");
    BAD_FILE("puzzle 2x2\n1\npicture\n1@90\n", "tile 1 occurs twice");
    BAD_FILE("0\npicture\n1\n", "several images need the puzzle's grid, as in puzzle 4x3");
}

/* Text that repeats. */
static void check_repeated(const char *text, size_t count, const char *message)
{
    const size_t length = strlen(text);
    char *all = malloc(count * length);
    for (size_t i = 0; i < count * length; i++)
        all[i] = text[i % length];
    check_bad_file(all, count * length, message);
    free(all);
}

static void check_reading(void)
{
    static const struct grid LARGE[] = {{100000, 1}, {1, 100000}, {400, 250}};
    struct error error = {""};
    struct permutation permutation = {0}, read = {0};
    char path[64], expected[128];
    int passed = 1;
    snprintf(path, sizeof(path), "%s/order", folder);
    for (uint32_t columns = 1; columns <= SEARCH_TILES; columns++)
        for (uint32_t rows = 1; columns * rows <= SEARCH_TILES; rows++) {
            uint64_t random = 7;
            passed &= permutation_shuffle(
                          (struct grid){columns, rows}, &random, &permutation, &error) == 0 &&
                      permutation_write(path, &permutation, NULL, 0, &error) == 0 &&
                      permutation_read(path, NULL, &read, &error) == 0 && same(&permutation, &read);
        }
    tap_check(passed, "what is written is read again, for every grid %s", error.text);
    for (int i = 0; i < 3; i++) {
        uint64_t random = 7;
        passed = permutation_shuffle(LARGE[i], &random, &permutation, &error) == 0;
        for (uint32_t place = 0; passed && place < 100000; place++)
            permutation.placed[place].turn = place % 4;
        permutation.placed[99999] = (struct placed){NO_TILE, 0};
        permutation.puzzle = LARGE[0];
        passed = passed && permutation_write(path, &permutation, NULL, 0, &error) == 0 &&
                 permutation_read(path, NULL, &read, &error) == 0 && same(&permutation, &read);
        tap_check(
            passed, "%u x %u tiles are read again %s", LARGE[i].columns, LARGE[i].rows, error.text);
    }
    static const struct grid THREE[] = {{3, 2}, {1, 1}, {2, 4}};
    passed = permutation_new((struct grid){5, 4}, 3, THREE, &permutation, &error) == 0;
    permutation.placed[6] = (struct placed){19, 3};
    permutation.placed[14] = (struct placed){7, 2};
    passed = passed && permutation_write(path, &permutation, NULL, 0, &error) == 0 &&
             permutation_read(path, NULL, &read, &error) == 0 && same(&permutation, &read) &&
             permutation_first(&read, 1) == 6 && permutation_first(&read, 2) == 7;
    tap_check(passed, "three images are read again %s", error.text);
    permutation_free(&permutation);

    check_repeated("- ", 4000001, "line 1: more than 4000000 tiles");
    check_repeated("-\n", 4000001, "line 4000001: more than 4000000 tiles");
    check_repeated("picture\n-\n", 101, "line 202: too many images");

    FILE *file = fopen(path, "wb");
    if (!file || fseek(file, 1 << 27, SEEK_SET) != 0 || putc('#', file) == EOF || fclose(file) != 0)
        abort();
    snprintf(
        expected, sizeof(expected), "cannot read '%s': it is longer than any permutation", path);
    tap_check(permutation_read(path, NULL, &read, &error) == ERROR_INPUT &&
                  strcmp(error.text, expected) == 0,
        "a large file is refused");
    unlink(path);
    snprintf(expected, sizeof(expected), "cannot open '%s': No such file or directory", path);
    tap_check(permutation_read(path, NULL, &read, &error) == ERROR_INPUT &&
                  strcmp(error.text, expected) == 0,
        "a missing file is refused");
    snprintf(
        expected, sizeof(expected), "cannot read '%s': it is a folder; name a file in it", folder);
    tap_check(permutation_read(folder, NULL, &read, &error) == ERROR_INPUT &&
                  strcmp(error.text, expected) == 0,
        "a folder is refused");
    permutation_free(&read);
}

static void check_shuffle(void)
{
    int shuffled = 1, inverted = 1;
    struct error error = {""};
    struct permutation permutation = {0}, inverse = {0}, again = {0};
    for (uint32_t columns = 1; columns <= SEARCH_TILES; columns++)
        for (uint32_t rows = 1; columns * rows <= SEARCH_TILES; rows++)
            for (uint64_t seed = 0; seed < 50; seed++) {
                const struct grid grid = {columns, rows};
                uint64_t random = seed, other = seed;
                if (permutation_shuffle(grid, &random, &permutation, &error) != 0 ||
                    permutation_shuffle(grid, &other, &again, &error) != 0 ||
                    permutation_invert(&permutation, 1, &grid, &inverse, &error) != 0)
                    abort();
                shuffled &= permutation.puzzle.columns == columns &&
                            permutation.puzzle.rows == rows && is_permutation(&permutation) &&
                            same(&permutation, &again);
                for (uint32_t tile = 0; tile < columns * rows; tile++)
                    inverted &= permutation.placed[inverse.placed[tile].tile].tile == tile &&
                                inverse.placed[permutation.placed[tile].tile].tile == tile;
                inverted &= inverse.grids[0].columns == columns && inverse.grids[0].rows == rows;
            }
    tap_check(shuffled, "a shuffle is a permutation, the same for the same seed, for every grid");
    tap_check(inverted, "the inverse of the inverse is the permutation, for every grid");

    /* SplitMix64 seeded with 1234567 begins 6457827717110365317, 3203168211198807973,
     * 9817491932198370423 (as its implementations are commonly checked): modulo 4, 3 and 2 they are
     * 1, 1, 1: 0 1 2 3 becomes 0 3 2 1, then 0 2 3 1, and stays so. */
    uint64_t random = 1234567;
    struct placed known_places[] = {{0, 0}, {2, 0}, {3, 0}, {1, 0}};
    const struct permutation known = {{4, 1}, 1, {{4, 1}}, known_places, 0};
    tap_check(permutation_shuffle((struct grid){4, 1}, &random, &permutation, &error) == 0 &&
                  same(&permutation, &known),
        "the shuffle of a known seed");

    /* Tile 2 of the first image stood at place 0, turned by a quarter: it is turned back by
     * three; tile 1 is nowhere. */
    static const struct grid IMAGES[] = {{1, 2}, {1, 1}};
    struct placed moved_places[] = {{2, 1}, {NO_TILE, 0}, {0, 2}};
    struct placed back_places[] = {{2, 2}, {NO_TILE, 0}, {0, 3}};
    const struct permutation moved = {{3, 1}, 1, {{3, 1}}, moved_places, 0};
    const struct permutation back = {{3, 1}, 2, {{1, 2}, {1, 1}}, back_places, 0};
    tap_check(permutation_invert(&moved, 2, IMAGES, &inverse, &error) == 0 && same(&inverse, &back),
        "the inverse of turns and an empty place, of two images");
    permutation_free(&permutation);
    permutation_free(&inverse);
    permutation_free(&again);
}

/* Pearson's chi-square of how often each permutation comes up, against equal shares. The seeds are
 * fixed, so the result is; 0.999 of all sequences would stay below the quantile. */
static void check_uniform(uint32_t tiles, uint32_t permutations, double quantile)
{
    enum { SEEDS = 48000 };
    unsigned counts[256] = {0}; /* by the first tiles, as digits to the base 4 */
    double sum = 0;
    const double share = (double)SEEDS / permutations;
    uint32_t occurring = 0;
    struct permutation permutation = {0};
    struct error error;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        uint32_t key = 0;
        uint64_t random = seed;
        if (permutation_shuffle((struct grid){tiles, 1}, &random, &permutation, &error) != 0)
            abort();
        for (uint32_t place = 0; place < tiles; place++)
            key = key * 4 + permutation.placed[place].tile;
        counts[key]++;
    }
    permutation_free(&permutation);
    for (int key = 0; key < 256; key++)
        if (counts[key]) {
            occurring++;
            sum += (counts[key] - share) * (counts[key] - share) / share;
        }
    tap_check(occurring == permutations && sum < quantile,
        "%u tiles: chi-square %.2f over %u permutations, below %.2f", tiles, sum, occurring,
        quantile);
}

/* Of 12 tiles 3 are not there and 4 of the others are dropped, each as often: of 9000 seeds a share
 * of 4000, within 5 standard deviations of 47; of the places each as often too. Turns come as
 * often, within 5 of 150 and of 164. */
static void check_drop_and_turn(void)
{
    enum { SEEDS = 9000 };
    struct permutation permutation = {0};
    struct error error;
    unsigned dropped[12] = {0}, emptied[12] = {0}, turned[2][4] = {{0}};
    int counted = 1, even = 1;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        uint64_t random = seed;
        uint32_t left = 0;
        int is_there[12] = {0};
        if (permutation_shuffle((struct grid){4, 3}, &random, &permutation, &error) != 0)
            abort();
        permutation_drop(&permutation, 9, 4, &random);
        const uint32_t quarters = seed % 2 + 1;
        permutation_turn(&permutation, quarters, &random);
        for (uint32_t place = 0; place < 12; place++) {
            const struct placed placed = permutation.placed[place];
            counted &= placed.turn == 0 || placed.tile != NO_TILE;
            emptied[place] += placed.tile == NO_TILE;
            if (placed.tile == NO_TILE)
                continue;
            is_there[placed.tile] = 1;
            turned[quarters - 1][placed.turn]++;
            left++;
        }
        counted &= left == 5;
        for (int tile = 0; tile < 12; tile++)
            dropped[tile] += !is_there[tile];
    }
    permutation_free(&permutation);
    for (int tile = 0; tile < 12; tile++)
        even &= tile < 9 ? abs((int)dropped[tile] - SEEDS * 4 / 9) < 235 : dropped[tile] == SEEDS;
    for (int place = 0; place < 12; place++)
        even &= abs((int)emptied[place] - SEEDS * 7 / 12) < 235;
    tap_check(counted && even, "tiles are dropped evenly, as many as asked for");
    even = turned[1][1] == 0 && turned[1][3] == 0 && abs((int)turned[1][0] - SEEDS * 5 / 4) < 530;
    for (int turn = 0; turn < 4; turn++)
        even &= abs((int)turned[0][turn] - SEEDS * 5 / 8) < 325;
    tap_check(even, "tiles are turned evenly, by quarters or by half");
}

static void check_tile_sizes(void)
{
    static const char *const BAD[] = {"", "28", "28x", "x20", "0x20", "28x0", "28x20 ", "28,20"};
    struct error error = {""};
    uint32_t width = 0, height = 0;
    tap_check(tile_size_parse("28x20", &width, &height, &error) == 0 && width == 28 && height == 20,
        "a tile of 28x20");
    for (size_t i = 0; i < sizeof(BAD) / sizeof(BAD[0]); i++)
        tap_check(tile_size_parse(BAD[i], &width, &height, &error) == ERROR_USAGE && width == 28 &&
                      height == 20,
            "no tile size: '%s'", BAD[i]);
}

/* Whether the solution, put upright, has these places. */
static int is_upright(struct placed *placed, struct grid grid, const struct placed *wanted)
{
    struct permutation permutation = {grid, 1, {grid}, placed, 0};
    int right = 1;
    permutation_put_upright(&permutation);
    for (uint32_t i = 0; i < grid_tiles(grid); i++)
        right &= placed[i].tile == wanted[i].tile && placed[i].turn == wanted[i].turn;
    return right;
}

static void check_upright(void)
{
    struct placed half[] = {{5, 2}, {4, 0}, {NO_TILE, 0}, {2, 2}, {1, 2}, {0, 1}};
    const struct placed half_back[] = {{0, 3}, {1, 0}, {2, 0}, {NO_TILE, 0}, {4, 2}, {5, 0}};
    tap_check(is_upright(half, (struct grid){3, 2}, half_back), "upright: turned by half");
    tap_check(is_upright(half, (struct grid){3, 2}, half_back), "upright: it stays so");
    /* 0 1 2 / 3 4 5 / 6 7 8, turned by a quarter clockwise and by one against it */
    struct placed one[] = {{6, 1}, {3, 1}, {0, 1}, {7, 1}, {4, 1}, {1, 1}, {8, 1}, {5, 0}, {2, 1}};
    struct placed three[] = {
        {2, 3}, {5, 2}, {8, 3}, {1, 3}, {4, 3}, {7, 3}, {0, 3}, {3, 3}, {6, 3}};
    const struct placed back[] = {
        {0, 0}, {1, 0}, {2, 0}, {3, 0}, {4, 0}, {5, 3}, {6, 0}, {7, 0}, {8, 0}};
    tap_check(is_upright(one, (struct grid){3, 3}, back), "upright: turned by a quarter");
    tap_check(is_upright(three, (struct grid){3, 3}, back), "upright: turned by three");
    struct placed column[] = {{0, 1}, {1, 1}};
    const struct placed as_it_was[] = {{0, 1}, {1, 1}};
    tap_check(is_upright(column, (struct grid){1, 2}, as_it_was), "upright: a column cannot lie");
}

int main(void)
{
    if (!mkdtemp(folder))
        return 1;
    check_grids();
    check_tile_sizes();
    check_drop_and_turn();
    check_upright();
    check_files();
    check_reading();
    check_shuffle();
    check_uniform(3, 6, 20.52);  /* 0.999 quantile, 5 degrees of freedom */
    check_uniform(4, 24, 49.73); /* 23 degrees of freedom */
    tap_check(rmdir(folder) == 0, "nothing is left");
    return tap_finish();
}
