/* circles: its options, state and result, and its stages. */
#ifndef CIRCLES_H
#define CIRCLES_H

#include <stdint.h>

#include "images/parts.h"
#include "kernels/circles/circles_args.h"
#include "scenes/scene.h"
#include "stages/circles/reach.h"
#include "stages/run.h"

#define CIRCLES_MAX_SIDE (1 << 22)       /* samples, of the image's longer side */
#define CIRCLES_MAX_SAMPLES 64           /* a side of a pixel */
#define BAND_SAMPLES ((uint64_t)1 << 27) /* that are rendered at a time, at most */

enum method {
    METHOD_FAST,      /* nearest first until the byte is proven */
    METHOD_GOOD,      /* each block culls all circles by a scan */
    METHOD_BAD,       /* circles in parallel, without order: wrong on purpose */
    METHOD_REFERENCE, /* sequential */
};

/* Where results go, for callers that want them as soon as they are made; `context` is the
 * caller's. Each may be NULL. They return 0, or an ERROR_ code with the reason in run->error, which
 * ends the pipeline. */
struct circles_sinks {
    void *context;
    /* The rows of an image from `first_row` on; those of a frame come one after the other, all at
     * once unless they have more than BAND_SAMPLES pixels or options.memory is too little. */
    int (*save)(void *context, struct run *run, const struct image *rows, uint32_t first_row,
        uint32_t frame);
    /* Where there are several ranks: begins an image that they all write, as `parts` then says,
     * whose rest may take `memory` bytes; or leaves parts->count 0, and `save` gets the rows. Ends
     * it with the rest. */
    int (*open_parts)(void *context, struct run *run, const struct image *whole, uint64_t memory,
        uint32_t frame, struct image_parts *parts);
    int (*save_rest)(void *context, struct run *run, const struct image *rest);
    /* Refuses, before a named scene is made and anything is painted, images of that size and those
     * channels, of which so many rows come at a time. */
    int (*check)(void *context, struct run *run, const struct image *whole, uint32_t rows);
    /* The scene as it is painted first, before that is done. */
    int (*save_scene)(void *context, struct run *run, const struct scene *scene);
};

/* What the caller asks for; the stages never write it. Zeros mean the defaults. */
struct circles_options {
    const char *input; /* a scene's name, or the path of a file; with `scene` a name for messages */
    const struct scene *scene; /* a scene in memory, instead of a file, of at least one circle; what
                                * it holds stays as it is and as long as the state; does not move */
    uint32_t width, height;    /* pixels; 0: the scene's own, or 1024 x 1024 */
    uint32_t samples;          /* a side of a pixel; 0: 4 for a file, fewer where the image's longer
                                * side would have more than 65536 of them; else 1 */
    enum method method;
    uint32_t block; /* METHOD_GOOD's, one of GOOD_BLOCKS, in pixels; 0: 16 */
    uint64_t seed;  /* of the named scenes */
    int has_background, has_alpha;
    float background[4];              /* instead of the scene's: red, green, blue and alpha */
    float alpha;                      /* instead of that of every circle */
    int has_frames;                   /* frames of an animation are asked for */
    uint32_t first_frame, last_frame; /* that are painted */
    uint64_t memory;        /* bytes that an image may take on its way to the sink, some rows at a
                             * time; 0: half of the machine's; without a sink it is whole */
    uint64_t device_memory; /* bytes to get along with; 0: three quarters of the device's */
    struct circles_sinks sinks;
};

/* What the caller gets. */
struct circles_result {
    uint32_t width, height; /* pixels that were chosen */
    uint32_t samples;       /* a side of a pixel */
    uint32_t frame;         /* that the scene stands at, and the image shows */
    struct image image;     /* of the last frame, or its last rows that were in memory */
};

/* The state: options, what the stages leave for each other in the order in which it is made, and
 * the result. */
struct circles {
    struct circles_options options;
    struct circles_result result;

