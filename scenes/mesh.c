#include "scenes/mesh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "random.h"
#include "scenes/mesh_formats.h"
#include "scenes/mesh_places.h"

#define MAX_DOUBT 0.1 /* of a volume: the share by which openings may change it */
#define ROUNDING 1e-6 /* of floats: what areas that cancel out leave of their sum */

int mesh_new(
    size_t vertices, size_t triangles, int has_curvature, struct mesh *mesh, struct error *error)
{
    *mesh = (struct mesh){.vertex_count = vertices, .triangle_count = triangles};
    if (vertices >= NO_VERTEX)
        return error_set(error, ERROR_INPUT,
            "cannot make a mesh of %zu vertices: the most are %u; take fewer points a patch",
            vertices, NO_VERTEX - 1);
    /* One more, since no bytes may give NULL. */
    mesh->positions = calloc(vertices + 1, sizeof(*mesh->positions));
    mesh->normals = calloc(vertices + 1, sizeof(*mesh->normals));
    mesh->triangles = calloc(triangles + 1, sizeof(*mesh->triangles));
    if (has_curvature)
        mesh->curvature = calloc(vertices + 1, sizeof(*mesh->curvature));
    if (mesh->positions && mesh->normals && mesh->triangles && !mesh->curvature == !has_curvature)
        return 0;
    mesh_free(mesh);
    return error_set(error, ERROR_INPUT,
        "no memory for a mesh of %zu vertices and %zu triangles; take fewer points a patch",
        vertices, triangles);
}

void mesh_free(struct mesh *mesh)
{
    free(mesh->positions);
    free(mesh->normals);
    free(mesh->curvature);
    free(mesh->triangles);
    *mesh = (struct mesh){0};
}

void mesh_facet(const struct mesh *mesh, const struct mesh_triangle *triangle, double product[3])
{
    const double *a = mesh->positions[triangle->vertex[0]];
    const double *b = mesh->positions[triangle->vertex[1]];
    const double *c = mesh->positions[triangle->vertex[2]];
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        product[i] = (b[j] - a[j]) * (c[k] - a[k]) - (b[k] - a[k]) * (c[j] - a[j]);
    }
}

int mesh_unit(const double vector[3], float unit[3])
{
    const double length =
        sqrt(vector[0] * vector[0] + vector[1] * vector[1] + vector[2] * vector[2]);
    if (!(length > 0 && isfinite(length)))
        return 0;
    for (int i = 0; i < 3; i++)
        unit[i] = (float)(vector[i] / length);
    return 1;
}

void mesh_flip(struct mesh *mesh)
{
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        struct mesh_triangle *triangle = &mesh->triangles[t];
        const uint32_t second = triangle->vertex[1], lines = triangle->lines;
        triangle->vertex[1] = triangle->vertex[2];
        triangle->vertex[2] = second;
        triangle->lines = (lines & 2) | (lines & 1) << 2 | (lines & 4) >> 2;
    }
    for (size_t v = 0; v < mesh->vertex_count; v++) {
        for (int i = 0; mesh->normals && i < 3; i++)
            mesh->normals[v][i] = 0 - mesh->normals[v][i]; /* of 0 it is no -0 */
        if (!mesh->curvature)
            continue;
        float *curvature = mesh->curvature[v];
        const float largest = curvature[CURVATURE_MAX];
        curvature[CURVATURE_MEAN] = 0 - curvature[CURVATURE_MEAN];
        curvature[CURVATURE_MAX] = 0 - curvature[CURVATURE_MIN];
        curvature[CURVATURE_MIN] = 0 - largest;
    }
}

/* The box around all vertices. */
static void find_box(const struct mesh *mesh, double low[3], double high[3])
{
    for (int i = 0; i < 3; i++) {
        low[i] = INFINITY;
        high[i] = -INFINITY;
    }
#pragma omp parallel for reduction(min \
                                   : low[:3]) \
    reduction(max \
              : high[:3]) if (mesh->vertex_count >= PARALLEL_RECORDS)
    for (size_t v = 0; v < mesh->vertex_count; v++)
        for (int i = 0; i < 3; i++) {
            const double own = mesh->positions[v][i];
            low[i] = own < low[i] ? own : low[i];
            high[i] = own > high[i] ? own : high[i];
        }
}

