/* Candidates by a metric, among those that compare_edges finds. Of floats only + - * / and square roots
 * are used, in one order, so that the bytes are the same everywhere. */
#include "stages/unscramble/compatibility.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stages/unscramble/compare.h"

enum { FEATURES = 2 };

/* The best of the machine's instructions, chosen when the program starts. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define BEST_INSTRUCTIONS __attribute__((target_clones("arch=x86-64-v4", "avx2", "default")))
#else
#define BEST_INSTRUCTIONS
#endif

/* What the metrics need of an edge, in units of Lab. */
struct edge_model {
    float mean[3];    /* of the differences to the inner pixels */
    float inverse[6]; /* of their covariance: xx yy zz xy xz yz */
};

/* The inverse covariance of count triples, [channel][count], with Gallagher's nine extra rows: 0,
 * +-(1, 1, 1), +-e1, +-e2, +-e3. */
static void model_fit(const float *triples, int count, struct edge_model *model)
{
    float s[3][3], *mean = model->mean, *inverse = model->inverse;
    for (int x = 0; x < 3; x++) {
        float sum = 0;
        for (int k = 0; k < count; k++)
            sum += triples[x * count + k];
        mean[x] = sum / (float)count;
    }
    for (int x = 0; x < 3; x++)
        for (int y = 0; y < 3; y++) {
            float sum = x == y ? 4 : 2;
            for (int k = 0; k < count; k++)
                sum += (triples[x * count + k] - mean[x]) * (triples[y * count + k] - mean[y]);
            s[x][y] = sum / (float)(count + 9);
        }
    const float a = s[1][1] * s[2][2] - s[1][2] * s[1][2];
    const float b = s[0][2] * s[1][2] - s[0][1] * s[2][2];
    const float d = s[0][1] * s[1][2] - s[0][2] * s[1][1];
    const float determinant = s[0][0] * a + s[0][1] * b + s[0][2] * d;
    inverse[0] = a / determinant;
    inverse[1] = (s[0][0] * s[2][2] - s[0][2] * s[0][2]) / determinant;
    inverse[2] = (s[0][0] * s[1][1] - s[0][1] * s[0][1]) / determinant;
    inverse[3] = 2 * b / determinant;
    inverse[4] = 2 * d / determinant;
    inverse[5] = 2 * (s[0][1] * s[0][2] - s[0][0] * s[1][2]) / determinant;
}

static inline float mahalanobis(const float *q, float x, float y, float z)
{
    const float square =
        q[0] * x * x + q[1] * y * y + q[2] * z * z + q[3] * x * y + q[4] * x * z + q[5] * y * z;
    return sqrtf(square > 0 ? square : 0);
}

/* Strips as floats of Lab: [outer, inner, outer backwards][channel][pixel]. */
static void strip_floats(const struct strips *strips, int edge, int length, float *strip)
{
    const int16_t *outer = strip_of(strips, edge, 0), *inner = strip_of(strips, edge, 1);
    for (int i = 0; i < 3 * length; i++) {
        const int back = i / length * length + length - 1 - i % length;
        strip[i] = (float)outer[i] / LAB_SCALE;
        strip[3 * length + i] = (float)inner[i] / LAB_SCALE;
        strip[6 * length + back] = (float)outer[i] / LAB_SCALE;
    }
}

static float sum_of(const float *values, int count)
{
    float sum = 0;
    for (int i = 0; i < count; i++)
        sum += values[i];
    return sum;
}

