/* direct_float, direct_double: bicubic patches, the bases written out. */
#include "kernels/bezier/point.h"

KERNEL3(KERNEL_NAME, GLOBAL const REAL *RESTRICT, controls, GLOBAL REAL *RESTRICT, points,
    struct point_args, a)
{
    const uint of_patch = a.rows * a.columns;
    ITEMS
    {
        const uint number = GROUP_X * GROUP + ITEM;
        if (number < a.patches * of_patch) {
            const uint row = number % of_patch / a.columns, column = number % a.columns;
            GLOBAL const REAL *const net =
                controls + (ulong)(number / of_patch) * a.order_u * a.order_v * a.coordinates;
            const REAL u = a.rows > 1 ? (REAL)row / (REAL)(a.rows - 1) : 0;
            const REAL v = a.columns > 1 ? (REAL)column / (REAL)(a.columns - 1) : 0;
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
