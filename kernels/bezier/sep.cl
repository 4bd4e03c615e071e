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
 * run upward from 0, each step one FMA. folded_u: [row of the first half][be, then bo].
 *
 * An item has some columns and orders of the curves, and then the numbers ITEM, ITEM + GROUP and
 * ITEM + 2 GROUP of each row of the block, so that a group's writes are contiguous. Needs orders up
 * to SEP_ORDER and 3 coordinates. */
#include "kernels/bezier/blocks.h"

#define NUMBERS (3 * GROUP)        /* of a row of a whole block */
#define SPAN (GROUP / SEP_COLUMNS) /* of columns that lie between an item's */

#define NET_AT (GROUP * SEP_ORDER) /* of the control points in scratch, behind the bases */

/* What a group evaluates: `columns` columns and `pairs` pairs of rows of a patch. */
struct sep_block {
    GLOBAL const REAL *net; /* the patch's control points */
    GLOBAL REAL *points;    /* in row 0 of the patch, those from first_column on */
    uint first_column, columns;
    uint first_row, pairs;
};

DEVICE struct sep_block block_find(
    const struct patch_args *a, GLOBAL const REAL *controls, GLOBAL REAL *points, uint number)
{
    struct sep_block block;
    const uint patch = number / a->blocks / a->strips;
    block.first_column = number % a->blocks * GROUP;
    block.columns = MIN((uint)GROUP, a->columns - block.first_column);
    block.first_row = number / a->blocks % a->strips * a->strip_rows;
    block.pairs = MIN(a->strip_rows, (a->rows + 1) / 2 - block.first_row);
    block.net = controls + (ulong)patch * a->order_u * a->order_v * 3;
    block.points = points + ((ulong)patch * a->rows * a->columns + block.first_column) * 3;
    return block;
}

/* Brings the bases of the block's columns and the control points to scratch. */
GROUP_FUNCTION void controls_load(const struct patch_args *a, const struct sep_block *block,
    GLOBAL const REAL *basis_v, IN_LOCAL REAL *scratch)
{
    const uint first_column = block->first_column, columns = block->columns;
    GLOBAL const REAL *const net = block->net;
    ITEMS
    {
        UNROLL(8)
        for (uint l = 0; l < a->order_v; l++)
            scratch[l * GROUP + ITEM] =
                ITEM < columns ? basis_v[l * a->columns + first_column + ITEM] : 0;
        UNROLL(8)
        for (uint i = ITEM; i < a->order_u * a->order_v * 3; i += GROUP)
            scratch[NET_AT + i] = net[i];
    }
}

/* The control points of the curves, from what controls_load left. An item has every SEP_COLUMNS-th
 * order and SEP_COLUMNS columns, so that each number that is loaded counts for several. The curves
 * then stand where their bases and control points did. Starts with a SYNC. */
