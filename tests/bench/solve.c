/* Cuts, shuffles and spoils images, solves them, and says how well:
 *
 *   solve [OPTIONS] IMAGE...
 *
 * A line for each image and shuffle, then the averages: direct (tiles at their place), neighbor
 * (true neighbors that are neighbors in the answer), largest (the largest part that is right in
 * itself), all of them shares, perfect (0 or 1), answer and truth (total costs over those of ties),
 * first (edges whose true partner is their best), seconds. With unknown turns the answer counts in
 * the best of the turns of the whole image, in another frame than the image's also at the best
 * place; with --mixed N, for N images of one size in a puzzle, each image by itself, which with
 * --split are also solved so. --jpeg QUALITY[,CHROMA] writes the puzzle as JPEG, the colors at half
 * of the resolution, or with CHROMA 1 in full. */
#include <getopt.h>
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stages/unscramble/anneal.h"
#include "stages/unscramble/loops.h"
#include "stages/unscramble/solutions.h"
#include "stages/unscramble/unscramble.h"
#include "tests/bench/through_jpeg.h"

struct settings {
    int columns, rows, width, height; /* zeros: from the others */
    int frame[2];                     /* columns x rows of the answer; zeros: the image's */
    int mixed, split;                 /* images in a puzzle; solved one by one */
    int gray, greedy;                 /* without color; without the tree: from one tile on */
    enum turns turns;
    double missing, noise; /* share of tiles; sigma of 255 */
    int jpeg, chroma;      /* quality, 0: none; 1, or 2 for colors at half of the resolution */
    int erode, shuffles, unrefined, verbose;
    enum dissimilarity dissimilarity;
    uint64_t seed;
    struct refine_options refine;
    struct run run;
};

struct score {
    double direct, neighbor, largest, perfect, answer, truth, first, seconds;
};

#define SCORES (sizeof(struct score) / sizeof(double))

/* A puzzle: places of the shuffled image hold tiles of the true one, turned. */
struct shuffled {
    int columns, rows, width, height;
    int32_t *tile; /* [place] number in the true image */
    int32_t *turn; /* [place] quarters clockwise that it was turned by */
    uint8_t *present;
    struct image puzzle;
};

static void cut_free(struct shuffled *cut)
{
    free(cut->tile);
    free(cut->turn);
    free(cut->present);
    image_free(&cut->puzzle);
}

static double normal(uint64_t *random)
{
    double sum = -6;
    for (int i = 0; i < 12; i++)
        sum += random_unit(random);
    return sum;
}

static void add_noise(struct image *image, double sigma, uint64_t *random)
{
    const size_t count = (size_t)image->width * (size_t)image->height * 4;
    const double scale = image->depth == 16 ? 257 : 1;
    for (size_t i = 0; i < count; i++) {
        if (i % 4 == 3)
            continue;
        double v =
            image->depth == 16 ? ((uint16_t *)image->pixels)[i] : ((uint8_t *)image->pixels)[i];
        v = round(v / scale + sigma * normal(random));
        v = (v < 0 ? 0 : v > 255 ? 255 : v) * scale;
        if (image->depth == 16)
            ((uint16_t *)image->pixels)[i] = (uint16_t)v;
        else
            ((uint8_t *)image->pixels)[i] = (uint8_t)v;
    }
}

static void make_gray(struct image *image)
{
    const size_t count = (size_t)image->width * (size_t)image->height;
    uint8_t *bytes = image->pixels;
    uint16_t *deep = image->pixels;
    for (size_t i = 0; i < 4 * count; i += 4)
        if (image->depth == 8)
            bytes[i] = bytes[i + 1] = bytes[i + 2] =
                (uint8_t)((299 * bytes[i] + 587 * bytes[i + 1] + 114 * bytes[i + 2] + 500) / 1000);
        else
            deep[i] = deep[i + 1] = deep[i + 2] =
                (uint16_t)((299 * deep[i] + 587 * deep[i + 1] + 114 * deep[i + 2] + 500) / 1000);
}

