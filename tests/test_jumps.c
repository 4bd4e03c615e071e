/* Jumps of joints: of boards whose tiles are in place, turned, of another image or on a ring. */
#include "stages/unscramble/jumps.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/tap.h"
#include "random.h"

enum { COLUMNS = 5, ROWS = 4, SIDE = 16 }; /* tiles, and pixels of one */

static struct error error;

/* Waves, and with `is_ring` as many of them as the width has, so that left and right fit. */
static struct image draw(int columns, int rows, int depth, int is_ring)
{
    struct image image = {0};
    if (image_new(columns * SIDE, rows * SIDE, 3, depth, &image, &error) != 0)
        abort();
    for (int y = 0; y < image.height; y++)
        for (int x = 0; x < image.width; x++)
            for (int c = 0; c < 3; c++) {
                const double turn = is_ring ? 6.283185307179586 * x / image.width : x / 9.0;
                const double value =
                    128 + 60 * sin(2 * turn + c + y / 7.0) + 50 * sin(y / 5.0 - turn);
                const size_t at = 4 * ((size_t)y * (size_t)image.width + (size_t)x) + (size_t)c;
                if (depth == 16)
                    ((uint16_t *)image.pixels)[at] = (uint16_t)(257 * value);
                else
                    ((uint8_t *)image.pixels)[at] = (uint8_t)value;
            }
    return image;
}

static struct jumps judge(const struct image *image, int columns, int rows, const int32_t *board)
{
    const struct tiling tiling = {image, columns, rows, SIDE, SIDE, 0};
    struct jumps jumps = {0};
    if (jumps_find(&tiling, board, columns, rows, &jumps, &error) != 0)
        abort();
    return jumps;
}

static void make_board(int32_t board[COLUMNS * ROWS])
{
    for (int i = 0; i < COLUMNS * ROWS; i++)
        board[i] = 4 * i;
}

static void check_right(int depth, int is_ring)
{
    int32_t board[COLUMNS * ROWS];
    struct image image = draw(COLUMNS, ROWS, depth, is_ring);
    make_board(board);
    struct jumps jumps = judge(&image, COLUMNS, ROWS, board);
    tap_check(jumps.misfits == 0 && !jumps.is_split && jumps.wraps[X] == is_ring && !jumps.wraps[Y],
        "%d bits, %s: %d misfits, wraps %d %d", depth, is_ring ? "a ring" : "in place",
        jumps.misfits, jumps.wraps[X], jumps.wraps[Y]);
    jumps_free(&jumps);
    image_free(&image);
}

/* Two images that meet at a seam, with tiles of each in place. With one column of tiles there is
 * only one joint at a seam, which tells too little. */
static void check_split(int columns, int rows, int from, int axis, int expected)
{
    int32_t board[COLUMNS * ROWS];
    struct image image = draw(COLUMNS, ROWS, 8, 0);
    for (int y = 0; y < image.height; y++)
        for (int x = 0; x < image.width; x++)
            if ((axis == X ? x : y) >= from * SIDE) {
                uint8_t *pixel =
                    (uint8_t *)image.pixels + 4 * ((size_t)y * (size_t)image.width + (size_t)x);
                pixel[0] ^= 255;
                pixel[1] ^= 255;
            }
    for (int i = 0; i < columns * rows; i++)
        board[i] = 4 * (i / columns * COLUMNS + i % columns);
    const struct tiling tiling = {&image, COLUMNS, ROWS, SIDE, SIDE, 0};
    struct jumps jumps = {0};
    if (jumps_find(&tiling, board, columns, rows, &jumps, &error) != 0)
        abort();
    tap_check(jumps.is_split == expected && jumps.misfits == 0,
        "%d x %d, another image from %s %d on: split %d, %d misfits", columns, rows,
        axis == X ? "column" : "row", from, jumps.is_split, jumps.misfits);
    jumps_free(&jumps);
    image_free(&image);
}

/* One tile lies the wrong way round; then it is the only one that fits nowhere. */
static void check_turned(int place, int quarters)
{
    int32_t board[COLUMNS * ROWS];
    struct image image = draw(COLUMNS, ROWS, 8, 0);
    make_board(board);
    board[place] += quarters;
    struct jumps jumps = judge(&image, COLUMNS, ROWS, board);
    tap_check(jumps.misfits == 1 && jumps.is_misfit[place] && !jumps.is_split,
        "place %d, turned by %d quarters: %d misfits", place, quarters, jumps.misfits);
    jumps_free(&jumps);
    image_free(&image);
}

