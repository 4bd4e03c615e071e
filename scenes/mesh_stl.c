/* Binary STL: a header, the number of triangles, and for each its normal and corners. */
#include "scenes/mesh_formats.h"
#include "scenes/rows.h"

#define HEADER_TEXT 80
#define TRIANGLE_SIZE (4 * 3 * 4 + 2)

static char *put_triangle(const void *source, size_t t, char *at)
{
    const struct mesh *mesh = source;
    const struct mesh_triangle *triangle = &mesh->triangles[t];
    double facet[3];
    float normal[3] = {0}; /* as is usual where it has no area */
    mesh_facet(mesh, triangle, facet);
    mesh_unit(facet, normal);
    for (int k = 0; k < 3; k++)
        at = put_float(at, normal[k]);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            at = put_float(at, (float)mesh->positions[triangle->vertex[i]][k]);
    return put_bits(at, 0, 2);
}

static int stl_write(struct output *output, const struct mesh *mesh, struct error *error)
{
    char header[HEADER_TEXT + 4] = "binary STL of Tessera"; /* "solid" would say that it is text */
    const struct rows rows = {mesh->triangle_count, TRIANGLE_SIZE, put_triangle, mesh, 0, 1};
    if (mesh->triangle_count > UINT32_MAX)
        return error_set(error, ERROR_INPUT,
            "cannot write mesh '%s': STL counts %u triangles and this has %zu; write .ply or take "
            "fewer points a patch",
            output->name, UINT32_MAX, mesh->triangle_count);
    put_integer(header + HEADER_TEXT, (uint32_t)mesh->triangle_count);
    output_write(output, header, sizeof(header));
    rows_write(output, &rows);
    return 0;
}

const struct mesh_format MESH_STL = {
    .extension = ".stl",
    .is_binary = 1,
    .write = stl_write,
};
