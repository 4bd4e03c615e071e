/* libtessera: solves puzzles of tiles, paints translucent circles and evaluates Bézier patches,
 * all in memory, on the CPU, with CUDA or with OpenCL; the result does not depend on which. See
 * tessera(3).
 *
 * Structs of options that are all zeros ask for the defaults. Functions that give an int return
 * 0, or a negative TESSERA_ code with the reason in tessera_error, and what they were to fill in
 * is then zeros; a tool gives an exit status. Messages number circles and patches from 1.
 * There are at most 4,000,000 tiles, 2,147,483,647 pixels of a puzzle, 100 solutions, 4,194,304
 * samples a side of a painted image, 1,000,000 patches, and 65,535 points a side of a patch. */
#ifndef TESSERA_H
#define TESSERA_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TESSERA_API __attribute__((visibility("default")))

enum tessera_code {
    TESSERA_OK = 0,
    TESSERA_INPUT = -1,   /* an argument or the state of the machine; the caller can fix it */
    TESSERA_DEVICE = -3,  /* the device failed; another one may do */
    TESSERA_STOPPED = -4, /* the progress function asked to stop */
};

/* --- the context --- */

/* A context holds a device, what is asked for of all jobs, and the last error. A job is one call of
 * tessera_unscramble, tessera_paint_circles or tessera_evaluate_patches. There may be any number of
 * contexts; use each from one thread at a time. */
struct tessera;

/* NULL where memory is short. tessera_free takes NULL too. */
TESSERA_API struct tessera *tessera_new(void);
TESSERA_API void tessera_free(struct tessera *tessera);

/* The library's version, "0.2.0". */
TESSERA_API const char *tessera_version(void);

/* Why the last function failed, in one line; empty where none did. It stays until the next call. */
TESSERA_API const char *tessera_error(const struct tessera *tessera);

/* Chooses the device of later jobs: "cpu", "cuda", "cuda:1", "opencl", ..., which must be there; or
 * "auto" (as from the start) for the one that should finish a job soonest, and the CPU where that
 * fails. If this function fails, the device stays the one before. */
TESSERA_API int tessera_set_device(struct tessera *tessera, const char *device);

/* How many threads a job takes on the CPU, at most 4096; 0 (as from the start) means as many as
 * OpenMP takes, one a processor unless OMP_NUM_THREADS says otherwise. */
TESSERA_API void tessera_set_threads(struct tessera *tessera, int threads);

/* `progress` is called now and then, in the thread that called the job, with the name of the
 * stage at work and the share of it that is done, 0 to 1. The job stops soon where it returns 1:
 * it gives TESSERA_STOPPED or, where a puzzle has an answer by then, the best one so far. NULL:
 * nobody watches. It must not call the library with this context. */
TESSERA_API void tessera_set_progress(struct tessera *tessera,
    int (*progress)(void *context, const char *stage, double share), void *context);

/* The device that the last job ran on, "cuda:0" for one; empty before the first. It stays until the
 * next job. */
TESSERA_API const char *tessera_device(const struct tessera *tessera);

/* --- images --- */

/* An image: height rows of width pixels from the top, without gaps, a pixel `channels` numbers of
 * uint8_t, or of uint16_t where the depth is 16. */
struct tessera_image {
    int width, height;
    int channels; /* 1 gray, 2 gray and alpha, 3 RGB, 4 RGBA */
    int depth;    /* bits of a number: 8 or 16 */
    void *pixels;
};

/* Frees the pixels of an image that the library made. Like the other functions that free, it takes
 * what is zeroed and NULL, too. */
TESSERA_API void tessera_image_free(struct tessera_image *image);

/* --- puzzles --- */

#define TESSERA_NO_TILE 0xffffffffu /* at a place that is empty */

struct tessera_puzzle_options {
    int columns, rows;           /* of tiles in the puzzle; both 0: found by its seams */
    int tile_width, tile_height; /* pixels, instead of columns and rows; both or neither */
    int is_rotated;              /* tiles may be turned: square ones by quarters, others by half */
    int solutions;               /* images that the tiles belong to, at most; 0: 1 */
    int solution_columns, solution_rows; /* most of a solution; both 0: those of the puzzle */
    int has_missing;                     /* tiles may be absent: those all of one color */
    int has_missing_color;     /* of missing_color; else black ones, or of most one-colored tiles */
    uint8_t missing_color[3];  /* red, green, blue: also of places without a tile */
    const char *dissimilarity; /* of edges: see unscramble(1); NULL: "auto" */
    int effort;                /* refills in the search of large puzzles; 0: by their size */
    int seconds;               /* the most that the search may take; 0: as `effort` says */
    uint64_t seed;             /* of the random numbers of the search */
};