/* The whole image turned by a quarter, each tile with it, is as right as before. */
static void check_all_turned(void)
{
    int32_t board[COLUMNS * ROWS];
    struct image image = draw(COLUMNS, ROWS, 8, 0);
    for (int y = 0; y < COLUMNS; y++)
        for (int x = 0; x < ROWS; x++)
            board[y * ROWS + x] = 4 * ((ROWS - 1 - x) * COLUMNS + y) + 1;
    const struct tiling tiling = {&image, COLUMNS, ROWS, SIDE, SIDE, 0};
    struct jumps jumps = {0};
    if (jumps_find(&tiling, board, ROWS, COLUMNS, &jumps, &error) != 0)
        abort();
    tap_check(jumps.misfits == 0, "all turned by a quarter: %d misfits", jumps.misfits);
    jumps_free(&jumps);
    image_free(&image);
}

/* Two tiles that belong together, and two of which one is of another image. */
static void check_few(void)
{
    const int32_t board[] = {0, 4};
    struct image image = draw(2, 1, 8, 0);
    struct jumps jumps = judge(&image, 2, 1, board);
    tap_check(jumps.misfits == 0, "two tiles of an image fit");
    jumps_free(&jumps);
    for (int y = 0; y < SIDE; y++)
        memset((uint8_t *)image.pixels + 4 * ((size_t)y * 2 * SIDE + SIDE), 0, 4 * SIDE);
    jumps = judge(&image, 2, 1, board);
    tap_check(jumps.misfits == 2, "two tiles of two images do not: %d misfits", jumps.misfits);
    jumps_free(&jumps);
    image_free(&image);
}

/* Noise fits everywhere and nowhere, and so does one color; a tile without neighbors has nothing to
 * fit; tiles of one pixel have no inside. */
static void check_untelling(void)
{
    int32_t board[COLUMNS * ROWS];
    uint64_t random = 3;
    struct image image = draw(COLUMNS, ROWS, 8, 0);
    make_board(board);
    for (size_t i = 0; i < image_bytes(&image); i++)
        ((uint8_t *)image.pixels)[i] = (uint8_t)random_bits(&random);
    struct jumps jumps = judge(&image, COLUMNS, ROWS, board);
    tap_check(jumps.misfits == 0 && !jumps.wraps[X] && !jumps.wraps[Y], "noise: %d misfits",
        jumps.misfits);
    jumps_free(&jumps);
    memset(image.pixels, 200, image_bytes(&image));
    jumps = judge(&image, COLUMNS, ROWS, board);
    tap_check(jumps.misfits == 0 && !jumps.wraps[X] && !jumps.wraps[Y], "one color: %d misfits",
        jumps.misfits);
    jumps_free(&jumps);
    for (int i = 1; i < COLUMNS * ROWS; i++)
        board[i] = NOTHING;
    jumps = judge(&image, COLUMNS, ROWS, board);
    tap_check(jumps.misfits == 0 && !jumps.wraps[X], "a tile alone: %d misfits", jumps.misfits);
    jumps_free(&jumps);
    make_board(board);
    const struct tiling pixels = {&image, COLUMNS, ROWS, 1, 1, 0};
    tap_check(jumps_find(&pixels, board, COLUMNS, ROWS, &jumps, &error) == 0 && !jumps.misfits,
        "tiles of one pixel");
    jumps_free(&jumps);
    image_free(&image);
}

int main(void)
{
    for (int depth = 8; depth <= 16; depth += 8)
        for (int is_ring = 0; is_ring < 2; is_ring++)
            check_right(depth, is_ring);
    for (int quarters = 1; quarters < 4; quarters++) {
        check_turned(0, quarters);
        check_turned(7, quarters);
        check_turned(COLUMNS * ROWS - 1, quarters);
    }
    check_split(COLUMNS, ROWS, 2, X, 1);
    check_split(COLUMNS, ROWS, 1, Y, 1);
    check_split(COLUMNS, ROWS, COLUMNS, X, 0);
    check_split(2, ROWS, 1, X, 1);
    check_split(1, ROWS, 2, Y, 0);
    check_all_turned();
    check_few();
    check_untelling();
    return tap_finish();
}
