/* Triangle meshes: welding and writing them. */
#ifndef MESH_H
#define MESH_H

#include <limits.h>
#include <stddef.h>
#include <stdint.h>

#include "error.h"
#include "progress.h"
#include "words.h"

/* Values of a vertex beside its place. */
enum mesh_curvature {
    CURVATURE_GAUSSIAN,
    CURVATURE_MEAN,
    CURVATURE_MAX,
    CURVATURE_MIN,
    CURVATURES
};

struct mesh_triangle {
    uint32_t vertex[3]; /* counterclockwise, seen from where the normals point to */
    uint32_t group;     /* number of its group; 0 where there are none */
    uint32_t lines;     /* bit i: the side from vertex i to the next is a line of the grid, no
                         * diagonal */
};

/* Arrays may be NULL where a mesh has no such thing, but for positions and triangles. */
struct mesh {
    size_t vertex_count, triangle_count;
    double (*positions)[3];
    float (*normals)[3];            /* of length 1, or zeros where there is none */
    float (*curvature)[CURVATURES]; /* in 1 / length, of gaussian 1 / length^2 */
    struct mesh_triangle *triangles;
    int is_double; /* positions are doubles, not floats: files get all digits */
    int group_count;
    char **group_names;         /* as the patches have them; not the mesh's own */
    uint8_t (*group_colors)[3]; /* sRGB; not the mesh's own */
};

/* Makes room, filled with zeros, without groups. Returns 0, or ERROR_INPUT when memory is short or
 * vertices are more than 2^32 - 2. */
int mesh_new(
    size_t vertices, size_t triangles, int has_curvature, struct mesh *mesh, struct error *error);

/* Frees what the mesh owns; a zeroed or freed one is fine. */
void mesh_free(struct mesh *mesh);

/* Makes one of vertices whose positions are equal (so 0 and -0 are) and whose normals
 * differ by at most `degrees` from the first one's, drops triangles of which two corners have the
 * same position, and vertices that none is left of. What is left keeps its order. Position and
 * curvature are those of the first, the normal is the mean. A vertex without a normal takes, before
 * that, the mean of those at its position, or else that of the triangles around it, weighted by
 * area. Reports to `progress` (NULL: nobody watches). Returns 0, ERROR_INPUT with nothing changed
 * when memory is short, or ERROR_STOPPED, after which the mesh can only be freed. */
int mesh_weld(
    struct mesh *mesh, double degrees, const struct progress *progress, struct error *error);

/* Counts the boundary edges: edges of triangles, compared by the positions of their ends, without a
 * partner of the opposite direction. A closed mesh without cracks has none. Reports to `progress`
 * (NULL: nobody watches). Returns the count, ERROR_INPUT when memory is short, or ERROR_STOPPED. */
int64_t mesh_boundary_edges(
    const struct mesh *mesh, const struct progress *progress, struct error *error);

/* Turns the other side of the surface out: triangles run the other way around, normals and
 * curvatures change their signs, but for the Gaussian one, and the largest and smallest curvature
 * their places. Flipped twice, a mesh is as it was. */
void mesh_flip(struct mesh *mesh);

/* The cross product of two sides of a triangle: along the normal, as long as twice the area. */
void mesh_facet(const struct mesh *mesh, const struct mesh_triangle *triangle, double product[3]);

/* The volume that the mesh encloses, the sum over its parts; negative where it is inside out, since
 * normals point inward. NAN where it encloses none: its openings are so large that the sum of the
 * tetrahedra from a point to all triangles, which is the volume of a closed mesh by the divergence
 * theorem, depends on where in the bounding box the point lies by more than a tenth either way. Of
 * a hemisphere that is a third, of a deep cup a fifth, of Newell's teapot, which has slits, a
 * twenty-seventh. */
double mesh_volume(const struct mesh *mesh);

/* The extensions of the names of mesh files, ".obj" for one. */
struct words mesh_extensions(void);

/* Whether the extension of a path is one of those, and whether the files with that extension hold
 * curvatures. */
int mesh_is_name(const char *path);
int mesh_has_curvatures(const char *path);

/* The file of materials, the colors of groups, that is written beside a mesh file: "a.mtl" to
 * "a.obj". Returns 1, or 0 where there is none: other formats have colors in the same file or none,
 * and nothing is beside a device or a pipe. */
int mesh_materials_path(const char *path, char materials[PATH_MAX]);

/* Checks that a file of materials can be written. One that is there must be empty or have been
 * written with a mesh. Returns 0 or ERROR_INPUT. */
int mesh_check_materials(const char *path, struct error *error);

/* Checks, before any work is done, that a mesh can be written there: that it can be, and the
 * extension of its name. Returns 0, ERROR_INPUT or ERROR_USAGE. */
int mesh_check_output(const char *path, struct error *error);

/* Writes the mesh, reporting to `progress` (NULL: nobody watches): OBJ with normals and groups, and
 * beside it their materials where they have names and colors; binary PLY with normals, colors of
 * groups (of the first triangle that has the vertex) and curvature; binary STL; GLB (glTF 2.0) with
 * normals, curvature, and a mesh and a material a group. Only OBJ and PLY hold doubles. Refuses a
 * mesh without a triangle, with positions that are not finite, or with more than the format holds.
 * Returns 0, ERROR_INPUT, ERROR_USAGE or ERROR_STOPPED. */
int mesh_write(const char *path, const struct mesh *mesh, const struct progress *progress,
    struct error *error);

#endif
