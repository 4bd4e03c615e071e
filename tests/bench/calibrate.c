/* Makes puzzles of all kinds, solves them, and writes what spoke for each answer and whether it was
 * right, for fit.c:
 *
 *   calibrate COUNT SEED PICTURE... >rows
 *
 * COUNT puzzles from SEED on, in parallel; a puzzle depends on its number and the pictures alone. A
 * row is "A" for the answer or "P" for a place (at most MAX_PLACES of a puzzle, drawn at random),
 * the number of the puzzle, its kind, the kind of the answer, 1 where it is right or 0, and the
 * evidence. A place is right where it shows the pixels that the picture has there; turned tiles,
 * where the whole is turned so that most are. */
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "random.h"
#include "stages/unscramble/page.h"
#include "stages/unscramble/unscramble.h"
#include "tests/bench/through_jpeg.h"

#define MAX_PLACES 40
#define MAX_CUT_TILES 560

/* How a puzzle is made. */
struct kind {
    const char *name;                 /* of what is done to it */
    int columns, rows, width, height; /* tiles, and their pixels before they are worn */
    int bright, noise, quality, is_subsampled, erode, missing, is_turned, is_told, is_classic;
};

struct puzzle {
    struct kind kind;
    struct image image;
    int32_t *tile, *turn; /* [place of the puzzle] tile of the picture, quarters clockwise */
    uint8_t *present;
};

/* From 12 tiles down the search is exact. */
static void choose_few(uint64_t *random, struct kind *k)
{
    static const int SMALL[12][2] = {{2, 1}, {1, 2}, {3, 1}, {1, 3}, {2, 2}, {3, 2}, {2, 3}, {3, 3},
        {4, 2}, {2, 4}, {4, 3}, {3, 4}};
    const int i = random_index(random, 12);
    k->columns = SMALL[i][0];
    k->rows = SMALL[i][1];
}

static void choose_strips(int least, int most, uint64_t *random, struct kind *k)
{
    k->columns = least + random_index(random, most - least + 1);
    k->rows = 1;
    if (random_index(random, 2)) {
        k->rows = k->columns;
        k->columns = 1;
    }
}

/* A page, or a detail of it, in few tiles, as strips, or in tiles with several lines of writing. */
static void choose_page_grid(const struct image *picture, uint64_t *random, struct kind *k)
{
    const int share = 30 + random_index(random, 71), shape = random_index(random, 4);
    if (shape == 0) {
        choose_few(random, k);
    } else if (shape == 1) {
        choose_strips(13, 60, random, k);
    } else {
        k->columns = 2 + random_index(random, 11);
        k->rows = (12 + k->columns) / k->columns + random_index(random, 10);
    }
    k->width = picture->width * share / 100 / k->columns;
    k->height = picture->height * share / 100 / k->rows;
}

static void choose_grid(const struct image *picture, uint64_t *random, struct kind *k)
{
    static const int PIXELS[] = {28, 28, 28, 28, 14, 20, 40, 56};
    const int shape = random_index(random, 12), share = 20 + random_index(random, 81);
    const int width = picture->width * share / 100, height = picture->height * share / 100;
    if (page_is(picture)) {
        choose_page_grid(picture, random, k);
        return;
    }
    if (shape < 4) {
        choose_few(random, k);
    } else if (shape == 4) {
        choose_strips(2, 12, random, k);
    } else {
        k->width = k->height = PIXELS[random_index(random, 8)];
        k->columns = width / k->width;
        k->rows = height / k->height;
        while (k->columns * k->rows > MAX_CUT_TILES)
            *(k->columns > k->rows ? &k->columns : &k->rows) -= 1;
        k->columns = k->columns < 4 ? 4 : k->columns;
        k->rows = k->rows < 4 ? 4 : k->rows;
        return;
    }
    k->width = width / k->columns;
    k->height = height / k->rows;
    k->width = k->width < 8 ? 8 : k->width;
    k->height = k->height < 8 ? 8 : k->height;
}

