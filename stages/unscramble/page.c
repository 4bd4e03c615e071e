#include "stages/unscramble/page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A line of pixels that meets a seam has two states at either side of it.
 *
 * WRITING: 1 to 15 are bits for ink in the outermost pixel of the line, of the line before and of
 * the line after, and in its second pixel. Without any, the state is NEAR_STATES + the step of the
 * distance to the ink of the line; BLANK, where its window has none.
 *
 * PAPER: where there is no ink in these pixels, how light the outermost one is among all paper, in
 * eighths: grain of paper and what JPEG leaves go on over a seam where nothing is written. */
enum { WRITING, PAPER, STATE_KINDS };
enum {
    NEAR_STATES = 16,
    DISTANCES = 43,
    BLANK = NEAR_STATES + DISTANCES,
    NONE, /* it says nothing */
    STATES,
    TONES = 8,         /* of paper */
    INK = TONES,       /* the tone of ink */
    SAMPLES_LEAST = 8, /* places in a tile that are taken for seams, if there is room: */
    SAMPLES_MAX = 64,  /* so many that all tiles together have SAMPLES_ALL */
    SAMPLES_ALL = 512,
    WINDOW_MAX = 128,
    FINER = 16,          /* so many times as large in evidence */
    FAR_SHARE = 16,      /* lines without ink beside the seam, all ended by the same line of
                           * print, count as one of so many */
    BORDER_NEAR = 23757, /* evidence against a state at the border of the image: 5.8 */
    BORDER_FAR = 2458,   /* 0.6 */
    MAX_SUM = 1 << 26,   /* of the sum for a pair */
    BORDER_INK = 200,    /* one of so many pixels at the border of a whole page is ink, at most */
};
#define LONGEST_RUN 0.005 /* of ink in a page: a share of the side of a square of its area */

/* The tiles as one direction of seams sees them: lines run across the seams. */
struct seam_view {
    int tiles, lines, across, window, samples;
    int is_detail;           /* of a page, so that ink is as likely at the border as elsewhere */
    struct scratch *scratch; /* of the tones */
    uint8_t *tone;           /* [tile][line][across] INK, or how light the paper is */
    uint8_t *sample[STATE_KINDS]; /* [tile][sample][side][line] states inside of tiles */
    uint8_t *edge[STATE_KINDS];   /* [side][tile][line] states at the edges */
};

/* How the gray values of an image fall into two classes: by Otsu's threshold, of all the one with
 * the greatest variance between the classes. */
struct tones {
    int threshold; /* the greatest value of the dark class */
    int is_dark;   /* the ink, which is the smaller class */
    double ink;    /* its share of all pixels */
    double between, variance;
    double contrast, paper; /* difference of the means; variance of the larger class */
    uint8_t tone[256];      /* of a gray value: INK, or the eighth of the paper it belongs to */
};

/* Shares the gray values of the paper out among the tones. */
static void tones_share(const double *count, struct tones *tones)
{
    double paper = 0, darker = 0;
    for (int v = 0; v < 256; v++)
        paper += (v <= tones->threshold) == tones->is_dark ? 0 : count[v];
    for (int v = 0; v < 256; v++) {
        const int is_ink = (v <= tones->threshold) == tones->is_dark;
        tones->tone[v] = INK;
        if (is_ink)
            continue;
        tones->tone[v] = (uint8_t)(TONES * (darker + count[v] / 2) / (paper + 1));
        darker += count[v];
    }
}

/* How many pixels have each gray value. */
static void count_grays(const struct image *image, double count[256])
{
    uint64_t counts[256] = {0};
#pragma omp parallel for reduction(+ : counts)
    for (int y = 0; y < image->height; y++) {
        image_pass_row(image);
        for (int x = 0; x < image->width; x++)
            counts[page_gray(image, (size_t)y * (size_t)image->width + (size_t)x)]++;
    }
    for (int v = 0; v < 256; v++)
        count[v] = (double)counts[v];
}

