/* The costs of pairs of edges against the formulas in double precision. */
#include <math.h>
#include <string.h>

#include "cli/tap.h"
#include "stages/unscramble/features.h"
#include "tests/compare_by.h"
#include "tests/test_random.h"
#include "tests/test_sides.h"

enum { MAX = 12, LONGEST = 29 };

/* Pixel k of an edge; backwards, as the edge that touches it sees it. By luminance, colors are a
 * sixth of the second row's; with a gap, the second row is twice as far from the first as it is. */
static double pixel(const struct strips *strips, enum dissimilarity dissimilarity, int edge,
    int backwards, int depth, int channel, int k)
{
    const int length = strips->length[edge & 1], at = backwards ? length - 1 - k : k;
    const int outer = strip_of(strips, edge, 0)[channel * length + at];
    const int inner = strip_of(strips, edge, 1)[channel * length + at];
    int steps = depth ? inner : outer;
    if (dissimilarity == DISSIMILARITY_LUMINANCE && channel > 0)
        steps = inner / 6;
    if (dissimilarity == DISSIMILARITY_GAP && depth == 1)
        steps = 2 * inner - outer;
    return steps / (double)LAB_SCALE;
}

/* The length of a triple by the covariance of others about their mean, or about 0, and of nine
 * more. */
static double mahalanobis(
    const double (*others)[3], int count, int about_mean, const double *triple)
{
    static const double extra[9][3] = {
        {0}, {1, 1, 1}, {-1, -1, -1}, {1}, {-1}, {0, 1}, {0, -1}, {0, 0, 1}, {0, 0, -1}};
    double mean[3] = {0}, m[3][4] = {{0}}, square = 0;
    for (int i = 0; about_mean && i < count; i++)
        for (int x = 0; x < 3; x++)
            mean[x] += others[i][x] / count;
    for (int x = 0; x < 3; x++) {
        for (int y = 0; y < 3; y++) {
            for (int i = 0; i < count; i++)
                m[x][y] += (others[i][x] - mean[x]) * (others[i][y] - mean[y]);
            for (int i = 0; i < 9; i++)
                m[x][y] += extra[i][x] * extra[i][y];
            m[x][y] /= count + 9;
        }
        m[x][3] = triple[x] - mean[x];
    }
    /* Gauss and Jordan; the matrix is positive definite. */
    for (int x = 0; x < 3; x++)
        for (int y = 0; y < 3; y++)
            for (int z = 3; y != x && z >= x; z--)
                m[y][z] -= m[y][x] / m[x][x] * m[x][z];
    for (int x = 0; x < 3; x++)
        square += (triple[x] - mean[x]) * m[x][3] / m[x][x];
    return sqrt(square);
}

/* By the network, in whole steps of 1/512: the sum of q / (1 + q) of the squared distances of four
 * numbers each, of what one edge is and what the other expects. */
static double learned_expect(const struct terms *features, int a, int b)
{
    const int length = features->length[a & 1];
    double sum = 0;
    for (int way = 0; way < 2; way++)
        for (int k = 0; k < length; k++)
            for (int group = 0; group < features->channels; group += 4) {
                double square = 0;
                for (int i = group; i < group + 4; i++)
                    square += pow((terms_of(features, a, way)[i * length + k] -
                                      terms_of(features, b, !way)[(i + 1) * length - 1 - k]) /
                                      64.0,
                        2);
                sum += square / (1 + square);
            }
    return floor(512 * sum) / 512; /* as it stands in lists */
}

/* How badly b goes on from a; returns how many features the dissimilarity has besides the learned
 * one. */
