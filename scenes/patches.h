/* Bézier patches: reading patch files. */
#ifndef PATCHES_H
#define PATCHES_H

#include <stddef.h>
#include <stdint.h>

#include "error.h"
#include "progress.h"
#include "words.h"

#define PATCHES_MAX_DEGREE 100
#define PATCHES_MAX_COUNT 1000000   /* patches and polyhedra of a file */
#define PATCHES_MAX_COORDINATE 1e30 /* either side of 0; weights are not below 1 / 1e30 */

/* The kinds of patches, with the numbers that .bv files give them. What these call 2 and 7 is cut
 * into patches, and 6 is a curve. */
enum patch_kind {
    KIND_POLYHEDRON = 1,
    KIND_TRIANGLE = 3,
    KIND_SQUARE = 4, /* tensor product of one degree */
    KIND_TENSOR = 5,
    KIND_RATIONAL = 8,
    KIND_PN_TRIANGLE = 9, /* with normals of its own */
    KIND_PN_TENSOR = 10,
    KIND_RATIONAL_TRIANGLE = 11,
};

/* One patch. Control points lie one after the other, four numbers each: (wx, wy, wz, w), w = 1
 * where the kind is not rational. Of a tensor product: degree_u + 1 rows of degree_v + 1 points. Of
 * a triangle of degree d: d + 1 rows, the longest, of d + 1 points, first; point j of row i belongs
 * to d! / (i! j! (d-i-j)!) u^i v^j w^(d-i-j), w = 1 - u - v. Normals are controls of their own
 * degrees in the same order, w = 1, of any length. All degrees are from 1 to PATCHES_MAX_DEGREE. */
struct patch {
    enum patch_kind kind;
    int degree_u, degree_v;               /* a triangle's degree is in both */
    int normal_degree_u, normal_degree_v; /* of KIND_PN_; else 0 */
    int group;                            /* number in groups */
    size_t control;                       /* number of its first in controls */
    size_t normal;           /* number of its first normal in controls; KIND_PN_ only */
    size_t control_count;    /* without normals; of a polyhedron: vertices */
    size_t face, face_count; /* of a polyhedron: where they start in faces, how many */
};

/* Several patches belong to a group: a name and a color that a viewer gives them. */
struct patch_group {
    char *name; /* any bytes but line breaks and zero; no two are alike */
    int color;  /* a number that the file chooses, from 0; OBJ: the group's own */
};

struct patches {
    size_t count;
    struct patch *patches;
    size_t control_count;
    double (*controls)[4];
    size_t face_count; /* numbers in faces */
    uint32_t *
        faces; /* a polyhedron's: k, at least 3, then k numbers of its vertices from 0, and so on */
    int group_count; /* at least 1: the first, without a name, is what stands before any group */
    struct patch_group *groups;
    size_t trimmed_count; /* surfaces that the file trims; they are whole here */
};

int patch_is_triangle(const struct patch *patch);
int patch_is_rational(const struct patch *patch);

/* Checks the control point (wx, wy, wz, w) of a rational patch; of others w is 1. Returns 0, or
 * ERROR_INPUT with the reason. */
int control_check(const double control[4], struct error *error);

/* What is called by its number: "rational tensor product". */
const char *patch_kind_name(enum patch_kind kind);

/* The extensions of the names of patch files, ".bv" for one. */
struct words patch_extensions(void);

/* Reads a patch file by the extension of its name: .bv; .bpt (the number of patches, then for each
 * its two degrees and its points); .obj (Bézier surfaces of one patch each, B-spline surfaces and
 * polygons). B-splines and NURBS are cut into patches. "-" is .bv from standard input. Refuses a
 * file without a patch. Reading reports to `progress` (NULL: nobody watches). Returns 0,
 * ERROR_STOPPED, or ERROR_INPUT with file, line and reason. */
int patches_read(const char *path, const struct progress *progress, struct patches *patches,
    struct error *error);

/* The same from memory: `name` stands in messages, its extension says the format. */
int patches_parse(
    const void *bytes, size_t size, const char *name, struct patches *patches, struct error *error);

/* Makes a copy, which the caller frees. Returns 0, or ERROR_INPUT where there are no patches or
 * memory is short. */
int patches_copy(const struct patches *from, struct patches *to, struct error *error);

/* The bounding box of all control points, without normals. */
void patches_box(const struct patches *patches, double low[3], double high[3]);

/* Frees what they hold; zeroed ones are fine. */
void patches_free(struct patches *patches);

#endif
