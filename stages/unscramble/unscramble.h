/* unscramble and scramble: their options, state and result, and their stages. */
#ifndef UNSCRAMBLE_H
#define UNSCRAMBLE_H

#include <stdint.h>

#include "images/draw.h"
#include "stages/run.h"
#include "stages/unscramble/check_grid.h"
#include "stages/unscramble/confidence.h"
#include "stages/unscramble/montage.h"
#include "stages/unscramble/page.h"
#include "stages/unscramble/solutions.h"
#include "stages/unscramble/strips.h"
#include "stages/unscramble/terms.h"

enum sampling {
    SAMPLING_AVERAGE, /* a gray pixel is the mean of its box of source pixels */
    SAMPLING_POINT,   /* it is the box's first pixel */
};

enum search {
    SEARCH_PRUNED,     /* dynamic programming over partial placements */
    SEARCH_EXHAUSTIVE, /* every permutation */
};

struct unscramble;

/* Where results go, for callers that want them as soon as they are made; `context` is the
 * caller's. Each function may be NULL. Where a device fails, one may be called with the same result
 * once more. They return 0, or an ERROR_ code with the reason in the error, which ends the
 * pipeline. */
struct unscramble_sinks {
    void *context;
    /* Checks whether the results can be written. It is called before any work, and again when the
     * puzzle is cut and unscramble_result_size knows the solutions' sizes. */
    int (*check)(void *context, const struct unscramble *unscramble, struct error *error);
    /* The image of a solution, number `solution` of `solutions`, from 0. */
    int (*save)(void *context, struct run *run, const struct image *image, uint32_t solution,
        uint32_t solutions);
    /* The answer as an image, with its doubtful places marked. */
    int (*save_confidence)(void *context, struct run *run, const struct image *image);
    /* A frame of the assembly, number `frame` of `frames`, from 0. */
    int (*save_frame)(
        void *context, struct run *run, const struct image *image, uint32_t frame, uint32_t frames);
};

/* How scramble makes a puzzle of images. */
struct scramble_options {
    const char *const *inputs; /* paths of the images */
    uint32_t input_count;
    uint64_t noise; /* standard deviation of what is added to 8-bit channels */
    uint64_t erode; /* pixels that tiles lose at each edge */
    uint64_t drop;  /* tiles that are missing */
    int is_loose;   /* the puzzle's tiles become files of their own: places that are empty come
                     * last */
};

#define LISTED_PARTNERS 24    /* partners that are kept for each edge */
#define MIXED_AUTO UINT64_MAX /* stands for any number of solutions, up to MAX_SOLUTIONS */

/* What the caller asks for. Zeros mean the defaults. */
struct unscramble_options {
    const char *input;          /* path, "-" is standard input; with `puzzle` a name for messages */
    const struct image *puzzle; /* the puzzle in memory, instead of a file; stays as it is */
    /* Paths of single tiles, in the order of their numbers, instead of a puzzle; or NULL. Then
     * `input` is a name for messages, and `grid` that of the answer; of zeros, SHAPE finds it. */
    const char *const *loose;
    uint32_t loose_count;
    uint64_t max_pixels; /* 0: IMAGE_MAX_PIXELS */
    uint64_t memory;     /* bytes to get along with, as scratch_open has it */
    struct grid grid;    /* zeros: found by its seams; scramble's 3 x 3; that of `apply` */
    uint32_t tile_width, tile_height; /* pixels, of tiles; zeros: as `grid` says, and strips stay */
    enum sampling sampling;
    enum search search;
    const struct permutation *apply; /* the answer, instead of a search; NULL: searches */
    const char *apply_name;          /* for messages */
    const struct permutation *truth; /* to score the answer by, checked by LOAD; or
                                      * NULL */
    const char *truth_name;          /* for messages */
    int is_judged;                   /* says of the answer of `apply` too how likely it is right */
    int is_once;                     /* see unscramble_may_try_ways */
    uint64_t seed;                   /* of random numbers */
    struct color missing;            /* of places without a tile */
    int rotates;                     /* tiles are turned */
    struct scramble_options scramble;
    struct unscramble_sinks sinks;