static int cut_make(struct image *image, const struct settings *s, uint64_t seed,
    struct shuffled *cut, struct error *error)
{
    uint64_t random = seed;
    *cut = (struct shuffled){.columns = s->columns ? s->columns : image->width / s->width,
        .rows = s->rows ? s->rows : image->height / s->height};
    cut->width = s->width ? s->width : image->width / cut->columns;
    cut->height = s->height ? s->height : image->height / cut->rows;
    const int tiles = cut->columns * cut->rows, whole_w = cut->width, whole_h = cut->height;
    const int w = cut->width -= 2 * s->erode, h = cut->height -= 2 * s->erode;
    if (w < 1 || h < 1)
        return error_set(error, ERROR_INPUT, "no pixel of a tile is left by --erode %d", s->erode);
    if (s->turns == TURNS_ANY && w != h)
        return error_set(error, ERROR_INPUT, "tiles of %d x %d can only turn by half", w, h);
    cut->tile = malloc((size_t)tiles * sizeof(*cut->tile));
    cut->turn = malloc((size_t)tiles * sizeof(*cut->turn));
    cut->present = malloc((size_t)tiles);
    int rc = image_new(cut->columns * w, cut->rows * h, 4, image->depth, &cut->puzzle, error);
    if (rc)
        return rc;
    for (int i = 0; i < tiles; i++)
        cut->tile[i] = i;
    for (int i = tiles - 1; i > 0; i--) {
        const int j = (int)(random_bits(&random) % (uint64_t)(i + 1));
        const int32_t t = cut->tile[i];
        cut->tile[i] = cut->tile[j];
        cut->tile[j] = t;
    }
    const size_t size = image_pixel_size(image);
    for (int i = 0; i < tiles; i++) {
        const int turn = (int)(random_bits(&random) & 3);
        cut->turn[i] = s->turns == TURNS_ANY ? turn : s->turns == TURNS_HALF ? turn & 2 : 0;
        cut->present[i] = i >= (int)(s->missing * tiles + 0.5);
        for (int y = 0; y < h; y++)
            for (int x = 0; x < w; x++) {
                /* Turned by a quarter clockwise, (x, y) comes from (y, w - 1 - x). */
                const int from[4][2] = {
                    {x, y}, {y, w - 1 - x}, {w - 1 - x, h - 1 - y}, {h - 1 - y, x}};
                const int sx =
                    cut->tile[i] % cut->columns * whole_w + s->erode + from[cut->turn[i]][0];
                const int sy =
                    cut->tile[i] / cut->columns * whole_h + s->erode + from[cut->turn[i]][1];
                const size_t to = (size_t)(i / cut->columns * h + y) * (size_t)(cut->columns * w) +
                                  (size_t)(i % cut->columns * w + x);
                if (cut->present[i])
                    memcpy((uint8_t *)cut->puzzle.pixels + to * size,
                        (uint8_t *)image->pixels +
                            ((size_t)sy * (size_t)image->width + (size_t)sx) * size,
                        size);
            }
    }
    if (s->gray)
        make_gray(&cut->puzzle);
    if (s->noise > 0)
        add_noise(&cut->puzzle, s->noise, &random);
    return s->jpeg ? through_jpeg(&cut->puzzle, s->jpeg, s->chroma, error) : 0;
}

/* Of the tiles of one image (of rows top to bottom - 1), how many lie right if the whole answer
 * is turned clockwise by some quarters; in a frame of another size also if it is then moved. */
