/* bezier: its options, state and result, and its stages. */
#ifndef BEZIER_H
#define BEZIER_H

#include <stdint.h>

#include "kernels/bezier/bezier_args.h"
#include "scenes/mesh.h"
#include "scenes/patches.h"
#include "stages/bezier/draw_mesh.h"
#include "stages/run.h"

#define BEZIER_MAX_RESOLUTION 65535            /* points of a side of a patch */
#define BEZIER_MAX_POINTS ((uint64_t)1 << 30)  /* of all patches */
#define BEZIER_MAX_WEIGHTS ((uint64_t)1 << 28) /* numbers of the tables of a triangle's shape */
#define BEZIER_LIST_BYTES 4096                 /* a page */
#define BEZIER_RESOLUTION 17                   /* where none is given or chosen by the view */

enum precision { PRECISION_FLOAT, PRECISION_DOUBLE, PRECISIONS };

enum evaluation {
    EVALUATION_SEP,       /* two small products, one column of the grid an item */
    EVALUATION_MLE,       /* multi-level: stored bases, a double sum a point */
    EVALUATION_BRF,       /* everything for every point, with factorials */
    EVALUATION_MAT3,      /* U R P R^T V^T for every point */
    EVALUATION_MAT4,      /* U G V^T, G = R P R^T once */
    EVALUATION_CASTELJAU, /* de Casteljau's scheme for every point */
    EVALUATION_DIRECT,    /* bicubic patches, the bases written out */
};

enum animation {
    ANIMATE_NOTHING,
    ANIMATE_TURN,       /* the control points turn about the vertical axis: level 1 anew */
    ANIMATE_WAVE,       /* a wave runs through them: level 1 */
    ANIMATE_RESOLUTION, /* a point a side more each frame: levels 1 and 2 */
    ANIMATE_DEGREE,     /* a degree more each frame, the surface stays: all levels */
};

enum sharing {
    SHARE_NOTHING,
    SHARE_STATIC,  /* a fixed part of the blocks to the CPU */
    SHARE_DYNAMIC, /* CPU and device take blocks from one list */
};

/* Warnings that are said once, whatever the number of frames. */
enum {
    WARNED_OF_POWERS = 1, /* the method is not accurate */
    WARNED_OF_RANGE = 2,  /* a float does not hold a curvature */
    WARNED_OF_STEPS = 4,  /* numbers of the precision are too coarse */
    WARNED_OF_BLANK = 8,  /* nothing is seen */
    WARNED_OF_GRID = 16,  /* grids are coarser than the view asks for */
};

/* Level 2: what a side's bases are at the grid's points, with derivatives. Of triangles,
 * weights. */
struct basis {
    int is_triangle;
    uint32_t order;  /* control points of the side, or of the triangle */
    uint32_t points; /* of the side, or of the triangle */
    int derivatives; /* whether they are there too */
    void *values; /* numbers of the precision, as the kernels differential and triangle have them */
    size_t size;  /* bytes */
    void *folded; /* as the kernel sep has them, or NULL */
    size_t folded_size;
};

/* The grid of a patch. */
struct patch_grid {
    uint32_t points_u, points_v; /* of its sides; of a triangle the same */
    /* Every steps[k]-th point of the grid on side k is used, the others are left out. Sides: of a
     * tensor product u = 0, u = 1, v = 0, v = 1; of a triangle u = 0, v = 0, w = 0. */
    uint32_t steps[4];
};

/* Patches of one shape and grid, evaluated together. */
struct batch {
    int is_triangle;
    uint32_t degree_u, degree_v; /* a triangle's degree is in both */
    uint32_t order_u, order_v;   /* control points; of a triangle: all, 1 */
    uint32_t coordinates;        /* of a control point: 3, or 4 where it is rational */
    uint32_t points_u, points_v; /* of a side */
    uint32_t rows, columns;      /* points; of a triangle: 1, all */
    const size_t *members;       /* numbers of the patches */
    size_t count;
    size_t first_point;      /* of the points, where its own begin */
    size_t basis_u, basis_v; /* numbers in `bases` */
};

/* Where results go, for callers that want them as soon as they are made; `context` is the
 * caller's. Each may be NULL. They return 0, or an ERROR_ code with the reason in run->error, which
 * ends the pipeline. */
struct bezier_sinks {
    void *context;
    int (*save)(void *context, struct run *run, const struct image *image, uint32_t frame);
    int (*save_mesh)(void *context, struct run *run, const struct mesh *mesh, uint32_t frame);
};

/* What the caller asks for; the stages never write it. Zeros mean the defaults. */
struct bezier_options {
    const char *input; /* path; "-" is standard input; with `patches` a name for messages */
    const struct patches *patches; /* in memory, instead of a file: at least one, as patches_read
                                    * makes them; PATCHES copies them */
    uint32_t resolution_u, resolution_v; /* points of a side; 0: grid.h has what they are then */
    enum precision precision;
    enum evaluation method;
    enum sharing sharing;
    uint32_t share; /* percent of the patch blocks to the CPU, of SHARE_STATIC */
    enum animation animation;
    int has_frames;                   /* frames of the animation are asked for */
    uint32_t first_frame, last_frame; /* that are made */
    int has_normals;        /* normals and curvatures are wanted; images and meshes need them */
    int has_own_unit;       /* curvatures are for a length unit of the model's size, as images take
                       * them; else of the file's, as PLY files hold them */
    int has_mesh;           /* the mesh is wanted, and no image of it */
    int has_net;            /* draw the control net */
    int is_flipped;         /* the mesh's other side is out, see mesh_flip */
    struct drawing drawing; /* but for its unit and segments, which DRAW knows */
    struct bezier_sinks sinks;
};