    /* Compares gray edges of 64 pixels by squared differences, of up to SEARCH_TILES tiles; else
     * whole edges in color, by `dissimilarity`. */
    int is_classic;
    enum dissimilarity dissimilarity;

    /* ANIMATE uses these: */
    uint32_t still_frames; /* more of the assembly, at its beginning and again at its end */
    uint64_t film_side;    /* pixels of its longer side, at most; 0: MONTAGE_MAX_SIDE */

    /* Only the search of large puzzles uses these: */
    int has_missing;           /* tiles may be absent: those all of `missing`, or of one color */
    int has_missing_color;     /* `missing` was given */
    struct grid solution_grid; /* of a solution, at most; zeros: the puzzle's grid */
    uint64_t mixed;   /* solutions that the tiles belong to; 0: 1; MIXED_AUTO: to be found */
    uint64_t effort;  /* refills; 0: by the number of tiles, or as many as the time allows */
    uint64_t seconds; /* to refine for; 0: `effort` decides */
};

/* What LOAD left out of the puzzle. */
enum left_out {
    LEFT_OUT_NOTHING,
    LEFT_OUT_BORDER,
    LEFT_OUT_LINES /* and a border, if there is one */
};

/* What the caller gets. */
struct unscramble_result {
    struct permutation permutation;
    uint32_t exact_cost;     /* of few tiles: the sum of the costs of all neighbors; else NO_COST */
    uint32_t runner_up_cost; /* of the next best permutation; NO_COST where none was found */
    int64_t cost;            /* of many tiles: the sum of the costs of all neighbors */
    const char
        *compared_by;    /* the name of the dissimilarity, "page", or NULL where there is none */
    double probability;  /* that the answer is right; below 0 where JUDGE did not run */
    float *confidence;   /* [place] the probability that it shows the right pixels; or NULL */
    int may_wrap[AXES];  /* it may begin at another column or row, since its borders fit together */
    int may_slide[AXES]; /* absent tiles leave a whole column or row at its border empty */
    int is_split;        /* no tiles fit along a seam through the whole of it */
    int is_apart;        /* tiles, alone or together, have only empty places around them */
    int misfits;         /* tiles whose pixels jump at all of their joints (jumps.h) */
    int keeps_together;  /* it leaves most tiles beside each other as they were in the puzzle */
    /* What these were made of, the answer's of the last solution (evidence.h): */
    enum answer_kind answer_kind;
    double answer_evidence[ANSWER_EVIDENCE];
    float (*place_evidence)[PLACE_EVIDENCE]; /* [place] */
    struct image assembled;                  /* the last solution's image */
};

/* The state of unscramble and of scramble: the options, the result, and what the stages leave for
 * each other, in the order in which it is made. */
struct unscramble {
    struct unscramble_options options;
    struct unscramble_result result;

    /* LOAD, or CUT in its place, leaves: */
    struct image puzzle; /* `loaded`, or that of the options */
    struct image loaded;
    enum left_out left_out;  /* of `loaded` */
    struct scratch *scratch; /* for images of the puzzle's size */
    struct grid grid;
    uint32_t tile_width, tile_height; /* pixels */
    struct buffer pixels;             /* the puzzle on the device: height x width RGBA */
    struct grid grids[MAX_SOLUTIONS]; /* CUT: of each input; `grid` is the puzzle's */

    int bleed; /* PLAN: how many outermost pixels of tiles are not compared (bleed.h) */

    /* UPRIGHT leaves, for a page whose tiles are turned or are said to be; else NULL. `puzzle` is a
     * copy then, in which the tiles lie the same way round. */
    uint8_t *quarters;     /* [tile] by which it was turned clockwise */
    double *lead;          /* [tile] as ink_turns.h says */
    struct image as_given; /* `puzzle` before */

    /* GRAYSCALE leaves: */
    struct buffer gray; /* (rows x 64) x (columns x 64) bytes */

    /* EDGES leaves: */
    struct buffer edges; /* [tile][side][pixel] bytes, see unscramble_args.h */

