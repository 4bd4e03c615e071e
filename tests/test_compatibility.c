/* The costs of pairs of edges against the formulas in double precision. */
#include <math.h>
#include <stdlib.h>

#include "stages/unscramble/compatibility.h"
#include "tests/tap.h"
#include "tests/test_random.h"

enum { MOST = 6, LONGEST = 29, WIDTH = 24, FEATURES = 5 };

/* Pixel k of an edge; backwards, as the edge that touches it sees it. */
static double pixel(
    const struct strips *strips, int edge, int backwards, int depth, int channel, int k)
{
    const int length = strips->length[edge & 1], at = backwards ? length - 1 - k : k;
    return strip_of(strips, edge, depth)[channel * length + at] / (double)LAB_SCALE;
}

/* The length of a triple by the covariance of others about their mean, or about 0, and of nine more. */
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

/* How badly b goes on from a; returns how many features the metric has. */
static int features_find(
    const struct strips *strips, enum metric metric, int a, int b, double *feature)
{
    const int length = strips->length[a & 1];
    double own[LONGEST][3], step[LONGEST][3], own_change[LONGEST][3], change[LONGEST][3];
    for (int i = 0; i < FEATURES; i++)
        feature[i] = 0;
    for (int k = 0; k < length; k++)
        for (int x = 0; x < 3; x++) {
            const double outer = pixel(strips, a, 0, 0, x, k), inner = pixel(strips, a, 0, 1, x, k);
            const double next = pixel(strips, b, 1, 0, x, k), after = pixel(strips, b, 1, 1, x, k);
            own[k][x] = outer - inner;
            step[k][x] = next - outer;
            const double one_sided = fabs(step[k][x] - own[k][x]);
            const double two_sided = fabs(step[k][x] - (own[k][x] + after - next) / 2);
            feature[0] += metric == METRIC_L1           ? fabs(step[k][x])
                          : metric == METRIC_SSD        ? step[k][x] * step[k][x]
                          : metric == METRIC_PREDICTION ? one_sided
                                                        : 0;
            feature[1] += sqrt(one_sided);
            feature[3] += sqrt(two_sided);
            feature[4] += x ? 0 : sqrt(two_sided);
            if (k) {
                own_change[k - 1][x] = own[k][x] - own[k - 1][x];
                change[k - 1][x] = step[k][x] - step[k - 1][x];
            }
        }
    if (metric != METRIC_MGC && metric != METRIC_BLEND)
        return 1;
    for (int k = 0; k < length; k++)
        feature[0] += mahalanobis(own, length, 1, step[k]);
    for (int k = 0; k + 1 < length; k++)
        feature[2] += mahalanobis(own_change, length - 1, 0, change[k]);
    return metric == METRIC_BLEND ? FEATURES : 1;
}

/* The costs of all pairs; negative where edges never touch. */
static void costs_find(
    const struct strips *strips, enum turns turns, enum metric metric, double (*cost)[4 * MOST])
{
    static const double floors[FEATURES] = {0.5, 1, 0.5, 1, 1},
                        channels[FEATURES] = {1, 3, 1, 3, 1};
    static double feature[4 * MOST][4 * MOST][FEATURES], score[4 * MOST][4 * MOST];
    double second[4 * MOST][FEATURES];
    const int edges = 4 * strips->tiles;
    int used = 0;
    for (int a = 0; a < edges; a++)
        for (int b = 0; b < edges; b++) {
            score[a][b] = cost[a][b] = -1;
            if (a >> 2 == b >> 2 || !sides_match(turns, a & 3, b & 3))
                continue;
            used = features_find(strips, metric, a, b, feature[a][b]);
            score[a][b] = cost[a][b] = 0;
        }
    for (int a = 0; a < edges; a++)
        for (int j = 0; j < FEATURES; j++) {
            double least = INFINITY;
            second[a][j] = INFINITY;
            for (int b = 0; b < edges; b++)
                if (score[a][b] >= 0) {
                    const double now = feature[a][b][j];
                    second[a][j] = fmin(second[a][j], fmax(least, now));
                    least = fmin(least, now);
                }
            if (isinf(second[a][j]))
                second[a][j] = channels[j] * strips->length[a & 1];
        }
    for (int a = 0; a < edges; a++)
        for (int b = 0; b < edges; b++)
            for (int j = 0; score[a][b] >= 0 && j < used; j++)
                score[a][b] += 1000 *
                               (feature[a][b][j] / (second[a][j] + floors[j]) +
                                   feature[b][a][j] / (second[b][j] + floors[j])) /
                               2 / used;
    for (int a = 0; a < edges; a++)
        for (int b = 0; b < edges; b++) {
            if (score[a][b] < 0)
                continue;
            double mine = INFINITY, theirs = INFINITY;
            for (int i = 0; i < edges; i++) {
                if (i != b && score[a][i] >= 0)
                    mine = fmin(mine, score[a][i]);
                if (i != a && score[i][b] >= 0)
                    theirs = fmin(theirs, score[i][b]);
            }
            mine = isinf(mine) ? 1000 : fmin(mine, FAR_COST);
            theirs = isinf(theirs) ? 1000 : fmin(theirs, FAR_COST);
            cost[a][b] = TIE_COST + fmin(score[a][b], FAR_COST) - (mine + theirs) / 2;
            cost[a][b] = fmax(0, fmin(cost[a][b], FAR_COST));
        }
}

