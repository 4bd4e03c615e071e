/* sep_float, sep_double: points by two small products. For its tile a group finds first, for each of its
 * GROUP columns, the control points of the curve that the column lies on; then the points, row by row.
 *
 *   curve[k][j] = sum_l P[k][l] Bv[l][j],  S[i][j] = sum_k Bu[k][i] curve[k][j]
 *
 * Sums run upwards from 0, each step one FMA. An item has a column of the curves, and then the numbers
 * ITEM, ITEM + GROUP, ITEM + 2 GROUP of each row of the tile, so that a group's writes are contiguous.
 * Needs order_u up to SEP_ORDER and 3 coordinates. */
#include "kernels/tiles.h"

#define NUMBERS (3 * GROUP) /* of a row of a whole tile */

/* The rows whose bases are in local memory; the compiler knows `order`, so a GPU keeps an item's part of
 * the curves in registers. */
#define SEP_POINTS(order) \
    { \
        PRIVATE_ARRAY(REAL, own, 3 * (order)); \
        for (uint k = 0; k < (order); k++) \
            for (uint v = 0; v < 3; v++) \
                ITEMS \
                { \
                    MINE(own[3 * k + v]) = curve[k * NUMBERS + v * GROUP + ITEM]; \
                } \
        for (uint i = 0; i < some; i++) { \
            GLOBAL REAL *const to = tile_points + (ulong)(row + i) * a.columns * 3; \
            UNROLL(3) \
            for (uint v = 0; v < 3; v++) \
                ITEMS_TO(CLAMP(numbers - (int)(v * GROUP), 0, GROUP)) { \
                    REAL sum = 0; \
                    UNROLL(order) \
                    for (uint k = 0; k < (order); k++) \
                        sum = FMA(bases[i * (order) + k], MINE(own[3 * k + v]), sum); \
                    to[v * GROUP + ITEM] = sum; \
                } \
        } \
    }

KERNEL6(SEP, GLOBAL const REAL *RESTRICT, controls, GLOBAL const REAL *RESTRICT, basis_u,
    GLOBAL const REAL *RESTRICT, basis_v, GLOBAL REAL *RESTRICT, points, GLOBAL uint *, counter,
    struct patch_args, a)
{
    LOCAL REAL curve[SEP_ORDER * NUMBERS];
    LOCAL REAL ALIGNED(16) bases[SEP_BASES * SEP_ORDER];
    LOCAL uint taken;
    /* As if further control points were 0. */
    const uint order = a.order_u <= 4    ? 4
                       : a.order_u <= 8  ? 8
                       : a.order_u <= 12 ? 12
                       : a.order_u <= 16 ? 16
                                         : 24;
    FIRST_TILE(taken, counter, a);
    for (uint tile = taken; tile < a.end; tile = taken) {
        const uint patch = tile / a.blocks / a.strips;
        const uint first_row = tile / a.blocks % a.strips * a.strip_rows;
        const uint rows = MIN(a.strip_rows, a.rows - first_row);
        const uint first_column = tile % a.blocks * GROUP;
        const uint columns = MIN((uint)GROUP, a.columns - first_column);
        const int numbers = (int)(3 * columns);
        GLOBAL REAL *const tile_points =
            points + (((ulong)patch * a.rows + first_row) * a.columns + first_column) * 3;
        for (uint k = 0; k < order; k++) {
            GLOBAL const REAL *const net =
                controls + ((ulong)patch * a.order_u + k) * a.order_v * 3;
            const uint terms = k < a.order_u ? a.order_v : 0;
            ITEMS_TO(columns) {
                REAL x = 0, y = 0, z = 0;
                for (uint l = 0; l < terms; l++) {
                    const REAL basis = basis_v[l * a.columns + first_column + ITEM];
                    x = FMA(net[3 * l], basis, x);
                    y = FMA(net[3 * l + 1], basis, y);
                    z = FMA(net[3 * l + 2], basis, z);
                }
                curve[k * NUMBERS + 3 * ITEM] = x;
                curve[k * NUMBERS + 3 * ITEM + 1] = y;
                curve[k * NUMBERS + 3 * ITEM + 2] = z;
            }
        }
        for (uint row = 0; row < rows; row += SEP_BASES) {
            const uint some = MIN((uint)SEP_BASES, rows - row);
            ITEMS
            {
                for (uint i = ITEM; i < some * order; i += GROUP)
                    bases[i] = i % order < a.order_u
                                   ? basis_u[i % order * a.rows + first_row + row + i / order]
                                   : 0;
            }
            SYNC;
            switch (order) {
            case 4:
                SEP_POINTS(4);
                break;
            case 8:
                SEP_POINTS(8);
                break;
            case 12:
                SEP_POINTS(12);
                break;
            case 16:
                SEP_POINTS(16);
                break;
            default:
                SEP_POINTS(24);
            }
            SYNC;
        }
        NEXT_TILE(taken, counter, a);
    }
}
