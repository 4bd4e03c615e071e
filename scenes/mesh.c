#include "scenes/mesh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "random.h"
#include "scenes/mesh_formats.h"

#define NONE UINT32_MAX          /* no vertex has this number */
#define MAX_DOUBT 0.1            /* of a volume: the share by which openings may change it */
#define ROUNDING 1e-6            /* of floats: what areas that cancel out leave of their sum */
#define WELD_PASSES 5            /* that report */
#define PARALLEL_TRIANGLES 16384 /* fewer are done before other threads wake up */

int mesh_new(
    size_t vertices, size_t triangles, int has_curvature, struct mesh *mesh, struct error *error)
{
    *mesh = (struct mesh){.vertex_count = vertices, .triangle_count = triangles};
    if (vertices >= NONE)
        return error_set(error, ERROR_INPUT,
            "cannot make a mesh of %zu vertices: the most are %u; take fewer points a patch",
            vertices, NONE - 1);
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

/* Several passes over a mesh, of which each reports how far it is. */
struct passes {
    const struct progress *progress;
    int pass, count; /* the one at work, from 0; of all */
    int is_stopped;
};

/* Whether the user asks to stop, before record `i` of a pass over `count`. */
static int stops(struct passes *passes, size_t i, size_t count)
{
    const double share = (passes->pass + (double)i / (double)count) / passes->count;
    if (!passes->is_stopped && i % REPORT_EVERY == 0)
        passes->is_stopped = progress_report(passes->progress, share);
    return passes->is_stopped;
}

/* Slots of a hash table that stays at most half full; a power of two. */
static size_t table_size(size_t count)
{
    size_t size = 2;
    while (size < 2 * count)
        size *= 2;
    return size;
}

static uint64_t hash_position(const double position[3])
{
    uint64_t hash = 0;
    for (int i = 0; i < 3; i++) {
        const double number = position[i] + 0.0; /* -0 + 0 is 0 */
        uint64_t bits;
        memcpy(&bits, &number, sizeof(bits));
        hash = (hash ^ bits) * RANDOM_STEP;
        hash ^= hash >> 32;
    }
    return random_bits(&hash);
}

static int is_same_position(const double a[3], const double b[3])
{
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

/* For each vertex the first one at its position, which stands for the place. It is a pass. NULL
 * when memory is short; the caller frees. */
static uint32_t *find_places(const struct mesh *mesh, struct passes *passes)
{
    const size_t size = table_size(mesh->vertex_count);
    uint32_t *places = malloc((mesh->vertex_count + 1) * sizeof(*places));
    uint32_t *table = malloc(size * sizeof(*table));
    if (!places || !table) {
        free(places);
        free(table);
        return NULL;
    }
    memset(table, 0xff, size * sizeof(*table)); /* all NONE */
    for (uint32_t v = 0; v < mesh->vertex_count && !stops(passes, v, mesh->vertex_count); v++) {
        const double *position = mesh->positions[v];
        size_t slot = hash_position(position) & (size - 1);
        while (table[slot] != NONE && !is_same_position(mesh->positions[table[slot]], position))
            slot = (slot + 1) & (size - 1);
        if (table[slot] == NONE)
            table[slot] = v;
        places[v] = table[slot];
    }
    free(table);
    passes->pass++;
    return places;
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

/* What welding works with. */
struct weld {
    struct passes passes;
    uint32_t *places; /* of each vertex: the first one at its position */
    uint32_t *merged; /* of each vertex: its number afterward; NONE until a triangle has it */
    uint32_t *first;  /* of each place: the first merged vertex there */
    uint32_t *next;   /* of each merged vertex: the next one there */
    double (*sums)[3];
    uint8_t *has_normal; /* of each place */
};

static void weld_free(struct weld *weld)
{
    free(weld->places);
    free(weld->merged);
    free(weld->first);
    free(weld->next);
    free(weld->sums);
    free(weld->has_normal);
}

static int weld_new(const struct mesh *mesh, const struct progress *progress, struct weld *weld)
{
    const size_t count = mesh->vertex_count + 1;
    *weld = (struct weld){
        .passes = {.progress = progress, .count = WELD_PASSES},
        .merged = malloc(count * sizeof(*weld->merged)),
        .first = malloc(count * sizeof(*weld->first)),
        .next = malloc(count * sizeof(*weld->next)),
        .sums = calloc(count, sizeof(*weld->sums)),
        .has_normal = calloc(count, sizeof(*weld->has_normal)),
    };
    weld->places = find_places(mesh, &weld->passes);
    if (!weld->places || !weld->merged || !weld->first || !weld->next || !weld->sums ||
        !weld->has_normal)
        return ERROR_INPUT;
    memset(weld->merged, 0xff, count * sizeof(*weld->merged)); /* all NONE */
    memset(weld->first, 0xff, count * sizeof(*weld->first));
    return 0;
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

static void drop_triangles(struct mesh *mesh, struct weld *weld)
{
    const size_t count = mesh->triangle_count;
    size_t kept = 0;
    for (size_t t = 0; t < count && !stops(&weld->passes, t, count); t++) {
        const uint32_t *v = mesh->triangles[t].vertex;
        const uint32_t a = weld->places[v[0]], b = weld->places[v[1]], c = weld->places[v[2]];
        if (a == b || b == c || c == a)
            continue;
        for (int i = 0; i < 3; i++)
            weld->merged[v[i]] = 0;
        mesh->triangles[kept++] = mesh->triangles[t];
    }
    mesh->triangle_count = kept;
    weld->passes.pass++;
}

static int has_all_normals(const struct mesh *mesh)
{
    size_t v = 0;
    while (v < mesh->vertex_count && !is_zero(mesh->normals[v]))
        v++;
    return v == mesh->vertex_count;
}

static void fill_normals(struct mesh *mesh, struct weld *weld)
{
    const size_t vertices = mesh->vertex_count, triangles = mesh->triangle_count;
    if (has_all_normals(mesh)) {
        weld->passes.pass += 2;
        return;
    }
    for (size_t v = 0; v < vertices && !stops(&weld->passes, v, vertices); v++)
        if (!is_zero(mesh->normals[v])) {
            add(weld->sums[weld->places[v]], mesh->normals[v]);
            weld->has_normal[weld->places[v]] = 1;
        }
    weld->passes.pass++;
    for (size_t t = 0; t < triangles && !stops(&weld->passes, t, triangles); t++)
        for (int i = 0; i < 3; i++) {
            const struct mesh_triangle *triangle = &mesh->triangles[t];
            const uint32_t place = weld->places[triangle->vertex[i]];
            double facet[3];
            if (weld->has_normal[place])
                continue;
            mesh_facet(mesh, triangle, facet);
            for (int k = 0; k < 3; k++)
                weld->sums[place][k] += facet[k];
        }
    for (size_t v = 0; v < vertices; v++)
        if (is_zero(mesh->normals[v]))
            mesh_unit(weld->sums[weld->places[v]], mesh->normals[v]);
    weld->passes.pass++;
}

static int is_near(const float a[3], const float b[3], double chord)
{
    double square = 0;
    for (int i = 0; i < 3; i++)
        square += ((double)a[i] - (double)b[i]) * ((double)a[i] - (double)b[i]);
    return square <= chord * chord;
}

static void move_vertex(struct mesh *mesh, size_t from, size_t to)
{
    memmove(mesh->positions[to], mesh->positions[from], sizeof(*mesh->positions));
    if (mesh->normals)
        memmove(mesh->normals[to], mesh->normals[from], sizeof(*mesh->normals));
    if (mesh->curvature)
        memmove(mesh->curvature[to], mesh->curvature[from], sizeof(*mesh->curvature));
}

/* Normals may be as far apart as `chord`, which bounds how many vertices a place can keep: so time
 * is linear unless it is tiny. Vertices only move down, behind those still to be seen. */
static void merge_vertices(struct mesh *mesh, struct weld *weld, double chord)
{
    uint32_t count = 0;
    for (size_t v = 0; v < mesh->vertex_count && !stops(&weld->passes, v, mesh->vertex_count);
         v++) {
        if (weld->merged[v] == NONE)
            continue;
        uint32_t *link = &weld->first[weld->places[v]];
        while (*link != NONE && mesh->normals &&
               !is_near(mesh->normals[*link], mesh->normals[v], chord))
            link = &weld->next[*link];
        if (*link == NONE) {
            *link = count++;
            weld->next[*link] = NONE;
            memset(weld->sums[*link], 0, sizeof(*weld->sums));
            move_vertex(mesh, v, *link);
        }
        weld->merged[v] = *link;
        if (mesh->normals)
            add(weld->sums[*link], mesh->normals[v]);
    }
    for (size_t v = 0; mesh->normals && v < count; v++)
        mesh_unit(weld->sums[v], mesh->normals[v]); /* stays that of the first where the sum is 0 */
    mesh->vertex_count = count;
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
        if (!weld.passes.is_stopped && mesh->normals)
            fill_normals(mesh, &weld);
        if (!weld.passes.is_stopped)
            merge_vertices(mesh, &weld, chord);
        if (weld.passes.is_stopped)
            rc = error_set(error, ERROR_STOPPED, "stopped");
#pragma omp parallel for if (rc == 0 && mesh->triangle_count >= PARALLEL_TRIANGLES)
        for (size_t t = 0; t < (rc ? 0 : mesh->triangle_count); t++)
            for (int i = 0; i < 3; i++)
                mesh->triangles[t].vertex[i] = weld.merged[mesh->triangles[t].vertex[i]];
    } else {
        rc = error_set(error, ERROR_INPUT,
            "no memory to weld %zu vertices; take fewer points a patch", mesh->vertex_count);
    }
    weld_free(&weld);
    return rc;
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
    for (size_t v = 0; v < mesh->vertex_count; v++)
        for (int i = 0; i < 3; i++) {
            const double own = mesh->positions[v][i];
            low[i] = own < low[i] ? own : low[i];
            high[i] = own > high[i] ? own : high[i];
        }
}

/* From the middle m of the box. From another point p it would be more by (m - p) . S / 3, where S
 * is the sum of all triangles' areas as vectors, 0 if the mesh is closed. */
double mesh_volume(const struct mesh *mesh)
{
    double low[3], high[3], sum[3] = {0}, volume = 0, area = 0, doubt = 0;
    find_box(mesh, low, high);
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        const double *corner = mesh->positions[mesh->triangles[t].vertex[0]];
        double facet[3];
        mesh_facet(mesh, &mesh->triangles[t], facet);
        for (int i = 0; i < 3; i++) {
            volume += facet[i] * (corner[i] - (low[i] + high[i]) / 2) / 6;
            sum[i] += facet[i] / 2;
            area += fabs(facet[i]) / 2;
        }
    }
    for (int i = 0; i < 3; i++)
        doubt += (fabs(sum[i]) + ROUNDING * area) * (high[i] - low[i]) / 6;
    return doubt < MAX_DOUBT * fabs(volume) ? volume : (double)NAN;
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
    uint32_t *places = find_places(mesh, &passes);
    struct edge *table = calloc(size, sizeof(*table));
    int64_t open = 0;
    if (!places || !table)
        open = error_set(error, ERROR_INPUT, "no memory for the sides of %zu triangles", count);
    for (size_t t = 0; open == 0 && t < count && !stops(&passes, t, count); t++)
        for (int i = 0; i < 3; i++) {
            const uint32_t *v = mesh->triangles[t].vertex;
            const uint32_t from = places[v[i]], to = places[v[(i + 1) % 3]];
            if (from != to)
                count_edge(table, size, from, to);
        }
    if (passes.is_stopped)
        open = error_set(error, ERROR_STOPPED, "stopped");
    for (size_t slot = 0; open >= 0 && slot < size; slot++)
        open += llabs(table[slot].surplus);
    free(places);
    free(table);
    return open;
}
