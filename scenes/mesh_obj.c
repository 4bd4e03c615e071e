/* Wavefront OBJ: text, with a file of materials beside it. */
#include <stdlib.h>

#include "scenes/mesh_formats.h"
#include "scenes/rows.h"

/* Names of so many bytes have room in a row. */
enum { ROW_NAME = 100 };

/* A name's byte as it is written: control characters become _. So do those that part words and join
 * lines, unless it is a file's name, in which they mean nothing. */
static char shown(char c, int is_file)
{
    const int is_odd = (unsigned char)c < ' ' || c == 0x7f;
    return is_odd || (!is_file && (c == ' ' || c == '\\')) ? '_' : c;
}

/* A line of a keyword and a name. */
static void write_name(FILE *file, const char *keyword, const char *name, int is_file)
{
    fprintf(file, "%s ", keyword);
    for (const char *c = name; *c; c++)
        putc(shown(*c, is_file), file);
    putc('\n', file);
}

/* What OBJ calls a group. */
static const char *group_name(const struct mesh *mesh, uint32_t group)
{
    return *mesh->group_names[group] ? mesh->group_names[group] : "default";
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

static char *put_position(const void *source, size_t v, char *at)
{
    const struct mesh *mesh = source;
    *at++ = 'v';
    for (int i = 0; i < 3; i++) {
        *at++ = ' ';
        at = number_put(at, mesh->positions[v][i], mesh->is_double ? 17 : 9);
    }
    *at++ = '\n';
    return at;
}

static char *put_normal(const void *source, size_t v, char *at)
{
    const struct mesh *mesh = source;
    at = text_put(at, "vn");
    for (int i = 0; i < 3; i++) {
        *at++ = ' ';
        at = number_put(at, (double)mesh->normals[v][i], 9);
    }
    *at++ = '\n';
    return at;
}

/* What rows of triangles are made of. */
struct faces {
    const struct mesh *mesh;
    int has_materials;
    size_t first; /* the triangle of the first row */
};

/* Whether a group begins with a triangle, and its name has room in a row or has none. */
static int begins_group(const struct mesh *mesh, size_t t, int has_room)
{
    const struct mesh_triangle *triangle = &mesh->triangles[t];
    return mesh->group_names && (t == 0 || triangle->group != triangle[-1].group) &&
           (strnlen(mesh->group_names[triangle->group], ROW_NAME + 1) <= ROW_NAME) == has_room;
}

static char *put_group(char *at, const char *keyword, const char *name)
{
    at = text_put(at, keyword);
    *at++ = ' ';
    while (*name)
        *at++ = shown(*name++, 0);
    *at++ = '\n';
    return at;
}

static char *put_face(const void *source, size_t row, char *at)
{
    const struct faces *faces = source;
    const struct mesh *mesh = faces->mesh;
    const struct mesh_triangle *triangle = &mesh->triangles[faces->first + row];
    if (begins_group(mesh, faces->first + row, 1)) {
        at = put_group(at, "g", group_name(mesh, triangle->group));
        if (faces->has_materials)
            at = put_group(at, "usemtl", group_name(mesh, triangle->group));
    }
    *at++ = 'f';
    for (int i = 0; i < 3; i++) {
        char number[NUMBER_ROOM];
        const size_t size = (size_t)(whole_put(number, triangle->vertex[i] + 1) - number);
        *at++ = ' ';
        memcpy(at, number, WHOLE_DIGITS);
        at += size;
        if (mesh->normals) {
            at = text_put(at, "//");
            memcpy(at, number, WHOLE_DIGITS);
            at += size;
        }
    }
    *at++ = '\n';
    return at;
}

/* Rows end before a group whose name has no room in one. Returns as output_progress. */
static int write_faces(struct output *output, const struct mesh *mesh, int has_materials)
{
    struct faces faces = {mesh, has_materials, 0};
    const size_t count = mesh->triangle_count;
    for (size_t last; faces.first < count; faces.first = last) {
        if (begins_group(mesh, faces.first, 0)) {
            const char *name = group_name(mesh, mesh->triangles[faces.first].group);
            write_name(output->file, "g", name, 0);
            if (has_materials)
                write_name(output->file, "usemtl", name, 0);
        }
        last = faces.first + 1;
        while (last < count && !begins_group(mesh, last, 0))
            last++;
        const struct rows rows = {last - faces.first, 2 * ROW_NAME + 6 * NUMBER_ROOM, put_face,
            &faces, 0.6 + 0.4 * (double)faces.first / (double)count,
            0.6 + 0.4 * (double)last / (double)count};
        if (rows_write(output, &rows))
            return 1;
    }
    return 0;
}

static int obj_write(struct output *output, const struct mesh *mesh, struct error *error)
{
    const size_t longest = 4 * NUMBER_ROOM, count = mesh->vertex_count;
    const struct rows positions = {count, longest, put_position, mesh, 0, 0.3};
    const struct rows normals = {mesh->normals ? count : 0, longest, put_normal, mesh, 0.3, 0.6};
    const int has_materials = write_library(output, mesh);
    (void)error;
    if (!rows_write(output, &positions) && !rows_write(output, &normals))
        write_faces(output, mesh, has_materials);
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
        write_name(output->file, "newmtl", group_name(mesh, (uint32_t)g), 0);
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
