/* differential_float, differential_double: normals and curvatures of tensor products. Bases have
 * their derivatives behind them: [derivative][control point][point]. */
#include "kernels/bezier/curvature.h"

/* The sums of a point and its derivatives, with a number of coordinates that is known here. Returns
 * the size of the patch. */
GROUP_FUNCTION REAL sum_point(GLOBAL const REAL *net, GLOBAL const REAL *basis_u,
    GLOBAL const REAL *basis_v, struct point_args a, uint coordinates, uint row, uint column,
    REAL sums[SUMS][4])
{
    const uint step_u = a.order_u * a.rows, step_v = a.order_v * a.columns;
    REAL size = 0;
    for (uint k = 0; k < a.order_u; k++) {
        REAL along[3][4] = {{0}}; /* the row of control points: value, derivatives by v */
        for (uint l = 0; l < a.order_v; l++)
            for (uint i = 0; i < coordinates; i++) {
                const REAL p = net[(k * a.order_v + l) * coordinates + i];
                size = i < 3 ? larger_size(size, p) : size;
                for (uint d = 0; d < 3; d++)
                    along[d][i] = FMA(p, basis_v[d * step_v + l * a.columns + column], along[d][i]);
            }
        const REAL value = basis_u[k * a.rows + row];
        const REAL by_u = basis_u[step_u + k * a.rows + row];
        const REAL by_uu = basis_u[2 * step_u + k * a.rows + row];
        for (uint i = 0; i < coordinates; i++) {
            sums[0][i] = FMA(value, along[0][i], sums[0][i]);
            sums[SUM_U][i] = FMA(by_u, along[0][i], sums[SUM_U][i]);
            sums[SUM_V][i] = FMA(value, along[1][i], sums[SUM_V][i]);
            sums[SUM_UU][i] = FMA(by_uu, along[0][i], sums[SUM_UU][i]);
            sums[SUM_UV][i] = FMA(by_u, along[1][i], sums[SUM_UV][i]);
            sums[SUM_VV][i] = FMA(value, along[2][i], sums[SUM_VV][i]);
        }
    }
    return size * ((REAL)(a.order_u + a.order_v) / (coordinates == 4 ? sums[0][3] : 1));
}

KERNEL6(KERNEL_NAME, GLOBAL const REAL *RESTRICT, controls, GLOBAL const REAL *RESTRICT, basis_u,
    GLOBAL const REAL *RESTRICT, basis_v, GLOBAL float *RESTRICT, normals, GLOBAL float *RESTRICT,
    curvatures, struct point_args, a)
{
    const uint of_patch = a.rows * a.columns;
    ITEMS
    {
        const uint number = GROUP_X * GROUP + ITEM;
        if (number < a.patches * of_patch) {
            const uint row = number % of_patch / a.columns, column = number % a.columns;
            GLOBAL const REAL *const net =
                controls + (ulong)(number / of_patch) * a.order_u * a.order_v * a.coordinates;
            REAL sums[SUMS][4] = {{0}};
            const REAL size = a.coordinates == 4
                                  ? sum_point(net, basis_u, basis_v, a, 4, row, column, sums)
                                  : sum_point(net, basis_u, basis_v, a, 3, row, column, sums);
            if (a.coordinates == 4)
                divide_by_weight(sums);
            surface_write(sums, FLAT * size, 2 * row < a.rows ? 1 : -1,
                2 * column < a.columns ? 1 : -1, normals + (ulong)number * 3,
                curvatures + (ulong)number * 4);
        }
    }
}
