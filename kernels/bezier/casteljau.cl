/* casteljau_float, casteljau_double: de Casteljau's scheme along v for each row of control points,
 * then along u. */
#include "kernels/bezier/point.h"

/* Leaves the point at t in the first. */
DEVICE void blend(REAL (*points)[4], uint order, REAL t)
{
    for (uint last = order - 1; last > 0; last--)
        for (uint l = 0; l < last; l++)
            for (uint i = 0; i < 4; i++)
                points[l][i] = FMA(t, points[l + 1][i], (1 - t) * points[l][i]);
}

KERNEL3(KERNEL_NAME, GLOBAL const REAL *RESTRICT, controls, GLOBAL REAL *RESTRICT, points,
    struct point_args, a)
{
    ITEMS
    {
        const uint number = GROUP_X * GROUP + ITEM;
        if (number < a.patches * a.rows * a.columns) {
            GLOBAL const REAL *const net = point_net(controls, number, a);
            const REAL u = point_u(number, a), v = point_v(number, a);
            REAL row_points[PATCH_ORDERS][4], column_points[PATCH_ORDERS][4];
            for (uint k = 0; k < a.order_u; k++) {
                for (uint l = 0; l < a.order_v; l++)
                    for (uint i = 0; i < 4; i++)
                        row_points[l][i] =
                            i < a.coordinates ? net[(k * a.order_v + l) * a.coordinates + i] : 1;
                blend(row_points, a.order_v, v);
                for (uint i = 0; i < 4; i++)
                    column_points[k][i] = row_points[0][i];
            }
            blend(column_points, a.order_u, u);
            const REAL x = column_points[0][0], y = column_points[0][1];
            const REAL z = column_points[0][2], w = column_points[0][3];
            point_write(points + (ulong)number * 3, x, y, z, w, a.coordinates);
        }
    }
}