/* How badly edge b, read backwards, goes on where edge a ends; one number for each feature. */
BEST_INSTRUCTIONS static void features_of(enum metric metric, const struct edge_model *model,
    const float *a, const float *b, int length, float *work, float *feature)
{
    const float *inner = a + 3 * length, *back = b + 6 * length;
    const int all = 3 * length;
    memset(feature, 0, FEATURES * sizeof(*feature));
    if (metric == METRIC_L1) {
        for (int i = 0; i < all; i++)
            work[i] = fabsf(back[i] - a[i]);
        feature[0] = sum_of(work, all);
    } else if (metric == METRIC_SSD) {
        for (int i = 0; i < all; i++)
            work[i] = (back[i] - a[i]) * (back[i] - a[i]);
        feature[0] = sum_of(work, all);
    } else if (metric == METRIC_PREDICTION) {
        for (int i = 0; i < all; i++)
            work[i] = fabsf(back[i] - (2 * a[i] - inner[i]));
        feature[0] = sum_of(work, all);
    } else {
        const float *m = model->mean, *p = a + length, *q = a + 2 * length;
        const float *bp = back + length, *bq = back + 2 * length;
        for (int k = 0; k < length; k++)
            work[k] = mahalanobis(
                model->inverse, back[k] - a[k] - m[0], bp[k] - p[k] - m[1], bq[k] - q[k] - m[2]);
        feature[0] = sum_of(work, length);
        if (metric == METRIC_MGC)
            return;
        for (int i = 0; i < all; i++)
            work[i] = sqrtf(fabsf(back[i] - (2 * a[i] - inner[i])));
        feature[1] = sum_of(work, all);
    }
}

static int by_cost(const void *x, const void *y)
{
    const struct partner *a = x, *b = y;
    if (a->cost != b->cost)
        return a->cost < b->cost ? -1 : 1;
    return (a->edge > b->edge) - (a->edge < b->edge);
}

/* Costs of the candidates by the metric: each feature over its second best of the edge, both ways,
 * the mean of all. */
static int list_rescore(const struct strips *strips, struct compatibility *c)
{
    const int edges = 4 * c->tiles, width = c->width;
    const int longest =
        strips->length[0] > strips->length[1] ? strips->length[0] : strips->length[1];
    struct edge_model *model = malloc((size_t)edges * sizeof(*model));
    float *strip = malloc((size_t)edges * 9 * (size_t)longest * sizeof(*strip));
    float(*feature)[2][FEATURES] = malloc((size_t)edges * (size_t)width * sizeof(*feature));
    float(*second)[FEATURES] = malloc((size_t)edges * sizeof(*second));
    float *works = malloc((size_t)edges * 3 * (size_t)longest * sizeof(*works));
    const int ok = model && strip && feature && second && works;
#pragma omp parallel for schedule(dynamic, 16)
    for (int e = 0; e < (ok ? edges : 0); e++) {
        const int length = strips->length[e & 1];
        float *s = strip + (size_t)e * 9 * (size_t)longest,
              *work = works + (size_t)e * 3 * (size_t)longest;
        strip_floats(strips, e, length, s);
        for (int i = 0; i < 3 * length; i++)
            work[i] = s[i] - s[3 * length + i];
        model_fit(work, length, &model[e]);
    }
#pragma omp parallel for schedule(dynamic, 16)
    for (int e = 0; e < (ok ? edges : 0); e++) {
        const int length = strips->length[e & 1];
        const float *mine = strip + (size_t)e * 9 * (size_t)longest;
        float least[2][FEATURES], *work = works + (size_t)e * 3 * (size_t)longest;
        for (int i = 0; i < 2 * FEATURES; i++)
            least[i / FEATURES][i % FEATURES] = INFINITY;
        for (int i = 0; i < width; i++) {
            const int f = c->list[(int64_t)e * width + i].edge;
            if (f == NOTHING)
                break;
            const float *theirs = strip + (size_t)f * 9 * (size_t)longest;
            float(*x)[FEATURES] = feature[(int64_t)e * width + i];
            features_of(c->metric, &model[e], mine, theirs, length, work, x[0]);
            features_of(c->metric, &model[f], theirs, mine, length, work, x[1]);
            for (int j = 0; j < FEATURES; j++)
                if (x[0][j] < least[0][j]) {
                    least[1][j] = least[0][j];
                    least[0][j] = x[0][j];
                } else if (x[0][j] < least[1][j]) {
                    least[1][j] = x[0][j];
                }
        }
        /* An edge with one partner: as if a unit of Lab a pixel were a tie. */
        for (int j = 0; j < FEATURES; j++)
            second[e][j] =
                least[1][j] < INFINITY ? least[1][j] : (float)(j == 1 ? 3 * length : length);
    }
    const int used = c->metric == METRIC_BLEND ? FEATURES : 1;
    const float floors[FEATURES] = {0.5f, 1};
#pragma omp parallel for schedule(dynamic, 16)
    for (int e = 0; e < (ok ? edges : 0); e++) {
        struct partner *list = c->list + (int64_t)e * width;
        for (int i = 0; i < width; i++) {
            const int f = list[i].edge;
            if (f == NOTHING)
                break;
            float(*x)[FEATURES] = feature[(int64_t)e * width + i];
            /* The smaller edge's part first: the sum is the same from both sides. */
            const int low = e < f ? 0 : 1, a = e < f ? e : f, b = e < f ? f : e;
            float sum = 0;
            for (int j = 0; j < used; j++)
                sum += x[low][j] / (second[a][j] + floors[j]) +
                       x[1 - low][j] / (second[b][j] + floors[j]);
            const float cost = sum * TIE_COST / (float)(2 * used);
            list[i].cost = cost < FAR_COST ? (int32_t)(cost + 0.5f) : FAR_COST;
        }
        qsort(list, (size_t)width, sizeof(*list), by_cost);
        for (int i = 0; i < width; i++)
            if (list[i].edge == NOTHING)
                list[i].cost = FAR_COST;
        c->far[e] = list[width - 1].cost;
    }
    free(model);
    free(strip);
    free(feature);
    free(second);
    free(works);
    return ok ? 0 : -1;
}

