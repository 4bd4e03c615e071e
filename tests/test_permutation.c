/* Grids, permutation files, and the shuffle. */
#include "stages/unscramble/permutation.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/tap.h"

static char folder[] = "/tmp/test_permutation.XXXXXX";

static int is_permutation(const struct permutation *permutation)
{
    const uint32_t tiles = grid_tiles(permutation->grid);
    uint32_t found = 0;
    for (uint32_t place = 0; place < tiles; place++)
        if (permutation->order[place] < tiles)
            found |= 1u << permutation->order[place];
    return found == (1u << tiles) - 1;
}

static int same(const struct permutation *a, const struct permutation *b)
{
    return a->grid.columns == b->grid.columns && a->grid.rows == b->grid.rows &&
           memcmp(a->order, b->order, grid_tiles(a->grid) * sizeof(*a->order)) == 0;
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
    check_bad_grid("13x1", "grid '%s' has 13 tiles; at most 12 are possible");
    check_bad_grid("5x3", "grid '%s' has 15 tiles; at most 12 are possible");
    check_bad_grid(
        "999999999x999999999", "grid '%s' has 999999998000000001 tiles; at most 12 are possible");
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
    struct permutation permutation;
    tap_check(parse(text, strlen(text), &permutation, &error) == 0 && same(&permutation, expected),
        "%s %s", what, error.text);
}

static void check_bad_file(const char *text, size_t size, const char *message)
{
    struct error error = {""};
    struct permutation permutation;
    char expected[200];
    snprintf(expected, sizeof(expected), "bad permutation 'x': %s", message);
    tap_check(
        parse(text, size, &permutation, &error) == ERROR_INPUT && strcmp(error.text, expected) == 0,
        "refused: %s", message);
}
#define BAD_FILE(text, message) check_bad_file(text, sizeof(text) - 1, message)

static void check_files(void)
{
    static const struct permutation EXPECTED = {{3, 2}, {5, 0, 1, 2, 4, 3}};
    static const struct permutation ROW = {{12, 1}, {11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0}};
    static const struct permutation ONE = {{1, 1}, {0}};
    check_file("plain", "5 0 1\n2 4 3\n", &EXPECTED);
    check_file("no newline at the end", "5 0 1\n2 4 3", &EXPECTED);
    check_file("lines end as on Windows", "5 0 1\r\n2 4 3\r\n", &EXPECTED);
    check_file("tabs and more blanks", "\t5 \t 0  1 \n 2\t4\t3\t\n", &EXPECTED);
    check_file("comments and empty lines", "# 7 8\n\n5 0 1#9\n  # x\n2 4 3 # y", &EXPECTED);
    check_file("leading zeros", "05 000 1\n2 4 000000003", &EXPECTED);
    check_file("12 tiles", "11 10 9 8 7 6 5 4 3 2 1 0\n", &ROW);
    check_file("one tile", "0", &ONE);

    BAD_FILE("", "it has no tiles");
    BAD_FILE("\n# 0 1\n\r\n", "it has no tiles");
    BAD_FILE("0 1\n2 3\n4\n", "line 3 has 1 tiles, the first row 2");
    BAD_FILE("0\n\n1 2\n", "line 3 has 2 tiles, the first row 1");
    BAD_FILE("0 1 2 3 4 5 6 7 8 9 10 11 12\n", "line 1: more than 12 tiles");
    BAD_FILE("0 1 2 3\n4 5 6 7\n8 9 10 11\n0", "line 4: more than 12 tiles");
    BAD_FILE("0 1\n2 x\n", "line 2: expected the number of a tile");
    BAD_FILE("0 -1\n", "line 1: expected the number of a tile");
    BAD_FILE("0,1\n", "line 1: expected the number of a tile");
    BAD_FILE("0 1.5\n", "line 1: expected the number of a tile");
    BAD_FILE("0 1\0\n", "line 1: expected the number of a tile");
    BAD_FILE("0 1000000000\n", "line 1: expected the number of a tile");
    BAD_FILE("0 1\n2 4\n", "there is no tile 4; with 4 tiles the last is 3");
    BAD_FILE("1 2\n", "there is no tile 2; with 2 tiles the last is 1");
    BAD_FILE("0 1\n1 3\n", "tile 1 occurs twice");
    BAD_FILE("0 2\n3 2\n", "tile 1 is missing");
}

