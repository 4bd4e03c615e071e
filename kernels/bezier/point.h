/* What kernels share of which an item has a point. */
#ifndef POINT_H
#define POINT_H

#include "kernels/bezier/bezier_args.h"
#include "kernels/dialect.h"

/* Divides where the point is rational. */
DEVICE void point_write(GLOBAL REAL *to, REAL x, REAL y, REAL z, REAL w, uint coordinates)
{
    to[0] = coordinates == 4 ? x / w : x;
    to[1] = coordinates == 4 ? y / w : y;
    to[2] = coordinates == 4 ? z / w : z;
}

/* Adds a control point times its basis. */
#define POINT_ADD(p, basis) \
    { \
        const REAL basis_ = basis; \
        x = FMA((p)[0], basis_, x); \
        y = FMA((p)[1], basis_, y); \
        z = FMA((p)[2], basis_, z); \
        if (a.coordinates == 4) \
            w = FMA((p)[3], basis_, w); \
    }

#endif
