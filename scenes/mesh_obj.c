/* Wavefront OBJ: text. */
#include "scenes/mesh_formats.h"

/* A name of one word, since blanks part names. */
static void write_group(FILE *file, const char *name)
{
    fputs("g ", file);
    for (const char *c = name; *c; c++)
        putc((unsigned char)*c <= ' ' || *c == 0x7f ? '_' : *c, file);
    fputs(*name ? "\n" : "default\n", file); /* what OBJ calls those without a name */
}

static int obj_write(struct output *output, const struct mesh *mesh, struct error *error)
{
    FILE *file = output->file;
    const int digits = mesh->is_double ? 17 : 9;
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
        if (mesh->group_names && (t == 0 || triangle->group != triangle[-1].group))
            write_group(file, mesh->group_names[triangle->group]);
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

const struct mesh_format MESH_OBJ = {
    .extension = ".obj",
    .has_doubles = 1,
    .write = obj_write,
};