static int direct_count(const struct shuffled *cut, enum turns turns, const int32_t *board,
    const int *frame, int top, int bottom)
{
    const int w = frame[0], h = frame[1], longest = w > h ? w : h;
    const int exact = w == cut->columns && h == bottom - top;
    const int reach = longest + (cut->columns > cut->rows ? cut->columns : cut->rows);
    const int span = 2 * reach + 1;
    int best = 0, *votes = malloc((size_t)span * (size_t)span * sizeof(*votes));
    for (int whole = 0; whole < 4; whole++) {
        if (whole &&
            (turns == TURNS_NONE || (whole & 1 && (turns != TURNS_ANY || (exact && w != h)))))
            continue;
        const int cosine[4] = {1, 0, -1, 0}, sine[4] = {0, 1, 0, -1};
        const int shift_x[4] = {0, h - 1, w - 1, 0}, shift_y[4] = {0, 0, h - 1, w - 1};
        memset(votes, 0, (size_t)span * (size_t)span * sizeof(*votes));
        for (int i = 0; i < w * h; i++) {
            const int32_t p = board[i];
            if (p == NOTHING || ((cut->turn[p >> 2] + p + whole) & 3))
                continue;
            const int tile = cut->tile[p >> 2];
            if (tile / cut->columns < top || tile / cut->columns >= bottom)
                continue;
            const int x = cosine[whole] * (i % w) - sine[whole] * (i / w) + shift_x[whole];
            const int y = sine[whole] * (i % w) + cosine[whole] * (i / w) + shift_y[whole];
            const int dx = tile % cut->columns - x, dy = tile / cut->columns - top - y;
            if (exact && (dx || dy))
                continue;
            const int now = ++votes[(dy + reach) * span + dx + reach];
            best = now > best ? now : best;
        }
    }
    free(votes);
    return best;
}

static int find(int32_t *parent, int i)
{
    while (parent[i] != i)
        i = parent[i] = parent[parent[i]];
    return i;
}

static void score_answer(const struct shuffled *cut, const struct settings *s,
    const struct compatibility *c, const int32_t *board, const int *frame, struct score *score)
{
    const int w = cut->columns, h = cut->rows, n = w * h;
    const int parts = s->mixed ? s->mixed : 1, part = h / parts;
    int32_t *at = malloc((size_t)n * sizeof(*at)), *truth = malloc((size_t)n * sizeof(*truth));
    int32_t *source = malloc((size_t)n * sizeof(*source));
    int32_t *parent = malloc((size_t)n * sizeof(*parent)), *size = calloc((size_t)n, sizeof(*size));
    memset(at, 0xff, (size_t)n * sizeof(*at));
    memset(truth, 0xff, (size_t)n * sizeof(*truth));
    for (int i = 0; i < n; i++) {
        parent[i] = i;
        source[cut->tile[i]] = i;
        if (cut->present[i])
            truth[cut->tile[i]] = 4 * i + (-cut->turn[i] & 3);
    }
    for (int i = 0; i < frame[0] * frame[1]; i++)
        if (board[i] != NOTHING)
            at[cut->tile[board[i] >> 2]] = i;
    int pairs = 0, together = 0, first = 0, tiles = 0;
    for (int i = 0; i < n; i++)
        for (int d = 2; d < 4; d++) {
            const int j = d == 2 ? i + 1 : i + w;
            if ((d == 2 ? (i + 1) % w == 0 : j / w % part == 0) || truth[i] == NOTHING ||
                truth[j] == NOTHING)
                continue;
            pairs++;
            first +=
                partners_of(c, oriented_edge(truth[i], d))->edge == oriented_edge(truth[j], d ^ 2);
            first +=
                partners_of(c, oriented_edge(truth[j], d ^ 2))->edge == oriented_edge(truth[i], d);
            if (at[i] == NOTHING || at[j] == NOTHING)
                continue;
            const int32_t a = board[at[i]], b = board[at[j]];
            const int turn = (cut->turn[source[i]] + a) & 3;
            if (turn != ((cut->turn[source[j]] + b) & 3))
                continue;
            const int dx[4] = {-1, 0, 1, 0}, dy[4] = {0, -1, 0, 1}, way = (d + turn) & 3;
            if (at[i] % frame[0] + dx[way] == at[j] % frame[0] &&
                at[i] / frame[0] + dy[way] == at[j] / frame[0]) {
                together++;
                parent[find(parent, i)] = find(parent, j);
            }
        }
    int largest = 0;
    for (int i = 0; i < n; i++)
        if (truth[i] != NOTHING) {
            const int now = ++size[find(parent, i)];
            largest = now > largest ? now : largest;
            tiles++;
        }
    const double ties = (double)TIE_COST * (pairs ? pairs : 1);
    int direct = 0;
    for (int i = 0; i < parts; i++)
        direct += direct_count(cut, s->turns, board, frame, i * part, (i + 1) * part);
    score->direct = tiles ? (double)direct / tiles : 1;
    score->neighbor = pairs ? (double)together / pairs : 1;
    score->first = pairs ? first / 2.0 / pairs : 1;
    score->largest = tiles ? (double)largest / tiles : 1;
    score->perfect = score->direct == 1 && (tiles == n || score->neighbor == 1);
    score->answer = (double)board_cost(c, board, frame[0], frame[1]) / ties;
    score->truth = (double)board_cost(c, truth, w, h) / ties;
    free(at);
    free(truth);
    free(source);
    free(parent);
    free(size);
}

