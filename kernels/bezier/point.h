/* What kernels share of which an item has a point. */
#ifndef POINT_H
#define POINT_H

#include "kernels/bezier/bezier_args.h"
#include "kernels/dialect.h"

/* The control points of the patch that point `number` of all belongs to, and the point's place, 0
 * to 1 each way. */
DEVICE GLOBAL const REAL *point_net(GLOBAL const REAL *controls, uint number, struct point_args a)
{
    const uint patch = number / (a.rows * a.columns);
    return controls + (ulong)patch * a.order_u * a.order_v * a.coordinates;
}

DEVICE REAL point_u(uint number, struct point_args a)
{
    const uint row = number % (a.rows * a.columns) / a.columns;
    return a.rows > 1 ? (REAL)row / (REAL)(a.rows - 1) : 0;
}

DEVICE REAL point_v(uint number, struct point_args a)
{
    const uint column = number % a.columns;
    return a.columns > 1 ? (REAL)column / (REAL)(a.columns - 1) : 0;
}

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
