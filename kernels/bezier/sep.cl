/* sep_float, sep_double: points by two small products. For its patch block a group finds first, for
 * each of its GROUP columns, the control points of the curve that the column lies on; then the
 * points, row by row.
 *
 *   curve[k][j] = sum_l P[k][l] Bv[l][j],  S[i][j] = sum_k Bu[k][i] curve[k][j]
 *
 * Rows are taken in pairs that mirror each other: with n = order_u - 1,
 * Bu[k][i] = Bu[n-k][rows-1-i], so that, with the sums and differences
 *
 *   even[k] = curve[k] + curve[n-k], be[k] = (Bu[k] + Bu[n-k]) / 2, odd and bo likewise with minus,
 *   S[i] = sum be[k] even[k] + sum bo[k] odd[k],
 *   S[rows-1-i] = sum be[k] even[k] - sum bo[k] odd[k]
 *
 * over half of the k (even-odd decomposition, as Solomonoff 1992 has it for derivatives): half of
 * the operations and of the loads. Where n is even, even[n/2] = curve[n/2] and odd[n/2] = 0. Sums
 * run upwards from 0, each step one FMA. folded_u: [row of the first half][be, then bo].
 *
 * An item has some columns and orders of the curves, and then the numbers ITEM, ITEM + GROUP and
 * ITEM + 2 GROUP of each row of the block, so that a group's writes are contiguous. Needs orders up
 * to SEP_ORDER and 3 coordinates. */
#include "kernels/bezier/blocks.h"

#define NUMBERS (3 * GROUP)        /* of a row of a whole block */
#define SPAN (GROUP / SEP_COLUMNS) /* of columns that lie between an item's */

#define NET_AT (GROUP * SEP_ORDER) /* of the control points in scratch, behind the bases */

/* Both rows of a pair; that of the middle twice, at last as it is. */
#define SEP_STORE(items) \
    { \
        UNROLL(3) \
        for (uint v = 0; v < 3; v++) \
            items \
            { \
                STREAM(&mirror_to[v * GROUP + ITEM], MINE(even_sums[v]) - MINE(odd_sums[v])); \
                STREAM(&to[v * GROUP + ITEM], MINE(even_sums[v]) + MINE(odd_sums[v])); \
            } \
    }

/* The pairs of rows whose bases are in local memory; the compiler knows `order`, so a GPU keeps an
 * item's part of the curves in registers. */
#define SEP_POINTS(order) \
    { \
        PRIVATE_ARRAY(REAL, even, 3 * (order) / 2); \
        PRIVATE_ARRAY(REAL, odd, 3 * (order) / 2); \
        PRIVATE_ARRAY(REAL, even_sums, 3); \
        PRIVATE_ARRAY(REAL, odd_sums, 3); \
        for (uint k = 0; k < (order) / 2; k++) { \
            const uint is_term = 2 * k < a.order_u, other = is_term ? a.order_u - 1 - k : 0; \
            const REAL once = is_term, twice = other > k; /* or not at all */ \
            UNROLL(3) \
            for (uint v = 0; v < 3; v++) \
                ITEMS \
                { \
                    const REAL x = once * scratch[k * NUMBERS + v * GROUP + ITEM]; \
                    const REAL y = twice * scratch[other * NUMBERS + v * GROUP + ITEM]; \
                    MINE(even[3 * k + v]) = x + y; \
                    MINE(odd[3 * k + v]) = twice * x - y; \
                } \
        } \
        GLOBAL REAL *to = patch_points + (ulong)(first_row + pair) * row_numbers; \
        GLOBAL REAL *mirror_to = \
            patch_points + (ulong)(a.rows - 1 - first_row - pair) * row_numbers; \
        for (uint i = 0; i < some; i++, to += row_numbers, mirror_to -= row_numbers) { \
            UNROLL(3) \
            for (uint v = 0; v < 3; v++) \
                ITEMS \
                { \
                    REAL even_sum = 0, odd_sum = 0; \
                    UNROLL(12) \
                    for (uint k = 0; k < (order) / 2; k++) { \
                        const uint base = i * (order) + k; \
                        even_sum = FMA(bases[base], MINE(even[3 * k + v]), even_sum); \
                        odd_sum = FMA(bases[base + (order) / 2], MINE(odd[3 * k + v]), odd_sum); \
                    } \
                    MINE(even_sums[v]) = even_sum; \
                    MINE(odd_sums[v]) = odd_sum; \
                } \
            if (numbers == NUMBERS) \
                SEP_STORE(ITEMS) \
            else \
                SEP_STORE(ITEMS_TO((uint)CLAMP(numbers - (int)(v * GROUP), 0, GROUP))) \
        } \
    }