/* Solves image by image; the board gets them side by side and becomes its frame's. */
static int solve_split(const struct compatibility *c, const int32_t *buddy,
    const struct shuffled *cut, const struct settings *s, const struct refine_options *options,
    int32_t **board, int *frame, struct error *error)
{
    struct solution_board *solutions = calloc((size_t)s->mixed, sizeof(*solutions));
    const int rc = solutions_split(
        c, buddy, cut->present, options, cut->columns * cut->rows, s->mixed, 0, solutions, error);
    if (rc) {
        free(solutions);
        return rc;
    }
    frame[0] = frame[1] = 1; /* a place even if no tile is present */
    for (int i = 0; i < s->mixed; i++) {
        frame[0] += solutions[i].columns + 1;
        frame[1] = solutions[i].rows > frame[1] ? solutions[i].rows : frame[1];
    }
    const size_t bytes = (size_t)frame[0] * (size_t)frame[1] * sizeof(**board);
    *board = realloc(*board, bytes);
    memset(*board, 0xff, bytes);
    for (int i = 0, left = 0; i < s->mixed; left += solutions[i++].columns + 1)
        for (int y = 0; y < solutions[i].rows; y++)
            for (int x = 0; x < solutions[i].columns; x++)
                (*board)[y * frame[0] + left + x] =
                    solutions[i].board[y * solutions[i].columns + x];
    solutions_free(solutions, s->mixed);
    free(solutions);
    return rc;
}

/* Whether the program would anneal this board, if its answer were doubtful. */
static int is_annealed(const struct settings *s, const int32_t *board, int places)
{
    int is_full = !s->split && !s->unrefined && !s->refine.effort && !(s->refine.seconds > 0);
    for (int i = 0; is_full && i < places; i++)
        is_full = board[i] != NOTHING;
    return is_full;
}

static int solve(
    const struct shuffled *cut, struct settings *s, struct score *score, struct error *error)
{
    const struct grid grid = {(uint32_t)cut->columns, (uint32_t)cut->rows};
    struct unscramble u = {.options = {.input = "puzzle",
                               .rotates = s->turns != TURNS_NONE,
                               .has_missing = s->missing > 0,
                               .has_missing_color = 1,
                               .mixed = (uint64_t)s->mixed,
                               .dissimilarity = s->dissimilarity},
        .puzzle = cut->puzzle,
        .grid = grid,
        .tile_width = (uint32_t)cut->width,
        .tile_height = (uint32_t)cut->height};
    const struct compatibility *const c = &u.compatibility;
    struct compatibility looped = {0};
    struct forest forest = {0};
    struct refine_options options = s->refine;
    int frame[2] = {
        s->frame[0] ? s->frame[0] : cut->columns, s->frame[0] ? s->frame[1] : cut->rows};
    const int n = frame[0] * frame[1];
    int32_t *board = malloc((size_t)n * sizeof(*board));
    int32_t *buddy = malloc((size_t)cut->columns * (size_t)cut->rows * 4 * sizeof(*buddy));
    const struct problem problem = {&looped, buddy, frame[0], frame[1], NULL};
    int64_t cost = 0;
    double times[4] = {omp_get_wtime()};
    int rc = unscramble_upload(&s->run, &u);
    if (rc == 0)
        rc = unscramble_compare(&s->run, &u);
    times[1] = omp_get_wtime();
    if (rc)
        *error = s->run.error;
    if (rc == 0)
        rc = loops_make(c, &looped, error);
    if (rc == 0) {
        buddies_find(&looped, buddy);
        rc = tree_make(&looped, buddy, frame[0], frame[1], &forest, error);
        for (int32_t t = 0; rc == 0 && s->greedy && t < forest.tiles; t++) {
            forest.root[t] = t;
            forest.size[t] = 1;
        }
    }
    times[2] = omp_get_wtime();
    if (rc == 0)
        rc = board_from_forest(&problem, cut->present, &forest, board, error);
    times[3] = omp_get_wtime();
    options.columns = frame[0];
    options.rows = frame[1];
    options.seed = s->seed;
    if (rc == 0 && s->split)
        rc = solve_split(c, buddy, cut, s, &options, &board, frame, error);
    else if (rc == 0 && !s->unrefined)
        rc = refine(c, buddy, cut->present, &options, board, &cost, error);
    if (rc == 0 && is_annealed(s, board, frame[0] * frame[1]))
        rc = anneal(c, &options, c->tiles, board, &cost, error);
    times[4] = omp_get_wtime();
    if (rc == 0) {
        score->seconds = times[4] - times[0];
        score_answer(cut, s, c, board, frame, score);
    }
    if (s->verbose)
        fprintf(stderr, "dissimilarity %d compatibility %.3f tree %.3f fill %.3f refine %.3f\n",
            c->dissimilarity, times[1] - times[0], times[2] - times[1], times[3] - times[2],
            times[4] - times[3]);
    free(board);
    free(buddy);
    forest_free(&forest);
    compatibility_free(&looped);

    unscramble_end(&u);
    return rc;
}

