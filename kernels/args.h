/* What kernels and the host share: group sizes, table sizes, argument structs. Structs hold 4-byte
 * scalars only, so that every compiler lays them out alike. */
#ifndef ARGS_H
#define ARGS_H

/* Every kernel: its name (the file is NAME.cl), items a group, and its table in constant memory. */
#define KERNELS(KERNEL) \
    KERNEL(grayscale, GRAYSCALE_GROUP, NONE) \
    KERNEL(edges, EDGE_PIXELS, NONE) \
    KERNEL(fits, EDGE_PIXELS, edge_table) \
    KERNEL(exhaustive, EXHAUSTIVE_GROUP, fit_table) \
    KERNEL(pruned, PRUNED_GROUP, fit_table) \
    KERNEL(assemble, ASSEMBLE_GROUP, NONE) \
    KERNEL(compare, COMPARE_GROUP, NONE) \
    KERNEL(compare_merge, COMPARE_TILES, NONE) \
    KERNEL(bin, BIN_GROUP, NONE) \
    KERNEL(list_count, LIST_GROUP, NONE) \
    KERNEL(list_start, LIST_GROUP, NONE) \
    KERNEL(list_fill, LIST_GROUP, NONE) \
    KERNEL(shade_few, FEW_GROUP, NONE) \
    KERNEL(shade_nearest, SHADE_GROUP, NONE) \
    KERNEL(shade_nearest_small, SHADE_GROUP, NONE) \
    KERNEL(shade_nearest_soft, SHADE_GROUP, NONE) \
    KERNEL(shade_all, SHADE_GROUP, NONE) \
    KERNEL(shade_all_small, SHADE_GROUP, NONE) \
    KERNEL(shade_all_soft, SHADE_GROUP, NONE) \
    KERNEL(good8, 64, NONE) \
    KERNEL(good16, 256, NONE) \
    KERNEL(good32, 1024, NONE) \
    KERNEL(race, RACE_GROUP, NONE) \
    KERNEL(resolve, RESOLVE_GROUP, NONE) \
    KERNEL(sep_float, SEP_GROUP_FLOAT, NONE) \
    KERNEL(sep_double, SEP_GROUP_DOUBLE, NONE) \
    KERNEL(sep_rows_float, PATCH_GROUP, NONE) \
    KERNEL(sep_rows_double, PATCH_GROUP, NONE) \
    KERNEL(mle_float, MLE_GROUP, NONE) \
    KERNEL(mle_double, MLE_GROUP, NONE) \
    KERNEL(brf_float, PATCH_GROUP, NONE) \
    KERNEL(brf_double, PATCH_GROUP, NONE) \
    KERNEL(mat3_float, PATCH_GROUP, NONE) \
    KERNEL(mat3_double, PATCH_GROUP, NONE) \
    KERNEL(mat4_float, PATCH_GROUP, NONE) \
    KERNEL(mat4_double, PATCH_GROUP, NONE) \
    KERNEL(casteljau_float, CASTELJAU_GROUP, NONE) \
    KERNEL(casteljau_double, CASTELJAU_GROUP, NONE) \
    KERNEL(direct_float, PATCH_GROUP, NONE) \
    KERNEL(direct_double, PATCH_GROUP, NONE) \
    KERNEL(triangle_float, PATCH_GROUP, NONE) \
    KERNEL(triangle_double, PATCH_GROUP, NONE) \
    KERNEL(boundary_float, PATCH_GROUP, NONE) \
    KERNEL(boundary_double, PATCH_GROUP, NONE) \
    KERNEL(differential_float, PATCH_GROUP, NONE) \
    KERNEL(differential_double, PATCH_GROUP, NONE) \
    KERNEL(differential_triangle_float, PATCH_GROUP, NONE) \
    KERNEL(differential_triangle_double, PATCH_GROUP, NONE) \
    KERNEL(raster_count, RASTER_GROUP, NONE) \
    KERNEL(raster_fill, RASTER_GROUP, NONE) \
    KERNEL(raster, RASTER_GROUP, NONE)

#define MAX_PUZZLE_TILES 100000
#define NO_TILE 0xffffffffu /* at a place that is empty */
#define MAX_TILES 12        /* what SEARCH takes; 12! permutations still have 32-bit numbers */
#define EDGE_PIXELS 64      /* a tile's side in the scaled gray picture */

/* Edges: [tile][side][pixel], bytes. */
#define SIDES 4
#define SIDE_LEFT 0
#define SIDE_TOP 1
#define SIDE_RIGHT 2
#define SIDE_BOTTOM 3
#define EDGE_BYTES (MAX_TILES * SIDES * EDGE_PIXELS)

