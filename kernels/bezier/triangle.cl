/* triangle_float, triangle_double: points of triangular patches: a product of the matrix of
 * weights, [control point][point], with the control points. */
#include "kernels/bezier/point.h"

KERNEL4(KERNEL_NAME, GLOBAL const REAL *RESTRICT, controls, GLOBAL const REAL *RESTRICT, weights,
    GLOBAL REAL *RESTRICT, points, struct point_args, a)
{
    const uint of_patch = a.rows * a.columns;
    ITEMS
    {
        const uint number = GROUP_X * GROUP + ITEM;
        if (number < a.patches * of_patch) {
            const uint column = number % of_patch;
            GLOBAL const REAL *const net =
                controls + (ulong)(number / of_patch) * a.order_u * a.order_v * a.coordinates;
            REAL x = 0, y = 0, z = 0, w = 0;
            for (uint k = 0; k < a.order_u; k++)
                POINT_ADD(net + k * a.coordinates, weights[k * of_patch + column]);
            point_write(points + (ulong)number * 3, x, y, z, w, a.coordinates);
        }
    }
}