static struct tones tones_find(const struct image *image)
{
    double count[256], all = 0, squares = 0;
    struct tones tones = {0};
    count_grays(image, count);
    for (int v = 0; v < 256; v++) {
        all += count[v] * v;
        squares += count[v] * v * v;
    }
    const double n = (double)image->width * image->height, mean = all / n;
    tones.variance = squares / n - mean * mean;
    double below = 0, sum = 0, square = 0;
    for (int v = 0; v < 255; v++) {
        below += count[v];
        sum += count[v] * v;
        square += count[v] * v * v;
        if (below == 0 || below == n)
            continue;
        const double low = sum / below, high = (all - sum) / (n - below);
        const double between = below / n * (1 - below / n) * (high - low) * (high - low);
        if (between <= tones.between)
            continue;
        tones = (struct tones){.threshold = v,
            .is_dark = 2 * below < n,
            .between = between,
            .variance = tones.variance,
            .contrast = high - low};
        tones.ink = tones.is_dark ? below / n : 1 - below / n;
        tones.paper = tones.is_dark ? (squares - square) / (n - below) - high * high
                                    : square / below - low * low;
    }
    tones_share(count, &tones);
    return tones;
}

/* The mean length in pixels of the runs of ink along rows and along columns, of an image that has
 * some. A run has two ends, each between a pixel of ink and one of paper. */
static double mean_run(const struct image *image, const struct tones *tones)
{
    const size_t width = (size_t)image->width, height = (size_t)image->height;
    uint64_t ink = 0, ends = 0;
#pragma omp parallel for reduction(+ : ink, ends)
    for (size_t y = 0; y < height; y++) {
        image_pass_row(image);
        for (size_t x = 0; x < width; x++) {
            const int is_ink = tones->tone[page_gray(image, y * width + x)] == INK;
            ink += (uint64_t)is_ink;
            ends += x && is_ink != (tones->tone[page_gray(image, y * width + x - 1)] == INK);
            ends += y && is_ink != (tones->tone[page_gray(image, (y - 1) * width + x)] == INK);
        }
    }
    return ends ? 4.0 * (double)ink / (double)ends : INFINITY;
}

double page_find_ink(const struct image *image, uint8_t is_ink[256])
{
    const struct tones tones = tones_find(image);
    for (int v = 0; v < 256; v++)
        is_ink[v] = tones.tone[v] == INK;
    return mean_run(image, &tones);
}

int page_is(const struct image *image)
{
    const struct tones tones = tones_find(image);
    if (tones.ink == 0 || tones.ink > 0.25 || tones.between < 0.78 * tones.variance ||
        tones.paper > 0.15 * 0.15 * tones.contrast * tones.contrast)
        return 0;
    const double run = mean_run(image, &tones) / LONGEST_RUN;
    return run * run <= (double)image->width * image->height;
}

/* How many of the outermost pixels of a side of a tile are ink. */
static int edge_ink(const struct tiling *tiling, const struct tones *tones, int tile, int side)
{
    const struct edge_pixels edge = inner_edge(tiling, tile, side);
    int ink = 0;
    for (int i = 0; i < edge.count; i++)
        ink += tones->tone[page_gray(tiling->image, edge.first + (size_t)i * edge.step)] == INK;
    return ink;
}

