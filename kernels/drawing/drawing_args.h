/* What the kernels of drawing and the host share: sizes and argument structs. Structs hold 4-byte
 * scalars only, so that every compiler lays them out alike. */
#ifndef DRAWING_ARGS_H
#define DRAWING_ARGS_H

/* The side of a tile of an image, in pixels or samples: a group paints one. */
#define TILE 16

#define RESOLVE_GROUP 256

struct resolve_args {
    unsigned width, rows; /* of the result */
    unsigned samples;     /* a side of a pixel */
};

/* Meshes. A vertex has two places in memory. On the image, a float4: column and row in parts of a
 * sample, whole numbers, 0 the border of the image; how near it is, which grows toward the
 * viewer and is linear on the image; 1 / distance, or 1 for a viewer infinitely far off. On the
 * surface, two: x to the right, y away from the viewer and z up in radii of the view, with the
 * place of the curvature among the colors, 0 to 1; the normal. */
#define RASTER_GROUP (TILE * TILE)
#define SAMPLE_PARTS 16       /* of a sample's side, in which places are counted */
#define PLACE_LIMIT (1 << 23) /* of a column or row in parts, so that areas stay below 2^48 */
#define TRIANGLE_WORDS 5      /* three vertices, the color, the lines: struct mesh_triangle */
#define TRIANGLE_IS_FLAT 8    /* a bit of the lines: painted in its color, without light */
#define NO_TRIANGLE 0xffffffffu
#define CURVATURE_COLORS 256

enum shading {
    SHADING_SMOOTH,     /* lit, by the normals of vertices */
    SHADING_FLAT,       /* lit, by the normal of each triangle */
    SHADING_CURVATURE,  /* colored by a curvature, without light, with a bar of the colors */
    SHADING_HIGHLIGHT,  /* highlight lines (Beier and Chen 1994): D = (H x N) . (A - P) / |H x N| */
    SHADING_REFLECTION, /* reflection lines: the mirrored line of sight meets stripes of light */
    SHADING_NONE,       /* the surface hides what is behind it, but is painted as background */
};

struct raster_args {
    unsigned triangles;
    unsigned columns, rows;             /* of the image, in samples */
    unsigned tile_columns;              /* of the image */
    unsigned first_tile_row, tile_rows; /* of the band */
    unsigned shading;
    unsigned line_color, curvature_colors; /* where they stand in the palette */
    float eye;           /* the viewer stands at y = -eye; 0: infinitely far off */
    float half_line;     /* half the width of the grid's lines, in parts; 0: none */
    float background[4]; /* sRGB and opacity, 0 or 1; of a clear one the kernels leave the color */
};

#endif
