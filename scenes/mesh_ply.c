/* PLY: a text header, then binary records of vertices and faces. */
#include <stdlib.h>

#include "scenes/mesh_formats.h"
#include "scenes/rows.h"

#define VERTEX_ROOM (3 * 8 + 3 * 4 + 3 + CURVATURES * 4) /* bytes of a vertex, at most */
#define FACE_SIZE (1 + 3 * 4)

/* For each vertex the group of the first triangle that has it. NULL when memory is short. */
static uint32_t *find_groups(const struct mesh *mesh)
{
    uint32_t *groups = calloc(mesh->vertex_count, sizeof(*groups));
    for (size_t t = mesh->group_count > 1 ? mesh->triangle_count : 0; groups && t-- > 0;)
        for (int i = 0; i < 3; i++)
            groups[mesh->triangles[t].vertex[i]] = mesh->triangles[t].group;
    return groups;
}

static void write_header(FILE *file, const struct mesh *mesh)
{
    const char *type = mesh->is_double ? "double" : "float";
    fprintf(file,
        "ply\nformat binary_little_endian 1.0\nelement vertex %zu\n"
        "property %s x\nproperty %s y\nproperty %s z\n",
        mesh->vertex_count, type, type, type);
    if (mesh->normals)
        fputs("property float nx\nproperty float ny\nproperty float nz\n", file);
    if (mesh->group_colors)
        fputs("property uchar red\nproperty uchar green\nproperty uchar blue\n", file);
    if (mesh->curvature)
        fputs("property float gaussian_curvature\nproperty float mean_curvature\n"
              "property float max_curvature\nproperty float min_curvature\n",
            file);
    fprintf(file, "element face %zu\nproperty list uchar int vertex_indices\nend_header\n",
        mesh->triangle_count);
}

/* What vertices are written from. */
struct vertices {
    const struct mesh *mesh;
    uint32_t *groups; /* NULL: they have no colors */
};

static char *put_vertex(const void *source, size_t v, char *at)
{
    const struct vertices *vertices = source;
    const struct mesh *mesh = vertices->mesh;
    for (int i = 0; i < 3; i++)
        at = mesh->is_double ? put_double(at, mesh->positions[v][i])
                             : put_float(at, (float)mesh->positions[v][i]);
    for (int i = 0; mesh->normals && i < 3; i++)
        at = put_float(at, mesh->normals[v][i]);
    for (int i = 0; vertices->groups && i < 3; i++)
        at = put_bits(at, mesh->group_colors[vertices->groups[v]][i], 1);
    for (int i = 0; mesh->curvature && i < CURVATURES; i++)
        at = put_float(at, mesh->curvature[v][i]);
    return at;
}

static char *put_face(const void *source, size_t t, char *at)
{
    const struct mesh *mesh = source;
    at = put_bits(at, 3, 1);
    for (int i = 0; i < 3; i++)
        at = put_integer(at, mesh->triangles[t].vertex[i]);
    return at;
}

static int ply_write(struct output *output, const struct mesh *mesh, struct error *error)
{
    struct vertices source = {mesh, NULL};
    const struct rows vertices = {mesh->vertex_count, VERTEX_ROOM, put_vertex, &source, 0, 0.6};
    const struct rows faces = {mesh->triangle_count, FACE_SIZE, put_face, mesh, 0.6, 1};
    if (mesh->vertex_count > INT32_MAX)
        return error_set(error, ERROR_INPUT,
            "cannot write mesh '%s': PLY numbers %d vertices and this has %zu; write .obj or take "
            "fewer points a patch",
            output->name, INT32_MAX, mesh->vertex_count);
    if (mesh->group_colors && !(source.groups = find_groups(mesh)))
        return error_set(error, ERROR_INPUT, "cannot write mesh '%s': no memory for %zu colors",
            output->name, mesh->vertex_count);
    write_header(output->file, mesh);
    if (!rows_write(output, &vertices))
        rows_write(output, &faces);
    free(source.groups);
    return 0;
}

const struct mesh_format MESH_PLY = {
    .extension = ".ply",
    .has_doubles = 1,
    .has_curvatures = 1,
    .is_binary = 1,
    .write = ply_write,
};
