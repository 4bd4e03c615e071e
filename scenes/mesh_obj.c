/* Wavefront OBJ: text, with a file of materials beside it. */
#include <stdlib.h>

#include "scenes/mesh_formats.h"

/* A line of a keyword and a name, in which control characters become _. So do those that part words
 * and join lines, unless it is a file's name, in which they mean nothing. */
static void write_name(FILE *file, const char *keyword, const char *name, int is_file)
{
    fprintf(file, "%s ", keyword);
    for (const char *c = name; *c; c++) {
        const int is_odd = (unsigned char)*c < ' ' || *c == 0x7f;
        putc(is_odd || (!is_file && (*c == ' ' || *c == '\\')) ? '_' : *c, file);
    }
    putc('\n', file);
}

static void write_group_name(FILE *file, const char *keyword, const char *name)
{
    write_name(file, keyword, *name ? name : "default", 0); /* so OBJ calls those without a name */
}

/* Names the file of materials. Returns whether there is one. */
static int write_library(struct output *output, const struct mesh *mesh)
{
    char path[PATH_MAX];
    if (!mesh_has_materials(mesh) || !mesh_materials_path(output->name, path))
        return 0;
    const char *slash = strrchr(path, '/');
    write_name(output->file, "mtllib", slash ? slash + 1 : path, 1);
    return 1;
}

static int obj_write(struct output *output, const struct mesh *mesh, struct error *error)
{
    FILE *file = output->file;
    const int digits = mesh->is_double ? 17 : 9;
    const int has_materials = write_library(output, mesh);
    (void)error;
    for (size_t v = 0; v < mesh->vertex_count; v++) {
        if (is_in_vain(output, v, mesh->vertex_count, 0, 0.3))
            return 0;
        const double *p = mesh->positions[v];
        fprintf(file, "v %.*g %.*g %.*g\n", digits, p[0], digits, p[1], digits, p[2]);
    }
    for (size_t v = 0; mesh->normals && v < mesh->vertex_count; v++) {
        if (is_in_vain(output, v, mesh->vertex_count, 0.3, 0.6))
            return 0;
        const float *n = mesh->normals[v];
        fprintf(file, "vn %.9g %.9g %.9g\n", (double)n[0], (double)n[1], (double)n[2]);
    }
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        const struct mesh_triangle *triangle = &mesh->triangles[t];
        if (is_in_vain(output, t, mesh->triangle_count, 0.6, 1))
            return 0;
        if (mesh->group_names && (t == 0 || triangle->group != triangle[-1].group)) {
            write_group_name(file, "g", mesh->group_names[triangle->group]);
            if (has_materials)
                write_group_name(file, "usemtl", mesh->group_names[triangle->group]);
        }
        putc('f', file);
        for (int i = 0; i < 3; i++) {
            const unsigned number = triangle->vertex[i] + 1;
            if (mesh->normals)
                fprintf(file, " %u//%u", number, number);
            else
                fprintf(file, " %u", number);
        }
        putc('\n', file);
    }
    return 0;
}

/* One for each group that has triangles: its color, diffuse. */
static int obj_write_materials(struct output *output, const struct mesh *mesh, struct error *error)
{
    uint8_t *has_triangles = calloc((size_t)mesh->group_count + 1, 1);
    if (!has_triangles)
        return error_set(error, ERROR_INPUT, "cannot write mesh '%s': no memory for %d materials",
            output->name, mesh->group_count);
    for (size_t t = 0; t < mesh->triangle_count; t++)
        has_triangles[mesh->triangles[t].group] = 1;
    fputs(MATERIALS_MARK, output->file);
    for (int g = 0; g < mesh->group_count; g++) {
        const uint8_t *color = mesh->group_colors[g];
        if (!has_triangles[g])
            continue;
        write_group_name(output->file, "newmtl", mesh->group_names[g]);
        fprintf(output->file, "Kd %.4f %.4f %.4f\n", color[0] / 255.0, color[1] / 255.0,
            color[2] / 255.0);
    }
    free(has_triangles);
    return 0;
}

const struct mesh_format MESH_OBJ = {
    .extension = ".obj",
    .materials = ".mtl",
    .has_doubles = 1,
    .write = obj_write,
    .write_materials = obj_write_materials,
};