/* What the caller gets, of the last frame. */
struct bezier_result {
    uint32_t points_u, points_v; /* of a side of a patch, the most */
    size_t point_count;          /* of all patches but polyhedra */
    void *points; /* xyz, numbers of the precision: batches, patches, rows (u), columns (v) */
    float (*normals)[3];
    float (*curvatures)[CURVATURES];
    int unit; /* with has_own_unit: curvatures are for lengths in 2^unit; else 0 */
    struct mesh mesh;
    double volume; /* that the mesh encloses, or NAN: see mesh_volume */
    struct image image;
};

/* The state: options, what the stages leave for each other in the order in which it is made, and
 * the result. */
struct bezier {
    struct bezier_options options;
    struct bezier_result result;

    /* The pipeline sets: */
    uint32_t frame; /* the one at work */

    /* PATCHES leaves: */
    struct patches patches;

    /* MOVE leaves, for the frame at work: */
    uint32_t moved_frame;     /* the frame that `patches` stand at */
    double (*controls)[4];    /* as patches.controls */
    double low[3], high[3];   /* the bounding box of the controls */
    struct patch_grid *grids; /* of each patch */
    size_t *members;
    struct batch *batches; /* by degree, kind and grid */
    size_t batch_count;

    /* BINOMIALS leaves, level 3: C(n, k) for each degree n that occurs, or NULL. */
    double *binomials[PATCHES_MAX_DEGREE + 1];

    /* BASES leaves, level 2: */
    struct basis *bases;
    size_t basis_count;

    /* EVALUATE works with, level 1: */
    int is_served;        /* this is another rank than 0, which works on what that shared */
    size_t part_patches;  /* that ranks take at a time */
    int warned;           /* WARNED_ bits: of what the user has been told */
    void *nets;           /* control points of a batch, numbers of the precision */
    size_t points_size;   /* bytes that there is room for in the result's points */
    struct device helper; /* the CPU, beside the run's device */
    uint32_t *taken; /* patch blocks of the list, by both; alone in BEZIER_LIST_BYTES, mapped */
    struct buffer nets_buffer, folded_buffer, basis_u_buffer, basis_v_buffer, points_buffer,
        path_buffer, counter;
    size_t in_folded, in_u, in_v; /* numbers of the bases on the device, plus 1 */

    /* NORMALS works with: */
    struct buffer normals_buffer, curvatures_buffer;

    /* MESH leaves: */
    char **group_names; /* the mesh's, as its colors are */
    uint8_t (*group_colors)[3];
    double (*segments)[2][3]; /* of the control net */
    size_t segment_count;

    /* DRAW works with: */
    struct raster raster; /* its view is left by VIEW */
};

STAGE_OF(bezier);
/* The stages that more than the pipeline runs; it declares the others itself. */
extern const struct bezier_stage PATCHES, MOVE, BINOMIALS, BASES, EVALUATE, NORMALS, MESH;

/* The stages of an image and of a mesh, to list; ended by NULL. */
extern const struct stage *const BEZIER_IMAGE[], *const BEZIER_MESH[];

/* The pipeline: draws every frame that is asked for, or makes its mesh, and hands it to the sink.
 * Returns 0 or an ERROR_ code with the reason in run->error, as all stages do. */
int bezier_run(struct run *run, struct bezier *bezier);

/* What ranks other than 0 do: evaluate patches, or draw frames, that rank 0 shares out, until it
 * ends the job. Returns as bezier_run does. */
int bezier_serve(struct run *run);

/* Makes the frame at work, from patches that are there, and hands it to the sink; in run_alone it
 * stays. */
int bezier_make_frame(struct run *run, struct bezier *bezier);

/* Makes the points of the frame at work, from patches that are read first unless they are there. */
int bezier_evaluate(struct run *run, struct bezier *bezier);

/* Bytes of a number of the precision. */
static inline size_t precision_size(enum precision precision)
{
    return precision == PRECISION_FLOAT ? sizeof(float) : sizeof(double);
}

/* Stores a number in an array of the precision; reads it. */
static inline void number_put(void *numbers, size_t i, double value, enum precision precision)
{
    if (precision == PRECISION_FLOAT)
        ((float *)numbers)[i] = (float)value;
    else
        ((double *)numbers)[i] = value;
}

static inline double number_get(const void *numbers, size_t i, enum precision precision)
{
    return precision == PRECISION_FLOAT ? (double)((const float *)numbers)[i]
                                        : ((const double *)numbers)[i];
}

/* Frees what is not the run's. */
void bezier_end(struct bezier *bezier);

#endif
