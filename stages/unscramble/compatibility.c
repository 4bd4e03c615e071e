/* Candidates by a metric, among those that compare_edges finds. Of floats only + - * / and square roots
 * are used, in one order, so that the bytes are the same everywhere. */
#include "stages/unscramble/compatibility.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stages/unscramble/compare.h"

/* Of an edge and one that may go on from it: by mgc, the step from one to the other and how it changes along
 * the edge; by square roots, what the prediction from one side misses and that from both, and of the latter
 * the luminance. Metrics other than blend have one feature, in the place of the first. */
enum { STEP, ONE_SIDED, STEP_ALONG, TWO_SIDED, LUMINANCE, FEATURES };

enum { SECOND_SCORE = 1000 };

/* The best of the machine's instructions, chosen when the program starts. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define BEST_INSTRUCTIONS __attribute__((target_clones("arch=x86-64-v4", "avx2", "default")))
#else
#define BEST_INSTRUCTIONS
#endif

/* What the metrics need of an edge, in units of Lab. */
struct edge_model {
    float mean[3];  /* of the steps from the inner pixels to the outermost */
    float step[6];  /* inverse of their covariance: xx yy zz xy xz yz */
    float along[6]; /* of that of their changes along the edge, about 0 */
};

/* The inverse covariance, about the mean, of count triples, [channel][count], with Gallagher's nine extra
 * rows: 0, +-(1, 1, 1), +-e1, +-e2, +-e3. */
static void covariance_invert(const float *triples, int count, const float *mean, float *inverse)
{
    float s[3][3];
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

/* Strips as floats of Lab: [outer, inner, outer backwards, inner backwards][channel][pixel]. */
static void strip_floats(const struct strips *strips, int edge, int length, float *strip)
{
    const int16_t *outer = strip_of(strips, edge, 0), *inner = strip_of(strips, edge, 1);
    for (int i = 0; i < 3 * length; i++) {
        const int back = i / length * length + length - 1 - i % length;
        strip[i] = (float)outer[i] / LAB_SCALE;
        strip[3 * length + i] = (float)inner[i] / LAB_SCALE;
        strip[6 * length + back] = (float)outer[i] / LAB_SCALE;
        strip[9 * length + back] = (float)inner[i] / LAB_SCALE;
    }
}

static float sum_of(const float *values, int count)
{
    float sum = 0;
    for (int i = 0; i < count; i++)
        sum += values[i];
    return sum;
}

/* The model of a strip; work has room for 3 * length. */
static void model_fit(const float *strip, int length, float *work, struct edge_model *model)
{
    const float zero[3] = {0}, *inner = strip + 3 * length;
    for (int i = 0; i < 3 * length; i++)
        work[i] = strip[i] - inner[i];
    for (int x = 0; x < 3; x++)
        model->mean[x] = sum_of(work + x * length, length) / (float)length;
    covariance_invert(work, length, model->mean, model->step);
    for (int x = 0; x < 3; x++)
        for (int k = 0; k + 1 < length; k++)
            work[x * (length - 1) + k] = strip[x * length + k + 1] - strip[x * length + k] -
                                         inner[x * length + k + 1] + inner[x * length + k];
    covariance_invert(work, length - 1, zero, model->along);
}

/* How badly edge b, read backwards, goes on where edge a ends; one number for each feature. */
BEST_INSTRUCTIONS static void features_of(enum metric metric, const struct edge_model *model,
    const float *a, const float *b, int length, float *work, float *feature)
{
    const float *inner = a + 3 * length, *back = b + 6 * length, *back_inner = b + 9 * length;
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
                model->step, back[k] - a[k] - m[0], bp[k] - p[k] - m[1], bq[k] - q[k] - m[2]);
        feature[STEP] = sum_of(work, length);
        if (metric == METRIC_MGC)
            return;
        for (int k = 0; k + 1 < length; k++)
            work[k] = mahalanobis(model->along, (back[k + 1] - back[k]) - (a[k + 1] - a[k]),
                (bp[k + 1] - bp[k]) - (p[k + 1] - p[k]), (bq[k + 1] - bq[k]) - (q[k + 1] - q[k]));
        feature[STEP_ALONG] = sum_of(work, length - 1);
        for (int i = 0; i < all; i++)
            work[i] = sqrtf(fabsf(back[i] - (2 * a[i] - inner[i])));
        feature[ONE_SIDED] = sum_of(work, all);
        for (int i = 0; i < all; i++)
            work[i] =
                sqrtf(fabsf(back[i] - a[i] - (a[i] - inner[i] + back_inner[i] - back[i]) / 2));
        feature[TWO_SIDED] = sum_of(work, all);
        feature[LUMINANCE] = sum_of(work, length);
    }
}

/* By cost, then by edge, NOTHING last. */
static int by_cost(const void *x, const void *y)
{
    const struct partner *a = x, *b = y;
    if (a->cost != b->cost)
        return a->cost < b->cost ? -1 : 1;
    const uint32_t p = (uint32_t)a->edge, q = (uint32_t)b->edge;
    return (p > q) - (p < q);
}

/* What the costs of the candidates are made of. */
struct rescore {
    struct compatibility *c;
    const struct strips *strips;
    int longest;              /* pixels of a strip */
    struct edge_model *model; /* [edge] */
    float *strip;             /* [edge][12 * longest] by strip_floats */
    float (*feature)
        [2][FEATURES]; /* [edge][candidate] of the edge and its candidate, and the other way */
    float (*second)[FEATURES]; /* [edge] the second least of its candidates */
    struct rival {
        int32_t edge, score[2];
    } * rival; /* [edge] the best candidate, its score and that of the second */
};

