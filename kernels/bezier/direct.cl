/* direct_float, direct_double: bicubic patches, the bases written out. */
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
            const REAL s = 1 - u, t = 1 - v;
            const REAL along_u[4] = {s * s * s, 3 * s * s * u, 3 * s * u * u, u * u * u};
            const REAL along_v[4] = {t * t * t, 3 * t * t * v, 3 * t * v * v, v * v * v};
            REAL x = 0, y = 0, z = 0, w = 0;
            UNROLL(4)
            for (uint k = 0; k < 4; k++)
                UNROLL(4)
            for (uint l = 0; l < 4; l++)
                POINT_ADD(net + (k * 4 + l) * a.coordinates, along_u[k] * along_v[l]);
            point_write(points + (ulong)number * 3, x, y, z, w, a.coordinates);
        }
    }
}
