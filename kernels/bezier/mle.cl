/* mle_float, mle_double: level 1 of the multi-level evaluation (Palomar et al. 2017, algorithm 4):
 * a double sum over the control points for each point, from stored bases. A group has a patch
 * block of MLE_SIDE x MLE_SIDE points, and brings their bases and then MLE_CONTROLS control points
 * at a time to local memory. Points leave through local memory too, whole rows at a time.
 *
 *   S(i, j) = sum_k sum_l P[k][l] Bu[k][i] Bv[l][j] */
#include "kernels/bezier/blocks.h"

KERNEL6(KERNEL_NAME, GLOBAL const REAL *RESTRICT, controls, GLOBAL const REAL *RESTRICT, basis_u,
    GLOBAL const REAL *RESTRICT, basis_v, GLOBAL REAL *RESTRICT, points, GLOBAL uint *, counter,
    struct patch_args, a)
{
    LOCAL REAL bases_u[PATCH_ORDERS * MLE_SIDE];
    LOCAL REAL bases_v[PATCH_ORDERS * MLE_SIDE];
    LOCAL REAL scratch[MLE_CONTROLS * 4]; /* control points, then the points of the block */
    LOCAL uint taken[2];
    PRIVATE(REAL, x);
    PRIVATE(REAL, y);
    PRIVATE(REAL, z);
    PRIVATE(REAL, w);
    const uint controls_count = a.order_u * a.order_v;
    FIRST_BLOCK(taken, counter, a);
    for (uint block = taken[0]; block < a.end; block = taken[0]) {
        const uint patch = block / a.blocks / a.strips;
        const uint first_row = block / a.blocks % a.strips * MLE_SIDE;
        const uint first_column = block % a.blocks * MLE_SIDE;
        const uint rows = MIN((uint)MLE_SIDE, a.rows - first_row);
        const uint columns = MIN((uint)MLE_SIDE, a.columns - first_column);
        ITEMS
        {
            for (uint i = ITEM; i < a.order_u * MLE_SIDE; i += GROUP)
                if (i % MLE_SIDE < rows)
                    bases_u[i] = basis_u[i / MLE_SIDE * a.rows + first_row + i % MLE_SIDE];
            for (uint i = ITEM; i < a.order_v * MLE_SIDE; i += GROUP)
                if (i % MLE_SIDE < columns)
                    bases_v[i] = basis_v[i / MLE_SIDE * a.columns + first_column + i % MLE_SIDE];
            MINE(x) = MINE(y) = MINE(z) = MINE(w) = 0;
        }
        for (uint first = 0; first < controls_count; first += MLE_CONTROLS) {
            const uint count = MIN((uint)MLE_CONTROLS, controls_count - first);
            SYNC;
            ITEMS
            {
                for (uint i = ITEM; i < count * a.coordinates; i += GROUP)
                    scratch[i] =
                        controls[((ulong)patch * controls_count + first) * a.coordinates + i];
            }
            SYNC;
            for (uint i = 0; i < count; i++) {
                const uint k = (first + i) / a.order_v, l = (first + i) % a.order_v;
                ITEMS_GRID(MLE_SIDE, MLE_SIDE)
                {
                    const REAL basis = bases_u[k * MLE_SIDE + ITEM_ROW(MLE_SIDE)] *
                                       bases_v[l * MLE_SIDE + ITEM_COLUMN(MLE_SIDE)];
                    MINE(x) = FMA(scratch[i * a.coordinates], basis, MINE(x));
                    MINE(y) = FMA(scratch[i * a.coordinates + 1], basis, MINE(y));
                    MINE(z) = FMA(scratch[i * a.coordinates + 2], basis, MINE(z));
                    if (a.coordinates == 4)
                        MINE(w) = FMA(scratch[i * 4 + 3], basis, MINE(w));
                }
            }
        }
        SYNC;
        ITEMS_GRID(MLE_SIDE, MLE_SIDE)
        {
            const uint at = (ITEM_ROW(MLE_SIDE) * MLE_SIDE + ITEM_COLUMN(MLE_SIDE)) * 3;
            const REAL weight = a.coordinates == 4 ? MINE(w) : 1;
            scratch[at] = MINE(x) / weight;
            scratch[at + 1] = MINE(y) / weight;
            scratch[at + 2] = MINE(z) / weight;
        }
        SYNC;
        UNROLL(3)
        for (uint k = 0; k < 3; k++)
            ITEMS_GRID(MLE_SIDE, MLE_SIDE)
            {
                const uint row = first_row + ITEM_ROW(MLE_SIDE);
                const uint number = k * MLE_SIDE + ITEM_COLUMN(MLE_SIDE);
                if (row < a.rows && number < columns * 3)
                    points[(((ulong)patch * a.rows + row) * a.columns + first_column) * 3 +
                           number] = scratch[ITEM_ROW(MLE_SIDE) * (MLE_SIDE * 3) + number];
            }
        NEXT_BLOCK(taken, counter, a);
    }
}