/* Of an edge: the features of all its candidates. */
static void features_find(struct rescore *r, int e, float *work)
{
    const int length = r->strips->length[e & 1], width = r->c->width;
    const float *mine = r->strip + (size_t)e * 12 * (size_t)r->longest;
    float least[2][FEATURES];
    for (int i = 0; i < 2 * FEATURES; i++)
        least[i / FEATURES][i % FEATURES] = INFINITY;
    for (int i = 0; i < width; i++) {
        const int f = r->c->list[(int64_t)e * width + i].edge;
        if (f == NOTHING)
            break;
        const float *theirs = r->strip + (size_t)f * 12 * (size_t)r->longest;
        float(*x)[FEATURES] = r->feature[(int64_t)e * width + i];
        features_of(r->c->metric, &r->model[e], mine, theirs, length, work, x[0]);
        features_of(r->c->metric, &r->model[f], theirs, mine, length, work, x[1]);
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
        r->second[e][j] = least[1][j] < INFINITY
                              ? least[1][j]
                              : (float)(j == ONE_SIDED || j == TWO_SIDED ? 3 * length : length);
}

/* Of an edge: scores instead of costs, the means of the features over the second best of both edges, in
 * thousandths. */
static void scores_find(struct rescore *r, int e)
{
    const int width = r->c->width, used = r->c->metric == METRIC_BLEND ? FEATURES : 1;
    const float floors[FEATURES] = {0.5f, 1, 0.5f, 1, 1};
    struct partner *list = r->c->list + (int64_t)e * width;
    struct rival *rival = &r->rival[e];
    *rival = (struct rival){NOTHING, {FAR_COST, FAR_COST}};
    for (int i = 0; i < width && list[i].edge != NOTHING; i++) {
        const int f = list[i].edge;
        float(*x)[FEATURES] = r->feature[(int64_t)e * width + i];
        /* The smaller edge's part first: the sum is the same from both sides. */
        const int low = e < f ? 0 : 1, a = e < f ? e : f, b = e < f ? f : e;
        float sum = 0;
        for (int j = 0; j < used; j++)
            sum += x[low][j] / (r->second[a][j] + floors[j]) +
                   x[1 - low][j] / (r->second[b][j] + floors[j]);
        const float score = sum * SECOND_SCORE / (float)(2 * used);
        list[i].cost = score < FAR_COST ? (int32_t)(score + 0.5f) : FAR_COST;
        if (list[i].cost < rival->score[0])
            *rival = (struct rival){f, {list[i].cost, rival->score[0]}};
        else if (list[i].cost < rival->score[1])
            rival->score[1] = list[i].cost;
    }
    /* An edge with one partner: as if another were the second best. */
    if (width < 2 || list[1].edge == NOTHING)
        *rival = (struct rival){list[0].edge, {list[0].cost, SECOND_SCORE}};
}

/* Of an edge: costs instead of scores, by how far a score is from the best other ones of both edges. */
static void costs_find(struct rescore *r, int e)
{
    const int width = r->c->width;
    struct partner *list = r->c->list + (int64_t)e * width;
    for (int i = 0; i < width; i++) {
        if (list[i].edge == NOTHING) {
            list[i].cost = FAR_COST;
            continue;
        }
        const struct rival *mine = &r->rival[e], *theirs = &r->rival[list[i].edge];
        const int others =
            mine->score[mine->edge == list[i].edge] + theirs->score[theirs->edge == e];
        const int32_t cost = TIE_COST + list[i].cost - others / 2;
        list[i].cost = cost < 0 ? 0 : cost > FAR_COST ? FAR_COST : cost;
    }
    qsort(list, (size_t)width, sizeof(*list), by_cost);
    r->c->far[e] = list[width - 1].cost;
}

/* Costs of the candidates by the metric. */
static int list_rescore(const struct strips *strips, struct compatibility *c)
{
    const int edges = 4 * c->tiles;
    const int longest =
        strips->length[0] > strips->length[1] ? strips->length[0] : strips->length[1];
    struct rescore r = {.c = c, .strips = strips, .longest = longest};
    r.model = malloc((size_t)edges * sizeof(*r.model));
    r.strip = malloc((size_t)edges * 12 * (size_t)longest * sizeof(*r.strip));
    r.feature = malloc((size_t)edges * (size_t)c->width * sizeof(*r.feature));
    r.second = malloc((size_t)edges * sizeof(*r.second));
    r.rival = malloc((size_t)edges * sizeof(*r.rival));
    float *work = malloc((size_t)edges * 3 * (size_t)longest * sizeof(*work));
    const int ok = r.model && r.strip && r.feature && r.second && r.rival && work;
#pragma omp parallel for schedule(dynamic, 16)
    for (int e = 0; e < (ok ? edges : 0); e++) {
        float *strip = r.strip + (size_t)e * 12 * (size_t)longest;
        strip_floats(strips, e, strips->length[e & 1], strip);
        model_fit(
            strip, strips->length[e & 1], work + (size_t)e * 3 * (size_t)longest, &r.model[e]);
    }
#pragma omp parallel for schedule(dynamic, 16)
    for (int e = 0; e < (ok ? edges : 0); e++)
        features_find(&r, e, work + (size_t)e * 3 * (size_t)longest);
#pragma omp parallel for schedule(dynamic, 16)
    for (int e = 0; e < (ok ? edges : 0); e++)
        scores_find(&r, e);
#pragma omp parallel for schedule(dynamic, 16)
    for (int e = 0; e < (ok ? edges : 0); e++)
        costs_find(&r, e);
    free(r.model);
    free(r.strip);
    free(r.feature);
    free(r.second);
    free(r.rival);
    free(work);
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
        c->table[at] = (struct pair_cost){a, b, c->list[i].cost};
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
