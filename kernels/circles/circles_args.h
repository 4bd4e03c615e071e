/* What the kernels of circles and the host share: sizes and argument structs. Structs hold 4-byte
 * scalars only, so that every compiler lays them out alike.
 *
 * A pixel of these kernels is a sample: RESOLVE makes the pixels of the image of them. */
#ifndef CIRCLES_ARGS_H
#define CIRCLES_ARGS_H

#include "kernels/drawing/drawing_args.h"

/* Circles are sorted into bins, rectangles of whole screen tiles. */
#define BIN_LINES 64         /* columns or rows of bins at most */
#define BIN_GROUP 256        /* circles a group of bin */
#define BIN_LINES_A_GROUP 32 /* an item makes one word of one line */
#define LIST_GROUP 256
#define LIST_CPU_CIRCLES 1536 /* that a group counts or lists on the CPU */
#define LIST_GPU_CIRCLES 2048 /* at most, on a GPU, */
#define LIST_GPU_SMALL 4096   /* or of small circles so many, if then all groups run at once */
#define LIST_UNIT_GROUPS 4 /* of LIST_GROUP circles, for each unit of a GPU; then they take more */
#define LIST_SEGMENTS 32   /* into which list_start cuts the counts of a bin */
#define FEW_GROUP 64       /* columns of pixels that a group of shade_few shades */
#define FEW_ROWS 16        /* and rows */
#define FEW_CIRCLES (32 * FEW_GROUP) /* of a scene, at most: a bit each of the words of a group */
#define FEW_NEAREST 16               /* the same where taking the nearest first pays */
#define SHADE_PIXELS 4               /* of a column, that an item shades */
#define MARK_COLUMNS 3               /* of pixels, that a small circle tests at a time */
#define SHADE_STEP 8                 /* circles between two looks whether a pixel is proven */
#define SHADE_SLICES 3 /* of circles that a group keeps at hand, where circles are not small */
/* How much soft_paint_nearly may differ from soft_paint, as a share of alpha, and r * r above which
 * soft_rate is not 0; see circle.h. */
#define SOFT_ERROR 0x1p-18
#define SOFT_LEAST 0x1p-100f
#define GOOD_SLICE 4 /* circles that an item tests at a time */

struct pack_args {
    unsigned circles;
    unsigned soft;  /* circles fade, see circle.h */
    unsigned white; /* and are white, whatever color they have */
};

/* From the unit square to pixels: column = (x - left) * scale, row = (top - y) * scale. */
struct bin_args {
    float left, top, scale;
    unsigned circles, words; /* words = circles / 32, rounded up to whole groups */
    unsigned columns, rows;  /* bins */
    float bins_a_pixel;      /* a power of two, so that to multiply is exact */
    unsigned group_circles;  /* that a group counts or lists, a multiple of LIST_GROUP */
    unsigned most;           /* entries of a list, with which it may end: see list_start.cl */
};
#define ALL_ENTRIES 0xffffffffu /* lists end with the last circle */
/* Words of each bin in front of the lists: those of all bins, where their lists start, then how
 * long they are, then how many groups of circles they have. */
#define LIST_WORDS 3
/* Words of the buffer `counts` for each group of circles: see bytes_place in lists.h. */
#define LIST_GROUP_WORDS(bins) ((bins) + ((bins) + 3) / 4 + 1)

/* What a band of the image is: rows first_row to first_row + rows. */
struct band {
    unsigned width, height; /* of the image */
    unsigned first_row, rows;
};

/* Where a tile's candidates come from. */
#define FROM_MATRIX 0 /* the bit matrix that bin makes */
#define FROM_LISTS 1  /* the lists that list_fill makes */

struct shade_args {
    struct band band;
    unsigned circles, words;
    unsigned columns;         /* bins in a row */
    unsigned bins;            /* in all */
    unsigned bin_shift;       /* a bin's side is 2^bin_shift tiles */
    unsigned from;            /* FROM_ */
    unsigned soft;            /* circles fade, see circle.h */
    unsigned resumes, pauses; /* paint on from `state`; leave there what is painted */
    unsigned wants_hits;      /* 1: fill `hits` */
    unsigned is_front;        /* the circles are not all, but the nearest */
    unsigned list_groups;     /* that a list has if it does not end before the last circle */
    unsigned marks;           /* 1: mark the tiles that these circles do not prove */
    unsigned repeats;         /* 1: shade only the tiles that are marked */
    float low[3], high[3];    /* between which every value lies that a pixel can have */
    float scale;              /* pixels in the length 1 */
    float check_below;        /* the transmittance from which a look may prove a byte */
    float middle[3], spread;  /* of low and high; half the widest difference, in bytes */
    /* A sum of n terms is wrong by rounding, in bytes, by less than 0.5 - limit + slack (n +
     * min(2 n, slack_most)); behind a transmittance of 2^-h are at most h terms_a_halving terms.
     * With soft circles, pixels themselves count what slack is multiplied by. */
    float limit, slack, slack_most, terms_a_halving;
};

struct good_args {
    struct band band;
    unsigned circles;
    unsigned soft;
    unsigned resumes, pauses;
};

#endif