static struct kind choose_kind(const struct image *picture, uint64_t *random)
{
    static const int QUALITIES[] = {95, 85, 75, 60};
    struct kind k = {.name = "clean", .is_told = 1};
    choose_grid(picture, random, &k);
    const int is_small = k.columns * k.rows <= SEARCH_TILES, way = random_index(random, 100);
    if (way >= 25 && way < 30) {
        k.name = "bright"; /* exposed for too long */
        k.bright = 2 + random_index(random, 3);
    } else if (way >= 30 && way < 48) {
        k.name = way < 45 ? "noise" : "heavy"; /* noise that leaves little to see */
        k.noise = (way < 45 ? 5 : 40) * (1 + random_index(random, 3));
    } else if (way >= 48 && way < 68) {
        k.name = "jpeg";
        k.quality = QUALITIES[random_index(random, 4)];
        k.is_subsampled = random_index(random, 2);
    } else if (way >= 68 && way < 78) {
        k.name = "eroded";
        k.erode = 1 + random_index(random, 2);
    } else if (way >= 78 && way < 86) {
        k.name = "missing";
        k.missing = random_index(random, 2) ? 10 : 25;
    } else if (way >= 86 && way < 92) {
        k.name = "turned";
        k.is_turned = 1;
    } else if (way >= 92 && way < 97) {
        k.name = "unsaid";
        k.is_turned = 1;
        k.is_told = 0;
    } else if (way >= 97 && is_small) {
        k.name = "classic";
        k.is_classic = 1;
    }
    return k;
}

/* The mean color of a box of a picture. */
static void take_mean(
    const struct image *picture, int x, int y, int right, int bottom, uint8_t pixel[4])
{
    uint64_t sum[3] = {0};
    const uint64_t count = (uint64_t)(right - x) * (uint64_t)(bottom - y);
    for (int j = y; j < bottom; j++)
        for (int i = x; i < right; i++)
            for (int c = 0; c < 3; c++) {
                const size_t at = 4 * ((size_t)j * (size_t)picture->width + (size_t)i) + (size_t)c;
                sum[c] += picture->depth == 16 ? ((const uint16_t *)picture->pixels)[at] >> 8
                                               : ((const uint8_t *)picture->pixels)[at];
            }
    for (int c = 0; c < 3; c++)
        pixel[c] = (uint8_t)((sum[c] + count / 2) / count);
    pixel[3] = 255;
}

/* A part of the picture, or the whole of it scaled down, as large as the puzzle. */
static void scale(
    const struct image *picture, int width, int height, uint64_t *random, struct image *scaled)
{
    struct error error;
    if (image_new(width, height, 3, 8, scaled, &error))
        abort();
    const int is_part =
        random_index(random, 3) == 0 && width <= picture->width && height <= picture->height;
    const int left = is_part ? random_index(random, picture->width - width + 1) : 0;
    const int top = is_part ? random_index(random, picture->height - height + 1) : 0;
    const int from_width = is_part ? width : picture->width;
    const int from_height = is_part ? height : picture->height;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            const int x0 = left + x * from_width / width, y0 = top + y * from_height / height;
            int x1 = left + (x + 1) * from_width / width;
            int y1 = top + (y + 1) * from_height / height;
            x1 = x1 > x0 ? x1 : x0 + 1;
            y1 = y1 > y0 ? y1 : y0 + 1;
            take_mean(picture, x0, y0, x1, y1,
                (uint8_t *)scaled->pixels + 4 * ((size_t)y * (size_t)width + (size_t)x));
        }
}

static void brighten(struct image *image, int times)
{
    uint8_t *pixels = image->pixels;
    for (size_t i = 0; i < 4 * (size_t)image->width * (size_t)image->height; i++)
        pixels[i] = (uint8_t)(times * pixels[i] < 255 ? times * pixels[i] : 255);
}

static void add_noise(struct image *image, int sigma, uint64_t *random)
{
    uint8_t *pixels = image->pixels;
    for (size_t i = 0; i < 4 * (size_t)image->width * (size_t)image->height; i++) {
        double value = -6;
        for (int j = 0; j < 12 && i % 4 != 3; j++)
            value += (double)random_unit(random);
        value = i % 4 == 3 ? 255 : round(pixels[i] + sigma * value);
        pixels[i] = (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value);
    }
}

