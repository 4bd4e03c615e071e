/* Welding: which vertices of a mesh are one, and what is left without them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scenes/mesh_formats.h"
#include "scenes/mesh_places.h"

#define WELD_PASSES 5 /* that report */

/* What welding works with. */
struct weld {
    struct passes passes;
    struct places places;
    uint32_t *merged;    /* of each vertex: the one that it becomes, NO_VERTEX without a triangle */
    double (*sums)[3];   /* of each vertex, where some have no normal */
    uint8_t *has_normal; /* of the first vertex of a place: whether one there has a normal */
};

static void weld_free(struct weld *weld)
{
    places_free(&weld->places);
    free(weld->merged);
    free(weld->sums);
    free(weld->has_normal);
}

static void add(double sum[3], const float vector[3])
{
    for (int i = 0; i < 3; i++)
        sum[i] += (double)vector[i];
}

static int is_zero(const float vector[3])
{
    return vector[0] == 0 && vector[1] == 0 && vector[2] == 0;
}

static int has_all_normals(const struct mesh *mesh)
{
    int has_all = 1;
#pragma omp parallel for reduction(& : has_all) if (mesh->vertex_count >= PARALLEL_RECORDS)
    for (size_t v = 0; v < mesh->vertex_count; v++)
        has_all &= !is_zero(mesh->normals[v]);
    return has_all;
}

/* Returns 0, or ERROR_INPUT when memory is short. */
static int weld_new(const struct mesh *mesh, const struct progress *progress, struct weld *weld)
{
    const size_t count = mesh->vertex_count + 1;
    const int lacks_normals = mesh->normals && !has_all_normals(mesh);
    *weld = (struct weld){
        .passes = {.progress = progress, .count = WELD_PASSES},
        .merged = malloc(count * sizeof(*weld->merged)),
        .sums = lacks_normals ? calloc(count, sizeof(*weld->sums)) : NULL,
        .has_normal = lacks_normals ? calloc(count, sizeof(*weld->has_normal)) : NULL,
    };
    if (!weld->merged || (lacks_normals && (!weld->sums || !weld->has_normal)))
        return ERROR_INPUT;
    memset(weld->merged, 0xff, count * sizeof(*weld->merged)); /* all NO_VERTEX */
    return places_find(mesh, &weld->passes, &weld->places);
}

/* Whether corners of a triangle are at the same place. Otherwise its vertices become themselves. */
static int is_dropped(struct weld *weld, const uint32_t vertex[3])
{
    const uint32_t *first = weld->places.first;
    const uint32_t a = first[vertex[0]], b = first[vertex[1]], c = first[vertex[2]];
    if (a == b || b == c || c == a)
        return 1;
    for (int i = 0; i < 3; i++) {
#pragma omp atomic write
        weld->merged[vertex[i]] = vertex[i];
    }
    return 0;
}

static void drop_triangles(struct mesh *mesh, struct weld *weld)
{
    const size_t count = mesh->triangle_count;
    size_t dropped = 0, kept = 0;
    for (size_t from = 0; from < count && !stops_before(&weld->passes, from, count);
         from += BLOCK_RECORDS) {
        const size_t end = count - from < BLOCK_RECORDS ? count : from + BLOCK_RECORDS;
#pragma omp parallel for reduction(+ : dropped) if (end - from >= PARALLEL_RECORDS)
        for (size_t t = from; t < end; t++) {
            const int is_gone = is_dropped(weld, mesh->triangles[t].vertex);
            mesh->triangles[t].vertex[0] = is_gone ? NO_VERTEX : mesh->triangles[t].vertex[0];
            dropped += (size_t)is_gone;
        }
    }
    for (size_t t = 0; dropped > 0 && t < count; t++)
        if (mesh->triangles[t].vertex[0] != NO_VERTEX)
            mesh->triangles[kept++] = mesh->triangles[t];
    mesh->triangle_count = count - dropped;
    weld->passes.pass++;
}

/* Gives vertices without a normal the mean of those at their place, or of the triangles there. */
static void fill_normals(struct mesh *mesh, struct weld *weld)
{
    const size_t vertices = mesh->vertex_count, triangles = mesh->triangle_count;
    const uint32_t *first = weld->places.first;
    for (size_t v = 0; v < vertices && !stops(&weld->passes, v, vertices); v++)
        if (!is_zero(mesh->normals[v])) {
            add(weld->sums[first[v]], mesh->normals[v]);
            weld->has_normal[first[v]] = 1;
        }
    weld->passes.pass++;
    for (size_t t = 0; t < triangles && !stops(&weld->passes, t, triangles); t++)
        for (int i = 0; i < 3; i++) {
            const struct mesh_triangle *triangle = &mesh->triangles[t];
            const uint32_t place = first[triangle->vertex[i]];
            double facet[3];
            if (weld->has_normal[place])
                continue;
            mesh_facet(mesh, triangle, facet);
            for (int k = 0; k < 3; k++)
                weld->sums[place][k] += facet[k];
        }
    for (size_t v = 0; v < vertices; v++)
        if (is_zero(mesh->normals[v]))
            mesh_unit(weld->sums[first[v]], mesh->normals[v]);
    weld->passes.pass++;
}

static int is_near(const float a[3], const float b[3], double chord)
{
    double square = 0;
    for (int i = 0; i < 3; i++)
        square += ((double)a[i] - (double)b[i]) * ((double)a[i] - (double)b[i]);
    return square <= chord * chord;
}

