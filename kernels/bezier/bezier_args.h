/* What the kernels of bezier and the host share: sizes and argument structs. Structs hold 4-byte
 * scalars only, so that every compiler lays them out alike. */
#ifndef BEZIER_ARGS_H
#define BEZIER_ARGS_H

#define PATCH_ORDERS 101 /* control points of a side at most */
#define PATCH_GROUP 256  /* points, where each item has one */
/* What sep takes an order for: control points that are missing count as 0. */
#define SEP_ORDER_FOR(order) \
    ((order) <= 4 ? 4 : (order) <= 8 ? 8 : (order) <= 12 ? 12 : (order) <= 16 ? 16 : SEP_ORDER)
#define SEP_ORDER 24       /* control points of a side that sep takes */
#define SEP_COLUMNS 4      /* of sep: an item finds every fourth control point of their curves */
#define ROWS_AT_ONCE 8     /* of points, that an item of sep_rows sums at a time */
#define MLE_SIDE 16        /* points of a side of a patch block of mle */
#define MLE_CONTROLS 256   /* control points that mle brings to local memory at a time */
#define MAT_ORDER 32       /* control points of a side, from which monomials are useless anyway */
#define NO_CURVATURE 3e38f /* of a point without a normal of its own */

/* Patches of one shape, evaluated on a grid of rows (u) and columns (v). A patch is cut
 * into strips of rows, and each strip into patch blocks by columns; blocks of a strip follow each
 * other, strips of a patch, patches. Where rows come in pairs, a strip has strip_rows of the first
 * half and the rows that mirror them. */
struct patch_args {
    unsigned rows, columns;    /* points */
    unsigned order_u, order_v; /* control points: degree + 1 */
    unsigned coordinates;      /* of a control point: 3, or 4 where it is rational */
    unsigned strip_rows;
    unsigned strips, blocks; /* strips of a patch, blocks of a strip */
    unsigned first, end;     /* blocks to evaluate */
    unsigned takes;          /* blocks that a group takes at a time from a counter; 0: it has one */
};

/* The same, each point on its own. A triangle has one row of all its points and control points. */
struct point_args {
    unsigned patches;
    unsigned rows, columns;    /* points */
    unsigned order_u, order_v; /* control points */
    unsigned coordinates;
};

/* One side of each patch: from `path` on there are its `order` numbers of control points, then its
 * `points` numbers of points. */
struct boundary_args {
    unsigned path;
    unsigned patches, order, points;
    unsigned patch_controls, patch_points; /* of a patch */
    unsigned coordinates;
};

#endif
