/* How well ink tells which way round the tiles of pages lie: turns_bench GRID IMAGE...
 *
 * Cuts each page into a grid and looks for turned tiles twice: in the page as it is, and after
 * about every other tile was turned by half. Prints the gains (ink_turns.h), and at the end how
 * many tiles with ink lay the wrong way round then, by their lead. Images that are no pages are
 * left out. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "images/image.h"
#include "random.h"
#include "stages/unscramble/ink_turns.h"
#include "stages/unscramble/page.h"

static const double LEADS[] = {10, 20, 50, 100, INFINITY};
enum { LEAD_COUNT = sizeof(LEADS) / sizeof(LEADS[0]), MAX_PIXELS = 1 << 30 };

static int tiles_of[LEAD_COUNT], wrong_of[LEAD_COUNT]; /* of those with less than that lead */

/* Turns a tile by half. */
static void turn(const struct tiling *t, int tile)
{
    uint32_t *pixel = t->image->pixels;
    const int left = inner_left(t, tile), top = inner_top(t, tile), count = t->width * t->height;
    for (int i = 0; i < count / 2; i++) {
        const int k = count - 1 - i;
        uint32_t *a = &pixel[(top + i / t->width) * t->image->width + left + i % t->width];
        uint32_t *b = &pixel[(top + k / t->width) * t->image->width + left + k % t->width];
        const uint32_t old = *a;
        *a = *b;
        *b = old;
    }
}

/* Counts the tiles of a page by their lead, and those that lie another way round than most. */
static void count_tiles(int count, const uint8_t *is_turned, const uint8_t *quarters, double *lead)
{
    int upside_down = 0, all = 0;
    for (int i = 0; i < count; i++)
        if (isfinite(lead[i])) {
            all++;
            upside_down += is_turned[i] != quarters[i] / 2;
        }
    for (int i = 0; i < count; i++) {
        int at = 0;
        while (lead[i] >= LEADS[at] && at < LEAD_COUNT - 1)
            at++;
        if (isfinite(lead[i])) {
            tiles_of[at]++;
            wrong_of[at] += (is_turned[i] != quarters[i] / 2) != (2 * upside_down > all);
        }
    }
}

static int look(const char *path, int columns, int rows, uint64_t random)
{
    static uint8_t is_turned[PAGE_MAX_TILES], quarters[PAGE_MAX_TILES];
    static double lead[PAGE_MAX_TILES];
    struct image image;
    struct error error;
    double before, after;
    if (image_read(path, MAX_PIXELS, NULL, &image, &error)) {
        fprintf(stderr, "turns_bench: %s\n", error.text);
        return 1;
    }
    const struct tiling t = {&image, columns, rows, image.width / columns, image.height / rows, 0};
    const int count = columns * rows;
    int rc = 0;
    if (image.depth == 8 && page_is(&image)) {
        rc = ink_turns_find(&t, 2, quarters, lead, &before);
        for (int i = 0; i < count; i++)
            if ((is_turned[i] = (uint8_t)random_index(&random, 2)))
                turn(&t, i);
        rc |= ink_turns_find(&t, 2, quarters, lead, &after);
        printf("%s %dx%d: %.0f as it is, %.0f turned\n", path, columns, rows, before, after);
        count_tiles(count, is_turned, quarters, lead);
    }
    image_free(&image);
    return rc != 0;
}

int main(int count, char **word)
{
    int columns, rows, rc = 0;
    if (count < 3 || sscanf(word[1], "%dx%d", &columns, &rows) != 2 || columns < 1 || rows < 1 ||
        columns * rows > PAGE_MAX_TILES) {
        fputs("usage: turns_bench GRID IMAGE...\n", stderr);
        return 2;
    }
    for (int i = 2; i < count; i++)
        rc |= look(word[i], columns, rows, (uint64_t)i);
    for (int i = 0; i < LEAD_COUNT; i++)
        printf("lead below %g: %d of %d wrong\n", LEADS[i], wrong_of[i], tiles_of[i]);
    return rc;
}