int pair_order(const void *x, const void *y)
{
    const struct pair_cost *p = x, *q = y;
    if (p->cost != q->cost)
        return p->cost < q->cost ? -1 : 1;
    if (p->a != q->a)
        return p->a < q->a ? -1 : 1;
    return (p->b > q->b) - (p->b < q->b);
}

/* 100 ln(false / true), moved so that the least is 50, of pairs that are cheapest for none, one or both of
 * their edges, at each step of cost: found in photographs by tests/bench/learn.sh. */
static const int16_t LOG_ODDS[3][COST_STEPS] = {
    {1182, 1182, 1182, 1182, 1182, 1182, 1182, 1182, 1182, 1182, 1182, 1182, 1182, 1197, 1210, 1300,
        1400, 1485, 1551, 1595, 1681},
    {810, 810, 810, 810, 810, 810, 810, 810, 810, 810, 810, 846, 891, 923, 961, 1008, 1038, 1063,
        1063, 1063, 1064},
    {50, 50, 50, 50, 50, 50, 50, 50, 143, 231, 344, 453, 579, 690, 717, 717, 756, 756, 756, 756,
        756}};

int32_t pair_weight(int32_t cost, int cheapest)
{
    const int32_t step = cost / COST_STEP;
    const int16_t *odds = &LOG_ODDS[cheapest][step];
    const int32_t beyond =
        step < COST_STEPS - 1 ? (odds[1] - odds[0]) * (cost % COST_STEP) / COST_STEP : 0;
    return (cost + odds[0] + beyond) / 2;
}

/* Whether an edge has this candidate alone for its first. */
static int is_cheapest(const struct compatibility *c, int32_t edge, int32_t other)
{
    const struct partner *list = candidates_of(c, edge);
    return list->edge == other && !(c->width > 1 && list[0].cost == list[1].cost);
}

int pair_cheapest(const struct compatibility *c, int32_t a, int32_t b)
{
    return is_cheapest(c, a, b) + is_cheapest(c, b, a);
}

