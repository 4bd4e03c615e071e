/* The dissimilarity of two edges: how badly one continues the other. Low is better. */
#ifndef DISSIMILARITY_H
#define DISSIMILARITY_H

#include "stages/unscramble/strips.h"
#include "words.h"

/* A feature here is a measure of a pair, an edge and one that may continue it: the step from one to
 * the other, and how it changes along the edge, both measured as by mgc; as sums of square roots,
 * the errors of the prediction from one tile and of that from both tiles, and the luminance of the
 * latter alone; and how badly the pair fits by what a network says of either edge (features.h).
 * "blend" and "gap" have the first five, "both" has all six, "learned" and "learned-gap"
 * have the last, and the others have one of their own in the place of the first. */
enum {
    FEATURE_STEP,
    FEATURE_ONE_SIDED,
    FEATURE_STEP_ALONG,
    FEATURE_TWO_SIDED,
    FEATURE_LUMINANCE,
    FEATURE_LEARNED,
    FEATURE_COUNT
};

/* The list of dissimilarities. A row has the rest of the name DISSIMILARITY_..., the name, the
 * function in dissimilarity.c, the number of features, whether candidates are found by what the
 * inner pixels predict rather than by the outermost pixels, how it sees the strips (strips.h), and,
 * in percent, what the mean of its features weighs and what the network's feature of a pixel
 * weighs, by which candidates are found if it weighs anything.
 *
 * blend: the mean of five features, from mgc and from predictions
 * l1: the sum of absolute differences of the outermost pixels
 * prediction: the sum of absolute errors of what the inner pixels predict (Paikin and Tal 2015)
 * mgc: Mahalanobis gradient compatibility (Gallagher 2012)
 * ssd: the sum of squared differences of the outermost pixels
 * luminance: l1 of mostly the luminance; for JPEG, which blurs colors beyond the edges of tiles
 * gap: blend across a gap; for tiles that have lost their outermost pixels
 * learned: by a network that was trained on images of all kinds, also noisy and JPEG ones
 * learned-gap: learned, by the network across a gap
 * both: blend and learned together; for tiles that are hard to tell apart, such as small ones */
#define DISSIMILARITIES(ROW) \
    ROW(BLEND, "blend", find_blend, FEATURE_LEARNED, 1, AS_THEY_ARE, 100, 0) \
    ROW(L1, "l1", find_l1, 1, 0, AS_THEY_ARE, 100, 0) \
    ROW(PREDICTION, "prediction", find_prediction, 1, 1, AS_THEY_ARE, 100, 0) \
    ROW(MGC, "mgc", find_mgc, 1, 0, AS_THEY_ARE, 100, 0) \
    ROW(SSD, "ssd", find_ssd, 1, 0, AS_THEY_ARE, 100, 0) \
    ROW(LUMINANCE, "luminance", find_l1, 1, 0, AS_LUMINANCE, 100, 0) \
    ROW(GAP, "gap", find_blend, FEATURE_LEARNED, 1, AS_GAP, 100, 0) \
    ROW(LEARNED, "learned", NULL, 0, 0, AS_THEY_ARE, 0, 320) \
    ROW(LEARNED_GAP, "learned-gap", NULL, 0, 0, AS_GAP, 0, 250) \
    ROW(BOTH, "both", find_blend, FEATURE_LEARNED, 0, AS_THEY_ARE, 100, 200)

/* DISSIMILARITY_AUTO leaves the choice to unscramble_compare. */
#define DISSIMILARITY_ENUM(id, name, function, features, predicts, view, weight, learned) \
    DISSIMILARITY_##id,
enum dissimilarity { DISSIMILARITY_AUTO, DISSIMILARITIES(DISSIMILARITY_ENUM) DISSIMILARITY_COUNT };

/* The names in the order of the enum, "auto" first. */
struct words dissimilarity_names(void);

/* How many features a dissimilarity has besides the learned one, how many percent their mean and
 * the learned one weigh, whether candidates are found by predictions, and how it sees the
 * strips. */
int dissimilarity_features(enum dissimilarity dissimilarity);
int dissimilarity_weight(enum dissimilarity dissimilarity);
int dissimilarity_learned(enum dissimilarity dissimilarity);
int dissimilarity_predicts(enum dissimilarity dissimilarity);
enum view dissimilarity_view(enum dissimilarity dissimilarity);

/* Whether tiles are taken to have lost their outermost pixels. */
int dissimilarity_has_gap(enum dissimilarity dissimilarity);

/* What is computed of an edge before it is compared, in units of Lab. */
struct edge_model {
    float mean[3];  /* of the steps from the inner pixels to the outermost */
    float step[6];  /* by whiten of their covariance */
    float along[6]; /* and of that of their changes along the edge, about 0 */
};

/* Makes the model of a strip of floats, [outer, inner, ...][channel][pixel]; work has room for 3 *
 * length. */
void model_fit(const float *strip, int length, float *work, struct edge_model *model);

/* What edges are compared by. */
struct edge_view {
    const struct edge_model *model;
    const float *strip; /* [outer, inner, outer backwards, inner backwards][channel][pixel] */
};

/* How badly edge b, read backwards, continues edge a: one number for each feature, 0 for the
 * network's and for those that the dissimilarity does not have. work has room for 3 * length. */
void features_find(enum dissimilarity dissimilarity, const struct edge_view *a,
    const struct edge_view *b, int length, float *work, float *feature);

#endif
