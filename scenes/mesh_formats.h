/* What mesh.c, mesh_weld.c and the writers of mesh files share; for scenes/ alone. */
#ifndef MESH_FORMATS_H
#define MESH_FORMATS_H

#include <string.h>

#include "images/output.h"
#include "scenes/mesh.h"

/* The direction of a vector. Returns 1, or 0 with nothing written where it has none. */
int mesh_unit(const double vector[3], float unit[3]);

/* Whether there is something to write into a file of materials. */
static inline int mesh_has_materials(const struct mesh *mesh)
{
    return mesh->group_names && mesh->group_colors;
}

/* The first line of a file of materials, by which it may be replaced with its mesh. */
#define MATERIALS_MARK "# materials of the mesh beside this file, written with it\n"

/* A format of mesh files. */
struct mesh_format {
    const char *extension; /* of the names of such files: ".obj" */
    const char *materials; /* of the file of materials beside one: ".mtl"; NULL: there is none */
    int has_doubles;       /* a mesh in double precision keeps its digits */
    int has_curvatures;    /* the curvatures of vertices are written too */
    int is_binary;         /* never written to a terminal */
    /* Returns 0 or ERROR_INPUT; that bytes could not be written the output knows. */
    int (*write)(struct output *output, const struct mesh *mesh, struct error *error);
    int (*write_materials)(struct output *output, const struct mesh *mesh, struct error *error);
};

/* The formats, each of which a file of scenes/ defines. */
#define MESH_FORMATS(FORMAT) \
    FORMAT(MESH_OBJ) \
    FORMAT(MESH_PLY) \
    FORMAT(MESH_STL) \
    FORMAT(MESH_GLB)
#define MESH_FORMAT_EXTERN(format) extern const struct mesh_format format;
MESH_FORMATS(MESH_FORMAT_EXTERN)

/* Put a number into a record, in little-endian order on every machine; they give where it ends. */
static inline char *put_bits(char *at, uint64_t bits, int bytes)
{
    for (int i = 0; i < bytes; i++)
        at[i] = (char)(bits >> 8 * i);
    return at + bytes;
}

static inline char *put_integer(char *at, uint32_t value)
{
    return put_bits(at, value, 4);
}

static inline char *put_float(char *at, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof(bits));
    return put_bits(at, bits, 4);
}

static inline char *put_double(char *at, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof(bits));
    return put_bits(at, bits, 8);
}

#endif