static int table_make(struct compatibility *c)
{
    const int64_t entries = (int64_t)4 * c->tiles * c->width;
    c->shift = 31;
    while (c->shift > 4 && (int64_t)1 << (32 - c->shift) < 2 * entries)
        c->shift--;
    const uint32_t mask = 0xffffffffu >> c->shift;
    c->table = malloc(((size_t)mask + 1) * sizeof(*c->table));
    c->filter = calloc((size_t)mask + 1, 1);
    if (!c->table || !c->filter)
        return -1;
    memset(c->table, 0xff, ((size_t)mask + 1) * sizeof(*c->table));
    for (int64_t i = 0; i < entries; i++) {
        const int32_t e = (int32_t)(i / c->width), f = c->list[i].edge;
        if (f == NOTHING)
            continue;
        const int32_t a = e < f ? e : f, b = e < f ? f : e;
        const uint32_t hash = pair_hash(a, b), bit = hash >> (c->shift - 3);
        uint32_t at = hash >> c->shift;
        c->filter[bit >> 3] |= (uint8_t)(1 << (bit & 7));
        while (c->table[at].a != NOTHING && (c->table[at].a != a || c->table[at].b != b))
            at = (at + 1) & mask;
        const int32_t cost = c->list[i].cost;
        c->table[at] = (struct pair_cost){a, b, cost, pair_weight(cost, pair_cheapest(c, a, b))};
    }
    return 0;
}

static int make_by(struct run *run, const struct strips *strips, enum turns turns,
    const uint8_t *present, enum metric metric, int width, struct compatibility *c)
{
    const int predict = metric == METRIC_BLEND || metric == METRIC_PREDICTION;
    *c = (struct compatibility){
        .tiles = strips->tiles, .width = width, .turns = turns, .metric = metric};
    c->list = malloc((size_t)c->tiles * 4 * (size_t)width * sizeof(*c->list));
    c->far = malloc((size_t)c->tiles * 4 * sizeof(*c->far));
    int rc = 0;
    if (c->list && c->far)
        rc = compare_edges(run, strips, turns, present, predict, width, c->list);
    if (rc == 0 && (!c->list || !c->far || list_rescore(strips, c) || table_make(c)))
        rc = error_set(&run->error, ERROR_INPUT, "not enough memory to compare the tiles");
    if (rc)
        compatibility_free(c);
    return rc;
}

static int count_buddies(const struct compatibility *c)
{
    int count = 0;
    for (int32_t e = 0; e < 4 * c->tiles; e++) {
        const int32_t best = candidates_of(c, e)->edge;
        count += best != NOTHING && candidates_of(c, best)->edge == e;
    }
    return count;
}

/* Edges that have a candidate. */
static int count_listed(const struct compatibility *c)
{
    int count = 0;
    for (int32_t e = 0; e < 4 * c->tiles; e++)
        count += candidates_of(c, e)->edge != NOTHING;
    return count;
}

int compatibility_make(struct run *run, const struct strips *strips, enum turns turns,
    const uint8_t *present, enum metric metric, int width, struct compatibility *compatibility)
{
    if (metric != METRIC_AUTO)
        return make_by(run, strips, turns, present, metric, width, compatibility);
    struct compatibility mgc;
    int rc = make_by(run, strips, turns, present, METRIC_BLEND, width, compatibility);
    if (rc)
        return rc;
    /* With that many buddies the picture is clean. */
    if (100 * (int64_t)count_buddies(compatibility) > 85 * (int64_t)count_listed(compatibility))
        return 0;
    rc = make_by(run, strips, turns, present, METRIC_MGC, width, &mgc);
    if (rc) {
        compatibility_free(compatibility);
        return rc;
    }
    if (50 * count_buddies(&mgc) > 51 * count_buddies(compatibility)) {
        const struct compatibility blend = *compatibility;
        *compatibility = mgc;
        mgc = blend;
    }
    compatibility_free(&mgc);
    return 0;
}

void compatibility_free(struct compatibility *compatibility)
{
    free(compatibility->list);
    free(compatibility->far);
    free(compatibility->table);
    free(compatibility->filter);
    *compatibility = (struct compatibility){0};
}