    /* FITS leaves, or COSTS: */
    struct buffer
        pair_costs; /* [direction][a][b] uint32_t of oriented tiles, see unscramble_args.h */

    /* SEARCH works with: */
    struct buffer best_orders;              /* exhaustive: the two best of each group */
    struct buffer finish_costs, extensions; /* pruned: the two best ways to finish each state */

    /* The search of large puzzles leaves, stage by stage; see their headers: */
    uint8_t *present;       /* [tile] 0 where it is absent */
    struct grid board_grid; /* columns and rows of a board, at most */
    /* For progress: further searches that will follow the one at work, others that may, and whether
     * colors were not enough to compare edges by, so that these are as likely as not. */
    int searches_to_come, searches_possible, is_poor;
    int was_told_of_turns; /* by the caller; options.rotates is what the search at work goes by */
    int is_page;           /* whether tiles are to be compared as those of a page */
    struct page page;      /* what their ink and paper tell; no tiles where they are compared by: */
    struct strips strips;
    enum turns turns;         /* in which tiles are compared */
    uint8_t *is_open;         /* [tile] it is present and not settled; NULL before that is known */
    struct terms features[2]; /* FEATURES leaves them, of tiles it was asked about; [has gap] */
    int tries_ways; /* a doubtful answer is searched for in other ways, so features are kept */
    enum dissimilarity dissimilarity;    /* that COMPARE goes by */
    struct strips seen;                  /* the strips, as it sees them */
    struct partner *partners;            /* [edge][LISTED_PARTNERS] */
    struct partner *learned_partners[2]; /* the same by the features alone, or NULL; [has gap] */
    struct compatibility compatibility;
    struct compatibility looped; /* for BUDDIES, TREE and FILL */
    int32_t *buddy;              /* [edge] */
    struct forest forest;
    struct solution_board boards[MAX_SOLUTIONS]; /* what was found */
    uint32_t board_count;

    int is_grid_likely;           /* LOAD: the grid was found, and is likely, not sure */
    struct grid_check grid_check; /* JUDGE: whether seams speak against the grid */

    /* ASSEMBLE leaves: */
    uint32_t solution, solution_count; /* which one it made, and how many it is to make */
    struct buffer placed;              /* its places on the device */
    struct buffer assembled;           /* the solution's image on the device; SAVE downloads it */
};

/* Which tiles the network is to look at: [tile], or NULL for all. */
static inline const uint8_t *unscramble_tiles_to_look_at(const struct unscramble *u)
{
    return u->is_open ? u->is_open : u->present;
}

STAGE_OF(unscramble);
/* The stages that more than the pipelines run; these declare the others themselves. */
extern const struct unscramble_stage LOAD, COSTS, SEARCH, ASSEMBLE;

/* The stages of both tools, to list; ended by NULL. */
extern const struct stage *const UNSCRAMBLE_STAGES[], *const SCRAMBLE_STAGES[];

/* The stages that a benchmark times, which have references, in their order; ended by NULL. */
extern const struct unscramble_stage *const UNSCRAMBLE_BENCHMARK[];

/* What run_leave_out says after a stop that has ended a search. */
#define BEST_SO_FAR "this is the best answer so far"

/* --- pipeline.c --- */

/* The pipeline of unscramble. Returns 0 or an ERROR_ code with the reason in run->error, as all
 * stages do. */
int unscramble_run(struct run *run, struct unscramble *unscramble);

/* The part of unscramble's that compares the edges of the tiles, after LOAD: leaves which are
 * present and, of a page, how its tiles fit; and the compatibility of all edges. Returns as
 * unscramble_run does. */
int unscramble_compare(struct run *run, struct unscramble *unscramble);

/* Searches once, as the options say, and says how likely the answer is right. Returns as
 * unscramble_run does. */
int unscramble_search(struct run *run, struct unscramble *unscramble);

/* Ends work that the answer can do without: a stop has ended that alone, and what follows writes
 * the answer. Until such work has an answer of its own, run->has_answer is 0, so that a stop ends
 * it. Returns rc, but 0 for such a stop, after it has said what was left out. */
int unscramble_end_optional(struct run *run, int rc, const char *left_out);

