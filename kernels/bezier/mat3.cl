/* mat3_float, mat3_double: U R P R^T V^T for each point (Palomar et al. 2017, eq. 3). matrix_u is
 * R of u: [power][control point], matrix_v that of v. Orders up to MAT_ORDER. */
#include "kernels/bezier/point.h"

/* A column of R, a polynomial of t, by Horner's rule. */
DEVICE REAL in_powers(GLOBAL const REAL *column, uint order, REAL t)
{
    REAL sum = 0;
    for (uint power = order; power-- > 0;)
        sum = FMA(sum, t, column[power * order]);
    return sum;
}

KERNEL5(KERNEL_NAME, GLOBAL const REAL *RESTRICT, controls, GLOBAL const REAL *RESTRICT, matrix_u,
    GLOBAL const REAL *RESTRICT, matrix_v, GLOBAL REAL *RESTRICT, points, struct point_args, a)
{
    ITEMS
    {
        const uint number = GROUP_X * GROUP + ITEM;
        if (number < a.patches * a.rows * a.columns) {
            GLOBAL const REAL *const net = point_net(controls, number, a);
            const REAL u = point_u(number, a), v = point_v(number, a);
            REAL x = 0, y = 0, z = 0, w = 0, along_v[MAT_ORDER];
            for (uint l = 0; l < a.order_v; l++)
                along_v[l] = in_powers(matrix_v + l, a.order_v, v);
            for (uint k = 0; k < a.order_u; k++) {
                const REAL along_u = in_powers(matrix_u + k, a.order_u, u);
                for (uint l = 0; l < a.order_v; l++)
                    POINT_ADD(net + (k * a.order_v + l) * a.coordinates, along_u * along_v[l]);
            }
            point_write(points + (ulong)number * 3, x, y, z, w, a.coordinates);
        }
    }
}
