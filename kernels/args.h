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
    KERNEL(assemble, ASSEMBLE_GROUP, NONE)

#define MAX_TILES 12   /* what SEARCH takes; 12! permutations still have 32-bit numbers */
#define EDGE_PIXELS 64 /* a tile's side in the scaled gray picture */

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
    unsigned row_words;               /* 4-byte words from one row to the next */
    unsigned columns, rows;           /* of the grid */
    unsigned tile_words, tile_height; /* a tile's row in words, its height in rows */
};

#endif