static int features_expect(const struct strips *strips, const struct terms *features,
    enum dissimilarity dissimilarity, int a, int b, double *feature)
{
    const int length = strips->length[a & 1];
    double own[LONGEST][3], step[LONGEST][3], own_change[LONGEST][3], change[LONGEST][3];
    for (int i = 0; i < FEATURE_COUNT; i++)
        feature[i] = 0;
    if (dissimilarity_learned(dissimilarity))
        feature[FEATURE_LEARNED] = learned_expect(features, a, b);
    if (dissimilarity == DISSIMILARITY_LEARNED || dissimilarity == DISSIMILARITY_LEARNED_GAP)
        return 0;
    for (int k = 0; k < length; k++)
        for (int x = 0; x < 3; x++) {
            const double outer = pixel(strips, dissimilarity, a, 0, 0, x, k);
            const double inner = pixel(strips, dissimilarity, a, 0, 1, x, k);
            const double next = pixel(strips, dissimilarity, b, 1, 0, x, k);
            const double after = pixel(strips, dissimilarity, b, 1, 1, x, k);
            own[k][x] = outer - inner;
            step[k][x] = next - outer;
            const double one_sided = fabs(step[k][x] - own[k][x]);
            const double two_sided = fabs(step[k][x] - (own[k][x] + after - next) / 2);
            feature[0] += dissimilarity == DISSIMILARITY_L1           ? fabs(step[k][x])
                          : dissimilarity == DISSIMILARITY_LUMINANCE  ? fabs(step[k][x])
                          : dissimilarity == DISSIMILARITY_SSD        ? step[k][x] * step[k][x]
                          : dissimilarity == DISSIMILARITY_PREDICTION ? one_sided
                                                                      : 0;
            feature[1] += sqrt(one_sided);
            feature[3] += sqrt(two_sided);
            feature[4] += x ? 0 : sqrt(two_sided);
            if (k) {
                own_change[k - 1][x] = own[k][x] - own[k - 1][x];
                change[k - 1][x] = step[k][x] - step[k - 1][x];
            }
        }
    const int is_blend = dissimilarity == DISSIMILARITY_BLEND ||
                         dissimilarity == DISSIMILARITY_GAP || dissimilarity == DISSIMILARITY_BOTH;
    if (dissimilarity != DISSIMILARITY_MGC && !is_blend)
        return 1;
    for (int k = 0; k < length; k++)
        feature[0] += mahalanobis(own, length, 1, step[k]);
    for (int k = 0; k + 1 < length; k++)
        feature[2] += mahalanobis(own_change, length - 1, 0, change[k]);
    return is_blend ? 5 : 1;
}

/* The costs of all pairs in lists; negative for others. Which partners are in lists is taken
 * over. */
static void costs_find(const struct strips *strips, const struct terms *features,
    const struct compatibility *c, double (*cost)[4 * MAX])
{
    static const double floors[FEATURE_COUNT] = {0.5, 1, 0.5, 1, 1, 0};
    const int is_both = c->dissimilarity == DISSIMILARITY_BOTH;
    const int is_learned = is_both || c->dissimilarity == DISSIMILARITY_LEARNED ||
                           c->dissimilarity == DISSIMILARITY_LEARNED_GAP;
    const double others = is_both || !is_learned ? 1 : 0;
    const int percent = dissimilarity_learned(c->dissimilarity);
    static double feature[4 * MAX][4 * MAX][FEATURE_COUNT], score[4 * MAX][4 * MAX];
    double second[4 * MAX][FEATURE_COUNT], worst[2][FEATURE_COUNT] = {{0}};
    char is_listed[4 * MAX][4 * MAX] = {{0}};
    const int edges = 4 * strips->tiles;
    int used = 0, listed[4 * MAX] = {0};
    for (int a = 0; a < edges; a++)
        for (int i = 0; i < c->width && partners_of(c, a)[i].edge != NOTHING; i++)
            is_listed[a][partners_of(c, a)[i].edge] = 1;
    for (int a = 0; a < edges; a++)
        for (int b = 0; b < edges; b++) {
            listed[a] += is_listed[a][b];
            score[a][b] = cost[a][b] = -1;
            if (!is_listed[a][b] && !is_listed[b][a])
                continue;
            used = features_expect(strips, features, c->dissimilarity, a, b, feature[a][b]);
            score[a][b] = 1000;
            cost[a][b] = 0;
        }
    for (int a = 0; a < edges; a++)
        for (int j = 0; j < FEATURE_COUNT; j++) {
            double least = INFINITY;
            second[a][j] = INFINITY;
            for (int b = 0; b < edges; b++)
                if (is_listed[a][b]) {
                    second[a][j] = fmin(second[a][j], fmax(least, feature[a][b][j]));
                    least = fmin(least, feature[a][b][j]);
                }
            if (listed[a] == 1)
                worst[a & 1][j] = fmax(worst[a & 1][j], least);
        }
    for (int a = 0; a < edges; a++)
        if (listed[a] == 1)
            memcpy(second[a], worst[a & 1], sizeof(second[a]));
    for (int a = 0; a < edges; a++)
        for (int b = 0; b < edges; b++)
            for (int j = 0; cost[a][b] >= 0 && j < FEATURE_COUNT; j++) {
                if (j < used)
                    score[a][b] += others / used * 500 *
                                   (feature[a][b][j] / (second[a][j] + floors[j]) +
                                       feature[b][a][j] / (second[b][j] + floors[j]) - 2);
                if (j == FEATURE_LEARNED)
                    score[a][b] +=
                        10 * percent *
                        (feature[a][b][j] - second[a][j] + feature[b][a][j] - second[b][j]) /
                        (2 * strips->length[a & 1]);
            }
    for (int a = 0; a < edges; a++)
        for (int b = 0; b < edges; b++)
            score[a][b] = fmax(0, fmin(score[a][b], FAR_COST));
    for (int a = 0; a < edges; a++)
        for (int b = 0; b < edges; b++) {
            if (cost[a][b] < 0)
                continue;
            double mine = INFINITY, theirs = INFINITY;
            for (int i = 0; i < edges; i++) {
                if (i != b && is_listed[a][i])
                    mine = fmin(mine, score[a][i]);
                if (i != a && is_listed[b][i])
                    theirs = fmin(theirs, score[b][i]);
            }
            mine = isinf(mine) ? 1000 : fmin(mine, FAR_COST);
            theirs = isinf(theirs) ? 1000 : fmin(theirs, FAR_COST);
            cost[a][b] = TIE_COST + score[a][b] - (mine + theirs) / 2;
            cost[a][b] = fmax(0, fmin(cost[a][b], FAR_COST));
        }
}

