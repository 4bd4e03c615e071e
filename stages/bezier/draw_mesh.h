/* Drawing a mesh on the run's device: a tiled rasteriser with a depth buffer. */
#ifndef DRAW_MESH_H
#define DRAW_MESH_H

#include <stdint.h>

#include "images/image.h"
#include "scenes/mesh.h"
#include "stages/pipeline.h"

#define DRAWING_MAX_SIDE 16384 /* pixels, of the picture */

enum shading {
    SHADING_SMOOTH,     /* lit, by the normals of vertices */
    SHADING_FLAT,       /* lit, by the normal of each triangle */
    SHADING_CURVATURE,  /* lit, coloured by a curvature, with a bar of the colours */
    SHADING_HIGHLIGHT,  /* highlight lines (Beier and Chen 1994): D = (H x N) . (A - P) / |H x N| */
    SHADING_REFLECTION, /* reflection lines: where the mirrored line of sight meets stripes of light */
    SHADING_NONE,       /* the surface hides what is behind it, but is painted as background */
};

/* What to draw and from where. Zeros mean the defaults. */
struct drawing {
    uint32_t width, height; /* pixels; 0: 1024 x 768 */
    uint32_t samples;       /* a side of a pixel, as antialiasing takes them; 0: 1 */
    enum shading shading;
    int has_lines;  /* draw the lines of the grid too: wireframe with SHADING_NONE */
    int has_groups; /* colour by group */
    double yaw, pitch;  /* degrees by which the model is turned before it is looked at from the front */
    double zoom;        /* 0: 1, the model fills the picture */
    int is_orthographic;
    enum mesh_curvature curvature; /* for SHADING_CURVATURE */
    int has_clamp;
    double clamp[2];         /* the values at the ends of the colours; without it the 2nd and 98th percentile */
    float background[3];     /* sRGB, 0 to 1 */
    size_t segment_count;    /* further lines, such as a control net */
    const double (*segments)[2][3];
};

/* What it works with, kept from one frame of an animation to the next. */
struct raster {
    struct buffer vertices, triangles, counts, lists, samples, pixels;
    double center[3], radius; /* of the view: of the first mesh that it draws */
};

/* Draws into a new 8-bit RGB picture, the same bytes on every device. The camera looks at the middle of
 * the mesh's bounding box, z upwards, from the front (-y). Returns 0 or an ERROR_ code. */
int draw_mesh(struct run *run, const struct mesh *mesh, const struct drawing *drawing,
    struct raster *raster, struct image *picture);

#endif