    /* The pipeline sets: */
    uint32_t frame;           /* the one at work */
    uint64_t image_bytes;     /* of the image that may be in memory at a time */
    uint32_t image_rows;      /* pixels: rows of the image that are in memory at a time, at most, */
    uint32_t image_row;       /* from this one on */
    uint32_t strip_rows;      /* pixels: what ranks take of them at a time, alone all */
    int serves;               /* another rank, to which rank 0 has told the rows above */
    int holds_strip;          /* only a strip or some rows of a part are in memory */
    uint32_t held_row;        /* pixels: of the image, with which what is in memory begins */
    uint32_t begin_row;       /* samples: where the strip at work begins */
    uint32_t end_row;         /* and ends */
    int paints_alpha;         /* circles are white now: see alpha.c */
    struct image_parts parts; /* that ranks write; count 0: rank 0 writes all */
    struct image_part *part;  /* the one at work */
    struct image rest;        /* of all parts; in a rank that serves, of one */
    struct reach reach;       /* rank 0, where there are several: which circles they get */

    /* SCENE leaves. Where ranks share the image, it has only the circles of the strip or part at
     * work, while that is painted. */
    struct scene scene;
    int has_scene;                   /* it is there */
    uint32_t scene_begin, scene_end; /* samples: the rows of which the scene has all circles */

    /* UPLOAD leaves: */
    int is_planned;         /* for this frame */
    uint32_t columns, rows; /* samples of the whole image */
    uint32_t band_rows;     /* samples: what is rendered at a time */
    uint32_t band_row;      /* where the band starts */
    size_t left_out;        /* circles, the farthest, which this pass does without */
    size_t chunk_first,
        chunk_end;        /* the circles on the device; those before are painted or left out */
    uint64_t chunk_bytes; /* that they and what is made from them may take */
    uint32_t bin_shift, bin_size, bin_columns, bin_rows; /* log2 of screen tiles, samples, bins */
    uint32_t group_circles;   /* as in struct bin_args, by which chunks are chosen */
    size_t most_groups;       /* of circles, whose counts fit the memory */
    int takes_nearest;        /* the nearest circles first: they hide much or are soft, and fit */
    int is_small_scene;       /* circles_are_few, if they are not taken in chunks */
    uint32_t from;            /* FROM_ of circles_args.h */
    size_t front;             /* how many, from the nearest on, hide nearly all others; else all */
    uint32_t most;            /* as in struct bin_args, of the front */
    int nearest_first, small; /* how SHADE goes: NEAREST and SMALL of shade.cl */
    float low[3], high[3], limit, slack, slack_most, terms_a_halving,
        check_below;  /* as in struct shade_args */
    float *places;    /* x of columns, y of rows, background of rows; NULL: to be made */
    int places_alpha; /* paints_alpha, for which they were made */
    size_t fitted_first, fitted_end; /* the chunk that was chosen last; end 0: none */
    size_t entries;                  /* that its lists can have */
    /* The chunk as the scene has it, and for kernels, nearest first: see circle.h. */
    struct buffer circles_buffer, geometry_buffer, paint_buffer, places_buffer;

    /* BIN leaves: */
    uint32_t words;       /* of a line of the bit matrix, whole groups */
    uint32_t list_groups; /* as in struct shade_args */
    int marks;            /* SHADE is to mark the tiles that circles on the device do not prove */
    struct buffer matrix, ranges, counts, lists; /* see the kernels bin, list_count, list_start */

    /* SHADE (CULL, RACE, REFERENCE) works with: */
    struct buffer tile_marks; /* of each tile of the band 1 or 0 */
    int repeats;              /* the marked ones are at work, with all circles */
    struct buffer samples_buffer, pixels_buffer, state, hits_buffer;
    struct buffer window; /* the memory of result.image, where a device reaches it */
    uint32_t *hits;       /* until each sample was proven; only for snapshots */
    int is_warned;        /* that the race shows little */
    uint8_t *alpha; /* of the pixels of the strip at work, unless they are opaque: see alpha.c */
};

STAGE_OF(circles);
/* The stages that more than the pipelines run; these declare the others themselves. */
extern const struct circles_stage SCENE, UPLOAD, BIN, SHADE, CULL;

/* The stages of each method, to list; ended by NULL. */
extern const struct stage *const *const CIRCLES_STAGES[];

/* --- pipeline.c --- */

/* The pipeline: paints every frame that is asked for and hands it to the sink. Returns 0 or an
 * ERROR_ code with the reason in run->error, as all stages and what follows here do. */
