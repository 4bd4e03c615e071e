/* What the kernels of unscramble and the host share: sizes and argument structs. Structs hold
 * 4-byte scalars only, so that every compiler lays them out alike. */
#ifndef UNSCRAMBLE_ARGS_H
#define UNSCRAMBLE_ARGS_H

#define MAX_TILES 4000000   /* of a puzzle */
#define NO_TILE 0xffffffffu /* at a place that is empty */
#define SEARCH_TILES 12     /* that SEARCH takes; the numbers of 12! permutations have 32 bits */
#define SEARCH_QUARTER_TILES 10 /* the same where they may be turned by quarters */
#define EDGE_PIXELS 64          /* a tile's side in the scaled gray image */

/* Edges: [tile][side][pixel], bytes. */
#define SIDES 4
#define SIDE_LEFT 0
#define SIDE_TOP 1
#define SIDE_RIGHT 2
#define SIDE_BOTTOM 3
#define EDGE_BYTES (SEARCH_TILES * SIDES * EDGE_PIXELS)

/* Pair costs: [direction][a * ORIENTED_MAX(turns) + b]: b stands to the right of a, or below it.
 * Where tiles may be turned, a and b are oriented tiles, tile * turns + turn: of 2 half turns, or
 * of 4 quarters clockwise; else turns is 1. An order has DIGIT_BITS(turns) for each, at most 64. */
#define DIRECTIONS 2
#define BESIDE 0
#define BELOW 1
#define ORIENTED_MAX(turns) ((turns) == 4 ? 4 * SEARCH_QUARTER_TILES : (turns)*SEARCH_TILES)
#define TILE_PAIRS(turns) (ORIENTED_MAX(turns) * ORIENTED_MAX(turns))
#define PAIR_COSTS(turns) (DIRECTIONS * TILE_PAIRS(turns))
#define DIGIT_BITS(turns) ((turns) == 4 ? 6 : (turns) == 2 ? 5 : 4)
#define NO_COST 0xffffffffu /* of a permutation that does not exist */

#define GRAYSCALE_GROUP 256
#define GRAYSCALE_COLUMNS 1024 /* source columns that a group sums at a time */
#define EXHAUSTIVE_GROUP 256
#define PRUNED_GROUP 128
#define ASSEMBLE_GROUP 256

/* Signatures of edges: 32-bit words [side][tile / COMPARE_TILES][row][tile % COMPARE_TILES]. A word
 * of the first rows holds four signed bytes; rows of one edge, read backwards, stand opposite to
 * those of an edge that it touches. The last row has half the sum of the squares of the bytes. */
#define COMPARE_GROUP 512
#define COMPARE_LIST_GROUP 512
#define RANK_GROUP 256
#define COMPARE_TILES 128      /* whose edges a group compares with as many others at a time */
#define COMPARE_ROWS 12        /* that are multiplied at a time; there is a multiple of it */
#define COMPARE_SLICES 256     /* of COMPARE_TILES partners that a split has at most: 8 bits */
#define COLOR_CANDIDATES 192   /* of an edge, to be ranked by colors, */
#define LEARNED_CANDIDATES 128 /* and by what a network made */
#define SIGNATURE_PARTS 12     /* of an edge at most, of each of which a signature has the mean */

/* The network of learned edges: numbers of a pixel of an edge that go in, between layers, and out.
 * Those that go in and between layers are in steps, NETWORK_STEPS of 1, from -NETWORK_MOST to
 * NETWORK_MOST; what exceeds that is cut off. Weights are bytes, of which NETWORK_ZERO is 0. */
#define NETWORK_INPUTS 72
#define NETWORK_ROWS 12 /* of pixels that go in, from the edge inward */
#define NETWORK_CHANNELS 96
#define NETWORK_OUTPUTS 32
#define NETWORK_STEPS 256
#define NETWORK_MOST 32767
#define NETWORK_ZERO 128
#define FEATURE_STEPS 64  /* of 1 */
#define LEARNED_STEPS 512 /* of 1, of what the network says of a pair */
#define CONVOLVE_GROUP 128
#define CONVOLVE_TERMS 24 /* that are summed at a time; inputs and `taken` are multiples of it */

struct grayscale_args {
    unsigned row_pixels;              /* pixels from one source row to the next */
    unsigned tile_width, tile_height; /* source pixels */
    unsigned width;                   /* gray pixels in a row: columns * EDGE_PIXELS */
    unsigned group_outputs;           /* gray pixels that a group makes */
    unsigned deep;                    /* 1 when a channel has 16 bits */
    unsigned point;                   /* 1 takes the box's first pixel, 0 averages it */
};

struct exhaustive_args {
    unsigned columns, rows;
    unsigned first, count; /* permutations to evaluate */
};

struct pruned_args {
    unsigned tiles;
    unsigned columns;
    unsigned line;        /* tiles in a line of placing: the shorter side of the grid */
    unsigned placed;      /* tiles placed in the states to evaluate */
    unsigned first_turns; /* of tile 0 that are tried: turning all tiles makes up for the others */
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
    unsigned rows;          /* of words of a signature, without the last one */
    unsigned parts;         /* of an edge, for a signature; a multiple of 4 */
    unsigned most;          /* that a byte of a signature is, either way from 0 */
    unsigned halvings;      /* of the terms */
    unsigned others, step;  /* sides that an edge may touch: the n-th is side ^ 2 ^ n * step */
    unsigned first, blocks; /* blocks of COMPARE_TILES whose partners are searched for */
    unsigned candidates;    /* of an edge, up to COLOR_CANDIDATES */
    unsigned splits;        /* of the partners, for each of which a group keeps the best */
    unsigned channels, length[2]; /* of the terms; pixels of left and right, top and bottom edges */
    unsigned width;               /* partners that are ranked for an edge */
};

struct inputs_args {
    unsigned row_pixels;                              /* from one row of the puzzle to the next */
    unsigned deep;                                    /* 1 when a channel has 16 bits */
    unsigned columns, tile_width, tile_height, bleed; /* as struct tiling has them */
    unsigned axis;          /* 0: left and right sides, 1: top and bottom */
    unsigned first, length; /* first edge; pixels of one */
    unsigned is_jpeg;       /* the three numbers of struct jpeg_origin count, in steps: */
    int luminance, color, halved;
    int gap; /* steps */
};

struct convolve_args {
    unsigned length;  /* pixels of an edge */
    unsigned inputs;  /* numbers of a pixel */
    unsigned shifts;  /* pixels that an output looks at, an odd number */
    unsigned further; /* numbers of a pixel in the second input, */
    unsigned taken;   /* and of these the first, which an output looks at too, unshifted */
    unsigned adds;    /* 1 adds the input to the output */
    float most; /* that an output may be, of which none is below 0, before the input is added */
};

#endif
