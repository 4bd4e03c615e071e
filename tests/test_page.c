/* Pages: what is one, what their seams cost, and the order of their tiles. */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "cli/tap.h"
#include "random.h"
#include "stages/unscramble/exchange.h"
#include "tests/test_random.h"

enum { WIDTH = 900, HEIGHT = 600, COLUMNS = 6, ROWS = 4, TILES = COLUMNS * ROWS };

static void put(struct image *image, int x, int y, int value)
{
    uint8_t *pixel = (uint8_t *)image->pixels + 4 * (y * image->width + x);
    for (int c = 0; c < 3; c++)
        pixel[c] = (uint8_t)value;
    pixel[3] = 255;
}

/* A sheet of slanted strokes in lines, with a margin; `paper` adds noise to it. */
static void draw_page(uint64_t random, int noise, struct image *image, struct error *error)
{
    image_new(WIDTH, HEIGHT, 3, 8, image, error);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            put(image, x, y, 250 - (noise ? (int)(random_bits(&random) % (uint64_t)noise) : 0));
    for (int line = 40; line + 10 < HEIGHT - 40; line += 17)
        for (int x = 30; x < WIDTH - 60; x += 4 + (int)(random_bits(&random) % 6)) {
            const int slant = (int)(random_bits(&random) % 3),
                      long_by = (int)(random_bits(&random) % 8);
            for (int i = 0; i < 4 + long_by; i++)
                for (int k = 0; k < 2; k++)
                    put(image, x + k + i * slant, line + 10 - i, 20);
        }
}

/* Whether the true pair of a and its neighbor and any other true pair cost more with their second
 * tiles exchanged. What an edge says by itself, whatever it meets, does not count then. */
static int is_cheapest(const struct page *page, int below, int a)
{
    const int32_t *cost = page->cost[below];
    const int step = below ? COLUMNS : 1, tiles = page->tiles;
    for (int c = 0; c + step < tiles; c++) {
        const int b = a + step, d = c + step;
        if (c == a || (!below && d % COLUMNS == 0) || c == b || d == a)
            continue;
        if (cost[a * tiles + b] + cost[c * tiles + d] >= cost[a * tiles + d] + cost[c * tiles + b])
            return 0;
    }
    return 1;
}

static void test_page(int noise)
{
    struct image image;
    const struct tiling tiling = {&image, COLUMNS, ROWS, WIDTH / COLUMNS, HEIGHT / ROWS, 0};
    struct error error;
    struct page page;
    draw_page(5, noise, &image, &error);
    tap_check(page_is(&image), "a page is a page, noise %d", noise);
    tap_check(page_compare(&tiling, &page, &error) == 0, "its tiles are compared");
    int cheapest = 0;
    for (int tile = 0; tile < TILES; tile++) {
        if ((tile + 1) % COLUMNS)
            cheapest += is_cheapest(&page, 0, tile);
        if (tile + COLUMNS < TILES)
            cheapest += is_cheapest(&page, 1, tile);
    }
    tap_check(cheapest >= 36, "%d of 38 true pairs are cheaper than exchanged", cheapest);
    page_free(&page);
    image_free(&image);
}

/* Two white tiles cost what the page says of white, in either direction. */
static void test_white(void)
{
    struct image image;
    const struct tiling tiling = {&image, COLUMNS, ROWS, WIDTH / COLUMNS, HEIGHT / ROWS, 0};
    struct error error;
    struct page page;
    draw_page(6, 0, &image, &error);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < 300; x++)
            put(&image, x, y, 250);
    page_compare(&tiling, &page, &error);
    tap_check(page.is_blank[0] && page.is_blank[1] && !page.is_blank[3], "white tiles are blank");
    tap_check(page.cost[0][1] == page.white && page.cost[1][COLUMNS] == page.white,
        "white beside and below white costs what the page says");
    page_free(&page);
    image_free(&image);
}

static void test_photograph(void)
{
    struct image image;
    struct error error;
    image_new(WIDTH, HEIGHT, 3, 8, &image, &error);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            put(&image, x, y, (x + y) / 2);
    tap_check(!page_is(&image), "a ramp is no page");
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            put(&image, x, y, 255);
    tap_check(!page_is(&image), "an empty sheet is no page");
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            put(&image, x, y, x % 100 < 30 && y % 100 < 30 ? 20 : 250);
    tap_check(!page_is(&image), "black squares on white are no page");
    image_free(&image);
}