static void check(int columns, int rows, int width, int height, enum turns turns, int contrast)
{
    static const char *const names[] = {"auto", "blend", "l1", "prediction", "mgc", "ssd"};
    static double cost[4 * MOST][4 * MOST];
    struct image picture = {0};
    struct strips strips = {0};
    struct error error;
    int rc = image_new(columns * width, rows * height, 3, 8, &picture, &error);
    for (int i = 0; rc == 0 && i < 4 * picture.width * picture.height; i++)
        ((uint8_t *)picture.pixels)[i] =
            (uint8_t)(128 + (int)(next_random() >> 16) % (2 * contrast + 1) - contrast);
    if (rc == 0)
        rc = strips_make(&picture, columns, rows, width, height, 0, &strips, &error);
    for (enum metric metric = METRIC_BLEND; rc == 0 && metric <= METRIC_SSD; metric++) {
        struct compatibility c = {0};
        struct run run = {.device_id = "cpu", .stage = "compare"};
        int wrong = 0, missing = 0, unsorted = 0;
        rc = compatibility_make(&run, &strips, turns, NULL, metric, WIDTH, &c);
        costs_find(&strips, turns, metric, cost);
        for (int a = 0; rc == 0 && a < 4 * c.tiles; a++) {
            const struct partner *list = candidates_of(&c, a);
            int partners = 0;
            for (int b = 0; b < 4 * c.tiles; b++) {
                partners += cost[a][b] >= 0;
                wrong += cost[a][b] >= 0 && !(fabs(cost_of(&c, a, b) - cost[a][b]) <= 2);
            }
            for (int i = 0; i < WIDTH; i++) {
                partners -= list[i].edge != NOTHING;
                wrong += list[i].edge != NOTHING && list[i].cost != cost_of(&c, a, list[i].edge);
                unsorted += i > 0 && (list[i].cost < list[i - 1].cost ||
                                         (list[i].edge != NOTHING && list[i - 1].edge == NOTHING));
            }
            missing += partners != 0;
        }
        tap_check(rc == 0 && !wrong && !missing && !unsorted,
            "%d x %d tiles of %d x %d, turns %d, contrast %d, %s: %d costs, %d lists wrong, %d "
            "unsorted",
            columns, rows, width, height, (int)turns, contrast, names[metric], wrong, missing,
            unsorted);
        compatibility_free(&c);
        run_end(&run);
    }
    strips_free(&strips);
    image_free(&picture);
}

int main(void)
{
    check(3, 2, 5, 5, TURNS_ANY, 100);
    check(3, 2, 28, 28, TURNS_ANY, 3);
    check(2, 2, 29, 17, TURNS_HALF, 20);
    check(5, 1, 7, 4, TURNS_NONE, 100);
    check(2, 1, 6, 6, TURNS_NONE, 50);
    check(2, 2, 2, 2, TURNS_ANY, 100);
    check(3, 1, 1, 1, TURNS_ANY, 100);
    check(2, 2, 8, 8, TURNS_ANY, 0);
    return tap_finish();
}