static void check_reading(void)
{
    struct error error = {""};
    struct permutation permutation, read;
    char path[64], expected[128], large[66000];
    int passed = 1;
    snprintf(path, sizeof(path), "%s/order", folder);
    for (uint32_t columns = 1; columns <= MAX_TILES; columns++)
        for (uint32_t rows = 1; columns * rows <= MAX_TILES; rows++) {
            permutation_shuffle((struct grid){columns, rows}, 7, &permutation);
            passed &= permutation_write(path, &permutation, &error) == 0 &&
                      permutation_read(path, &read, &error) == 0 && same(&permutation, &read);
        }
    tap_check(passed, "what is written is read again, for every grid %s", error.text);

    FILE *file = fopen(path, "wb");
    memset(large, '\n', sizeof(large));
    if (!file || fwrite(large, 1, sizeof(large), file) != sizeof(large) || fclose(file) != 0)
        abort();
    snprintf(expected, sizeof(expected), "bad permutation '%s': longer than 65535 bytes", path);
    tap_check(
        permutation_read(path, &read, &error) == ERROR_INPUT && strcmp(error.text, expected) == 0,
        "a large file is refused");
    unlink(path);
    snprintf(expected, sizeof(expected), "cannot open '%s': No such file or directory", path);
    tap_check(
        permutation_read(path, &read, &error) == ERROR_INPUT && strcmp(error.text, expected) == 0,
        "a missing file is refused");
    snprintf(expected, sizeof(expected), "cannot read '%s': Is a directory", folder);
    tap_check(
        permutation_read(folder, &read, &error) == ERROR_INPUT && strcmp(error.text, expected) == 0,
        "a folder is refused");
}

static void check_shuffle(void)
{
    int shuffled = 1, inverted = 1;
    struct permutation permutation, inverse, again;
    for (uint32_t columns = 1; columns <= MAX_TILES; columns++)
        for (uint32_t rows = 1; columns * rows <= MAX_TILES; rows++)
            for (uint64_t seed = 0; seed < 50; seed++) {
                permutation_shuffle((struct grid){columns, rows}, seed, &permutation);
                permutation_shuffle((struct grid){columns, rows}, seed, &again);
                shuffled &= permutation.grid.columns == columns && permutation.grid.rows == rows &&
                            is_permutation(&permutation) && same(&permutation, &again);
                permutation_invert(&permutation, &inverse);
                for (uint32_t tile = 0; tile < columns * rows; tile++)
                    inverted &= permutation.order[inverse.order[tile]] == tile &&
                                inverse.order[permutation.order[tile]] == tile;
                inverted &= inverse.grid.columns == columns && inverse.grid.rows == rows;
            }
    tap_check(shuffled, "a shuffle is a permutation, the same for the same seed, for every grid");
    tap_check(inverted, "the inverse of the inverse is the permutation, for every grid");

    /* SplitMix64 seeded with 1234567 begins 6457827717110365317, 3203168211198807973,
     * 9817491932198370423 (as its implementations are commonly checked): modulo 4, 3 and 2 they are
     * 1, 1, 1: 0 1 2 3 becomes 0 3 2 1, then 0 2 3 1, and stays so. */
    static const struct permutation KNOWN = {{4, 1}, {0, 2, 3, 1}};
    permutation_shuffle((struct grid){4, 1}, 1234567, &permutation);
    tap_check(same(&permutation, &KNOWN), "the shuffle of a known seed");
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
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct permutation permutation;
        uint32_t key = 0;
        permutation_shuffle((struct grid){tiles, 1}, seed, &permutation);
        for (uint32_t place = 0; place < tiles; place++)
            key = key * 4 + permutation.order[place];
        counts[key]++;
    }
    for (int key = 0; key < 256; key++)
        if (counts[key]) {
            occurring++;
            sum += (counts[key] - share) * (counts[key] - share) / share;
        }
    tap_check(occurring == permutations && sum < quantile,
        "%u tiles: chi-square %.2f over %u permutations, below %.2f", tiles, sum, occurring,
        quantile);
}

int main(void)
{
    if (!mkdtemp(folder))
        return 1;
    check_grids();
    check_files();
    check_reading();
    check_shuffle();
    check_uniform(3, 6, 20.52);  /* 0.999 quantile, 5 degrees of freedom */
    check_uniform(4, 24, 49.73); /* 23 degrees of freedom */
    tap_check(rmdir(folder) == 0, "nothing is left");
    return tap_finish();
}
