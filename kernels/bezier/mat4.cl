/* mat4_float, mat4_double: U G V^T for each point (Palomar et al. 2017, eq. 4), by Horner's rule;
 * controls are G = R P R^T. */
#include "kernels/bezier/point.h"

KERNEL3(KERNEL_NAME, GLOBAL const REAL *RESTRICT, controls, GLOBAL REAL *RESTRICT, points,
    struct point_args, a)
{
    ITEMS
    {
        const uint number = GROUP_X * GROUP + ITEM;
        if (number < a.patches * a.rows * a.columns) {
            GLOBAL const REAL *const net = point_net(controls, number, a);
            const REAL u = point_u(number, a), v = point_v(number, a);
            REAL x = 0, y = 0, z = 0, w = 0;
            for (uint k = a.order_u; k-- > 0;) {
                REAL row_x = 0, row_y = 0, row_z = 0, row_w = 0;
                for (uint l = a.order_v; l-- > 0;) {
                    GLOBAL const REAL *const g = net + (k * a.order_v + l) * a.coordinates;
                    row_x = FMA(row_x, v, g[0]);
                    row_y = FMA(row_y, v, g[1]);
                    row_z = FMA(row_z, v, g[2]);
                    row_w = a.coordinates == 4 ? FMA(row_w, v, g[3]) : 1;
                }
                x = FMA(x, u, row_x);
                y = FMA(y, u, row_y);
                z = FMA(z, u, row_z);
                w = FMA(w, u, row_w);
            }
            point_write(points + (ulong)number * 3, x, y, z, w, a.coordinates);
        }
    }
}