int circles_run(struct run *run, struct circles *circles);

/* Paints the frame at work and hands it to the sink, where there is one; in run_alone it stays. */
int circles_paint(struct run *run, struct circles *circles);

/* Makes the strips or parts that this rank takes. */
int circles_paint_shared(struct run *run, struct circles *circles);

/* Paints the rows begun with. */
int circles_paint_rows(struct run *run, struct circles *circles);

/* Frees what is not the run's. */
void circles_end(struct circles *circles);

/* --- strips.c --- */

/* Shares the rows that are in memory out among ranks, in strips, or the whole image in parts. */
int circles_share(struct run *run, struct circles *circles);

/* Rank 0: shares the frames out that are between the one at work, which is painted, and the last
 * one, and goes on to the last of them; or does nothing where that is no gain. */
int circles_share_frames(struct run *run, struct circles *circles);

/* Goes on to the circles of a strip or part, where there are several ranks. */
int circles_take_part(struct run *run, struct circles *circles, uint32_t part);

/* What the other ranks do: paints frames, or strips of them, that rank 0 shares out, until it ends
 * the job. Returns 0 or an ERROR_ code. */
int circles_serve(struct run *run);

/* Begins with a strip of the rows that are in memory, or with some rows of the image. */
void circles_start_strip(struct circles *circles, uint32_t strip);
void circles_start_rows(struct circles *circles, uint32_t first, uint32_t rows);

/* --- parts.c --- */

/* Rank 0, where there are several: begins an image that all of them write, if it is one. What is
 * left of it may take `memory` bytes. */
int circles_open_parts(struct run *run, struct circles *circles, uint64_t memory);

/* Paints and writes a part of it, some rows at a time. */
int circles_paint_part(struct run *run, struct circles *circles, uint32_t part);

/* What a part has of the rest, for struct share; `context` is the struct circles. */
void *circles_part_rest(void *context, uint32_t part, size_t *size);

/* --- load_scene.c --- */

/* Makes room for the strip of the image that is at work, or for all. Returns 0 or ERROR_INPUT. */
int circles_make_room(struct run *run, struct circles *circles);

/* Whether several parts of the image come to lie in the same memory, one after the other. */
int circles_reuses_image(const struct circles *circles);

/* --- upload.c --- */

/* What so many circles of an image of that size cost, for the choice of a device. */
struct workload circles_workload(const struct circles *circles, size_t count);

/* --- plan.c --- */

/* Lets the next plan make the places of columns and rows, and the background, anew. */
void circles_forget_places(struct circles *circles);

/* --- resolve.c --- */

/* Goes on to the next band of the strip. Returns whether there is one. */
int circles_next_band(struct circles *circles);

/* The band that is rendered now, for kernels. */
struct band circles_band(const struct circles *circles);

/* Whether painting goes on from an earlier chunk, and will go on with a later one. */
int circles_resumes(const struct circles *circles);
int circles_pauses(const struct circles *circles);

/* Whether so few circles are all there that each group finds its own, without bins. */
int circles_are_few(const struct circles *circles);

/* Makes the band's buffers of samples and of what is painted between chunks. */
int circles_prepare_band(struct run *run, struct circles *circles);

/* --- alpha.c --- */

/* How many channels the image has: 3, or 4 where the background is not opaque. */
int circles_channels(const struct circles *circles);

/* Where there are 4: starts a pass over the strip at work, with paints_alpha of white circles for
 * its alpha, else of the colors. Returns 0 or ERROR_INPUT. */
int circles_start_layer(struct run *run, struct circles *circles, int paints_alpha);

/* After the pass for alpha keeps that of so many pixels of the band, which are painted; after that
 * of colors divides them by it. */
void circles_finish_layer(struct circles *circles, uint8_t *pixels, size_t count);

/* --- draw_counts.c --- */

/* Draws a heat map of columns x rows counts; `cells` says what they are of, as in "pixels". Returns
 * 0 or ERROR_INPUT. */
int circles_draw_counts(struct run *run, const uint32_t *counts, uint32_t columns, uint32_t rows,
    const char *title, const char *cells, struct image *snapshot);

#endif
