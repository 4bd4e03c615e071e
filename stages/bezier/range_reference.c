#include "stages/bezier/range_reference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct weighted {
    double value, weight;
};

static int by_value(const void *a, const void *b)
{
    const struct weighted *const x = a, *const y = b;
    if (x->value != y->value)
        return x->value < y->value ? -1 : 1;
    return x->weight < y->weight ? -1 : x->weight > y->weight;
}

/* Into values[] each vertex's curvature and the area of its triangles. */
static size_t weigh_values(
    const struct mesh *mesh, enum mesh_curvature curvature, struct weighted *values)
{
    size_t count = 0;
    for (size_t i = 0; i < mesh->triangle_count; i++) {
        const uint32_t *const corner = mesh->triangles[i].vertex;
        double side[2][3], normal = 0;
        for (int j = 0; j < 6; j++)
            side[j / 3][j % 3] =
                mesh->positions[corner[1 + j / 3]][j % 3] - mesh->positions[corner[0]][j % 3];
        for (int j = 0; j < 3; j++) {
            const int k = (j + 1) % 3, l = (j + 2) % 3;
            const double n = side[0][k] * side[1][l] - side[0][l] * side[1][k];
            normal += n * n;
        }
        for (int j = 0; j < 3; j++)
            values[corner[j]].weight += sqrt(normal) / 2 / 3;
    }
    for (size_t i = 0; i < mesh->vertex_count; i++) {
        values[i].value = (double)mesh->curvature[i][curvature];
        if (isfinite(values[i].value))
            values[count++] = values[i];
    }
    qsort(values, count, sizeof(*values), by_value);
    return count;
}

int reference_find_range(
    const struct mesh *mesh, const struct drawing *drawing, double range[2], struct error *error)
{
    struct weighted *const values = calloc(mesh->vertex_count + 1, sizeof(*values));
    double area = 0, before = 0;
    if (!values)
        return error_set(error, ERROR_INPUT, "not enough memory for the curvatures");
    const size_t count = weigh_values(mesh, drawing->curvature, values);
    range[0] = range[1] = 0;
    for (size_t i = 0; i < count; i++)
        area += values[i].weight;
    for (size_t i = 0; i < count; i++) {
        if (before < 0.1 * area || i == 0)
            range[0] = values[i].value;
        if (before < 0.9 * area || i == 0)
            range[1] = values[i].value;
        before += values[i].weight;
    }
    if (drawing->has_clamp)
        memcpy(range, drawing->clamp, 2 * sizeof(*range));
    const double most = fmax(fabs(range[0]), fabs(range[1]));
    if (!drawing->has_clamp && range[0] < 0 && range[1] > 0) {
        range[0] = -most;
        range[1] = most;
    } else if (range[1] - range[0] <= 1e-3 * most) {
        range[0] -= most > 0 ? most / 2 : 1;
        range[1] += most > 0 ? most / 2 : 1;
    }
    free(values);
    return 0;
}