/* Fits: [direction][a * MAX_TILES + b]: b stands to the right of a, or below it. */
#define DIRECTIONS 2
#define BESIDE 0
#define BELOW 1
#define FIT_DIRECTION (MAX_TILES * MAX_TILES)
#define FIT_COUNT (DIRECTIONS * FIT_DIRECTION)
#define NO_METRIC 0xffffffffu /* where there is no such permutation */

#define GRAYSCALE_GROUP 256
#define GRAYSCALE_COLUMNS 1024 /* source columns that a group sums at a time */
#define EXHAUSTIVE_GROUP 256
#define PRUNED_GROUP 128
#define ASSEMBLE_GROUP 256

/* Strips of edges: [side][tile / COMPARE_TILES][term][tile % COMPARE_TILES], unsigned 16-bit numbers,
 * backwards what stands opposite to them when two edges touch. Of the differences COMPARE_TERMS are below
 * 2^16 in sum, all below 2^24. */
#define COMPARE_GROUP 256
#define COMPARE_TILES 128 /* whose edges a group finds partners for */
#define COMPARE_TERMS 8   /* that are summed at a time; there is a multiple of it */

/* Circles: pixels are shaded in square tiles, circles are binned in rectangles of whole tiles. */
#define TILE 16
#define BIN_LINES 64  /* columns or rows of bins at most */
#define BIN_GROUP 256 /* circles a group */
#define LIST_GROUP 256
#define LIST_CIRCLES 1536 /* that a group counts or lists */
#define LIST_SEGMENTS 32  /* into which list_start cuts the counts of a bin */
#define FEW_GROUP 64
#define FEW_CIRCLES 16 /* up to which every pixel looks at all */
#define FEW_ROWS 4     /* of pixels, that an item shades */
#define FEW_COLUMNS 4  /* of each row, FEW_GROUP apart */
#define SHADE_GROUP 64
#define SHADE_PIXELS 4 /* of a column, that an item shades */
#define SHADE_STEP 8   /* circles between two looks whether a pixel is proven */
#define GOOD_SLICE 4   /* circles that an item tests at a time */
#define RACE_GROUP 256
#define RESOLVE_GROUP 256

/* Bézier patches. */
#define PATCH_ORDERS 101 /* control points of a side at most */
#define PATCH_GROUP 256  /* points, where each item has one */
#define SEP_GROUP_FLOAT \
    128 /* columns of points; an item has a column, then three numbers of a row */
#define SEP_GROUP_DOUBLE 64
#define SEP_PAIRS_FLOAT 64 /* of rows whose bases it brings to local memory at a time */
#define SEP_PAIRS_DOUBLE 48
#define SEP_ORDER_FOR(order) /* what it takes them for; further control points count as 0 */ \
    ((order) <= 4 ? 4 : (order) <= 8 ? 8 : (order) <= 12 ? 12 : (order) <= 16 ? 16 : SEP_ORDER)
#define SEP_ORDER 24   /* control points of a side that sep takes */
#define SEP_COLUMNS 4  /* of whose curves an item finds every fourth control point */
#define ROWS_AT_ONCE 8 /* of points, that an item of sep_rows sums at a time */
#define MLE_SIDE 16    /* points, of a group's tile */
#define MLE_GROUP 256
#define MLE_CONTROLS 256 /* that it brings to local memory at a time */
#define MAT_ORDER 32     /* control points of a side, from which monomials are useless anyway */
#define CASTELJAU_GROUP 64
#define NO_CURVATURE 3e38f /* of a point without a normal of its own */

struct grayscale_args {
    unsigned row_pixels;              /* pixels from one source row to the next */
    unsigned tile_width, tile_height; /* source pixels */
    unsigned width;                   /* gray pixels in a row: columns * EDGE_PIXELS */
    unsigned group_outputs;           /* gray pixels that a group makes */
    unsigned deep;                    /* 1 when a channel has 16 bits */
    unsigned point;                   /* 1 takes the box's first pixel, 0 averages it */
};

struct edges_args {
    unsigned columns; /* of the grid */
};

struct fits_args {
    unsigned tiles;
};

struct exhaustive_args {
    unsigned columns, rows;
    unsigned first, count; /* permutations to evaluate */
};

struct pruned_args {
    unsigned tiles;
    unsigned columns;
    unsigned line;   /* tiles in a line of placing: the shorter side of the grid */
    unsigned placed; /* tiles placed in the states to evaluate */
};

struct assemble_args {
    unsigned row_words;     /* 4-byte words from one row of the result to the next */
    unsigned columns, rows; /* of its grid */
    unsigned puzzle_row_words, puzzle_columns;
    unsigned tile_words, tile_height; /* a tile's row in words, its height in rows */
    unsigned deep;                    /* 1 when a channel has 16 bits: a pixel has two words */
    unsigned missing[2];              /* the pixel that empty places are painted with */
};

