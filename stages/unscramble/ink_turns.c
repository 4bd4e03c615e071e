#include "stages/unscramble/ink_turns.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stages/unscramble/oriented.h"
#include "stages/unscramble/page.h"

/* A pattern has a bit for each cell, row by row, the top left one the highest. A cell has ink where
 * more than one in INK_SHARE of its pixels are ink. */
enum { SIDE_CELLS = 3, PATTERNS = 512, SCALES = 4, BINS = SCALES * PATTERNS, INK_SHARE = 3 };

/* Rules do not count: ink that goes straight on along a row or column for so many times the mean
 * length of such runs, at the border of its tile for so many. Of writing, one run in a hundred is
 * five to six times as long as the mean. */
enum { RULE_RUN = 12, RULE_RUN_AT_BORDER = 2 };

/* What is known of a pixel; ink that counts is INK alone. */
enum { INK = 1, RULE_ACROSS = 2, RULE_DOWN = 4 };

enum { MOST_PASSES = 8 }; /* over all tiles, if some are turned to and fro */

/* The tiles at work. Bins have the patterns of one scale after the other. */
struct ink_turns {
    int tiles, step;               /* step: quarters from one way to lie to the next */
    uint32_t (*count)[BINS];       /* [tile] of each pattern, but those without ink, as it is */
    uint64_t ink[PAGE_MAX_TILES];  /* [tile] the sum of these */
    int32_t order[PAGE_MAX_TILES]; /* of the tiles, by ink */
    uint16_t turned[4][PATTERNS];  /* [quarters clockwise] */
    int64_t sum[BINS];             /* of the tiles that count, each turned by its quarters */
    uint8_t quarters[PAGE_MAX_TILES];
    double lead[PAGE_MAX_TILES];
};

static uint16_t pattern_turned(int pattern, int quarters)
{
    int turned = 0;
    for (int i = 0; i < SIDE_CELLS * SIDE_CELLS; i++) {
        int x, y;
        source_of(quarters, SIDE_CELLS, SIDE_CELLS, i % SIDE_CELLS, i / SIDE_CELLS, &x, &y);
        turned = turned << 1 | (pattern >> (SIDE_CELLS * SIDE_CELLS - 1 - y * SIDE_CELLS - x) & 1);
    }
    return (uint16_t)turned;
}

/* Marks the pixels of a line that belong to a rule: `count` pixels, `step` from one to the next.
 * `mean` is the mean length of runs. */
static void mark_rules(uint8_t *pixel, size_t count, size_t step, double mean, uint8_t mark)
{
    size_t run = 0;
    for (size_t i = 0; i <= count; i++) {
        if (i < count && pixel[i * step] & INK) {
            run++;
            continue;
        }
        const int is_at_border = i == run || i == count;
        if ((double)run >= mean * (is_at_border ? RULE_RUN_AT_BORDER : RULE_RUN))
            for (size_t k = i - run; k < i; k++)
                pixel[k * step] |= mark;
        run = 0;
    }
}

/* Finds the ink of a tile, [row][column] of its inner pixels. */
static void find_ink(
    const struct tiling *t, const uint8_t *is_ink, double mean, int tile, uint8_t *pixel)
{
    const size_t width = (size_t)inner_width(t), height = (size_t)inner_height(t);
    for (size_t y = 0; y < height; y++) {
        const size_t row = ((size_t)inner_top(t, tile) + y) * (size_t)t->image->width;
        const size_t first = row + (size_t)inner_left(t, tile);
        image_pass_row(t->image);
        for (size_t x = 0; x < width; x++)
            pixel[y * width + x] = is_ink[page_gray(t->image, first + x)];
        mark_rules(pixel + y * width, width, 1, mean, RULE_ACROSS);
    }
    for (size_t x = 0; x < width; x++)
        mark_rules(pixel + x, height, width, mean, RULE_DOWN);
}

