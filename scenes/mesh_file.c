/* Mesh files: which format a name has, and what all writers refuse. */
#include <float.h>
#include <math.h>
#include <strings.h>
#include <sys/stat.h>

#include "scenes/mesh_formats.h"

static const struct mesh_format *const FORMATS[] = {
#define FORMAT_ROW(format) &(format),
    MESH_FORMATS(FORMAT_ROW)};
enum { FORMAT_COUNT = sizeof(FORMATS) / sizeof(FORMATS[0]) };

/* NULL where no format has the extension. */
static const struct mesh_format *format_of(const char *path)
{
    const char *extension = strrchr(path, '.');
    for (int i = 0; extension && i < FORMAT_COUNT; i++)
        if (strcasecmp(extension, FORMATS[i]->extension) == 0)
            return FORMATS[i];
    return NULL;
}

struct words mesh_extensions(void)
{
    struct words extensions = {0};
    for (int i = 0; i < FORMAT_COUNT; i++)
        words_add(&extensions, FORMATS[i]->extension);
    return extensions;
}

int mesh_is_name(const char *path)
{
    return format_of(path) != NULL;
}

int mesh_has_curvatures(const char *path)
{
    const struct mesh_format *format = format_of(path);
    return format && format->has_curvatures;
}

int mesh_materials_path(const char *path, char materials[PATH_MAX])
{
    const struct mesh_format *format = format_of(path);
    struct stat status;
    if (!format || !format->materials || (stat(path, &status) == 0 && !S_ISREG(status.st_mode)))
        return 0;
    return snprintf(materials, PATH_MAX, "%.*s%s", (int)(strlen(path) - strlen(format->extension)),
               path, format->materials) < PATH_MAX;
}

int mesh_check_materials(const char *path, struct error *error)
{
    return output_check_own(path, MATERIALS_MARK,
        "was not written with a mesh; choose another name for the mesh", error);
}

int mesh_check_output(const char *path, struct error *error)
{
    const struct mesh_format *format = format_of(path);
    const struct words extensions = mesh_extensions();
    if (!format)
        return error_set(error, ERROR_USAGE, "cannot write mesh '%s': name a file that ends in %s",
            path, words_join(&extensions, " or ").text);
    return output_check(path, format->is_binary, error);
}

static int check_positions(
    const char *path, const struct mesh *mesh, double largest, struct error *error)
{
    for (size_t v = 0; v < mesh->vertex_count; v++)
        for (int i = 0; i < 3; i++) {
            const double at = mesh->positions[v][i];
            if (!(fabs(at) <= largest))
                return error_set(error, ERROR_INPUT,
                    "cannot write mesh '%s': a vertex at %c = %g; check the control points and "
                    "their weights",
                    path, "xyz"[i], at);
        }
    return 0;
}

int mesh_write(
    const char *path, const struct mesh *mesh, const struct progress *progress, struct error *error)
{
    const struct mesh_format *format = format_of(path);
    struct output output, materials = {0};
    char materials_path[PATH_MAX];
    int rc = mesh_check_output(path, error);
    if (rc)
        return rc;
    if (mesh->triangle_count == 0)
        return error_set(error, ERROR_INPUT,
            "cannot write mesh '%s': no triangle is left; check that the patches have an area",
            path);
    rc = check_positions(
        path, mesh, mesh->is_double && format->has_doubles ? DBL_MAX : (double)FLT_MAX, error);
    if (rc == 0)
        rc = output_open(path, format->is_binary, progress, &output, error);
    if (rc)
        return rc;
    rc = format->write(&output, mesh, error);
    if (rc == 0 && mesh_has_materials(mesh) && mesh_materials_path(path, materials_path)) {
        rc = output_open(materials_path, 0, progress, &materials, error);
        if (rc == 0)
            rc = format->write_materials(&materials, mesh, error);
        if (rc == 0)
            rc = output_flush(&materials, error);
    }
    if (rc == 0)
        rc = output_commit(&output, error);
    if (rc == 0 && materials.file)
        rc = output_commit(&materials, error);
    output_abandon(&output);
    output_abandon(&materials);
    return rc;
}