GROUP_FUNCTION void curves_find(const struct patch_args *a, uint order, IN_LOCAL REAL *scratch)
{
    PRIVATE_ARRAY(REAL, sums, 3 * SEP_ORDER);
    PRIVATE_ARRAY(REAL, p, 3);
    PRIVATE(REAL, basis);
    UNROLL(72)
    for (uint i = 0; i < 3 * SEP_ORDER; i++)
        ITEMS
        {
            MINE(sums[i]) = 0;
        }
    SYNC;
    UNROLL(6)
    for (uint step = 0; step < SEP_ORDER / SEP_COLUMNS; step++) {
        const uint terms = step * SEP_COLUMNS < order ? a->order_v : 0;
        UNROLL(2)
        for (uint l = 0; l < terms; l++) {
            UNROLL(3)
            for (uint c = 0; c < 3; c++)
                ITEMS_GRID(SPAN, SEP_COLUMNS)
                {
                    const uint k = MIN(ITEM_ROW(SPAN) + step * SEP_COLUMNS, a->order_u - 1);
                    MINE(p[c]) = scratch[NET_AT + (k * a->order_v + l) * 3 + c];
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
}

/* Brings the bases of `count` pairs of rows, from `pair` of the block on, to local memory. */
GROUP_FUNCTION void bases_load(const struct sep_block *block, GLOBAL const REAL *folded_u,
    IN_LOCAL REAL *bases, uint pair, uint count, uint order)
{
    const uint first = block->first_row + pair;
    ITEMS
    {
        UNROLL(8)
        for (uint i = ITEM; i < count * order; i += GROUP)
            bases[i] = folded_u[first * order + i];
    }
}

/* What an item has of the curves and of a pair of rows. */
struct sep_own {
    PRIVATE_ARRAY(REAL, even, 3 * SEP_ORDER / 2);
    PRIVATE_ARRAY(REAL, odd, 3 * SEP_ORDER / 2);
    PRIVATE_ARRAY(REAL, even_sums, 3);
    PRIVATE_ARRAY(REAL, odd_sums, 3);
};

/* The sums and differences of the curves. */
GROUP_FUNCTION void curves_fold(
    const struct patch_args *a, IN_LOCAL const REAL *scratch, struct sep_own *own, uint order)
{
    for (uint k = 0; k < order / 2; k++) {
        const uint is_term = 2 * k < a->order_u, other = is_term ? a->order_u - 1 - k : 0;
        const REAL once = is_term, twice = other > k; /* or not at all */
        UNROLL(3)
        for (uint v = 0; v < 3; v++)
            ITEMS
            {
                const REAL x = once * scratch[k * NUMBERS + v * GROUP + ITEM];
                const REAL y = twice * scratch[other * NUMBERS + v * GROUP + ITEM];
                MINE(own->even[3 * k + v]) = x + y;
                MINE(own->odd[3 * k + v]) = twice * x - y;
            }
    }
}

/* A pair of rows whose bases begin at `first`. */
GROUP_FUNCTION void pair_sum(
    IN_LOCAL const REAL *bases, uint first, struct sep_own *own, uint order)
{
    UNROLL(3)
    for (uint v = 0; v < 3; v++)
        ITEMS
        {
            REAL even_sum = 0, odd_sum = 0;
            UNROLL(12)
            for (uint k = 0; k < order / 2; k++) {
                const uint base = first + k;
                even_sum = FMA(bases[base], MINE(own->even[3 * k + v]), even_sum);
                odd_sum = FMA(bases[base + order / 2], MINE(own->odd[3 * k + v]), odd_sum);
            }
            MINE(own->even_sums[v]) = even_sum;
            MINE(own->odd_sums[v]) = odd_sum;
        }
}

/* Both rows of a pair, `numbers` of each; that of the middle twice, at last as it is. */
GROUP_FUNCTION void pair_store(
    const struct sep_own *own, GLOBAL REAL *to, GLOBAL REAL *mirror_to, int numbers)
{
    UNROLL(3)
    for (uint v = 0; v < 3; v++)
        ITEMS_TO((uint)CLAMP(numbers - (int)(v * GROUP), 0, GROUP)) {
            const REAL even_sum = MINE(own->even_sums[v]), odd_sum = MINE(own->odd_sums[v]);
            STREAM(&mirror_to[v * GROUP + ITEM], even_sum - odd_sum);
            STREAM(&to[v * GROUP + ITEM], even_sum + odd_sum);
        }
}

/* The `count` pairs of rows whose bases are in local memory. `order` is a constant wherever it is
 * named, so that a GPU keeps an item's part of the curves in registers. */
GROUP_FUNCTION void pairs_find(const struct patch_args *a, const struct sep_block *block,
    IN_LOCAL const REAL *scratch, IN_LOCAL const REAL *bases, uint pair, uint count, uint order)
{
    struct sep_own own;
    const ulong row_numbers = (ulong)a->columns * 3;
    const int numbers = (int)(3 * block->columns);
    const uint row = block->first_row + pair;
    GLOBAL REAL *to = block->points + (ulong)row * row_numbers;
    GLOBAL REAL *mirror_to = block->points + (ulong)(a->rows - 1 - row) * row_numbers;
    curves_fold(a, scratch, &own, order);
    for (uint i = 0; i < count; i++, to += row_numbers, mirror_to -= row_numbers) {
        pair_sum(bases, i * order, &own, order);
        if (numbers == NUMBERS)
            pair_store(&own, to, mirror_to, NUMBERS);
        else
            pair_store(&own, to, mirror_to, numbers);
    }
}

KERNEL6(KERNEL_NAME, GLOBAL const REAL *RESTRICT, controls, GLOBAL const REAL *RESTRICT, folded_u,
    GLOBAL const REAL *RESTRICT, basis_v, GLOBAL REAL *RESTRICT, points, GLOBAL uint *, counter,
    struct patch_args, a)
{
    LOCAL REAL scratch[SEP_ORDER * NUMBERS]; /* curves: [k][column][coordinate] */
    LOCAL REAL ALIGNED(16) bases[SEP_PAIRS * SEP_ORDER];
    LOCAL uint taken[2];
    const uint order = SEP_ORDER_FOR(a.order_u);
    FIRST_BLOCK(taken, counter, a);
    for (uint number = taken[0]; number < a.end; number = taken[0]) {
        const struct sep_block block = block_find(&a, controls, points, number);
        controls_load(&a, &block, basis_v, scratch);
        curves_find(&a, order, scratch);
        for (uint pair = 0; pair < block.pairs; pair += SEP_PAIRS) {
            const uint count = MIN((uint)SEP_PAIRS, block.pairs - pair);
            bases_load(&block, folded_u, bases, pair, count, order);
            SYNC;
            switch (order) {
            case 4:
                pairs_find(&a, &block, scratch, bases, pair, count, 4);
                break;
            case 8:
                pairs_find(&a, &block, scratch, bases, pair, count, 8);
                break;
            case 12:
                pairs_find(&a, &block, scratch, bases, pair, count, 12);
                break;
            case 16:
                pairs_find(&a, &block, scratch, bases, pair, count, 16);
                break;
            default:
                pairs_find(&a, &block, scratch, bases, pair, count, 24);
            }
            SYNC;
        }
        NEXT_BLOCK(taken, counter, a);
    }
}
