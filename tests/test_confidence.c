/* The confidence of places, the order of places by it, and the image that shows it. */
#include "stages/unscramble/confidence.h"

#include <math.h>
#include <string.h>

#include "cli/tap.h"
#include "stages/unscramble/tree.h"

#define NONE \
    { \
        NOTHING, FAR_COST \
    }

/* Three tiles, not turned. Edges 0, 4, 8 are the left ones, 2, 6, 10 the right ones. */
static struct partner list[12][2] = {
    {{6, 500}, {10, 1400}},
    {NONE, NONE},
    {{4, 100}, {8, 900}},
    {NONE, NONE},
    {{2, 100}, {10, 1200}},
    {NONE, NONE},
    {{8, 500}, {0, 500}},
    {NONE, NONE},
    {{6, 500}, {2, 900}},
    {NONE, NONE},
    {{4, 1200}, {0, 1400}},
    {NONE, NONE},
};
static struct pair_cost table[16];
static uint8_t filter[16];
static int32_t far[12];
static struct compatibility c = {.tiles = 3,
    .width = 2,
    .turns = TURNS_NONE,
    .list = list[0],
    .far = far,
    .table = table,
    .shift = 28,
    .filter = filter};
static int32_t buddy[12];

static void make_table(void)
{
    memset(table, 0xff, sizeof(table));
    memset(filter, 0xff, sizeof(filter));
    for (int edge = 0; edge < 12; edge++)
        far[edge] = FAR_COST;
    for (int32_t a = 0; a < 12; a++)
        for (int i = 0; i < 2; i++) {
            const int32_t b = list[a][i].edge;
            if (b <= a)
                continue;
            uint32_t at = pair_hash(a, b) >> c.shift;
            while (table[at].a != NOTHING)
                at = (at + 1) % 16;
            table[at] = (struct pair_cost){.a = a, .b = b, .cost = list[a][i].cost};
        }
    buddies_find(&c, buddy);
}

static void check_board(
    const char *what, int columns, int rows, const int32_t *tiles, const double *wanted)
{
    int32_t board[4] = {0};
    float confidence[4];
    int right = 1;
    for (int i = 0; i < columns * rows; i++)
        board[i] = tiles[i] == NOTHING ? NOTHING : 4 * tiles[i];
    confidence_of_board(&c, buddy, board, columns, rows, confidence);
    for (int i = 0; i < columns * rows; i++)
        right &= fabs(confidence[i] - wanted[i]) < 1e-6;
    tap_check(right, "%s: %.4f %.4f", what, confidence[0], confidence[1]);
}
#define TILES(...) ((const int32_t[]){__VA_ARGS__})
#define VALUES(...) ((const double[]){__VA_ARGS__})

/* By the formula: 0 and 1 are best buddies with margins of 800 and 1100; 1 and 2 have margins 0,
 * for 0 ties with 2, and 400. */
static void check_boards(void)
{
    const double buddies = (2 + 1900 / 1500.) / 8 + 0.5, tied = (2 + 400 / 1500.) / 8;
    const double beaten = (2 - 1100 / 1500.) / 8, worse = (2 - 900 / 1500.) / 8;
    const double alone = (2 + 2800 / 1500.) / 8 + 0.5;
    check_board("a row", 3, 1, TILES(0, 1, 2), VALUES(buddies, (buddies + tied) / 2, tied));
    check_board("beaten by others", 2, 1, TILES(2, 0), VALUES(beaten, beaten));
    check_board("beaten by far", 2, 1, TILES(2, 1), VALUES(worse, worse));
    check_board("in no list", 1, 2, TILES(0, 1), VALUES(0.25, 0.25));
    check_board("gaps", 4, 1, TILES(1, 2, NOTHING, 0), VALUES(tied, tied, 0, 0));
    check_board("rows do not run on", 2, 2, TILES(2, 0, 1, NOTHING),
        VALUES((beaten + 0.25) / 2, beaten, 0.25, 0));
    struct partner best[12];
    for (int edge = 0; edge < 12; edge++)
        best[edge] = list[edge][0];
    c.list = best;
    c.width = 1;
    check_board("no other candidates", 2, 1, TILES(0, 1), VALUES(alone, alone));
}

static void check_order(void)
{
    static const struct placed placed[] = {{3, 0}, {0, 0}, {NO_TILE, 0}, {1, 0}, {2, 0}};
    static const float confidence[] = {0.5f, 0.25f, 1, 0.75f, 0.5f};
    uint32_t order[5], count = 0;
    struct error error;
    tap_check(confidence_order(placed, confidence, 5, order, &count, &error) == 0 && count == 4 &&
                  memcmp(order, (uint32_t[]){3, 0, 4, 1}, sizeof(uint32_t[4])) == 0,
        "the surest place first");
}

static int has_color(const struct image *image, int x, int y, struct color color)
{
    const uint8_t *pixel = (const uint8_t *)image->pixels + 4 * (y * image->width + x);
    return pixel[0] == color.red && pixel[1] == color.green && pixel[2] == color.blue &&
           pixel[3] == 255;
}

static void check_image(void)
{
    static const struct placed placed[] = {{3, 0}, {0, 0}, {NO_TILE, 0}, {1, 0}, {2, 0}, {4, 0}};
    static const float confidence[] = {0.5f, 0.25f, 1, 0.75f, 0.5f, 0};
    static const struct color EMPTY = {24, 24, 24};
    struct image image = {0};
    struct error error;
    int right =
        confidence_draw((struct grid){3, 2}, placed, confidence, 800, 600, &image, &error) == 0 &&
        image.width == 1200 && image.height == 600;
    for (int y = 0; right && y < 600; y++)
        for (int x = 0; right && x < 1200; x++) {
            const int place = y / 300 * 3 + x / 400;
            right =
                has_color(&image, x, y, place == 2 ? EMPTY : draw_heat((double)confidence[place]));
        }
    tap_check(right, "an image of 3 x 2 places");
    image_free(&image);
}

static void check_sizes(void)
{
    static const struct {
        struct grid grid;
        uint32_t tile_width, tile_height;
        int width, height;
    } CASES[] = {
        {{3, 2}, 28, 28, 84, 56},
        {{2, 1}, 1, 1, 6, 3},
        {{20, 60}, 28, 56, 200, 1200},
        {{400, 250}, 28, 28, 1200, 750},
        {{50, 10}, 100, 10, 1200, 30},
    };
    static struct placed placed[100000];
    static float confidence[100000];
    struct error error;
    for (int i = 0; i < 5; i++) {
        struct image image = {0};
        tap_check(confidence_draw(CASES[i].grid, placed, confidence, CASES[i].tile_width,
                      CASES[i].tile_height, &image, &error) == 0 &&
                      image.width == CASES[i].width && image.height == CASES[i].height,
            "%u x %u tiles in %d x %d pixels", CASES[i].grid.columns, CASES[i].grid.rows,
            CASES[i].width, CASES[i].height);
        image_free(&image);
    }
}

int main(void)
{
    make_table();
    check_boards();
    check_order();
    check_image();
    check_sizes();
    return tap_finish();
}
