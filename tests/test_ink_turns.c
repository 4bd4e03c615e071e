/* Which way round the tiles of a page lie: tiles that the test has turned itself are found. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/tap.h"
#include "random.h"
#include "stages/unscramble/ink_turns.h"

enum { TILE = 90, COLUMNS = 5, ROWS = 4, TILES = COLUMNS * ROWS };

static uint8_t *pixel_at(const struct image *image, int x, int y)
{
    return (uint8_t *)image->pixels + 4 * (y * image->width + x);
}

/* Paints a black bar. */
static void put_bar(const struct image *image, int x, int y, int width, int height)
{
    for (int dy = 0; dy < height; dy++)
        for (int dx = 0; dx < width; dx++)
            memset(pixel_at(image, x + dx, y + dy), 0, 3);
}

/* A white page of tiles of `width` pixels with lines of signs: upright bars. About `percent` of
 * them have a foot to the right, the others a bar through their middle, so that they look the same
 * from all sides. */
static void draw_page(int width, int percent, struct image *image)
{
    uint64_t random = 7;
    struct error error;
    image_new(COLUMNS * width, ROWS * TILE, 3, 8, image, &error);
    memset(image->pixels, 255, image_bytes(image));
    for (int y = 4; y + 12 < image->height; y += 15)
        for (int x = 4; x + 10 < image->width; x += 10 + random_index(&random, 5)) {
            const int has_foot = random_index(&random, 100) < percent;
            put_bar(image, x + (has_foot ? 0 : 4), y, 2, 10);
            put_bar(image, x, y + (has_foot ? 8 : 4), has_foot ? 7 : 10, 2);
        }
}

/* Turns a tile clockwise by `times` quarters; one that is not square takes two at a time. */
static void turn(const struct image *image, int width, int tile, int times)
{
    static uint8_t old[TILE * TILE * 4];
    const int left = tile % COLUMNS * width, top = tile / COLUMNS * TILE;
    for (; times > 0; times -= width == TILE ? 1 : 2) {
        for (int i = 0; i < width * TILE; i++)
            memcpy(old + 4 * i, pixel_at(image, left + i % width, top + i / width), 4);
        for (int y = 0; y < TILE; y++)
            for (int x = 0; x < width; x++) {
                const int from = width == TILE ? (TILE - 1 - x) * TILE + y
                                               : (TILE - 1 - y) * width + width - 1 - x;
                memcpy(pixel_at(image, left + x, top + y), old + 4 * from, 4);
            }
    }
}

/* A page, and what is found out about its tiles. */
struct trial {
    struct image image;
    uint8_t quarters[TILES];
    double lead[TILES], gain;
};

/* Looks at the tiles, which are `width` pixels wide. Returns as ink_turns_find does. */
static int find_turns(struct trial *t, int width, int ways)
{
    const struct tiling tiling = {&t->image, COLUMNS, ROWS, width, TILE, 0};
    t->gain = -1;
    return ink_turns_find(&tiling, ways, t->quarters, t->lead, &t->gain);
}

/* Turns tiles as `turns` says, and looks for how they have to be turned back. */
static void test_turned(const char *what, int width, const int turns[TILES], int is_turned)
{
    struct trial t;
    int right = 0, sure = 0;
    draw_page(width, 100, &t.image);
    for (int tile = 0; tile < TILES; tile++)
        turn(&t.image, width, tile, turns[tile]);
    tap_check(find_turns(&t, width, width == TILE ? 4 : 2) == 0, "%s: looks at the ink", what);
    for (int tile = 0; tile < TILES; tile++) {
        right += (t.quarters[tile] + turns[tile]) % 4 == 0;
        sure += t.lead[tile] > 50 && isfinite(t.lead[tile]); /* not that with most ink */
    }
    tap_check(right == TILES, "%s: %d of %d tiles are turned back", what, right, TILES);
    tap_check(sure == TILES - 1, "%s: %d of %d surely", what, sure, TILES - 1);
    tap_check(is_turned ? t.gain > 500 : t.gain == 0, "%s: they are %g more alike", what, t.gain);
    image_free(&t.image);
}