/* Frees what a result holds. */
void unscramble_result_free(struct unscramble_result *result);

/* Frees the images, the permutation and what stages left on the host. The buffers are the run's. */
void unscramble_end(struct unscramble *unscramble);

/* --- ways.c --- */

/* Tells the forecast how many searches follow the one at work: `to_come` for certain, and, where
 * other ways may be tried, one for each of them if tiles may be absent, else one. */
void unscramble_count_searches(struct unscramble *unscramble, int to_come);

/* Searches, and where the answer is doubtful, tries whether the tiles are turned or absent. Many
 * tiles of a page are not tried: compared as those of photographs are, they seem to fit. Returns as
 * unscramble_run does. */
int unscramble_search_ways(struct run *run, struct unscramble *unscramble);

/* Where the answer for a page whose tiles UPRIGHT has turned is doubtful, tries whether they fit
 * better compared as those of photographs are, turned in every way. Returns likewise. */
int unscramble_try_as_photograph(struct run *run, struct unscramble *unscramble);

/* --- scramble.c --- */

/* The pipeline of scramble. Returns as unscramble_run does. */
int scramble_run(struct run *run, struct unscramble *unscramble);

/* --- serve.c --- */

/* What ranks other than 0 do: parts of the work that rank 0 shares out, until it ends the job.
 * Returns as unscramble_run does. */
int unscramble_serve(struct run *run);

/* --- puzzle.c --- */

/* What LOAD and CUT share. Cuts by the size of a tile or by the grid: leaves both. `name` stands in
 * the message. Returns 0 or ERROR_INPUT. */
int unscramble_cut(struct unscramble *unscramble, const char *name, const struct image *image,
    struct error *error);

/* How many pixels an image may have. */
uint64_t unscramble_max_pixels(const struct unscramble *unscramble);

/* Refuses an image of that size that is to be made: the `what` ("puzzle", "result") of the file
 * named. Returns 0 or ERROR_INPUT. */
int unscramble_check_size(const struct unscramble *unscramble, const char *what, const char *name,
    uint64_t width, uint64_t height, struct error *error);

/* How many solutions are to be written; where they are still to be found, how many at most. */
uint32_t unscramble_solutions(const struct unscramble *unscramble);

/* Asks the sink whether the results can be written. Returns as the sink does. */
int unscramble_check_outputs(const struct unscramble *unscramble, struct error *error);

/* Warns where the file of an image has others, which are not read. */
void unscramble_warn_of_others(struct run *run, const char *name, const struct image *image);

/* Makes what images of the puzzle's size are allocated by, unless it is there. */
void unscramble_open_scratch(struct unscramble *unscramble);

/* The tiles of the puzzle, once PLAN has run with what of them is compared. */
struct tiling unscramble_tiling(const struct unscramble *unscramble);

/* How tiles may be turned: with `rotates` by quarters where they are square and else by half. */
enum turns unscramble_turns(const struct unscramble *unscramble);

/* Says, if tiles may be turned, what the answer then leaves open. */
void unscramble_tell_turns(struct run *run, const struct unscramble *unscramble);

/* In how many ways a tile may be turned: 1, 2 (by half) or 4 (by quarters). */
uint32_t unscramble_turn_count(const struct unscramble *unscramble);

/* Whether the tiles are said to belong to several images. */
int unscramble_is_mixed(const struct unscramble_options *options);

/* How far the second best order of few tiles is behind the best: (runner-up cost + 1) / (exact
 * cost + 1). 1 is a tie; 0 stands where there is no second one. */
double unscramble_margin(const struct unscramble *unscramble);

/* The answer, as overlay.h and animate.h draw it. */
struct layout unscramble_layout(const struct unscramble *unscramble);

/* --- load.c --- */

/* Opens the device and copies the puzzle to it. */
int unscramble_upload(struct run *run, struct unscramble *unscramble);

/* --- plan.c --- */

/* Whether to search again, as if tiles were turned or absent, where the answer is doubtful. So it
 * is for up to 5000 tiles, which takes some seconds, unless the caller has asked for one search
 * (`is_once`), a time, turned or absent tiles, several images, a grid of the solution, a
 * dissimilarity, a method, a search, or an order. */