/* A detail of a page, cut into two above each other, whatever of its lines lies at its border. */
static void test_detail(void)
{
    enum { LEFT = 100, TOP = 45, PITCH = 17, DETAIL_WIDTH = 600, DETAIL_HEIGHT = 400 };
    struct image image, detail;
    const struct tiling tiling = {&detail, 1, 2, DETAIL_WIDTH, DETAIL_HEIGHT / 2, 0};
    struct error error;
    struct page page;
    int cheaper = 0, are_pages = 1;
    draw_page(7, 0, &image, &error);
    image_new(DETAIL_WIDTH, DETAIL_HEIGHT, 3, 8, &detail, &error);
    for (int offset = 0; offset < PITCH; offset++) {
        for (int y = 0; y < DETAIL_HEIGHT; y++)
            for (int x = 0; x < DETAIL_WIDTH; x++)
                put(&detail, x, y,
                    image_sample_8(
                        &image, 4 * (size_t)((TOP + offset + y) * image.width + LEFT + x)));
        are_pages &= page_is(&detail);
        page_compare(&tiling, &page, &error);
        cheaper += page.cost[1][1] < page.cost[1][2];
        page_free(&page);
    }
    tap_check(are_pages, "details of a page are pages");
    tap_check(cheaper >= PITCH - 2, "%d of %d: the true order is cheaper", cheaper, PITCH);
    image_free(&detail);
    image_free(&image);
}

static int64_t cost_of_board(const struct page *page, int columns, int rows, const int32_t *order)
{
    int64_t sum = 0;
    for (int i = 0; i < columns * rows; i++) {
        if ((i + 1) % columns)
            sum += page->cost[0][order[i] * page->tiles + order[i + 1]];
        if (i + columns < columns * rows)
            sum += page->cost[1][order[i] * page->tiles + order[i + columns]];
    }
    return sum;
}

/* The least cost of all permutations that begin with `placed` tiles. */
static int64_t least_cost(
    const struct page *page, int columns, int rows, int32_t *order, int placed)
{
    int64_t least = INT64_MAX;
    if (placed == page->tiles)
        return cost_of_board(page, columns, rows, order);
    for (int32_t tile = 0; tile < page->tiles; tile++) {
        int used = 0;
        for (int i = 0; i < placed; i++)
            used |= order[i] == tile;
        order[placed] = tile;
        const int64_t cost = used ? INT64_MAX : least_cost(page, columns, rows, order, placed + 1);
        least = cost < least ? cost : least;
    }
    return least;
}

/* On random costs the exchange of blocks finds the least cost that any permutation has. */
static void test_exchange(int columns, int rows)
{
    enum { MAX = 8 };
    int32_t costs[2][MAX * MAX], order[MAX], work[MAX];
    uint8_t blank[MAX] = {0};
    struct page page = {columns * rows, {costs[0], costs[1]}, blank, 0};
    int best = 0;
    for (int round = 0; round < 10; round++) {
        int tiles = 0;
        for (int i = 0; i < MAX * MAX; i++)
            for (int below = 0; below < 2; below++)
                costs[below][i] = (int32_t)(next_random() % 1000);
        for (int i = 0; i < page.tiles; i++)
            order[i] = i;
        if (exchange_tiles(&page, columns, rows, 1, order) != 0)
            break;
        for (int i = 0; i < page.tiles; i++)
            tiles |= 1 << order[i];
        best += tiles == (1 << page.tiles) - 1 && cost_of_board(&page, columns, rows, order) ==
                                                      least_cost(&page, columns, rows, work, 0);
    }
    tap_check(
        best == 10, "%d x %d tiles: %d of 10 boards have the least cost", columns, rows, best);
}

/* A board that is cheap in one order only is found from any other. */
static void test_planted(int columns, int rows)
{
    enum { MAX = 20 };
    int32_t costs[2][MAX * MAX], order[MAX];
    uint8_t blank[MAX] = {0};
    const struct page page = {columns * rows, {costs[0], costs[1]}, blank, 0};
    for (int i = 0; i < MAX * MAX; i++) {
        costs[0][i] = i % MAX == i / MAX + 1 ? 0 : 100 + (int32_t)(next_random() % 50);
        costs[1][i] = i % MAX == i / MAX + columns ? 0 : 100 + (int32_t)(next_random() % 50);
    }
    for (int i = 0; i < MAX; i++)
        order[i] = (7 * i + 3) % MAX;
    int right = exchange_tiles(&page, columns, rows, 1, order) == 0;
    for (int i = 0; i < MAX; i++)
        right &= order[i] == i;
    tap_check(right, "%d x %d tiles are put in order", columns, rows);
}

struct area {
    int x, y, width, height;
};

static int has(const struct area *a, int x, int y)
{
    return x >= a->x && x < a->x + a->width && y >= a->y && y < a->y + a->height;
}

/* The board after two areas have changed places, line by line: each line that holds both is
 * written anew, or else the one is written over the other. */
