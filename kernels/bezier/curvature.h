/* What a surface does around a point: its normal and its curvatures. */
#ifndef CURVATURE_H
#define CURVATURE_H

#include "kernels/bezier/bezier_args.h"
#include "kernels/dialect.h"

/* Derivatives of x, y, z, w. */
#define SUMS 6
#define SUM_U 1
#define SUM_V 2
#define SUM_UU 3
#define SUM_UV 4
#define SUM_VV 5

struct vector {
    REAL x, y, z;
};

DEVICE struct vector vector_of(const REAL *from)
{
    const struct vector result = {from[0], from[1], from[2]};
    return result;
}

DEVICE REAL dot(struct vector a, struct vector b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

DEVICE REAL norm(struct vector a)
{
    return SQRT(dot(a, a));
}

DEVICE struct vector cross_product(struct vector a, struct vector b)
{
    const struct vector result = {
        a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
    return result;
}

/* a + s b */
DEVICE struct vector plus(struct vector a, REAL s, struct vector b)
{
    const struct vector result = {a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
    return result;
}

/* Derivatives of (x, y, z) / w from those of x, y, z, w, in place: the quotient rule (Farin, Curves
 * and Surfaces for CAGD, 13.5). */
DEVICE void divide_by_weight(REAL sums[SUMS][4])
{
    const REAL w = sums[0][3];
    for (uint i = 0; i < 3; i++) {
        sums[0][i] /= w;
        sums[SUM_U][i] = (sums[SUM_U][i] - sums[SUM_U][3] * sums[0][i]) / w;
        sums[SUM_V][i] = (sums[SUM_V][i] - sums[SUM_V][3] * sums[0][i]) / w;
        sums[SUM_UU][i] =
            (sums[SUM_UU][i] - 2 * sums[SUM_U][3] * sums[SUM_U][i] - sums[SUM_UU][3] * sums[0][i]) /
            w;
        sums[SUM_UV][i] = (sums[SUM_UV][i] - sums[SUM_U][3] * sums[SUM_V][i] -
                              sums[SUM_V][3] * sums[SUM_U][i] - sums[SUM_UV][3] * sums[0][i]) /
                          w;
        sums[SUM_VV][i] =
            (sums[SUM_VV][i] - 2 * sums[SUM_V][3] * sums[SUM_V][i] - sums[SUM_VV][3] * sums[0][i]) /
            w;
    }
}

/* The size of a coordinate, for the largest of a patch. */
DEVICE REAL larger_size(REAL size, REAL x)
{
    const REAL own = x < 0 ? -x : x;
    return own > size ? own : size;
}

/* The unit normal: that of Su x Sv, or its limit in direction (inward_u, inward_v) where it
 * vanishes up to `error`, that of first derivatives, as at a side that is one point; zeros where
 * the limit vanishes too. Gaussian, mean, largest and least curvature (do Carmo, Differential
 * Geometry of Curves and Surfaces, 3.3): NO_CURVATURE without a normal of its own. */
DEVICE void surface_write(REAL sums[SUMS][4], REAL error, REAL inward_u, REAL inward_v,
    GLOBAL float *normal, GLOBAL float *curvature)
{
    const struct vector su = vector_of(sums[SUM_U]), sv = vector_of(sums[SUM_V]);
    const struct vector suu = vector_of(sums[SUM_UU]), suv = vector_of(sums[SUM_UV]);
    const struct vector svv = vector_of(sums[SUM_VV]);
    const REAL sizes = norm(su) + norm(sv);
    struct vector n = cross_product(su, sv);
    REAL length = norm(n);
    const uint is_regular = length > error * sizes;
    if (!is_regular) {
        const struct vector along_u = plus(cross_product(suu, sv), 1, cross_product(su, suv));
        const struct vector along_v = plus(cross_product(suv, sv), 1, cross_product(su, svv));
        const struct vector none = {0, 0, 0};
        n = plus(plus(none, inward_u, along_u), inward_v, along_v);
        length = norm(n);
        if (!(length > error * sizes))
            length = 0;
    }
    const REAL scale = length > 0 ? 1 / length : 0;
    normal[0] = (float)(n.x * scale);
    normal[1] = (float)(n.y * scale);
    normal[2] = (float)(n.z * scale);
    const REAL e = dot(su, su), f = dot(su, sv), g = dot(sv, sv);
    const REAL l = dot(suu, n) * scale, m = dot(suv, n) * scale, k = dot(svv, n) * scale;
    const REAL area = length * length; /* e g - f f */
    const REAL gaussian = (l * k - m * m) / area, mean = (e * k - 2 * f * m + g * l) / (2 * area);
    const REAL square = mean * mean - gaussian, spread = SQRT(square > 0 ? square : 0);
    curvature[0] = is_regular ? (float)gaussian : NO_CURVATURE;
    curvature[1] = is_regular ? (float)mean : NO_CURVATURE;
    curvature[2] = is_regular ? (float)(mean + spread) : NO_CURVATURE;
    curvature[3] = is_regular ? (float)(mean - spread) : NO_CURVATURE;
}

#endif
