/* The functions of the dissimilarities. Floats are only added, subtracted, multiplied, divided and
 * square-rooted, in one order, so that the bytes are the same everywhere. */
#include "stages/unscramble/dissimilarity.h"

#include <math.h>
#include <string.h>

#include "stages/unscramble/best_instructions.h"

/* Finds W, where W' W is the inverse of the covariance, about the mean, of count triples,
 * [channel][count], with Gallagher's nine extra rows, 0, +-(1, 1, 1), +-e1, +-e2, +-e3: the lower
 * triangle by rows, the inverse of Cholesky's factor. In double: colors may lie on a line. */
static void whiten(const float *triples, int count, const float *mean, float *w)
{
    double s[3][3];
    for (int x = 0; x < 3; x++)
        for (int y = 0; y < 3; y++) {
            double sum = x == y ? 4 : 2;
            for (int k = 0; k < count; k++)
                sum += (double)(triples[x * count + k] - mean[x]) *
                       (double)(triples[y * count + k] - mean[y]);
            s[x][y] = sum / (count + 9);
        }
    const double l00 = sqrt(s[0][0]), l10 = s[0][1] / l00, l20 = s[0][2] / l00;
    const double l11 = sqrt(s[1][1] - l10 * l10), l21 = (s[1][2] - l10 * l20) / l11;
    const double l22 = sqrt(s[2][2] - l20 * l20 - l21 * l21);
    w[0] = (float)(1 / l00);
    w[1] = (float)(-l10 / l00 / l11);
    w[2] = (float)(1 / l11);
    w[3] = (float)((l10 * l21 / l11 - l20) / l00 / l22);
    w[4] = (float)(-l21 / l11 / l22);
    w[5] = (float)(1 / l22);
}

/* The Mahalanobis length of a triple. */
static inline float length_of(const float *w, float x, float y, float z)
{
    const float a = w[0] * x, b = w[1] * x + w[2] * y, c = w[3] * x + w[4] * y + w[5] * z;
    return sqrtf(a * a + b * b + c * c);
}

/* The sum of numbers: of every eighth, then of these. */
static inline float sum_of(const float *values, int count)
{
    enum { LANES = 8 };
    float lane[LANES] = {0}, sum = 0;
    int i = 0;
    for (; i + LANES <= count; i += LANES)
        for (int k = 0; k < LANES; k++)
            lane[k] += values[i + k];
    for (; i < count; i++)
        lane[i % LANES] += values[i];
    for (int k = 0; k < LANES; k++)
        sum += lane[k];
    return sum;
}

void model_fit(const float *strip, int length, float *work, struct edge_model *model)
{
    const float zero[3] = {0}, *inner = strip + 3 * length;
    for (int i = 0; i < 3 * length; i++)
        work[i] = strip[i] - inner[i];
    for (int x = 0; x < 3; x++)
        model->mean[x] = sum_of(work + x * length, length) / (float)length;
    whiten(work, length, model->mean, model->step);
    for (int x = 0; x < 3; x++)
        for (int k = 0; k + 1 < length; k++)
            work[x * (length - 1) + k] = strip[x * length + k + 1] - strip[x * length + k] -
                                         inner[x * length + k + 1] + inner[x * length + k];
    whiten(work, length - 1, zero, model->along);
}

/* The sum of the Mahalanobis lengths of the steps from a to b, less the mean of those within a. */
static inline float sum_steps(
    const struct edge_model *model, const float *a, const float *b, int length, float *work)
{
    const float *m = model->mean, *p = a + length, *q = a + 2 * length;
    const float *back = b + 6 * length, *bp = back + length, *bq = back + 2 * length;
    for (int k = 0; k < length; k++)
        work[k] =
            length_of(model->step, back[k] - a[k] - m[0], bp[k] - p[k] - m[1], bq[k] - q[k] - m[2]);
    return sum_of(work, length);
}

/* The sum of the Mahalanobis lengths of how these steps change along the edge. */
static inline float sum_changes(
    const struct edge_model *model, const float *a, const float *b, int length, float *work)
{
    const float *p = a + length, *q = a + 2 * length;
    const float *back = b + 6 * length, *bp = back + length, *bq = back + 2 * length;
    for (int k = 0; k + 1 < length; k++)
        work[k] = length_of(model->along, (back[k + 1] - back[k]) - (a[k + 1] - a[k]),
            (bp[k + 1] - bp[k]) - (p[k + 1] - p[k]), (bq[k + 1] - bq[k]) - (q[k + 1] - q[k]));
    return sum_of(work, length - 1);
}

