/* differential_triangle_float, differential_triangle_double: normals and curvatures of triangular
 * patches. weights: [SUMS][control point][point], those of the point and of its derivatives; then
 * the directions into the patch, [2][point]. */
#include "kernels/bezier/curvature.h"

KERNEL5(KERNEL_NAME, GLOBAL const REAL *RESTRICT, controls, GLOBAL const REAL *RESTRICT, weights,
    GLOBAL float *RESTRICT, normals, GLOBAL float *RESTRICT, curvatures, struct point_args, a)
{
    const uint of_patch = a.rows * a.columns;
    ITEMS
    {
        const uint number = GROUP_X * GROUP + ITEM;
        if (number < a.patches * of_patch) {
            const uint point = number % of_patch;
            GLOBAL const REAL *const net =
                controls + (ulong)(number / of_patch) * a.order_u * a.coordinates;
            GLOBAL const REAL *const inward = weights + (ulong)SUMS * a.order_u * of_patch;
            REAL sums[SUMS][4] = {{0}}, size = 0;
            for (uint d = 0; d < SUMS; d++)
                for (uint k = 0; k < a.order_u; k++)
                    for (uint i = 0; i < a.coordinates; i++)
                        sums[d][i] = FMA(net[k * a.coordinates + i],
                            weights[((ulong)d * a.order_u + k) * of_patch + point], sums[d][i]);
            for (uint k = 0; k < a.order_u * a.coordinates; k++)
                size = k % a.coordinates < 3 ? larger_size(size, net[k]) : size;
            size *= (REAL)a.order_u / (a.coordinates == 4 ? sums[0][3] : 1);
            if (a.coordinates == 4)
                divide_by_weight(sums);
            surface_write(sums, FLAT * size, inward[point], inward[of_patch + point],
                normals + (ulong)number * 3, curvatures + (ulong)number * 4);
        }
    }
}
