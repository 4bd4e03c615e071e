/* Mesh files: which format a name has, and what all writers refuse. */
#include <float.h>
#include <math.h>
#include <strings.h>

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
        for (int i = 0; i < 3; i++)
            if (!(fabs(mesh->positions[v][i]) <= largest))
                return error_set(error, ERROR_INPUT,
                    "cannot write mesh '%s': a vertex at %c = %g; check the control points and "
                    "their weights",
                    path, "xyz"[i], mesh -> positions[v][i]);
    return 0;
}

int mesh_write(
    const char *path, const struct mesh *mesh, const struct progress *progress, struct error *error)
{
    const struct mesh_format *format = format_of(path);
    struct output output;
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
    if (rc == 0)
        return output_commit(&output, error);
    output_abandon(&output);
    return rc;
}
