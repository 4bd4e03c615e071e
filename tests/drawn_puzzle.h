/* Images of smooth colors as puzzles, for tests of the search. */
#ifndef DRAWN_PUZZLE_H
#define DRAWN_PUZZLE_H

#include <stdlib.h>

#include "images/image.h"
#include "stages/unscramble/board.h"
#include "tests/compare_by.h"

enum { LONGEST = 12, PIXELS = 14, WAVES = 9 };

/* An image of columns x rows tiles, each moved to another place and turned; place[tile] is where
 * tile belongs, turn[tile] by how many quarters clockwise it was turned. */
static inline void draw(uint64_t random, int columns, int rows, enum turns turns,
    struct image *image, int *place, int *turn, struct error *error)
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

/* Compares the edges of an image of columns x rows tiles. compatibility_free frees. */
static inline void compare_image(
    const struct image *image, int columns, int rows, enum turns turns, struct compatibility *c)
{
    struct strips strips = {0};
    struct run run = {.device_id = "cpu", .stage = "compare"};
    struct error error;
    if (strips_make(
            &(const struct tiling){image, columns, rows, PIXELS, PIXELS, 0}, &strips, &error) ||
        compare_by(&run, &strips, NULL, turns, NULL, DISSIMILARITY_BLEND, 10, c))
        abort();
    run_end(&run);
    strips_free(&strips);
}

/* Draws an image and compares its edges. truth[place] is the oriented tile that belongs there.
 * compatibility_free frees. */
static inline void compare_drawn(uint64_t random, int columns, int rows, enum turns turns,
    int *place, int *turn, int32_t *truth, struct compatibility *c)
{
    struct image image = {0};
    struct error error;
    draw(random, columns, rows, turns, &image, place, turn, &error);
    compare_image(&image, columns, rows, turns, c);
    for (int tile = 0; tile < columns * rows; tile++)
        truth[place[tile]] = 4 * tile + (-turn[tile] & 3);
    image_free(&image);
}

/* Whether a board is the image, or the image upside down where that cannot be told. */
static inline int is_right(
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

/* The cost of a board, joint by joint, from the costs of pairs alone. */
static inline int64_t sum_of_joints(
    const struct compatibility *c, const int32_t *board, int w, int h)
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
static inline int holds_all(const int32_t *board, int tiles, enum turns turns)
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

#endif
