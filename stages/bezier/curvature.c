#include "stages/bezier/curvature.h"

#include <math.h>
#include <stdlib.h>

#include "images/chart.h"
#include "stages/bezier/project.h"

#define PERCENTILE 0.1 /* share of the area whose curvature lies beyond either end of the colors */
#define SORTED_PART ((size_t)1 << 16) /* vertices that are sorted between two reports */
#define LEAST_RANGE 1e-3 /* of curvature, over its value: below it is constant, but for rounding */

/* A curvature and the area that has it. */
struct vertex_share {
    double value, area;
};

/* e: the mesh's curvatures, of the kind that is drawn, are 2^e times the file's. Gaussian curvature
 * is per area. */
static int exponent_of(const struct drawing *drawing)
{
    return drawing->curvature == CURVATURE_GAUSSIAN ? 2 * drawing->unit : drawing->unit;
}

static int compare_vertices(const void *a, const void *b)
{
    const struct vertex_share *const x = a, *const y = b;
    return x->value != y->value ? (x->value > y->value) - (x->value < y->value)
                                : (x->area > y->area) - (x->area < y->area);
}

/* Merges two sorted parts of `from`, up to `middle` and up to `end`. */
static void merge(
    const struct vertex_share *from, size_t middle, size_t end, struct vertex_share *to)
{
    size_t a = 0, b = middle;
    for (size_t i = 0; i < end; i++) {
        const int is_first = b == end || (a < middle && compare_vertices(&from[a], &from[b]) <= 0);
        to[i] = from[is_first ? a++ : b++];
    }
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Sorts, in parts between which it can be stopped; `room` is for as many. Returns where they are
 * then, or NULL. */
static struct vertex_share *sort(struct vertex_share *shares, struct vertex_share *room,
    size_t count, const struct progress *progress)
{
    for (size_t first = 0; first < count; first += SORTED_PART) {
        if (progress_report(progress, 0.5 * (double)first / (double)count))
            return NULL;
        qsort(shares + first, least(SORTED_PART, count - first), sizeof(*shares), compare_vertices);
    }
    for (size_t part = SORTED_PART; part < count; part *= 2) {
        for (size_t first = 0; first < count; first += 2 * part) {
            const size_t end = least(2 * part, count - first);
            if (progress_report(progress, 0.5 + 0.5 * (double)part / (double)count))
                return NULL;
            merge(shares + first, least(part, end), end, room + first);
        }
        struct vertex_share *const sorted = room;
        room = shares;
        shares = sorted;
    }
    return shares;
}

static double area_of(const struct mesh *mesh, const struct mesh_triangle *triangle)
{
    const double *const a = mesh->positions[triangle->vertex[0]];
    const double *const b = mesh->positions[triangle->vertex[1]];
    const double *const c = mesh->positions[triangle->vertex[2]];
    double u[3], v[3];
    for (int i = 0; i < 3; i++) {
        u[i] = b[i] - a[i];
        v[i] = c[i] - a[i];
    }
    const double x = u[1] * v[2] - u[2] * v[1], y = u[2] * v[0] - u[0] * v[2];
    const double z = u[0] * v[1] - u[1] * v[0];
    return sqrt(x * x + y * y + z * z) / 2;
}

/* The least value that, with all below it, has `share` of the area of all. */
static double percentile(const struct vertex_share *shares, size_t count, double share)
{
    double area = 0, sum = 0;
    size_t last = 0;
    for (size_t i = 0; i < count; i++)
        area += shares[i].area;
    for (size_t i = 0; i < count && sum < share * area; i++) {
        sum += shares[i].area;
        last = i;
    }
    return count ? shares[last].value : 0;
}

static int find_percentiles(const struct mesh *mesh, enum mesh_curvature kind,
    const struct progress *progress, double range[2], struct error *error)
{
    struct vertex_share *const shares = calloc(2 * mesh->vertex_count + 1, sizeof(*shares));
    size_t count = 0;
    if (!shares)
        return error_set(error, ERROR_INPUT, "not enough memory for the range of curvatures");
    for (size_t i = 0; i < mesh->triangle_count; i++) {
        const double third = area_of(mesh, &mesh->triangles[i]) / 3;
        for (int j = 0; j < 3; j++)
            shares[mesh->triangles[i].vertex[j]].area += third;
    }
    for (size_t i = 0; i < mesh->vertex_count; i++) {
        const struct vertex_share vertex = {(double)mesh->curvature[i][kind], shares[i].area};
        if (isfinite(vertex.value))
            shares[count++] = vertex;
    }
    const struct vertex_share *const sorted =
        sort(shares, shares + mesh->vertex_count, count, progress);
    if (sorted) {
        range[0] = percentile(sorted, count, PERCENTILE);
        range[1] = percentile(sorted, count, 1 - PERCENTILE);
    }
    free(shares);
    return sorted ? 0 : error_set(error, ERROR_STOPPED, "stopped");
}

int curvature_range(const struct mesh *mesh, const struct drawing *drawing,
    const struct progress *progress, double range[2], struct error *error)
{
    const int exponent = exponent_of(drawing);
    if (drawing->has_clamp) {
        for (int i = 0; i < 2; i++)
            range[i] = ldexp(drawing->clamp[i], exponent);
        return 0;
    }
    const int rc = find_percentiles(mesh, drawing->curvature, progress, range, error);
    if (rc)
        return rc;
    const double one = ldexp(1, exponent); /* where nothing is curved */
    const double most = fmax(fabs(range[0]), fabs(range[1]));
    if (range[0] < 0 && range[1] > 0) {
        range[0] = -most;
        range[1] = most;
    } else if (range[1] - range[0] <= LEAST_RANGE * most) {
        range[0] -= most > 0 ? most / 2 : one;
        range[1] += most > 0 ? most / 2 : one;
    }
    return 0;
}

static double text_size(const struct drawing *drawing)
{
    return chart_text_size((int)drawing->width, (int)drawing->height);
}

void curvature_draw_bar(const struct drawing *drawing, const double range[2], struct image *image)
{
    static const char *const TITLES[CURVATURES] = {
        [CURVATURE_GAUSSIAN] = "Gaussian curvature, 1/length²",
        [CURVATURE_MEAN] = "mean curvature, 1/length",
        [CURVATURE_MAX] = "maximal curvature, 1/length",
        [CURVATURE_MIN] = "minimal curvature, 1/length",
    };
    const int exponent = -exponent_of(drawing);
    const struct chart_scale scale = {TITLES[drawing->curvature], draw_diverging,
        ldexp(range[0], exponent), ldexp(range[1], exponent), 0, 1};
    const float *const c = drawing_contrast(drawing);
    const struct color ink = {(uint8_t)(255 * c[0]), (uint8_t)(255 * c[1]), (uint8_t)(255 * c[2])};
    draw_chart_bar(image, &scale, text_size(drawing), ink);
}

int curvature_bar_width(const struct drawing *drawing)
{
    return drawing->shading == SHADING_CURVATURE ? chart_bar_width(text_size(drawing)) : 0;
}
