/* Dissimilarities: how badly an edge goes on where another one ends. */
#ifndef DISSIMILARITY_H
#define DISSIMILARITY_H

#include "words.h"

/* Of an edge and one that may go on from it: by mgc, the step from one to the other and how it
 * changes along the edge; by square roots, what the prediction from one side misses and that from
 * both, and of the latter the luminance. Dissimilarities other than blend have one feature, in the
 * place of the first. */
enum {
    FEATURE_STEP,
    FEATURE_ONE_SIDED,
    FEATURE_STEP_ALONG,
    FEATURE_TWO_SIDED,
    FEATURE_LUMINANCE,
    FEATURES
};

/* All of them: METRIC_, name, function of dissimilarity.c, number of features, and whether the
 * candidates among which it chooses are found by predictions from the inner pixels rather than by
 * the outermost ones.
 *
 * blend: mgc and predictions by square roots, the mean of five features
 * l1: sums of absolute differences
 * prediction: of what the inner pixels predict (Paikin and Tal 2015)
 * mgc: Mahalanobis gradient compatibility (Gallagher 2012)
 * ssd: sums of squared differences */
#define DISSIMILARITIES(ROW) \
    ROW(BLEND, "blend", find_blend, FEATURES, 1) \
    ROW(L1, "l1", find_l1, 1, 0) \
    ROW(PREDICTION, "prediction", find_prediction, 1, 1) \
    ROW(MGC, "mgc", find_mgc, 1, 0) \
    ROW(SSD, "ssd", find_ssd, 1, 0)

/* DISSIMILARITY_AUTO: blend, if most edges have best buddies or mgc finds hardly more; else mgc. */
#define DISSIMILARITY_ENUM(id, name, function, features, predicts) DISSIMILARITY_##id,
enum dissimilarity { DISSIMILARITY_AUTO, DISSIMILARITIES(DISSIMILARITY_ENUM) DISSIMILARITY_COUNT };

/* Their names in the order of the enum, "auto" first. */
struct words dissimilarity_names(void);

/* How many features it has, and whether candidates are found by predictions. */
int dissimilarity_features(enum dissimilarity dissimilarity);
int dissimilarity_predicts(enum dissimilarity dissimilarity);

/* What is known of an edge before it is compared, in units of Lab. */
struct edge_model {
    float mean[3];  /* of the steps from the inner pixels to the outermost */
    float step[6];  /* by whiten of their covariance */
    float along[6]; /* and of that of their changes along the edge, about 0 */
};

/* Makes the model of a strip of floats, [outer, inner, ...][channel][pixel]; work has room for 3 *
 * length. */
void model_fit(const float *strip, int length, float *work, struct edge_model *model);

/* How badly edge b, read backwards, goes on where edge a ends: one number for each feature, 0 for
 * those that the dissimilarity does not have. Strips are [outer, inner, outer backwards, inner
 * backwards][channel][pixel]; work has room for 3 * length. */
void features_find(enum dissimilarity dissimilarity, const struct edge_model *model, const float *a,
    const float *b, int length, float *work, float *feature);

#endif