/* Copies tile `tile` of the picture to a place of the puzzle, turned, without its worn edges. */
static void copy_tile(struct puzzle *p, const struct image *picture, int place)
{
    const struct kind *k = &p->kind;
    const int w = k->width - 2 * k->erode, h = k->height - 2 * k->erode, tile = p->tile[place];
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            /* Turned by a quarter clockwise, (x, y) comes from (y, w - 1 - x). */
            const int from[4][2] = {{x, y}, {y, w - 1 - x}, {w - 1 - x, h - 1 - y}, {h - 1 - y, x}};
            const int fx = tile % k->columns * k->width + k->erode + from[p->turn[place]][0];
            const int fy = tile / k->columns * k->height + k->erode + from[p->turn[place]][1];
            const int tx = place % k->columns * w + x, ty = place / k->columns * h + y;
            memcpy((uint8_t *)p->image.pixels + 4 * (ty * p->image.width + tx),
                (const uint8_t *)picture->pixels + 4 * (fy * picture->width + fx), 4);
        }
}

static void puzzle_make(const struct image *picture, uint64_t *random, struct puzzle *p)
{
    struct image scaled;
    struct error error;
    p->kind = choose_kind(picture, random);
    const struct kind *k = &p->kind;
    const int tiles = k->columns * k->rows;
    p->tile = malloc((size_t)tiles * sizeof(*p->tile));
    p->turn = malloc((size_t)tiles * sizeof(*p->turn));
    p->present = malloc((size_t)tiles);
    scale(picture, k->columns * k->width, k->rows * k->height, random, &scaled);
    if (image_new(k->columns * (k->width - 2 * k->erode), k->rows * (k->height - 2 * k->erode), 3,
            8, &p->image, &error))
        abort();
    for (int i = 0; i < tiles; i++)
        p->tile[i] = i;
    for (int i = tiles - 1; i > 0; i--) {
        const int j = random_index(random, i + 1);
        const int32_t tile = p->tile[i];
        p->tile[i] = p->tile[j];
        p->tile[j] = tile;
    }
    for (int i = 0; i < tiles; i++) {
        const int turn = random_index(random, 4);
        p->turn[i] = !k->is_turned ? 0 : k->width == k->height ? turn : turn & 2;
        p->present[i] = i >= tiles * k->missing / 100;
        if (p->present[i])
            copy_tile(p, &scaled, i);
    }
    image_free(&scaled);
    if (k->bright)
        brighten(&p->image, k->bright);
    if (k->noise)
        add_noise(&p->image, k->noise, random);
    if (k->quality && through_jpeg(&p->image, k->quality, k->is_subsampled ? 2 : 1, &error))
        abort();
}

static void puzzle_free(struct puzzle *p)
{
    free(p->tile);
    free(p->turn);
    free(p->present);
    image_free(&p->image);
}

/* right[place] for the answer turned as a whole by some quarters; returns how many are. */
static int find_right(const struct puzzle *p, const struct unscramble *u, const int32_t *alike,
    int quarters, uint8_t *right)
{
    const int columns = p->kind.columns, rows = p->kind.rows, tiles = columns * rows;
    const struct placed *placed = u->result.permutation.placed;
    int32_t *wanted = malloc((size_t)tiles * sizeof(*wanted)); /* [place] oriented tile */
    int count = 0;
    for (int i = 0; i < tiles; i++)
        wanted[p->tile[i]] = p->present[i] ? 4 * i + (-p->turn[i] & 3) : NOTHING;
    for (int place = 0; place < tiles; place++) {
        const int x = place % columns, y = place / columns;
        const int at[4] = {place, (columns - 1 - x) * columns + y, tiles - 1 - place,
            x * columns + columns - 1 - y};
        const int32_t from = wanted[at[quarters]];
        const uint32_t tile = placed[place].tile;
        right[place] = from == NOTHING || tile == NO_TILE
                           ? from == NOTHING && tile == NO_TILE
                           : alike[oriented_edge(oriented_turned(from, quarters), 0)] ==
                                 alike[oriented_edge((int32_t)(4 * tile + placed[place].turn), 0)];
        count += right[place];
    }
    free(wanted);
    return count;
}