struct compare_args {
    unsigned tiles;
    unsigned terms[2];      /* of left and right edges, of top and bottom ones */
    unsigned others, step;  /* sides that edges of a side may touch, and how they follow */
    unsigned first, blocks; /* blocks of COMPARE_TILES whose partners are sought */
    unsigned splits;        /* parts that the partners are cut into, each with lists of its own */
    unsigned width;         /* keys of a list */
};

/* From the unit square to pixels: column = (x - left) * scale, row = (top - y) * scale. */
struct bin_args {
    float left, top, scale;
    unsigned circles, words; /* words = circles / 32, rounded up to whole groups */
    unsigned columns, rows;  /* bins */
    unsigned bin_size;       /* pixels, a bin's side */
};

/* What a band of the picture is: rows first_row to first_row + rows. */
struct band {
    unsigned width, height; /* of the picture */
    unsigned first_row, rows;
};

/* Where a tile's candidates come from. */
#define FROM_BINS 0  /* the bit matrix that bin makes */
#define FROM_LISTS 1 /* the lists that list_fill makes */

struct shade_args {
    struct band band;
    unsigned circles, words;
    unsigned columns;         /* bins in a row */
    unsigned bin_shift;       /* a bin's side is 2^bin_shift tiles */
    unsigned from;            /* FROM_ */
    unsigned soft;            /* circles fade, see circles.h */
    unsigned resumes, pauses; /* paint on from `state`; leave there what is painted */
    unsigned counts;          /* 1: fill `counts` */
    float low[3], high[3];    /* between which every value lies that a pixel can have */
    float scale;              /* pixels in the length 1 */
    float check_below;        /* the transmittance from which a look may prove a byte */
    float middle[3], spread;  /* of low and high; half the widest difference, in bytes */
    /* The rounding of a sum of n terms, in bytes: slack (n + min(2 n, slack_most) + 13); behind a
     * transmittance of 2^-h are at most h terms_a_halving terms. */
    float slack, slack_most, terms_a_halving;
};

struct good_args {
    struct band band;
    unsigned circles;
    unsigned soft;
    unsigned resumes, pauses;
};

struct resolve_args {
    unsigned width, rows; /* of the result */
    unsigned samples;     /* a side of a pixel */
};

/* Patches of one shape, evaluated on a grid of rows (u) and columns (v). A tile is a strip of rows in a
 * block of columns; tiles of a strip follow each other, strips of a patch, patches. Where rows come in
 * pairs, a strip has strip_rows of the first half and the rows that mirror them. */
struct patch_args {
    unsigned rows, columns;    /* points */
    unsigned order_u, order_v; /* control points: degree + 1 */
    unsigned coordinates;      /* of a control point: 3, or 4 where it is rational */
    unsigned strip_rows, strips, blocks;
    unsigned first, end; /* tiles to evaluate */
    unsigned takes;      /* tiles that a group takes at a time from a counter; 0: it has one */
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

/* Meshes. A vertex has two places in memory. On the picture, a float4: column and row in parts of a
 * sample, whole numbers, 0 the border of the picture; how near it is, which grows towards the viewer and
 * is linear on the picture; 1 / distance, or 1 for a viewer infinitely far off. On the surface, two: x
 * to the right, y away from the viewer and z up in radii of the view, with the place of the curvature
 * among the colours, 0 to 1; the normal. */
#define RASTER_GROUP (TILE * TILE)
#define SAMPLE_PARTS 16       /* of a sample's side, in which places are counted */
#define PLACE_LIMIT (1 << 23) /* of a column or row in parts, so that areas stay below 2^48 */
#define TRIANGLE_WORDS 5      /* three vertices, the colour, the lines: struct mesh_triangle */
#define TRIANGLE_IS_FLAT 8    /* a bit of the lines: painted in its colour, without light */
#define NO_TRIANGLE 0xffffffffu
#define CURVATURE_COLOURS 256

enum shading {
    SHADING_SMOOTH,    /* lit, by the normals of vertices */
    SHADING_FLAT,      /* lit, by the normal of each triangle */
    SHADING_CURVATURE, /* lit, coloured by a curvature, with a bar of the colours */
    SHADING_HIGHLIGHT, /* highlight lines (Beier and Chen 1994): D = (H x N) . (A - P) / |H x N| */
    SHADING_REFLECTION, /* reflection lines: where the mirrored line of sight meets stripes of light */
    SHADING_NONE,       /* the surface hides what is behind it, but is painted as background */
};

struct raster_args {
    unsigned triangles;
    unsigned columns, rows;             /* of the picture, in samples */
    unsigned tile_columns;              /* of the picture */
    unsigned first_tile_row, tile_rows; /* of the band */
    unsigned shading;
    unsigned line_colour, curvature_colours; /* where they stand in the palette */
    float eye;           /* the viewer stands at y = -eye; 0: infinitely far off */
    float half_line;     /* half the width of the grid's lines, in parts; 0: none */
    float background[3]; /* sRGB */
};

#endif