static void exchange_areas(
    const int32_t *order, int columns, const struct area *a, const struct area *b, int32_t *after)
{
    const int in_rows = a->y == b->y && a->height == b->height && b->x == a->x + a->width;
    const int in_columns = a->x == b->x && a->width == b->width && b->y == a->y + a->height;
    for (int y = 0; y < b->height; y++)
        for (int x = 0; x < b->width; x++)
            after[(a->y + y) * columns + a->x + x] = order[(b->y + y) * columns + b->x + x];
    for (int y = 0; y < a->height; y++)
        for (int x = 0; x < a->width; x++) {
            const int left = in_rows ? a->x + b->width : b->x;
            const int top = in_columns ? a->y + b->height : b->y;
            after[(top + y) * columns + left + x] = order[(a->y + y) * columns + a->x + x];
        }
}

/* Whether two areas may change places, the first of which begins at the number of a cell that is
 * not greater. */
static int may_change_places(const struct area *a, const struct area *b, int tiles)
{
    for (int y = a->y; y < a->y + a->height; y++)
        for (int x = a->x; x < a->x + a->width; x++)
            if (has(b, x, y))
                return 0;
    const int most = tiles > EXCHANGE_MAX_TILES ? 16 : tiles;
    if (a->width == b->width && a->height == b->height && a->width * a->height <= 16)
        return 1;
    if (a->width * a->height > most || b->width * b->height > most)
        return 0;
    return (a->y == b->y && a->height == b->height && b->x == a->x + a->width) ||
           (a->x == b->x && a->width == b->width && b->y == a->y + a->height);
}

/* The area of that number of all there are on a board, ordered by their first cells. */
static struct area area_of(int number, int columns, int rows)
{
    const int cell = number / (columns * rows), size = number % (columns * rows);
    return (struct area){cell % columns, cell / columns, size % columns + 1, size / columns + 1};
}

static int fits_in(const struct area *a, int columns, int rows)
{
    return a->x + a->width <= columns && a->y + a->height <= rows;
}

/* The weights of exchanges are those of boards that are made and whose costs are summed. */
static void test_weigh(int columns, int rows)
{
    enum { MAX = 102, UNIT = EXCHANGE_UNIT };
    int32_t costs[2][MAX * MAX], order[MAX], after[MAX], alike[4 * MAX];
    int64_t weight[MAX], wanted[MAX] = {0}, all = 0;
    const int tiles = columns * rows, areas = tiles * tiles;
    const struct page page = {tiles, {costs[0], costs[1]}, NULL, 0};
    for (int i = 0; i < tiles * tiles; i++)
        for (int below = 0; below < 2; below++)
            costs[below][i] = (int32_t)(next_random() % (4 * UNIT));
    for (int i = 0; i < tiles; i++)
        order[i] = (5 * i + 2) % tiles;
    for (int i = 0; i < 4 * tiles; i++) /* tiles that are 6 apart look alike */
        alike[i] = i % 24;
    const int64_t before = cost_of_board(&page, columns, rows, order);
    for (int i = 0; i < areas; i++)
        for (int j = i + 1; j < areas; j++) {
            const struct area a = area_of(i, columns, rows), b = area_of(j, columns, rows);
            if (!fits_in(&a, columns, rows) || !fits_in(&b, columns, rows) ||
                !may_change_places(&a, &b, tiles))
                continue;
            memcpy(after, order, sizeof(after));
            exchange_areas(order, columns, &a, &b, after);
            const double change = (double)(cost_of_board(&page, columns, rows, after) - before);
            const int64_t one =
                change > 0 ? (int64_t)(EXCHANGE_EQUAL * exp(-change / UNIT)) : EXCHANGE_EQUAL;
            int changes = 0;
            for (int cell = 0; cell < tiles; cell++)
                if (order[cell] % 6 != after[cell] % 6) {
                    wanted[cell] += one;
                    changes = 1;
                }
            all += changes ? one : 0;
        }
    const int64_t sum = exchange_weigh(&page, columns, rows, order, alike, weight);
    tap_check(sum == all && all > 0, "%d x %d tiles: other orders weigh %.3f, wanted %.3f", columns,
        rows, (double)sum / EXCHANGE_EQUAL, (double)all / EXCHANGE_EQUAL);
    tap_check(memcmp(weight, wanted, (size_t)tiles * sizeof(*weight)) == 0,
        "each place those that change it");
}

int main(void)
{
    test_page(0);
    test_page(30);
    test_white();
    test_photograph();
    test_detail();
    test_exchange(7, 1);
    test_exchange(1, 6);
    test_planted(5, 4);
    test_planted(20, 1);
    test_weigh(13, 1);
    test_weigh(1, 13);
    test_weigh(7, 3);
    test_weigh(6, 7);
    test_weigh(51, 2);
    return tap_finish();
}