int unscramble_may_try_ways(const struct unscramble *unscramble);

/* Whether to run ANNEAL where the answer is doubtful: one image of many tiles, at most 10,000, none
 * of whose places is empty; unless the caller has set an effort, a time or `is_once`. */
int unscramble_may_search_longer(const struct unscramble *unscramble);

/* Where a search begins: with the comparison of all edges, with the network that looks at them, or
 * with a doubtful answer that is there. */
enum beginning { FROM_START, FROM_NETWORK, FROM_ANNEAL };

/* Says how the puzzle will be solved, and tells the run which stages are to come. */
void unscramble_tell_plan(struct run *run, const struct unscramble *unscramble);

/* Tells the run which stages are to come, for its progress: those of a search from there on, to the
 * end. */
void unscramble_foresee(struct run *run, const struct unscramble *unscramble, enum beginning from);

/* Whether SHAPE is to find the grid of loose tiles. */
int unscramble_finds_shape(const struct unscramble *unscramble);

/* Whether the search is that of large puzzles: by its options, or by its tiles once these are
 * known. */
int unscramble_is_large(const struct unscramble *unscramble);

/* --- upright.c --- */

/* Ends what UPRIGHT began: `puzzle` is the one that was given again, and the answer says how
 * UPRIGHT turned its tiles. The answer's probability, and that of a place, gets lower where ink
 * hardly tells which way round a tile lies. Returns as unscramble_run does. */
int unscramble_turn_back(struct run *run, struct unscramble *unscramble);

/* Says how many tiles of a page were turned, if the answer is that of a page. */
void unscramble_tell_turned_page(struct run *run, const struct unscramble *unscramble);

/* Takes back what UPRIGHT did, where it turns out that there is no page: the options and the puzzle
 * are as before. Nothing to do where it turned no tile. Returns as unscramble_run does. */
int unscramble_undo_turns(struct run *run, struct unscramble *unscramble);

/* Frees what UPRIGHT left; `puzzle` is the one that was given again. The device keeps the other. */
void unscramble_forget_turns(struct unscramble *unscramble);

/* --- present.c --- */

/* Whether the puzzle looks like a page, and the options leave its tiles to be compared as such,
 * whether or not they say that tiles are turned. */
int unscramble_may_be_page(const struct unscramble *unscramble);

/* Whether a tile has one color all over, as those do that stand for absent ones. */
int unscramble_has_flat_tile(const struct unscramble *unscramble);

/* --- boards.c --- */

/* Whether the puzzle is a page whose tiles EXCHANGE orders. They have been compared. */
int unscramble_exchanges(const struct unscramble *unscramble);

/* --- fits.c --- */

/* Draws two heat maps of sqrt(cost / unit), for beside and for below: row a, column b. */
int unscramble_draw_pairs(struct run *run, struct unscramble *unscramble, const char *title,
    double unit, struct image *snapshot);

/* --- judge.c --- */

/* How many tiles are likely at their place, and of how many that were placed. */
struct tally {
    double right, all;
};
struct tally unscramble_tally(const struct unscramble_result *result);

/* Whether the answer is doubtful for a reason that can be told, as that tiles are cut wrongly, or
 * that the borders of the image fit together. No other search takes it away, unless it is that
 * nothing fits along a seam (is_split). CONFIDENCE says which. */
int unscramble_is_explained(const struct unscramble *unscramble);

/* Whether a search has found fewer solutions than it was asked for. */
int unscramble_found_fewer(const struct unscramble *unscramble);

/* Lowers the probability of an answer that is doubtful for such a reason. */
void unscramble_lower(struct unscramble *unscramble);

/* --- assemble.c --- */

/* Describes, without pixels, the image of a solution: as large as the puzzle where it is the only
 * one and has the puzzle's grid, else as large as its tiles together. Returns 0, or ERROR_INPUT
 * where it is too large. */
int unscramble_result_size(const struct unscramble *unscramble, uint32_t solution,
    struct image *result, struct error *error);

#endif