BEST_INSTRUCTIONS static void find_blend(const struct edge_model *model, const float *a,
    const float *b, int length, float *work, float *feature)
{
    const float *inner = a + 3 * length, *back = b + 6 * length, *back_inner = b + 9 * length;
    const int all = 3 * length;
    feature[FEATURE_STEP] = sum_steps(model, a, b, length, work);
    feature[FEATURE_STEP_ALONG] = sum_changes(model, a, b, length, work);
    for (int i = 0; i < all; i++)
        work[i] = sqrtf(fabsf(back[i] - (2 * a[i] - inner[i])));
    feature[FEATURE_ONE_SIDED] = sum_of(work, all);
    for (int i = 0; i < all; i++)
        work[i] = sqrtf(fabsf(back[i] - a[i] - (a[i] - inner[i] + back_inner[i] - back[i]) / 2));
    feature[FEATURE_TWO_SIDED] = sum_of(work, all);
    feature[FEATURE_LUMINANCE] = sum_of(work, length);
}

BEST_INSTRUCTIONS static void find_mgc(const struct edge_model *model, const float *a,
    const float *b, int length, float *work, float *feature)
{
    feature[0] = sum_steps(model, a, b, length, work);
}

BEST_INSTRUCTIONS static void find_l1(const struct edge_model *model, const float *a,
    const float *b, int length, float *work, float *feature)
{
    const float *back = b + 6 * length;
    (void)model;
    for (int i = 0; i < 3 * length; i++)
        work[i] = fabsf(back[i] - a[i]);
    feature[0] = sum_of(work, 3 * length);
}

BEST_INSTRUCTIONS static void find_ssd(const struct edge_model *model, const float *a,
    const float *b, int length, float *work, float *feature)
{
    const float *back = b + 6 * length;
    (void)model;
    for (int i = 0; i < 3 * length; i++)
        work[i] = (back[i] - a[i]) * (back[i] - a[i]);
    feature[0] = sum_of(work, 3 * length);
}

BEST_INSTRUCTIONS static void find_prediction(const struct edge_model *model, const float *a,
    const float *b, int length, float *work, float *feature)
{
    const float *inner = a + 3 * length, *back = b + 6 * length;
    (void)model;
    for (int i = 0; i < 3 * length; i++)
        work[i] = fabsf(back[i] - (2 * a[i] - inner[i]));
    feature[0] = sum_of(work, 3 * length);
}

static const struct dissimilarity_function {
    const char *name;
    void (*find)(const struct edge_model *model, const float *a, const float *b, int length,
        float *work, float *feature);
    int features, predicts;
    enum view view;
    int weight, learned;
} ROWS[DISSIMILARITY_COUNT] = {[DISSIMILARITY_AUTO] = {.name = "auto"},
#define DISSIMILARITY_ROW(id, name, function, features, predicts, view, weight, learned) \
    [DISSIMILARITY_##id] = {name, function, features, predicts, view, weight, learned},
    DISSIMILARITIES(DISSIMILARITY_ROW)};

struct words dissimilarity_names(void)
{
    struct words names = {0};
    for (int i = 0; i < DISSIMILARITY_COUNT; i++)
        words_add(&names, ROWS[i].name);
    return names;
}

int dissimilarity_features(enum dissimilarity dissimilarity)
{
    return ROWS[dissimilarity].features;
}

int dissimilarity_weight(enum dissimilarity dissimilarity)
{
    return ROWS[dissimilarity].weight;
}

int dissimilarity_learned(enum dissimilarity dissimilarity)
{
    return ROWS[dissimilarity].learned;
}

int dissimilarity_predicts(enum dissimilarity dissimilarity)
{
    return ROWS[dissimilarity].predicts;
}

enum view dissimilarity_view(enum dissimilarity dissimilarity)
{
    return ROWS[dissimilarity].view;
}

int dissimilarity_has_gap(enum dissimilarity dissimilarity)
{
    return ROWS[dissimilarity].view == AS_GAP;
}

void features_find(enum dissimilarity dissimilarity, const struct edge_view *a,
    const struct edge_view *b, int length, float *work, float *feature)
{
    memset(feature, 0, FEATURE_COUNT * sizeof(*feature));
    if (ROWS[dissimilarity].find)
        ROWS[dissimilarity].find(a->model, a->strip, b->strip, length, work, feature);
}
