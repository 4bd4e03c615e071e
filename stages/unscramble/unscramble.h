/* unscramble and scramble: their state, from options to result, and their stages. */
#ifndef UNSCRAMBLE_H
#define UNSCRAMBLE_H

#include <limits.h>
#include <stdint.h>

#include "images/draw.h"
#include "stages/run.h"
#include "stages/unscramble/permutation.h"
#include "stages/unscramble/pictures.h"

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
    struct grid grid;           /* zeros: found by its seams; scramble's 3 x 3; that of `apply` */
    uint32_t cut_width, cut_height; /* pixels, of tiles; zeros: as `grid` says, and strips stay */
    enum sampling sampling;
    enum search search;
    const char *apply;            /* path of `permutation`, which is applied, or NULL to search */
    const char *save_permutation; /* path to write the permutation to, or NULL */
    const struct permutation
        *truth;             /* what the answer will be scored by, or NULL; LOAD checks it */
    const char *truth_name; /* for messages */
    uint64_t seed;          /* of what is random */
    struct colour missing;  /* of places without a tile */
    int rotates;            /* tiles are turned */

    /* What only the search of large puzzles takes: */
    int has_missing;        /* tiles may be absent: those all of `missing`, or of one colour */
    int has_missing_colour; /* `missing` was given */
    struct grid frame;      /* of the picture, at most; zeros: the puzzle's grid */
    uint64_t mixed;         /* pictures in the puzzle; 0: 1 */
    enum metric edge_metric;
    uint64_t effort;        /* refills; 0: by the number of tiles, or as many as the time allows */
    uint64_t seconds;       /* to refine for; 0: `effort` decides */
    const char *confidence; /* path of a picture that shows how sure each place is, or NULL */
    const char *animate;    /* path of a video of the assembly, see animate.h, or NULL */

    /* The options of scramble set; its pictures come in the place of `input`, which is the
     * first: */
    const char *const *inputs;
    uint32_t input_count;
    uint64_t noise; /* standard deviation of what is added to 8-bit channels */
    uint64_t erode; /* pixels that tiles lose at each edge */
    uint64_t drop;  /* tiles that are missing */

    /* LOAD leaves, and CUT in its place: */
    struct image picture;
    uint32_t tile_width, tile_height; /* pixels */
    struct buffer pixels;             /* the picture on the device: height x width RGBA */
    struct grid grids[MAX_PICTURES];  /* CUT: of each input; `grid` is the puzzle's */

    /* GRAYSCALE leaves: */
    struct buffer gray; /* (rows x 64) x (columns x 64) bytes */

    /* EDGES leaves: */
    struct buffer edges; /* [tile][side][pixel] bytes, see unscramble_args.h */

    /* FITS leaves: */
    struct buffer fits; /* [direction][a][b] uint32_t, see unscramble_args.h */

    /* SEARCH works with and leaves (MEASURE leaves the metric; SHUFFLE a permutation, which INVERT
     * turns round): */
    struct buffer candidates;     /* exhaustive: the two best of each group */
    struct buffer costs, endings; /* pruned: the two best endings of each state */
    struct permutation permutation;
    uint32_t metric;    /* the sum of the fits of all neighbours; LOAD sets NO_METRIC */
    uint32_t runner_up; /* the next best permutation's; NO_METRIC where there is only one */

    /* The search of large puzzles leaves, stage by stage; see their headers: */
    uint8_t *present; /* [tile] 0 where it is absent */
    struct compatibility compatibility;
    int32_t *buddy; /* [edge] */
    struct forest forest;
    struct picture_board boards[MAX_PICTURES]; /* what was found */
    uint32_t board_count;
    struct grid most; /* columns and rows of a board */
    int64_t cost;     /* of all boards */
    float *sureness;  /* [place] from 0 to 1, see confidence.h */

    /* ASSEMBLE leaves: */
    uint32_t part, parts;   /* which of the pictures, and how many it makes; SAVE counts on */
    struct buffer placed;   /* its places on the device */
    struct buffer result;   /* the picture put together, on the device */
    struct image assembled; /* its place in the host's memory, filled by SAVE */
};

STAGE_OF(unscramble);
extern const struct unscramble_stage LOAD, GRAYSCALE, EDGES, FITS, SEARCH, MEASURE, COMPATIBILITY,
    BUDDIES, TREE, FILL, REFINE, SPLIT, CONFIDENCE, ANIMATE, PLAN, CUT, SHUFFLE, ASSEMBLE, INVERT,
    SAVE;

/* The stages of both tools, to list; ended by NULL. */
extern const struct stage *const UNSCRAMBLE_STAGES[], *const SCRAMBLE_STAGES[];

/* The pipelines: of unscramble, and of scramble. Return 0 or an ERROR_ code with the reason in
 * run->error, as all stages do. */
int unscramble_run(struct run *run, struct unscramble *unscramble);
int scramble_run(struct run *run, struct unscramble *unscramble);

/* What LOAD and CUT share. Cuts by the size of a tile or by the grid: leaves both. `name` stands in
 * the message. Returns 0 or ERROR_INPUT. */
int unscramble_cut(struct unscramble *unscramble, const char *name, const struct image *picture,
    struct error *error);

/* The pictures that are to be written. */
uint32_t unscramble_parts(const struct unscramble *unscramble);

/* Refuses what cannot be written, before any work is done: before there is a picture what it may
 * be, then what it is. Returns as image_check_output. */
int unscramble_check_outputs(const struct unscramble *unscramble, struct error *error);

/* How tiles may be turned: by quarters where they are square, else by half. */
enum turns unscramble_turns(const struct unscramble *unscramble);

/* Whether only the search of large puzzles can do what is asked for. */
int unscramble_is_large(const struct unscramble *unscramble);

/* Opens the device and copies the picture to it; the parts begin anew. */
int unscramble_upload(struct run *run, struct unscramble *unscramble);

/* Describes, without its pixels, what ASSEMBLE makes in this part: as large as the puzzle where it
 * has its grid, and else as its tiles. Returns 0, or ERROR_INPUT where it is too large. */
int unscramble_result(
    const struct unscramble *unscramble, uint32_t part, struct image *result, struct error *error);

/* Where the result of this part goes: the output, or where there are several parts, "out-1.png",
 * "out-2.png", ... for "out.png". Returns 0 or ERROR_INPUT. */
int unscramble_output(const struct unscramble *unscramble, uint32_t part, uint32_t parts,
    char path[PATH_MAX], struct error *error);

/* How sure the answer is: (runner-up + 1) / (metric + 1), 1 for a tie; 0 where there is no
 * other. */
double unscramble_confidence(const struct unscramble *unscramble);

/* Frees the pictures and the permutation. The buffers are the run's. */
void unscramble_end(struct unscramble *unscramble);

#endif
