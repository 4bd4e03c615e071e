/* bezier: its state, from options to result, and its stages. */
#ifndef BEZIER_H
#define BEZIER_H

#include <limits.h>
#include <stdint.h>

#include "images/y4m.h"
#include "scenes/mesh.h"
#include "scenes/patches.h"
#include "stages/bezier/draw_mesh.h"
#include "stages/pipeline.h"

#define BEZIER_MAX_RESOLUTION 65535 /* points of a side of a patch */

enum precision { PRECISION_FLOAT, PRECISION_DOUBLE };

enum evaluation {
    EVALUATION_SEP,       /* two small products, one column of the grid an item */
    EVALUATION_MLE,       /* multi-level: stored bases, a double sum a point */
    EVALUATION_BRF,       /* everything for every point, with factorials */
    EVALUATION_MAT3,      /* U R P R^T V^T for every point */
    EVALUATION_MAT4,      /* U G V^T, G = R P R^T once */
    EVALUATION_CASTELJAU, /* de Casteljau's scheme for every point */
    EVALUATION_DIRECT,    /* bicubic patches, written out */
};

enum animation {
    ANIMATE_NONE,
    ANIMATE_TURN,       /* the control points turn about the vertical axis: level 1 anew */
    ANIMATE_WAVE,       /* a wave runs through them: level 1 */
    ANIMATE_RESOLUTION, /* the grid grows from 2 x 2 to the one asked for: levels 1 and 2 */
    ANIMATE_DEGREE,     /* each frame raises the degree by 1, the surface stays: all levels */
};

/* Patches of one shape, which are evaluated together. */
struct batch {
    int is_triangle, is_rational;
    int degree_u, degree_v;   /* a triangle's degree is in both */
    size_t first, count;      /* of members */
    size_t points;            /* of a patch: resolution_u * resolution_v, or n (n + 1) / 2 */
    size_t point;             /* number of its first point */
};

#endif