/* Sums over triangles: of the tetrahedra from a point, and of the areas, as vectors and by their
 * components. */
struct enclosed {
    double volume, sum[3], area;
};

static struct enclosed enclose(
    const struct mesh *mesh, const double middle[3], size_t first, size_t end)
{
    struct enclosed own = {0};
    for (size_t t = first; t < end; t++) {
        const double *corner = mesh->positions[mesh->triangles[t].vertex[0]];
        double facet[3];
        mesh_facet(mesh, &mesh->triangles[t], facet);
        for (int i = 0; i < 3; i++) {
            own.volume += facet[i] * (corner[i] - middle[i]) / 6;
            own.sum[i] += facet[i] / 2;
            own.area += fabs(facet[i]) / 2;
        }
    }
    return own;
}

/* From the middle m of the box. From another point p it would be more by (m - p) . S / 3, where S
 * is the sum of all triangles' areas as vectors, 0 if the mesh is closed. */
double mesh_volume(const struct mesh *mesh)
{
    const size_t count = mesh->triangle_count;
    double low[3], high[3], middle[3], doubt = 0;
    struct enclosed parts[PARTS], all = {0};
    find_box(mesh, low, high);
    for (int i = 0; i < 3; i++)
        middle[i] = (low[i] + high[i]) / 2;
#pragma omp parallel for if (count >= PARALLEL_RECORDS)
    for (size_t part = 0; part < PARTS; part++)
        parts[part] = enclose(mesh, middle, part_start(count, part), part_start(count, part + 1));
    for (size_t part = 0; part < PARTS; part++) {
        all.volume += parts[part].volume;
        all.area += parts[part].area;
        for (int i = 0; i < 3; i++)
            all.sum[i] += parts[part].sum[i];
    }
    for (int i = 0; i < 3; i++)
        doubt += (fabs(all.sum[i]) + ROUNDING * all.area) * (high[i] - low[i]) / 6;
    return doubt < MAX_DOUBT * fabs(all.volume) ? all.volume : (double)NAN;
}

/* An edge between two places, and how many more triangles run through it upward than downward. */
struct edge {
    uint32_t low, high; /* the lower place first; an empty slot has 0, 0, which is no edge */
    int64_t surplus;
};

static void count_edge(struct edge *table, size_t size, uint32_t from, uint32_t to)
{
    const uint32_t low = from < to ? from : to, high = from < to ? to : from;
    uint64_t key = (uint64_t)low << 32 | high;
    size_t slot = random_bits(&key) & (size - 1);
    while (table[slot].high != 0 && (table[slot].low != low || table[slot].high != high))
        slot = (slot + 1) & (size - 1);
    table[slot].low = low;
    table[slot].high = high;
    table[slot].surplus += from < to ? 1 : -1;
}

int64_t mesh_boundary_edges(
    const struct mesh *mesh, const struct progress *progress, struct error *error)
{
    const size_t count = mesh->triangle_count, size = table_size(3 * count);
    struct passes passes = {.progress = progress, .count = 2};
    struct places places = {0};
    struct edge *table = calloc(size, sizeof(*table));
    int64_t open = 0;
    if (!table || places_find(mesh, &passes, &places))
        open = error_set(error, ERROR_INPUT, "no memory for the sides of %zu triangles", count);
    for (size_t t = 0; open == 0 && t < count && !stops(&passes, t, count); t++)
        for (int i = 0; i < 3; i++) {
            const uint32_t *v = mesh->triangles[t].vertex;
            const uint32_t from = places.first[v[i]], to = places.first[v[(i + 1) % 3]];
            if (from != to)
                count_edge(table, size, from, to);
        }
    if (passes.is_stopped)
        open = error_set(error, ERROR_STOPPED, "stopped");
    for (size_t slot = 0; open >= 0 && slot < size; slot++)
        open += llabs(table[slot].surplus);
    places_free(&places);
    free(table);
    return open;
}