enum kind { NOISE, SMOOTH, TWO_COLORS, FLAT, KINDS };

static void draw(enum kind kind, struct image *image)
{
    for (int i = 0; i < image->width * image->height; i++) {
        uint8_t *pixel = (uint8_t *)image->pixels + 4 * i;
        const int x = i % image->width, y = i / image->width, is_red = next_random() >> 31;
        for (int c = 0; c < 3; c++)
            pixel[c] = kind == NOISE        ? (uint8_t)(next_random() >> 24)
                       : kind == SMOOTH     ? (uint8_t)((x * (5 + c) + y * (3 - c) * x / 7) % 256)
                       : kind == TWO_COLORS ? (uint8_t)(is_red && c == 0 ? 255 : 0)
                                            : 100;
    }
}

/* Of the outermost pixels that the dissimilarity sees, in steps. */
static int mean_of(
    const struct strips *strips, enum dissimilarity dissimilarity, int edge, int channel)
{
    const int length = strips->length[edge & 1];
    double sum = 0;
    for (int i = 0; i < length; i++)
        sum += round(LAB_SCALE * pixel(strips, dissimilarity, edge, 0, 0, channel, i));
    return (int)(sum / length);
}

/* What a pair in no list costs: what the worse of both edges' do; if both lists are cut off, 50
 * more for each step that the mean colors are apart. */
static int expect_unlisted(const struct strips *strips, const struct compatibility *c, int a, int b)
{
    const struct unlisted *of_a = &c->unlisted[a], *of_b = &c->unlisted[b];
    int cost = of_a->cost > of_b->cost ? of_a->cost : of_b->cost;
    for (int i = 0; of_a->color[0] != NO_COLOR && of_b->color[0] != NO_COLOR && i < 3; i++)
        cost += 50 * abs(mean_of(strips, c->dissimilarity, a, i) -
                         mean_of(strips, c->dissimilarity, b, i));
    return cost < FAR_COST ? cost : FAR_COST;
}

/* What is wrong with the lists and costs. */
static int count_wrong(const struct strips *strips, const struct terms *features,
    const struct compatibility *c, const uint8_t *present, enum turns turns)
{
    static double cost[4 * MAX][4 * MAX];
    int wrong = 0;
    costs_find(strips, features, c, cost);
    for (int a = 0; a < 4 * c->tiles; a++) {
        const struct partner *list = partners_of(c, a);
        int partners = 0, is_far_listed = 0;
        for (int b = 0; b < 4 * c->tiles; b++) {
            wrong += cost_of(c, a, b) != cost_of(c, b, a);
            wrong += cost[a][b] < 0 ? cost_of(c, a, b) != expect_unlisted(strips, c, a, b)
                                    : !(fabs(cost_of(c, a, b) - cost[a][b]) <= 2);
            partners += a >> 2 != b >> 2 && present[a >> 2] && present[b >> 2] &&
                        sides_match(turns, a & 3, b & 3);
        }
        for (int i = 0; i < c->width; i++) {
            const struct partner *now = &list[i], *before = &list[i - 1];
            const int is_there = i < partners;
            wrong += is_there != (now->edge != NOTHING);
            wrong += is_there ? !present[now->edge >> 2] || now->cost != cost_of(c, a, now->edge)
                              : now->cost != FAR_COST;
            is_far_listed |= now->cost == c->unlisted[a].cost;
            wrong += i > 0 && now->cost < before->cost;
            wrong += i > 0 && is_there && now->cost == before->cost && now->edge <= before->edge;
        }
        wrong += !is_far_listed;
    }
    return wrong;
}

