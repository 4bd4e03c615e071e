/* PLY: a text header, then binary records of vertices and faces. */
#include <stdlib.h>

#include "scenes/mesh_formats.h"

/* For each vertex the group of the first triangle that has it. NULL when memory is short. */
static uint32_t *find_groups(const struct mesh *mesh)
{
    uint32_t *groups = calloc(mesh->vertex_count, sizeof(*groups));
    for (size_t t = mesh->triangle_count; groups && t-- > 0;)
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

static void write_vertex(
    struct output *output, const struct mesh *mesh, size_t v, const uint32_t *groups)
{
    uint8_t record[3 * 8 + 3 * 4 + 3 + CURVATURES * 4], *end = record;
    for (int i = 0; i < 3; i++)
        end = mesh->is_double ? put_double(end, mesh->positions[v][i])
                              : put_float(end, (float)mesh->positions[v][i]);
    for (int i = 0; mesh->normals && i < 3; i++)
        end = put_float(end, mesh->normals[v][i]);
    for (int i = 0; groups && i < 3; i++)
        *end++ = mesh->group_colors[groups[v]][i];
    for (int i = 0; mesh->curvature && i < CURVATURES; i++)
        end = put_float(end, mesh->curvature[v][i]);
    output_write(output, record, (size_t)(end - record));
}

static int ply_write(struct output *output, const struct mesh *mesh, struct error *error)
{
    uint32_t *groups = NULL;
    if (mesh->vertex_count > INT32_MAX)
        return error_set(error, ERROR_INPUT,
            "cannot write mesh '%s': PLY numbers %d vertices and this has %zu; write .obj or take "
            "fewer points a patch",
            output->name, INT32_MAX, mesh->vertex_count);
    if (mesh->group_colors && !(groups = find_groups(mesh)))
        return error_set(error, ERROR_INPUT, "cannot write mesh '%s': no memory for %zu colors",
            output->name, mesh->vertex_count);
    write_header(output->file, mesh);
    for (size_t v = 0; v < mesh->vertex_count; v++) {
        if (is_in_vain(output, v, mesh->vertex_count, 0, 0.6))
            break;
        write_vertex(output, mesh, v, groups);
    }
    free(groups);
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        if (is_in_vain(output, t, mesh->triangle_count, 0.6, 1))
            break;
        uint8_t record[1 + 3 * 4] = {3}, *end = record + 1;
        for (int i = 0; i < 3; i++)
            end = put_integer(end, mesh->triangles[t].vertex[i]);
        output_write(output, record, sizeof(record));
    }
    return 0;
}

const struct mesh_format MESH_PLY = {
    .extension = ".ply",
    .has_doubles = 1,
    .has_curvatures = 1,
    .is_binary = 1,
    .write = ply_write,
};