KERNEL6(KERNEL_NAME, GLOBAL const REAL *RESTRICT, controls, GLOBAL const REAL *RESTRICT, folded_u,
    GLOBAL const REAL *RESTRICT, basis_v, GLOBAL REAL *RESTRICT, points, GLOBAL uint *, counter,
    struct patch_args, a)
{
    LOCAL REAL scratch[SEP_ORDER * NUMBERS]; /* curves: [k][column][coordinate] */
    LOCAL REAL ALIGNED(16) bases[SEP_PAIRS * SEP_ORDER];
    LOCAL uint taken[2];
    PRIVATE_ARRAY(REAL, sums, 3 * SEP_ORDER);
    PRIVATE_ARRAY(REAL, p, 3);
    PRIVATE(REAL, basis);
    const uint order = SEP_ORDER_FOR(a.order_u);
    FIRST_BLOCK(taken, counter, a);
    for (uint block = taken[0]; block < a.end; block = taken[0]) {
        const uint patch = block / a.blocks / a.strips;
        const uint first_row = block / a.blocks % a.strips * a.strip_rows;
        const uint pairs = MIN(a.strip_rows, (a.rows + 1) / 2 - first_row);
        const uint first_column = block % a.blocks * GROUP;
        const uint columns = MIN((uint)GROUP, a.columns - first_column);
        const int numbers = (int)(3 * columns);
        GLOBAL const REAL *const net = controls + (ulong)patch * a.order_u * a.order_v * 3;
        const ulong row_numbers = (ulong)a.columns * 3;
        GLOBAL REAL *const patch_points =
            points + ((ulong)patch * a.rows * a.columns + first_column) * 3;
        /* An item has every SEP_COLUMNS-th order and SEP_COLUMNS columns, so that each number that
         * is loaded counts for several. The curves then stand where their bases and control points
         * did. */
        ITEMS
        {
            UNROLL(8)
            for (uint l = 0; l < a.order_v; l++)
                scratch[l * GROUP + ITEM] =
                    ITEM < columns ? basis_v[l * a.columns + first_column + ITEM] : 0;
            UNROLL(8)
            for (uint i = ITEM; i < a.order_u * a.order_v * 3; i += GROUP)
                scratch[NET_AT + i] = net[i];
        }
        UNROLL(72)
        for (uint i = 0; i < 3 * SEP_ORDER; i++)
            ITEMS
            {
                MINE(sums[i]) = 0;
            }
        SYNC;
        UNROLL(6)
        for (uint step = 0; step < SEP_ORDER / SEP_COLUMNS; step++) {
            const uint terms = step * SEP_COLUMNS < order ? a.order_v : 0;
            UNROLL(2)
            for (uint l = 0; l < terms; l++) {
                UNROLL(3)
                for (uint c = 0; c < 3; c++)
                    ITEMS_GRID(SPAN, SEP_COLUMNS)
                    {
                        const uint k = MIN(ITEM_ROW(SPAN) + step * SEP_COLUMNS, a.order_u - 1);
                        MINE(p[c]) = scratch[NET_AT + (k * a.order_v + l) * 3 + c];
                    }
                UNROLL(SEP_COLUMNS)
                for (uint j = 0; j < SEP_COLUMNS; j++) {
                    ITEMS_GRID(SPAN, SEP_COLUMNS)
                    {
                        MINE(basis) = scratch[l * GROUP + ITEM_COLUMN(SPAN) + j * SPAN];
                    }
                    UNROLL(3)
                    for (uint c = 0; c < 3; c++)
                        ITEMS
                        {
                            const uint i = (step * SEP_COLUMNS + j) * 3 + c;
                            MINE(sums[i]) = FMA(MINE(p[c]), MINE(basis), MINE(sums[i]));
                        }
                }
            }
        }
        SYNC;
        UNROLL(72)
        for (uint i = 0; i < 3 * SEP_ORDER; i++)
            ITEMS_GRID(SPAN, SEP_COLUMNS)
            {
                const uint c = i % 3, j = i / 3 % SEP_COLUMNS, step = i / 3 / SEP_COLUMNS;
                scratch[(ITEM_ROW(SPAN) + step * SEP_COLUMNS) * NUMBERS +
                        3 * (ITEM_COLUMN(SPAN) + j * SPAN) + c] = MINE(sums[i]);
            }
        for (uint pair = 0; pair < pairs; pair += SEP_PAIRS) {
            const uint some = MIN((uint)SEP_PAIRS, pairs - pair);
            ITEMS
            {
                UNROLL(8)
                for (uint i = ITEM; i < some * order; i += GROUP)
                    bases[i] = folded_u[(first_row + pair) * order + i];
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
        NEXT_BLOCK(taken, counter, a);
    }
}