static int find_features(struct run *run, const struct tiling *tiling, struct terms *features)
{
    const struct workload work = {0};
    const size_t size = image_bytes(tiling->image);
    struct buffer pixels = {0};
    int rc = run_device(run, &work);
    if (rc == 0)
        rc = buffer_new(&run->device, size, tiling->image->pixels, &pixels, &run->error);
    if (rc == 0)
        rc = features_make(run, &pixels, tiling, 0, NULL, features);
    buffer_free(&pixels);
    return rc;
}

static void check(int columns, int rows, int side_x, int side_y, enum turns turns)
{
    const struct words names = dissimilarity_names();
    static const char *const kinds[] = {"noise", "smooth", "two colors", "flat"};
    static const int widths[] = {1, 4, 4 * MAX};
    for (enum kind kind = NOISE; kind < KINDS; kind++) {
        struct image image = {0};
        struct strips strips = {0};
        struct terms features = {0};
        struct run once = {.device_id = "cpu", .stage = "compare"};
        struct error error;
        int rc = image_new(columns * side_x, rows * side_y, 3, 8, &image, &error);
        if (rc == 0) {
            draw(kind, &image);
            rc = strips_make(
                &(const struct tiling){&image, columns, rows, side_x, side_y, 0}, &strips, &error);
        }
        rc = rc ? rc
                : find_features(&once,
                      &(const struct tiling){&image, columns, rows, side_x, side_y, 0}, &features);
        for (enum dissimilarity dissimilarity = DISSIMILARITY_BLEND;
             rc == 0 && dissimilarity < DISSIMILARITY_COUNT; dissimilarity++) {
            int wrong = 0;
            for (int i = 0; rc == 0 && i < 6; i++) {
                struct compatibility c = {0};
                struct run run = {.device_id = "cpu", .stage = "compare"};
                uint8_t present[MAX];
                for (int tile = 0; tile < columns * rows; tile++)
                    present[tile] = i % 2 == 0 || tile % 3 != 1;
                rc = compare_by(&run, &strips, &features, turns, i % 2 ? present : NULL,
                    dissimilarity, widths[i / 2], &c);
                wrong += rc == 0 ? count_wrong(&strips, &features, &c, present, turns) : 0;
                compatibility_free(&c);
                run_end(&run);
            }
            tap_check(rc == 0 && wrong == 0, "%d x %d tiles of %d x %d, turns %d, %s, %s: %d wrong",
                columns, rows, side_x, side_y, (int)turns, kinds[kind], names.word[dissimilarity],
                wrong);
        }
        terms_free(&features);
        run_end(&once);
        strips_free(&strips);
        image_free(&image);
    }
}

/* What a run reports, and when it is told to stop. */
struct watched {
    double last;
    int reports, falls; /* of the share: a fall is where the next work begins */
    int stop;           /* the report after the first fall at which it stops; 0: none */
};

static int watch(void *context, const char *stage, double share)
{
    struct watched *watched = context;
    (void)stage;
    watched->falls += share < watched->last;
    watched->reports += watched->falls > 0;
    watched->last = share;
    return watched->stop > 0 && watched->reports >= watched->stop;
}

/* compare_edges reports first, up to 1, and then the costs are made. */
static void check_progress(void)
{
    enum { SIDE = 40, PIXELS = 3 }; /* 6400 edges: each of four loops takes two parts */
    struct image image = {0};
    struct strips strips = {0};
    struct error error;
    int rc = image_new(SIDE * PIXELS, SIDE * PIXELS, 3, 8, &image, &error);
    if (rc == 0) {
        draw(NOISE, &image);
        rc = strips_make(
            &(const struct tiling){&image, SIDE, SIDE, PIXELS, PIXELS, 0}, &strips, &error);
    }
    for (int stop = 0; rc == 0 && stop < 9; stop++) {
        struct compatibility c = {0};
        struct watched watched = {.stop = stop};
        struct run run = {
            .device_id = "cpu", .stage = "compare", .progress = watch, .context = &watched};
        const int made =
            compare_by(&run, &strips, NULL, TURNS_NONE, NULL, DISSIMILARITY_BLEND, 4, &c);
        tap_check(made == (stop ? ERROR_STOPPED : 0) && watched.reports == (stop ? stop : 8) &&
                      watched.falls == 1 && (stop || watched.last == 1) &&
                      (c.list == NULL) == (stop > 0),
            "costs: stopped at report %d of 8 (0: not): %d, %d reports", stop, made,
            watched.reports);
        compatibility_free(&c);
        run_end(&run);
    }
    strips_free(&strips);
    image_free(&image);
}

