/* Drawing a mesh on the run's device: a tiled rasterizer with a depth buffer. */
#ifndef DRAW_MESH_H
#define DRAW_MESH_H

#include <stdint.h>

#include "images/image.h"
#include "kernels/drawing/drawing_args.h"
#include "scenes/mesh.h"
#include "stages/bezier/camera.h"
#include "stages/run.h"

#define DRAWING_MAX_SIDE 16384    /* pixels, of the image */
#define DRAWING_MAX_SAMPLES 65536 /* of a side */

/* Why an image shows nothing but its background. */
enum blank {
    BLANK_NOT,     /* it shows something */
    BLANK_SHADING, /* surfaces are not painted, and there are no lines */
    BLANK_OUTSIDE, /* what there is lies beyond the image, wholly or in part */
    BLANK_SMALL,   /* no sample meets it: all of it is within a pixel */
    BLANK_THIN,    /* no sample meets it: it is seen from its side, has no area, or is small */
};

/* What to draw and from where. Zeros mean the defaults. */
struct drawing {
    uint32_t width, height; /* pixels; 0: 1024 x 768 */
    uint32_t samples;       /* a side of a pixel, as antialiasing takes them; 0: 1 */
    enum shading shading;   /* drawing_args.h has what each is */
    int has_lines;          /* draw the lines of the grid too: wireframe with SHADING_NONE */
    int has_groups;         /* color by group */
    double yaw, pitch;      /* degrees by which the model is turned before it is looked at */
    double up[3];           /* the model's direction that is upward then; zeros: z */
    int has_target;         /* the view is of `target`, not of the model's middle */
    double target[3];
    double zoom;   /* 0: 1, the model fills the image */
    double pan[2]; /* by which the image is moved right and up, in its width and height */
    int is_tight;  /* what is seen fills it; else a ball does, within which the model can turn */
    int is_orthographic;
    enum mesh_curvature curvature; /* for SHADING_CURVATURE */
    int unit; /* the mesh's curvatures are for lengths in 2^unit; `clamp` and the bar are not */
    /* The values at the ends of the colors; without them curvature_range finds some. */
    int has_clamp;
    double clamp[2];
    float background[3];  /* sRGB, 0 to 1 */
    int is_clear;         /* the background is transparent; lines are as on `background` */
    size_t segment_count; /* further lines, such as a control net */
    const double (*segments)[2][3];
};

/* What it works with, kept from one frame of an animation to the next. Zeros to begin with. */
struct raster {
    struct buffer screen, surface, triangles, palette, counts, lists, samples, pixels;
    uint64_t band_samples, band_entries; /* of a band's image and lists; 0: the defaults */
    enum blank blank;   /* of the image that it drew last, but for the bar of colors */
    struct camera view; /* where it has no radius, it is fitted to the mesh that is drawn */
};

/* What drawing a mesh of so many vertices and triangles takes, for choosing a device. */
struct workload drawing_workload(const struct drawing *drawing, double vertices, double triangles);

/* The same with the defaults in place of zeros, as what follows takes it. */
struct drawing drawing_with_defaults(const struct drawing *drawing);

/* Draws into a new 8-bit image, RGB or with drawing->is_clear RGBA, which the caller frees, the
 * same bytes on every device. The camera looks at the middle of the mesh's bounding box, z upward,
 * from the front (-y), the model turned by yaw about z, then by pitch, which shows its upper side.
 * What reaches farther off the image than PLACE_LIMIT (drawing_args.h), where zoom is in the
 * hundreds, or in later frames comes near the camera, is left out. Returns 0 or an ERROR_ code. */
int draw_mesh(struct run *run, const struct mesh *mesh, const struct drawing *drawing,
    struct raster *raster, struct image *image);

#endif