/* Merges the vertices of a place. Each that stays takes in the later ones whose normals are near
 * its own, and gets the mean normal. `chord` bounds how many stay at a place, so that time is
 * linear unless it is tiny. */
static void merge_place(struct mesh *mesh, struct weld *weld, uint32_t first, double chord)
{
    const uint32_t *next = weld->places.next;
    uint32_t *merged = weld->merged;
    for (uint32_t v = first; v != NO_VERTEX; v = next[v]) {
        double sum[3] = {0, 0, 0};
        if (merged[v] != v)
            continue;
        if (mesh->normals)
            add(sum, mesh->normals[v]);
        for (uint32_t other = next[v]; other != NO_VERTEX; other = next[other])
            if (merged[other] == other &&
                (!mesh->normals || is_near(mesh->normals[v], mesh->normals[other], chord))) {
                merged[other] = v;
                if (mesh->normals)
                    add(sum, mesh->normals[other]);
            }
        if (mesh->normals)
            mesh_unit(sum, mesh->normals[v]); /* stays its own where the sum is 0 */
    }
}

static void merge_places(struct mesh *mesh, struct weld *weld, double chord)
{
    const size_t count = mesh->vertex_count;
    for (size_t from = 0; from < count && !stops_before(&weld->passes, from, count);
         from += BLOCK_RECORDS) {
        const size_t end = count - from < BLOCK_RECORDS ? count : from + BLOCK_RECORDS;
#pragma omp parallel for if (end - from >= PARALLEL_RECORDS)
        for (size_t v = from; v < end; v++)
            if (weld->places.first[v] == v)
                merge_place(mesh, weld, (uint32_t)v, chord);
    }
}

/* Numbers the vertices that stay, in their order. Returns how many they are. */
static size_t number_vertices(const struct mesh *mesh, const struct weld *weld, uint32_t *numbers)
{
    const size_t count = mesh->vertex_count;
    uint32_t starts[PARTS + 1] = {0};
#pragma omp parallel for if (count >= PARALLEL_RECORDS)
    for (size_t part = 0; part < PARTS; part++)
        for (size_t v = part_start(count, part); v < part_start(count, part + 1); v++)
            starts[part + 1] += weld->merged[v] == v;
    for (size_t part = 0; part < PARTS; part++)
        starts[part + 1] += starts[part];
#pragma omp parallel for if (count >= PARALLEL_RECORDS)
    for (size_t part = 0; part < PARTS; part++) {
        uint32_t number = starts[part];
        for (size_t v = part_start(count, part); v < part_start(count, part + 1); v++)
            if (weld->merged[v] == v)
                numbers[v] = number++;
    }
    return starts[PARTS];
}

/* Moves what each vertex that stays has in an array to the place of its number. */
static void move_vertices(
    const struct mesh *mesh, const struct weld *weld, char *array, size_t size)
{
    size_t v = 0, number = 0;
    while (v < mesh->vertex_count) {
        const size_t first = v;
        while (v < mesh->vertex_count && weld->merged[v] == v)
            v++;
        if (number != first)
            memmove(array + number * size, array + first * size, (v - first) * size);
        number += v - first;
        while (v < mesh->vertex_count && weld->merged[v] != v)
            v++;
    }
}

static void drop_vertices(struct mesh *mesh, struct weld *weld)
{
    uint32_t *numbers = weld->places.next; /* places are no longer needed */
    const struct {
        void *array;
        size_t size;
    } arrays[] = {{mesh->positions, sizeof(*mesh->positions)},
        {mesh->normals, sizeof(*mesh->normals)}, {mesh->curvature, sizeof(*mesh->curvature)}};
    const size_t left = number_vertices(mesh, weld, numbers);
#pragma omp parallel for schedule(dynamic) if (mesh->vertex_count >= PARALLEL_RECORDS)
    for (int i = 0; i < 3; i++)
        if (arrays[i].array)
            move_vertices(mesh, weld, arrays[i].array, arrays[i].size);
    mesh->vertex_count = left;
#pragma omp parallel for if (mesh->triangle_count >= PARALLEL_RECORDS)
    for (size_t t = 0; t < mesh->triangle_count; t++)
        for (int i = 0; i < 3; i++) {
            uint32_t *vertex = &mesh->triangles[t].vertex[i];
            *vertex = numbers[weld->merged[*vertex]];
        }
}

int mesh_weld(
    struct mesh *mesh, double degrees, const struct progress *progress, struct error *error)
{
    /* Unit vectors are that far apart; a little more, as floats are not quite of length 1. */
    const double chord = 2 * sin(fmin(degrees, 180) * acos(-1) / 360) * (1 + 1e-6);
    struct weld weld;
    int rc = weld_new(mesh, progress, &weld);
    if (rc == 0) {
        if (!weld.passes.is_stopped)
            drop_triangles(mesh, &weld);
        if (!weld.passes.is_stopped && weld.sums)
            fill_normals(mesh, &weld);
        weld.passes.pass = WELD_PASSES - 1;
        if (!weld.passes.is_stopped)
            merge_places(mesh, &weld, chord);
        if (!weld.passes.is_stopped)
            drop_vertices(mesh, &weld);
        if (weld.passes.is_stopped)
            rc = error_set(error, ERROR_STOPPED, "stopped");
    } else {
        rc = error_set(error, ERROR_INPUT,
            "no memory to weld %zu vertices; take fewer points a patch", mesh->vertex_count);
    }
    weld_free(&weld);
    return rc;
}