/* Where lists end amid equal tiles, those that they do not hold cost what these do if they have the
 * same color: a white sky has more tiles than a list. Tiles from FIRST on are of another color, all
 * others are white but the first one, which lists of white tiles begin with and which fits
 * worst. */
static void check_equal(int red, int green, int blue)
{
    enum { COLUMNS = 5, ROWS = 4, TILES = COLUMNS * ROWS, PIXELS = 6, WIDTH = 3, FIRST = 10 };
    const int other[4] = {red, green, blue, 255};
    struct image image = {0};
    struct strips strips = {0};
    struct compatibility c = {0};
    struct error error;
    struct partner *list = malloc(4 * TILES * WIDTH * sizeof(*list));
    int wrong = 0;
    int rc = image_new(COLUMNS * PIXELS, ROWS * PIXELS, 3, 8, &image, &error);
    if (rc == 0) {
        for (int i = 0; i < 4 * image.width * image.height; i++) {
            const int x = i / 4 % image.width / PIXELS, y = i / 4 / image.width / PIXELS;
            const int tile = y * COLUMNS + x;
            ((uint8_t *)image.pixels)[i] = tile == 0       ? (uint8_t)(next_random() >> 24)
                                           : tile >= FIRST ? (uint8_t)other[i % 4]
                                                           : 255;
        }
        rc = strips_make(
            &(const struct tiling){&image, COLUMNS, ROWS, PIXELS, PIXELS, 0}, &strips, &error);
    }
    for (int e = 0; e < 4 * TILES; e++) {
        const int tile = e >> 2, side = (e & 3) ^ 2, area = tile < FIRST ? 0 : FIRST;
        const int first = tile == area ? area + 5 : area;
        const int second = tile == area + 1 ? area + 2 : area + 1;
        const int third = tile == area + 3 ? area + 4 : area + 3;
        list[WIDTH * e] = (struct partner){4 * first + side, tile == 0 || area ? 5 : 1};
        list[WIDTH * e + 1] = (struct partner){4 * second + side, 5};
        list[WIDTH * e + 2] = (struct partner){4 * third + side, 5};
    }
    rc = rc ? rc
            : compatibility_make(
                  &strips, TURNS_NONE, DISSIMILARITY_BLEND, WIDTH, list, NULL, &c, &error) ||
                  compatibility_index(&c);
    int apart = 0;
    for (int i = 0; rc == 0 && i < 3; i++)
        apart += 50 * abs(mean_of(&strips, c.dissimilarity, 4, i) -
                          mean_of(&strips, c.dissimilarity, 4 * FIRST, i));
    const int unlike = TIE_COST + apart < FAR_COST ? TIE_COST + apart : FAR_COST;
    for (int a = 1; rc == 0 && a < TILES; a++)
        for (int b = 1; b < TILES; b++)
            wrong += a != b && cost_of(&c, 4 * a + 2, 4 * b) !=
                                   ((a < FIRST) == (b < FIRST) ? TIE_COST : unlike);
    tap_check(rc == 0 && wrong == 0 && unlike > TIE_COST,
        "beyond the end of a list: equal tiles cost a tie, those of another color %d: %d wrong",
        unlike, wrong);
    compatibility_free(&c);
    strips_free(&strips);
    image_free(&image);
}

int main(void)
{
    check_equal(254, 254, 254); /* 14 steps of luminance */
    check_equal(0, 0, 200);
    check_progress();
    check(4, 3, 28, 28, TURNS_ANY);
    check(3, 4, 29, 17, TURNS_HALF);
    check(4, 3, 11, 11, TURNS_NONE);
    check(5, 1, 7, 4, TURNS_NONE);
    check(2, 1, 6, 6, TURNS_NONE);
    check(1, 2, 5, 9, TURNS_NONE);
    check(2, 2, 2, 2, TURNS_ANY);
    check(1, 5, 1, 1, TURNS_ANY);
    check(1, 1, 5, 5, TURNS_ANY);
    return tap_finish();
}
