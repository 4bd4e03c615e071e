/* Points of Bézier patches in long double, sequential, by de Casteljau's scheme: what every method
 * and device of bezier is checked against. De Casteljau and rational derivatives are in Farin,
 * Curves and Surfaces for CAGD; curvatures in do Carmo, Differential Geometry of Curves and
 * Surfaces, section 3-3. */
#ifndef BEZIER_REFERENCE_H
#define BEZIER_REFERENCE_H

#include <math.h>

#include "scenes/mesh.h"
#include "scenes/patches.h"

/* A point of a surface S(u, v), in the units of the control points. Of triangles w = 1 - u - v goes
 * with u and v, so that derivatives are along the sides u and v. */
struct reference_point {
    long double position[3];
    long double su[3], sv[3], suu[3], suv[3], svv[3]; /* derivatives */

    /* Su x Sv, of length 1. Where that vanishes, as on an edge that has collapsed to a point, its
     * limit on the way from the middle of the patch; zeros if its derivative there vanishes too. */
    long double normal[3];

    /* By enum mesh_curvature; zeros where Su x Sv vanishes. On a sphere whose normals point out,
     * mean, maximal and minimal curvature are negative. */
    long double curvature[CURVATURES];
};

/* The point of any patch but a polyhedron at u, v from 0 to 1 and, of a triangle, u + v up to 1. A
 * patch's own normals are not looked at; a patch with their `control` and degrees gives them as
 * positions. */
void reference_point(const struct patches *patches, const struct patch *patch, long double u,
    long double v, struct reference_point *point);

/* The longest distance of a control point from the origin, over which errors are measured. */
long double reference_magnitude(const struct patches *patches, const struct patch *patch);

/* The larger of two errors; one that is NaN, as of a point that is none, stays. */
static inline double reference_worse(double most, double error)
{
    return isnan(most) || error <= most ? most : error;
}

#endif