static void print_rows(FILE *out, int number, const struct puzzle *p, const struct unscramble *u)
{
    const int columns = p->kind.columns, rows = p->kind.rows, tiles = columns * rows;
    const int step = !u->options.rotates && !p->kind.is_turned            ? 4
                     : p->kind.width == p->kind.height && columns == rows ? 1
                                                                          : 2;
    int32_t *alike = malloc(4 * (size_t)tiles * sizeof(*alike));
    uint8_t *right = malloc((size_t)tiles);
    int most = -1, best = 0;
    uint64_t random = (uint64_t)number;
    const struct tiling tiling = unscramble_tiling(u);
    alike_find(&tiling, alike);
    for (int quarters = 0; quarters < 4; quarters += step) {
        const int count = find_right(p, u, alike, quarters, right);
        best = count > most ? quarters : best;
        most = count > most ? count : most;
    }
    find_right(p, u, alike, best, right);
    fprintf(out, "A %d %s %d %d", number, p->kind.name, (int)u->result.answer_kind, most == tiles);
    for (int i = 0; i < ANSWER_EVIDENCE; i++)
        fprintf(out, " %.5g", u->result.answer_evidence[i]);
    putc('\n', out);
    for (int i = 0; i < (tiles < MAX_PLACES ? tiles : MAX_PLACES); i++) {
        const int place = tiles <= MAX_PLACES ? i : random_index(&random, tiles);
        if (u->result.place_evidence[place][PLACE_ONE] <= 0)
            continue;
        fprintf(
            out, "P %d %s %d %d", number, p->kind.name, (int)u->result.answer_kind, right[place]);
        for (int k = 0; k < PLACE_EVIDENCE; k++)
            fprintf(out, " %.5g", (double)u->result.place_evidence[place][k]);
        putc('\n', out);
    }
    free(alike);
    free(right);
}

/* Makes a puzzle, solves it, and gives its rows: none where it cannot be solved, or has a fault for
 * which its probability is lowered. */
static char *run_puzzle(const struct image *pictures, int picture_count, int number)
{
    uint64_t random = (uint64_t)number * 0x9e3779b97f4a7c15;
    struct puzzle p = {0};
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    puzzle_make(&pictures[random_index(&random, picture_count)], &random, &p);
    struct run run = {.device_id = "cpu", .threads = 1};
    struct unscramble u = {.options = {.input = "puzzle",
                               .puzzle = &p.image,
                               .grid = {(uint32_t)p.kind.columns, (uint32_t)p.kind.rows},
                               .rotates = p.kind.is_turned && p.kind.is_told,
                               .has_missing = p.kind.missing > 0,
                               .has_missing_color = 1,
                               .is_classic = p.kind.is_classic}};
    const int rc = unscramble_run(&run, &u);
    if (rc == 0 && !unscramble_is_explained(&u) && !u.result.misfits)
        print_rows(out, number, &p, &u);
    else if (rc)
        fprintf(stderr, "calibrate: puzzle %d: %s\n", number, run.error.text);
    fclose(out);
    unscramble_end(&u);
    run_end(&run);
    puzzle_free(&p);
    return text;
}

int main(int argc, char **argv)
{
    const int count = argc > 3 ? atoi(argv[1]) : 0, seed = argc > 3 ? atoi(argv[2]) : 0;
    const int picture_count = argc - 3;
    struct image *pictures = calloc((size_t)argc, sizeof(*pictures));
    char **rows = calloc((size_t)(count > 0 ? count : 1), sizeof(*rows));
    struct error error;
    if (count < 1 || !pictures || !rows) {
        fprintf(stderr, "usage: calibrate COUNT SEED PICTURE... >rows\n");
        return 2;
    }
    for (int i = 0; i < picture_count; i++)
        if (image_read(argv[3 + i], IMAGE_MAX_PIXELS, NULL, &pictures[i], &error)) {
            fprintf(stderr, "calibrate: %s\n", error.text);
            return 1;
        }
    omp_set_max_active_levels(1);
    int written = 0; /* rows are written in order, each as soon as those before it are there */
#pragma omp parallel for schedule(dynamic)
    for (int i = 0; i < count; i++) {
        char *text = run_puzzle(pictures, picture_count, seed + i);
#pragma omp critical
        for (rows[i] = text; written < count && rows[written]; written++) {
            fputs(rows[written], stdout);
            fflush(stdout);
            free(rows[written]);
        }
    }
    free(rows);
    for (int i = 0; i < picture_count; i++)
        image_free(&pictures[i]);
    free(pictures);
    return 0;
}