/* Counts the patterns of width x height pixels in cells of `scale` pixels. `work` has room for four
 * rows of the pixels. */
static void count_patterns(
    const uint8_t *pixel, int width, int height, int scale, uint16_t *work, uint32_t *count)
{
    const int across = width / scale, down = height / scale;
    uint16_t *sum = work;
    for (int y = 0; y < down; y++) {
        uint16_t *cell[SIDE_CELLS]; /* the last rows of cells, this one last */
        for (int i = 0; i < SIDE_CELLS; i++)
            cell[i] = work + ((y + 1 + i) % SIDE_CELLS + 1) * across;
        memset(sum, 0, (size_t)across * sizeof(*sum));
        for (int k = 0; k < scale; k++) {
            const uint8_t *row = pixel + (size_t)(y * scale + k) * (size_t)width;
            for (int x = 0; x < across * scale; x++)
                sum[x / scale] += row[x] == INK;
        }
        for (int x = 0; x < across; x++)
            cell[SIDE_CELLS - 1][x] = INK_SHARE * sum[x] > scale * scale;
        for (int x = SIDE_CELLS - 1; x < across && y >= SIDE_CELLS - 1; x++) {
            int pattern = 0;
            for (int i = 0; i < SIDE_CELLS * SIDE_CELLS; i++)
                pattern = pattern << 1 | cell[i / SIDE_CELLS][x - SIDE_CELLS + 1 + i % SIDE_CELLS];
            count[pattern]++;
        }
    }
    count[0] = 0;
}

/* Counts the patterns of all tiles. Returns -1 when memory is short. */
static int count_all(const struct tiling *tiling, struct ink_turns *t)
{
    const int width = inner_width(tiling), height = inner_height(tiling);
    uint8_t is_ink[256];
    int failed = 0;
    const double mean = page_find_ink(tiling->image, is_ink);
#pragma omp parallel for schedule(dynamic) reduction(| : failed)
    for (int tile = 0; tile < t->tiles; tile++) {
        uint8_t *pixel = malloc((size_t)width * (size_t)height);
        uint16_t *work = malloc((SIDE_CELLS + 1) * (size_t)width * sizeof(*work));
        failed |= !pixel || !work;
        if (pixel && work)
            find_ink(tiling, is_ink, mean, tile, pixel);
        for (int i = 0; pixel && work && i < SCALES; i++)
            count_patterns(pixel, width, height, 1 << i, work, t->count[tile] + i * PATTERNS);
        for (int bin = 0; bin < BINS; bin++)
            t->ink[tile] += t->count[tile][bin];
        free(pixel);
        free(work);
    }
    return -failed;
}

/* Lists the tiles, those with most ink first, of equal ones the first. */
static void order_tiles(struct ink_turns *t)
{
    for (int tile = 0; tile < t->tiles; tile++) {
        int at = tile;
        for (; at > 0 && t->ink[t->order[at - 1]] < t->ink[tile]; at--)
            t->order[at] = t->order[at - 1];
        t->order[at] = tile;
    }
}

/* The bin of a pattern when its tile is turned by some quarters. */
static int bin_turned(const struct ink_turns *t, int bin, int quarters)
{
    return bin / PATTERNS * PATTERNS + t->turned[quarters][bin % PATTERNS];
}

/* Adds a tile to the sums, or takes it out of them. */
static void add_tile(struct ink_turns *t, int tile, int sign)
{
    for (int bin = 0; bin < BINS; bin++)
        if (t->count[tile][bin])
            t->sum[bin_turned(t, bin, t->quarters[tile])] += sign * (int64_t)t->count[tile][bin];
}

/* The likelihood of the patterns of a tile that is turned so, by those in the sums. */
static double tile_likelihood(const struct ink_turns *t, int tile, int quarters)
{
    double sum = 0;
    for (int bin = 0; bin < BINS; bin++)
        if (t->count[tile][bin])
            sum += (double)t->count[tile][bin] *
                   page_logarithm((double)t->sum[bin_turned(t, bin, quarters)] + 1);
    return sum;
}