static void print_score(const char *name, const struct score *s)
{
    printf("%-24s %6.2f %6.2f %6.2f %5.2f  %.4f %.4f  %6.2f %7.3f\n", name, 100 * s->direct,
        100 * s->neighbor, 100 * s->largest, s->perfect, s->answer, s->truth, 100 * s->first,
        s->seconds);
    fflush(stdout);
}

static int two_numbers(const char *text, int *a, int *b)
{
    const int count = sscanf(text, "%dx%d", a, b);
    if (count == 1)
        *b = *a;
    return count < 1 || *a < 1 || *b < 1;
}

static int name_index(const char *name, const char *const *names)
{
    for (int i = 0; names[i]; i++)
        if (strcmp(name, names[i]) == 0)
            return i;
    fprintf(stderr, "solve: unknown name '%s'\n", name);
    exit(2);
}

/* Puts an image of the same width and depth below another. */
static int append(struct image *image, const char *path, struct error *error)
{
    struct image below, both;
    int rc = image_read(path, IMAGE_MAX_PIXELS, NULL, &below, error);
    if (rc)
        return rc;
    if (below.width != image->width || below.depth != image->depth)
        rc = error_set(error, ERROR_INPUT, "'%s' has another width or depth", path);
    if (rc == 0)
        rc = image_new(image->width, image->height + below.height, image->channels, image->depth,
            &both, error);
    if (rc == 0) {
        const size_t row = (size_t)image->width * image_pixel_size(image);
        memcpy(both.pixels, image->pixels, row * (size_t)image->height);
        memcpy((uint8_t *)both.pixels + row * (size_t)image->height, below.pixels,
            row * (size_t)below.height);
        image_free(image);
        *image = both;
    }
    image_free(&below);
    return rc;
}