static int compare_numbers(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

/* Whether there is ink all round the image, whichever tiles lie at its border: then it is a detail
 * of a page, not a whole one. Those of which each side has least ink are as many as lie there. */
static int is_detail(const struct tiling *tiling, const struct tones *tones)
{
    const int tiles = tiling->columns * tiling->rows;
    int64_t ink = 0, pixels = 0;
    for (int side = 0; side < SIDES; side++) {
        const int is_vertical = side == SIDE_LEFT || side == SIDE_RIGHT;
        const int count = is_vertical ? tiling->rows : tiling->columns;
        int of_tile[PAGE_MAX_TILES];
        for (int tile = 0; tile < tiles; tile++)
            of_tile[tile] = edge_ink(tiling, tones, tile, side);
        qsort(of_tile, (size_t)tiles, sizeof(*of_tile), compare_numbers);
        for (int i = 0; i < count; i++)
            ink += of_tile[i];
        pixels += (int64_t)count * inner_edge(tiling, 0, side).count;
    }
    return BORDER_INK * ink > pixels;
}

/* By the series of (x - 1) / (x + 1). */
double page_logarithm(double x)
{
    double sum = 0, halves = 0;
    while (x > 1.5) {
        x /= 2;
        halves++;
    }
    while (x < 0.75) {
        x *= 2;
        halves--;
    }
    const double y = (x - 1) / (x + 1);
    double power = y;
    for (int i = 1; i < 40; i += 2, power *= y * y)
        sum += 2 * power / i;
    return sum + halves * 0.69314718055994530942;
}

/* The state of a line without ink beside the seam. Distances up to 20 pixels have a step each, the
 * steps of further ones grow. */
static int far_state(const uint8_t *tone, int step, int window)
{
    int distance = 0, at = 0;
    while (at < window && tone[at * step] != INK)
        at++;
    if (at == window)
        return BLANK;
    for (int next = 1; next <= at && distance < DISTANCES - 1; distance++)
        next += next <= 20 ? 1 : 2 + (next - 21) / 10;
    return NEAR_STATES + distance;
}

static uint8_t *sample_of(const struct seam_view *view, int kind, int tile, int sample, int side)
{
    return view->sample[kind] +
           (((size_t)tile * (size_t)view->samples + (size_t)sample) * 2 + (size_t)side) *
               (size_t)view->lines;
}

static uint8_t *edge_of(const struct seam_view *view, int kind, int tile, int side)
{
    return view->edge[kind] +
           ((size_t)side * (size_t)view->tiles + (size_t)tile) * (size_t)view->lines;
}

/* The states of all lines of a tile at one side of a seam, whose outermost pixels are at `at`;
 * further ones lie `step` from each other. */
static void states_find(
    const struct seam_view *view, int tile, int at, int step, uint8_t *writing, uint8_t *paper)
{
    const int across = view->across, lines = view->lines;
    const uint8_t *tone = view->tone + (size_t)tile * (size_t)lines * (size_t)across + at;
    for (int line = 0; line < lines; line++, tone += across) {
        const int before = line > 0 && tone[-across] == INK;
        const int after = line + 1 < lines && tone[across] == INK;
        const int near = (tone[0] == INK) | before << 1 | after << 2 | (tone[step] == INK) << 3;
        writing[line] = (uint8_t)(near ? near : far_state(tone, step, view->window));
        paper[line] = near ? NONE : tone[0];
    }
}

static void view_free(struct seam_view *view)
{
    scratch_free(view->scratch, view->tone);
    for (int kind = 0; kind < STATE_KINDS; kind++) {
        free(view->sample[kind]);
        free(view->edge[kind]);
    }
}

/* Sees the tiles as the seams beside (0) or below (1) them do. Returns -1 when memory is short. */
static int view_make(
    const struct tiling *tiling, const struct tones *tones, int below, struct seam_view *view)
{
    const struct image *image = tiling->image;
    const int tiles = tiling->columns * tiling->rows;
    const int width = inner_width(tiling), height = inner_height(tiling);
    const int across = below ? height : width, lines = below ? width : height;
    const size_t pixels = (size_t)lines * (size_t)across;
    struct error ignored;
    *view = (struct seam_view){.tiles = tiles, .lines = lines, .across = across};
    view->window = across / 3 < WINDOW_MAX ? across / 3 : WINDOW_MAX;
    const int room = across - 2 * view->window + 1;
    view->samples = SAMPLES_ALL / tiles < SAMPLES_LEAST ? SAMPLES_LEAST
                    : SAMPLES_ALL / tiles > SAMPLES_MAX ? SAMPLES_MAX
                                                        : SAMPLES_ALL / tiles;
    view->samples = room < view->samples ? room : view->samples;
    view->scratch = image->scratch;
    view->tone = scratch_new(view->scratch, (size_t)tiles * pixels, &ignored);
    int ok = view->tone != NULL;
    for (int kind = 0; kind < STATE_KINDS; kind++) {
        view->sample[kind] = malloc((size_t)tiles * (size_t)view->samples * 2 * (size_t)lines);
        view->edge[kind] = malloc((size_t)tiles * 2 * (size_t)lines);
        ok = ok && view->sample[kind] && view->edge[kind];
    }
    if (!ok) {
        view_free(view);
        return -1;
    }
#pragma omp parallel for schedule(dynamic)
    for (int tile = 0; tile < tiles; tile++) {
        uint8_t *tone = view->tone + (size_t)tile * pixels;
        for (int y = 0; y < height; y++) {
            image_pass_row(image);
            for (int x = 0; x < width; x++) {
                const size_t row = (size_t)(inner_top(tiling, tile) + y);
                const size_t at =
                    row * (size_t)image->width + (size_t)(inner_left(tiling, tile) + x);
                tone[below ? x * across + y : y * across + x] = tones->tone[page_gray(image, at)];
            }
        }
        for (int i = 0; i < view->samples; i++) {
            const int at =
                view->window + i * (room - 1) / (view->samples > 1 ? view->samples - 1 : 1);
            states_find(view, tile, at - 1, -1, sample_of(view, WRITING, tile, i, 0),
                sample_of(view, PAPER, tile, i, 0));
            states_find(view, tile, at, 1, sample_of(view, WRITING, tile, i, 1),
                sample_of(view, PAPER, tile, i, 1));
        }
        states_find(view, tile, across - 1, -1, edge_of(view, WRITING, tile, 0),
            edge_of(view, PAPER, tile, 0));
        states_find(
            view, tile, 0, 1, edge_of(view, WRITING, tile, 1), edge_of(view, PAPER, tile, 1));
    }
    return 0;
}

/* How often states meet: within tiles, and in the same line of different tiles. */
struct meetings {
    int64_t within[STATES][STATES], between[STATES][STATES];
};

static void meetings_count(const struct seam_view *view, int kind, struct meetings *met)
{
    memset(met, 0, sizeof(*met));
    for (int line = 0; line < view->lines; line++) {
        int64_t all[2][STATES] = {{0}};
        for (int tile = 0; tile < view->tiles; tile++)
            for (int i = 0; i < view->samples; i++) {
                const int a = sample_of(view, kind, tile, i, 0)[line];
                all[0][a]++;
                all[1][sample_of(view, kind, tile, i, 1)[line]]++;
                met->within[a][sample_of(view, kind, tile, i, 1)[line]]++;
                for (int k = 0; k < view->samples; k++)
                    met->between[a][sample_of(view, kind, tile, k, 1)[line]]--;
            }
        for (int a = 0; a < STATES; a++)
            for (int b = 0; all[0][a] && b < STATES; b++)
                met->between[a][b] += all[0][a] * all[1][b];
    }
}

/* evidence[a][b]: the logarithm of how much more often states meet within tiles than between them,
 * held back where it rests on few meetings. */
static void evidence_find(const struct meetings *met, int kind, int32_t (*evidence)[STATES])
{
    enum { FEW = 10 };
    double within = 0, between = 0;
    for (int a = 0; a < NONE; a++)
        for (int b = 0; b < NONE; b++) {
            within += (double)met->within[a][b];
            between += (double)met->between[a][b];
        }
    memset(evidence, 0, STATES * sizeof(*evidence));
    for (int a = 0; a < NONE; a++)
        for (int b = 0; b < NONE && between > 0; b++) {
            const double by_chance = within / between * (double)met->between[a][b];
            const double share =
                kind == WRITING && a >= NEAR_STATES && b >= NEAR_STATES ? FAR_SHARE : 1;
            const double e = PAGE_NAT * FINER / share *
                             page_logarithm(((double)met->within[a][b] + FEW) / (by_chance + FEW));
            evidence[a][b] = (int32_t)(e < 0 ? e - 0.5 : e + 0.5);
        }
    if (kind == WRITING)
        evidence[BLANK][BLANK] = 0;
}

/* What an edge says against lying at the border of the image. */
static int64_t against_border(const struct seam_view *view, int tile, int side)
{
    const uint8_t *state = edge_of(view, WRITING, tile, side);
    int64_t sum = 0;
    for (int line = 0; line < view->lines && !view->is_detail; line++)
        sum += state[line] < NEAR_STATES ? BORDER_NEAR : state[line] < BLANK ? BORDER_FAR : 0;
    return sum;
}

/* Leaves the negative sums of the evidence of all pairs. */
static void pairs_sum(
    const struct seam_view *view, int32_t (*evidence)[STATES][STATES], int32_t *cost)
{
#pragma omp parallel for schedule(dynamic)
    for (int a = 0; a < view->tiles; a++)
        for (int b = 0; b < view->tiles; b++) {
            int64_t sum = against_border(view, a, 0) + against_border(view, b, 1);
            for (int kind = 0; kind < STATE_KINDS; kind++) {
                const uint8_t *left = edge_of(view, kind, a, 0);
                const uint8_t *right = edge_of(view, kind, b, 1);
                for (int line = 0; line < view->lines; line++)
                    sum += evidence[kind][left[line]][right[line]];
            }
            sum /= FINER;
            cost[(size_t)a * (size_t)view->tiles + (size_t)b] = sum > MAX_SUM    ? -MAX_SUM
                                                                : sum < -MAX_SUM ? MAX_SUM
                                                                                 : (int32_t)-sum;
        }
}

static void blank_find(const struct seam_view *view, uint8_t *is_blank)
{
    const size_t pixels = (size_t)view->lines * (size_t)view->across;
    for (int tile = 0; tile < view->tiles; tile++)
        is_blank[tile] = !memchr(view->tone + (size_t)tile * pixels, INK, pixels);
}

static int compare_direction(const struct tiling *tiling, const struct tones *tones, int detail,
    int below, struct page *page)
{
    struct seam_view view;
    struct meetings *met = malloc(sizeof(*met));
    int32_t(*evidence)[STATES][STATES] = malloc(STATE_KINDS * sizeof(*evidence));
    int rc = met && evidence ? view_make(tiling, tones, below, &view) : -1;
    if (rc == 0) {
        view.is_detail = detail;
        for (int kind = 0; kind < STATE_KINDS; kind++) {
            meetings_count(&view, kind, met);
            evidence_find(met, kind, evidence[kind]);
        }
        pairs_sum(&view, evidence, page->cost[below]);
        blank_find(&view, page->is_blank);
        view_free(&view);
    }
    free(met);
    free(evidence);
    return rc;
}

/* Makes the least cost 0. A joint of white and white, the paper left out, cost 0 before. */
static void costs_raise(struct page *page)
{
    int32_t least = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int below = 0; below < 2; below++)
            for (int a = 0; a < page->tiles; a++)
                for (int b = 0; b < page->tiles; b++) {
                    int32_t *cost = &page->cost[below][(size_t)a * (size_t)page->tiles + (size_t)b];
                    if (pass)
                        *cost = a == b ? 0 : *cost - least;
                    else if (a != b && *cost < least)
                        least = *cost;
                }
    page->white = -least;
}

int page_compare(const struct tiling *tiling, struct page *page, struct error *error)
{
    const struct tones tones = tones_find(tiling->image);
    const int detail = is_detail(tiling, &tones);
    const size_t tiles = (size_t)tiling->columns * (size_t)tiling->rows, pairs = tiles * tiles;
    *page = (struct page){.tiles = (int)tiles};
    page->is_blank = malloc(tiles);
    int rc = page->is_blank ? 0 : -1;
    for (int below = 0; below < 2 && rc == 0; below++) {
        page->cost[below] = malloc(pairs * sizeof(int32_t));
        rc = page->cost[below] ? compare_direction(tiling, &tones, detail, below, page) : -1;
    }
    if (rc) {
        page_free(page);
        return error_set(error, ERROR_INPUT, "not enough memory to compare the tiles of a page");
    }
    costs_raise(page);
    return 0;
}

void page_free(struct page *page)
{
    free(page->cost[0]);
    free(page->cost[1]);
    free(page->is_blank);
    *page = (struct page){0};
}