/* The likelihood of all patterns in the sums, each by all of them. */
static double likelihood(const struct ink_turns *t)
{
    double sum = 0;
    for (int bin = 0; bin < BINS; bin++)
        sum += (double)t->sum[bin] * page_logarithm((double)t->sum[bin] + 1);
    return sum;
}

/* Turns a tile, which the sums do not hold, to where it looks most like them. Returns whether that
 * is another way than it lay. */
static int turn_tile(struct ink_turns *t, int tile)
{
    const int before = t->quarters[tile];
    double best = tile_likelihood(t, tile, before), next = -INFINITY;
    for (int quarters = 0; quarters < 4; quarters += t->step) {
        const double sum = quarters == before ? -INFINITY : tile_likelihood(t, tile, quarters);
        if (sum > best) {
            next = best;
            best = sum;
            t->quarters[tile] = (uint8_t)quarters;
        } else if (sum > next) {
            next = sum;
        }
    }
    t->lead[tile] = t->ink[tile] ? best - next : INFINITY;
    return t->quarters[tile] != before;
}

/* Turns the tiles, whose sums are there, until all lie as they look most like the others. Returns
 * the likelihood of their patterns. */
static double settle(struct ink_turns *t)
{
    int changes = 1;
    for (int pass = 0; pass < MOST_PASSES && changes; pass++) {
        changes = 0;
        for (int i = 0; i < t->tiles; i++) {
            add_tile(t, t->order[i], -1);
            changes += turn_tile(t, t->order[i]);
            add_tile(t, t->order[i], 1);
        }
    }
    return likelihood(t);
}

/* By how many quarters more all tiles are to be turned, so that most of those with ink stay as they
 * are. */
static int find_turn_of_all(const struct ink_turns *t)
{
    int count[4] = {0}, most = 0;
    for (int tile = 0; tile < t->tiles; tile++)
        count[t->quarters[tile]] += t->ink[tile] > 0;
    for (int quarters = 1; quarters < 4; quarters++)
        most = count[quarters] > count[most] ? quarters : most;
    return -most & 3;
}

static void find_turns(struct ink_turns *t, uint8_t *quarters, double *lead, double *gain)
{
    struct ink_turns one_by_one = *t;
    for (int tile = 0; tile < t->tiles; tile++)
        add_tile(t, tile, 1);
    for (int i = 0; i < t->tiles; i++) {
        turn_tile(&one_by_one, t->order[i]);
        add_tile(&one_by_one, t->order[i], 1);
    }
    const double before = likelihood(t), from_all = settle(t), from_one = settle(&one_by_one);
    const struct ink_turns *best = from_one > from_all ? &one_by_one : t;
    const int more = find_turn_of_all(best);
    *gain = fmax(from_all, from_one) - before;
    for (int tile = 0; tile < t->tiles; tile++) {
        quarters[tile] = (uint8_t)(t->ink[tile] ? (best->quarters[tile] + more) & 3 : 0);
        lead[tile] = tile == t->order[0] ? INFINITY : best->lead[tile];
    }
}

int ink_turns_find(
    const struct tiling *tiling, int ways, uint8_t *quarters, double *lead, double *gain)
{
    struct ink_turns t = {.tiles = tiling->columns * tiling->rows, .step = 4 / ways};
    t.count = calloc((size_t)t.tiles, sizeof(*t.count));
    for (int q = 0; q < 4; q++)
        for (int pattern = 0; pattern < PATTERNS; pattern++)
            t.turned[q][pattern] = pattern_turned(pattern, q);
    const int rc = t.count ? count_all(tiling, &t) : -1;
    if (rc == 0) {
        order_tiles(&t);
        find_turns(&t, quarters, lead, gain);
    }
    free(t.count);
    return rc;
}
