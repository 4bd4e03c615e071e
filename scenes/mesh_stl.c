/* Binary STL: a header, the number of triangles, and for each its normal and corners. */
#include "scenes/mesh_formats.h"

static int stl_write(struct output *output, const struct mesh *mesh, struct error *error)
{
    uint8_t header[80 + 4] = "binary STL of Tessera"; /* "solid" would say that it is text */
    if (mesh->triangle_count > UINT32_MAX)
        return error_set(error, ERROR_INPUT,
            "cannot write mesh '%s': STL counts %u triangles and this has %zu; write .ply or take "
            "fewer points a patch",
            output->name, UINT32_MAX, mesh->triangle_count);
    put_integer(header + 80, (uint32_t)mesh->triangle_count);
    output_write(output, header, sizeof(header));
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        if (is_in_vain(output, t, mesh->triangle_count, 0, 1))
            return 0;
        const struct mesh_triangle *triangle = &mesh->triangles[t];
        uint8_t record[4 * 3 * 4 + 2] = {0}, *end = record;
        double facet[3];
        float normal[3] = {0}; /* as is usual where it has no area */
        mesh_facet(mesh, triangle, facet);
        mesh_unit(facet, normal);
        for (int k = 0; k < 3; k++)
            end = put_float(end, normal[k]);
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 3; k++)
                end = put_float(end, (float)mesh->positions[triangle->vertex[i]][k]);
        output_write(output, record, sizeof(record));
    }
    return 0;
}

const struct mesh_format MESH_STL = {
    .extension = ".stl",
    .is_binary = 1,
    .write = stl_write,
};