/* One of the images that a puzzle was made of. */
struct tessera_solution {
    int columns, rows;
    uint32_t *tiles; /* [rows][columns] which tile of the puzzle stands there, numbered from 0, left
                        * to right and top to bottom; or TESSERA_NO_TILE */
    uint8_t *turns;  /* [rows][columns] by how many quarters it is turned, clockwise */
    double probability; /* that every place of all solutions shows the right pixels; where tiles are
                         * turned, up to a turn of the whole */
    float
        *confidence; /* [rows][columns] the probability that the place does; 0 where it is empty */
    struct tessera_image image;
};

/* Puts a puzzle back together. One that was scaled so that its tiles have no whole number of pixels
 * is scaled to the nearest size at which they have; a border of one color around the tiles, and
 * lines between them, are left out. The images then have the size of the tiles together. *solutions
 * gets an array of *count; tessera_solutions_free frees it. */
TESSERA_API int tessera_unscramble(struct tessera *tessera, const struct tessera_image *puzzle,
    const struct tessera_puzzle_options *options, struct tessera_solution **solutions, int *count);
TESSERA_API void tessera_solutions_free(struct tessera_solution *solutions, int count);

/* --- circles --- */

/* A circle. x and y run from 0 to 1 across a square image, y upward. The longer side of any other
 * image has length 1, and its shorter side shows the middle of the unit square. */
struct tessera_circle {
    float x, y;             /* center */
    float z;                /* distance from the viewer: the farthest are painted first, equally far
                             * ones in their order */
    float r;                /* radius */
    float red, green, blue; /* an image can show 0 to 1 */
    float alpha;            /* opacity, 0 to 1 */
};

struct tessera_circles_options {
    int width, height;   /* pixels; both 0: 1024 x 1024 */
    int samples;         /* the mean of samples x samples is taken of a pixel, up to 64; 0: 1 */
    int has_background;  /* `background` is given; else it is white */
    float background[3]; /* red, green, blue: 0 to 1 */
};

/* Paints circles over each other into a new image of 8-bit RGB, exact to the byte: see circles(1).
 * tessera_image_free frees it. */
TESSERA_API int tessera_paint_circles(struct tessera *tessera, const struct tessera_circle *circles,
    size_t count, const struct tessera_circles_options *options, struct tessera_image *image);

/* --- Bézier patches --- */

/* A patch: a tensor product of (degree_u + 1) x (degree_v + 1) control points, rows along v one
 * after the other; or a triangle of one degree d, whose d + 1 rows have d + 1, d, ..., 1 points,
 * point j of row i belonging to u^i v^j (1 - u - v)^(d - i - j). Degrees are from 1 to 100. */
struct tessera_patch {
    int is_triangle;
    int is_rational;        /* control points are (wx, wy, wz, w) instead of (x, y, z) */
    int degree_u, degree_v; /* a triangle's degree is in both */
    const double *control;
};

struct tessera_bezier_options {
    int points_u, points_v; /* of a patch's sides; both 0: 17 x 17; triangles use points_u */
    int is_double;          /* computes in double precision, else in float */
    int has_normals;        /* unit normals and curvatures are wanted too */
};

#define TESSERA_CURVATURES 4 /* Gaussian, mean, largest, smallest */

/* Points of the first patch, then of the second, ...: of a tensor product points_u rows (u from 0
 * to 1) of points_v points (v from 0 to 1); of a triangle points_u rows of points_u, points_u -
 * 1, ... points. */
struct tessera_points {
    size_t count;
    double *positions; /* [count][3] */
    float *normals;    /* [count][3], or NULL */
    float *curvatures; /* [count][TESSERA_CURVATURES], or NULL; not a number where there is none */
};

/* Evaluates patches on a grid. tessera_points_free frees the points. */
TESSERA_API int tessera_evaluate_patches(struct tessera *tessera,
    const struct tessera_patch *patches, size_t count, const struct tessera_bezier_options *options,
    struct tessera_points *points);
TESSERA_API void tessera_points_free(struct tessera_points *points);

/* --- the tools --- */

/* Each runs a tool with the arguments of a command line, argv[0] among them, and gives its exit
 * status. They are for programs that do nothing else: they write to the standard streams and take
 * signals. */
TESSERA_API int tessera_unscramble_main(int argc, char **argv);
TESSERA_API int tessera_scramble_main(int argc, char **argv);
TESSERA_API int tessera_circles_main(int argc, char **argv);
TESSERA_API int tessera_bezier_main(int argc, char **argv);

#ifdef __cplusplus
}
#endif

#endif
