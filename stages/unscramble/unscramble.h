/* unscramble and scramble: their state, from options to result, and their stages. */
#ifndef UNSCRAMBLE_H
#define UNSCRAMBLE_H

#include <limits.h>
#include <stdint.h>

#include "images/draw.h"
#include "stages/pipeline.h"
#include "stages/unscramble/permutation.h"

enum sampling {
    SAMPLING_AVERAGE, /* a gray pixel is the mean of its box of source pixels */
    SAMPLING_POINT,   /* it is the box's first pixel */
};

enum search {
    SEARCH_PRUNED,     /* dynamic programming over partial placements */
    SEARCH_EXHAUSTIVE, /* every permutation */
};

/* In the order in which it is made. Zeros mean the defaults. */
struct unscramble {
    /* The options set: */
    const char *input, *output; /* paths; "-" is standard input and output */
    const char *format;         /* of the output; NULL: by the ending of its name */
    uint64_t max_pixels;        /* 0: IMAGE_MAX_PIXELS */
    struct grid grid;           /* zeros: 3 x 3, or with `apply` the grid of that file */
    enum sampling sampling;
    enum search search;
    const char *apply;            /* path of `permutation`, which is applied, or NULL to search */
    const char *save_permutation; /* path to write the permutation to, or NULL */
    struct colour missing;        /* of places without a tile */

    /* The options of scramble set; its pictures come in the place of `input`, which is the first: */
    const char *const *inputs;
    uint32_t input_count;
    uint64_t seed;
    uint32_t cut_width, cut_height; /* pixels, of tiles; zeros: as `grid` says, and strips stay */
    uint64_t noise;                 /* standard deviation of what is added to 8-bit channels */
    uint64_t erode;                 /* pixels that tiles lose at each edge */
    uint64_t drop;                  /* tiles that are missing */
    int rotates;                    /* tiles are turned */

    /* LOAD leaves, and CUT in its place: */
    struct image picture;
    uint32_t tile_width, tile_height; /* pixels */
    struct buffer pixels;             /* the picture on the device: height x width RGBA */
    struct grid grids[MAX_PICTURES];  /* CUT: of each input; `grid` is the puzzle's */

    /* GRAYSCALE leaves: */
    struct buffer gray; /* (rows x 64) x (columns x 64) bytes */

    /* EDGES leaves: */
    struct buffer edges; /* [tile][side][pixel] bytes, see kernels/args.h */

    /* FITS leaves: */
    struct buffer fits; /* [direction][a][b] uint32_t, see kernels/args.h */

    /* SEARCH works with and leaves (MEASURE leaves the metric; SHUFFLE a permutation, which INVERT
     * turns round): */
    struct buffer candidates;     /* exhaustive: the two best of each group */
    struct buffer costs, endings; /* pruned: the two best endings of each state */
    struct permutation permutation;
    uint32_t metric;    /* the sum of the fits of all neighbours; LOAD sets NO_METRIC */
    uint32_t runner_up; /* the next best permutation's; NO_METRIC where there is only one */

    /* ASSEMBLE leaves: */
    uint32_t part, parts;   /* which of the pictures, and how many it makes; SAVE counts on */
    struct buffer placed;   /* its places on the device */
    struct buffer result;   /* the picture put together, on the device */
    struct image assembled; /* its place in the host's memory, filled by SAVE */
};

extern const struct stage LOAD, GRAYSCALE, EDGES, FITS, SEARCH, MEASURE, CUT, SHUFFLE, ASSEMBLE,
    INVERT, SAVE;

/* The tools. */
extern const struct stage *const UNSCRAMBLE[];       /* by searching */
extern const struct stage *const UNSCRAMBLE_APPLY[]; /* by a permutation that is plain */
extern const struct stage *const UNSCRAMBLE_PLACE[]; /* by any permutation */
extern const struct stage *const SCRAMBLE[];

/* What LOAD and CUT share. Cuts by the grid: leaves the size of the tiles. Returns 0 or ERROR_INPUT. */
int unscramble_cut(struct unscramble *unscramble, const struct image *picture, struct error *error);

/* Refuses what cannot be written, before any work is done: before there is a picture what it may be,
 * then what it is. Returns as image_check_output. */
int unscramble_check_outputs(const struct unscramble *unscramble, struct error *error);

/* Opens the device and copies the picture to it; the parts begin anew. */
int unscramble_upload(struct run *run, struct unscramble *unscramble);

/* Describes, without its pixels, what ASSEMBLE makes in this part: as large as the puzzle where it has
 * its grid, and else as its tiles. Returns 0, or ERROR_INPUT where it is too large. */
int unscramble_result(
    const struct unscramble *unscramble, uint32_t part, struct image *result, struct error *error);

/* Where the result of this part goes: the output, or where there are several parts, "out-1.png",
 * "out-2.png", ... for "out.png". Returns 0 or ERROR_INPUT. */
int unscramble_output(const struct unscramble *unscramble, uint32_t part, uint32_t parts,
    char path[PATH_MAX], struct error *error);

/* How sure the answer is: (runner-up + 1) / (metric + 1), 1 for a tie; 0 where there is no other. */
double unscramble_confidence(const struct unscramble *unscramble);

/* Frees the pictures and the permutation. The buffers are the run's. */
void unscramble_end(struct unscramble *unscramble);

#endif