int main(int argc, char **argv)
{
    const struct words names = dissimilarity_names();
    static const char *const turns[] = {"none", "half", "any", NULL};
    static const struct option options[] = {{"grid", 1, NULL, 'g'}, {"frame", 1, NULL, 'f'},
        {"mixed", 1, NULL, 'x'}, {"tile", 1, NULL, 't'}, {"turn", 1, NULL, 'r'},
        {"missing", 1, NULL, 'm'}, {"noise", 1, NULL, 'n'}, {"erode", 1, NULL, 'e'},
        {"jpeg", 1, NULL, 'j'}, {"dissimilarity", 1, NULL, 'c'}, {"shuffles", 1, NULL, 's'},
        {"seed", 1, NULL, 'S'}, {"seconds", 1, NULL, 'T'}, {"effort", 1, NULL, 'E'},
        {"chains", 1, NULL, 'C'}, {"gray", 0, NULL, 'G'}, {"greedy", 0, NULL, 'D'},
        {"device", 1, NULL, 'd'}, {"split", 0, NULL, 'p'}, {"unrefined", 0, NULL, 'u'},
        {"verbose", 0, NULL, 'v'}, {0}};
    struct settings s = {
        .chroma = 2, .shuffles = 1, .seed = 1, .run = {.device_id = "cpu", .stage = "compare"}};
    for (int o; (o = getopt_long(argc, argv, "", options, NULL)) >= 0;) {
        int bad = 0;
        switch (o) {
        case 'g':
            bad = two_numbers(optarg, &s.columns, &s.rows);
            break;
        case 'f':
            bad = two_numbers(optarg, &s.frame[0], &s.frame[1]);
            break;
        case 'x':
            s.mixed = atoi(optarg);
            break;
        case 't':
            bad = two_numbers(optarg, &s.width, &s.height);
            break;
        case 'r':
            s.turns = (enum turns)name_index(optarg, turns);
            break;
        case 'm':
            s.missing = atof(optarg) / 100;
            break;
        case 'n':
            s.noise = atof(optarg);
            break;
        case 'e':
            s.erode = atoi(optarg);
            break;
        case 'j':
            bad = sscanf(optarg, "%d,%d", &s.jpeg, &s.chroma) < 1 || s.chroma < 1 || s.chroma > 2;
            break;
        case 'c':
            s.dissimilarity = (enum dissimilarity)name_index(optarg, names.word);
            break;
        case 's':
            s.shuffles = atoi(optarg);
            break;
        case 'S':
            s.seed = strtoull(optarg, NULL, 10);
            break;
        case 'T':
            s.refine.seconds = atof(optarg);
            break;
        case 'E':
            s.refine.effort = atoi(optarg);
            break;
        case 'C':
            s.refine.chains = atoi(optarg);
            break;
        case 'G':
            s.gray = 1;
            break;
        case 'D':
            s.greedy = 1;
            break;
        case 'd':
            s.run.device_id = optarg;
            break;
        case 'p':
            s.split = 1;
            break;
        case 'u':
            s.unrefined = 1;
            break;
        case 'v':
            s.verbose = 1;
            break;
        default:
            bad = 1;
        }
        if (bad)
            return 2;
    }
    if (!s.columns && !s.width)
        s.width = s.height = 28;
    printf("%-24s %6s %6s %6s %5s  %6s %6s  %6s %7s\n", "image", "direct", "neighb", "larg", "perf",
        "answer", "truth", "first", "s");
    struct score mean = {0};
    int count = 0;
    const int parts = s.mixed ? s.mixed : 1;
    for (int i = optind; i + parts <= argc; i += parts) {
        struct image image = {0};
        struct error error;
        int rc = image_read(argv[i], IMAGE_MAX_PIXELS, NULL, &image, &error);
        for (int k = 1; rc == 0 && k < parts; k++)
            rc = append(&image, argv[i + k], &error);
        struct score average = {0};
        for (int k = 0; rc == 0 && k < s.shuffles; k++) {
            struct shuffled cut = {0};
            struct score score = {0};
            rc = cut_make(&image, &s, s.seed + (uint64_t)k * 1000, &cut, &error);
            if (rc == 0)
                rc = solve(&cut, &s, &score, &error);
            cut_free(&cut);
            for (size_t j = 0; j < SCORES; j++)
                ((double *)&average)[j] += ((double *)&score)[j] / s.shuffles;
        }
        image_free(&image);
        if (rc) {
            fprintf(stderr, "solve: %s\n", error.text);
            return 1;
        }
        const char *slash = strrchr(argv[i], '/');
        print_score(slash ? slash + 1 : argv[i], &average);
        count++;
        for (size_t j = 0; j < SCORES; j++)
            ((double *)&mean)[j] += ((double *)&average)[j];
    }
    if (count > 1) {
        for (size_t j = 0; j < SCORES; j++)
            ((double *)&mean)[j] /= count;
        print_score("mean", &mean);
    }
    run_end(&s.run);
    return 0;
}
