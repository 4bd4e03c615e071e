/* Where a mesh lies on the image, as the rasterizer's kernels take it. */
#ifndef PROJECT_H
#define PROJECT_H

#include "stages/bezier/draw_mesh.h"

/* Arrays of float4 and of TRIANGLE_WORDS words as drawing_args.h has them. Behind the mesh's
 * vertices and triangles come those of lines that are drawn as two triangles each. */
struct projection {
    size_t vertex_count, surface_count, triangle_count, palette_count;
    float (*screen)[4], (*surface)[2][4];
    struct mesh_triangle *triangles; /* those that can be seen */
    float (*palette)[4];       /* of groups, of segments, of lines, of curvatures; linear light */
    unsigned curvature_colors; /* where they begin */
    double curvature[2];       /* the mesh's values at the ends of the colors, where it is drawn */
    float eye;                 /* distance of the viewer in radii of the view, 0: far off */
};

/* `drawing` without zeros that mean defaults. Finds the view where the raster has none. Reports
 * to `progress` (NULL: nobody watches). Returns 0, ERROR_INPUT or ERROR_STOPPED; either way the
 * caller frees it. */
int mesh_project(const struct mesh *mesh, const struct drawing *drawing,
    const struct progress *progress, struct raster *raster, struct projection *projection,
    struct error *error);
void projection_free(struct projection *projection);

/* Half the width of lines, in parts of a sample. */
float drawing_half_line(const struct drawing *drawing);

/* The sRGB of lines and letters that stand out from the background. */
const float *drawing_contrast(const struct drawing *drawing);

#endif
