/* sep_rows_float, sep_rows_double: as sep, for patches of any order, also rational ones. An item
 * has a column and sums ROWS_AT_ONCE of its points at a time, so that the curve's control points
 * need not be kept; it finds them anew for each. A group has GROUP columns of ROWS_AT_ONCE rows of
 * a patch. */
#include "kernels/bezier/blocks.h"

KERNEL6(KERNEL_NAME, GLOBAL const REAL *RESTRICT, controls, GLOBAL const REAL *RESTRICT, basis_u,
    GLOBAL const REAL *RESTRICT, basis_v, GLOBAL REAL *RESTRICT, points, GLOBAL uint *, counter,
    struct patch_args, a)
{
    LOCAL uint taken[2];
    FIRST_BLOCK(taken, counter, a);
    for (uint block = taken[0]; block < a.end; block = taken[0]) {
        const uint patch = block / a.blocks / a.strips;
        const uint first_row = block / a.blocks % a.strips * ROWS_AT_ONCE;
        const uint rows = MIN((uint)ROWS_AT_ONCE, a.rows - first_row);
        const uint first_column = block % a.blocks * GROUP;
        GLOBAL const REAL *const net =
            controls + (ulong)patch * a.order_u * a.order_v * a.coordinates;
        ITEMS_TO(MIN((uint)GROUP, a.columns - first_column)) {
            const uint column = first_column + ITEM;
            REAL sums[ROWS_AT_ONCE][4] = {{0}};
            for (uint k = 0; k < a.order_u; k++) {
                REAL x = 0, y = 0, z = 0, w = 0;
                for (uint l = 0; l < a.order_v; l++) {
                    GLOBAL const REAL *const p = net + (k * a.order_v + l) * a.coordinates;
                    const REAL basis = basis_v[l * a.columns + column];
                    x = FMA(p[0], basis, x);
                    y = FMA(p[1], basis, y);
                    z = FMA(p[2], basis, z);
                    w = a.coordinates == 4 ? FMA(p[3], basis, w) : 1;
                }
                UNROLL(ROWS_AT_ONCE)
                for (uint i = 0; i < ROWS_AT_ONCE; i++) {
                    const REAL basis = i < rows ? basis_u[k * a.rows + first_row + i] : 0;
                    sums[i][0] = FMA(x, basis, sums[i][0]);
                    sums[i][1] = FMA(y, basis, sums[i][1]);
                    sums[i][2] = FMA(z, basis, sums[i][2]);
                    sums[i][3] = FMA(w, basis, sums[i][3]);
                }
            }
            UNROLL(ROWS_AT_ONCE)
            for (uint i = 0; i < ROWS_AT_ONCE; i++)
                if (i < rows) {
                    GLOBAL REAL *const to =
                        points + (((ulong)patch * a.rows + first_row + i) * a.columns + column) * 3;
                    const REAL w = a.coordinates == 4 ? sums[i][3] : 1;
                    to[0] = sums[i][0] / w;
                    to[1] = sums[i][1] / w;
                    to[2] = sums[i][2] / w;
                }
        }
        NEXT_BLOCK(taken, counter, a);
    }
}