/* All but six are turned, so that the six are the ones to turn; then the left is made white. */
static void test_most(void)
{
    struct trial t;
    int count = 0;
    draw_page(TILE, 100, &t.image);
    for (int tile = 6; tile < TILES; tile++)
        turn(&t.image, TILE, tile, 2);
    find_turns(&t, TILE, 2);
    for (int tile = 0; tile < TILES; tile++)
        count += t.quarters[tile] == (tile < 6 ? 2 : 0);
    tap_check(count == TILES, "most tiles stay as they are: %d", count);

    for (int y = 0; y < t.image.height; y++)
        memset(pixel_at(&t.image, 0, y), 255, 4 * TILE);
    find_turns(&t, TILE, 2);
    count = 0;
    for (int tile = 0; tile < TILES; tile += COLUMNS)
        count += t.quarters[tile] == 0 && isinf(t.lead[tile]);
    tap_check(count == ROWS, "white tiles are not turned: %d of %d", count, ROWS);
    image_free(&t.image);
}

/* The sum of the leads of a page's tiles where they have one. */
static double sum_leads(int percent)
{
    struct trial t;
    double sum = 0;
    draw_page(TILE, percent, &t.image);
    find_turns(&t, TILE, 2);
    for (int tile = 0; tile < TILES; tile++)
        sum += isinf(t.lead[tile]) ? 0 : t.lead[tile];
    image_free(&t.image);
    return sum;
}

/* One sign in ten has a foot, and about half of the tiles are turned. */
static void test_few_signs(void)
{
    struct trial t;
    uint64_t random = 3;
    int right = 0, most = 0, times = 20;
    for (int time = 0; time < times; time++) {
        int turns[TILES], agree = 0, still = 0;
        draw_page(TILE, 10, &t.image);
        for (int tile = 0; tile < TILES; tile++) {
            turns[tile] = 2 * random_index(&random, 2);
            turn(&t.image, TILE, tile, turns[tile]);
        }
        find_turns(&t, TILE, 2);
        for (int tile = 0; tile < TILES; tile++) {
            agree += t.quarters[tile] == turns[tile];
            still += t.quarters[tile] == 0;
        }
        right += agree == 0 || agree == TILES;
        most += 2 * still >= TILES;
        image_free(&t.image);
    }
    tap_check(right == times, "few signs that differ: %d of %d pages", right, times);
    tap_check(most == times, "most tiles stay as they are: %d of %d pages", most, times);
}

/* Nothing but the rules of a table, whose upper and lower border differ. */
static void test_table(void)
{
    struct trial t;
    int count = 0;
    draw_page(TILE, 100, &t.image);
    memset(t.image.pixels, 255, image_bytes(&t.image));
    for (int x = 20; x <= 420; x += 25)
        put_bar(&t.image, x, 15, 2, 332);
    for (int y = 15; y <= 345; y += 30)
        put_bar(&t.image, 20, y, 402, 2);
    find_turns(&t, TILE, 4);
    for (int tile = 0; tile < TILES; tile++)
        count += t.quarters[tile] == 0 && isinf(t.lead[tile]);
    tap_check(count == TILES, "rules tell nothing: of %d tiles of %d", count, TILES);
    tap_check(t.gain == 0, "a table: it gains %g", t.gain);
    image_free(&t.image);
}

static void test_tiny(void)
{
    struct image image;
    uint8_t quarters[80];
    double lead[80], gain;
    draw_page(TILE, 0, &image);
    const struct tiling tiling = {&image, 10, 8, 2, 2, 0};
    tap_check(ink_turns_find(&tiling, 4, quarters, lead, &gain) == 0 && gain == 0,
        "tiles of 2 x 2 pixels, smaller than a pattern");
    image_free(&image);
}

int main(void)
{
    test_turned("all upright", TILE, (const int[TILES]){0}, 0);
    test_turned("some by half", 57, (const int[TILES]){2, 0, 2, 0, 0, 0, 2, [11] = 2, [19] = 2}, 1);
    test_turned("some by quarters", TILE,
        (const int[TILES]){1, 0, 3, 0, 2, 0, 0, 1, [13] = 2, [17] = 3, [19] = 1}, 1);
    test_turned("one by half", TILE, (const int[TILES]){[8] = 2}, 1);
    test_most();
    const double same = sum_leads(0), others = sum_leads(100);
    tap_check(10 * same < others, "signs that look the same lead by %.0f in all, others by %.0f",
        same, others);
    test_few_signs();
    test_table();
    test_tiny();
    return tap_finish();
}
