/* MESH: the points of all patches as one welded mesh of triangles, with the polyhedra; the control
 * net as lines. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stages/bezier/checks.h"
#include "stages/bezier/grid.h"

#define CREASE_DEGREES 30     /* between normals at one point, from which it stays a crease */
#define PARTS 2               /* that report: the points are put together, and welded */
#define PARALLEL_POINTS 16384 /* fewer are done before other threads wake up */
#define REPORTED_POINTS ((size_t)1 << 17) /* that are put together between two reports */

static size_t triangles_of(const struct batch *batch)
{
    const size_t cells_u = batch->points_u - 1, cells_v = batch->points_v - 1;
    return cells_u * (batch->is_triangle ? cells_u : 2 * cells_v);
}

/* What the mesh of all patches has before it is welded. */
static void count_parts(const struct bezier *b, size_t *vertices, size_t *triangles)
{
    *vertices = b->result.point_count;
    *triangles = 0;
    for (size_t i = 0; i < b->batch_count; i++)
        *triangles += b->batches[i].count * triangles_of(&b->batches[i]);
    for (size_t i = 0; i < b->patches.count; i++) {
        const struct patch *patch = &b->patches.patches[i];
        const uint32_t *face = b->patches.faces + patch->face;
        if (patch->kind != KIND_POLYHEDRON)
            continue;
        for (size_t f = 0; f < patch->face_count; f++, face += 1 + *face) {
            *triangles += *face > 2 ? *face - 2 : 0;
            *vertices += *face;
        }
    }
}

/* A point without curvature, at a side that is one point, takes that of its neighbor inward. */
static void fill_curvature(float (*curvature)[CURVATURES], uint32_t rows, uint32_t columns)
{
    for (uint32_t i = 0; i < rows; i++)
        for (uint32_t j = 0; j < columns; j++) {
            float *own = curvature[(size_t)i * columns + j];
            const size_t row = i == 0 ? 1 : i == rows - 1 ? rows - 2 : i;
            const size_t column = j == 0 ? 1 : j == columns - 1 ? columns - 2 : j;
            const float *along_u = curvature[row * columns + j];
            const float *along_v = curvature[(size_t)i * columns + column];
            for (int c = 0; c < CURVATURES && own[c] == NO_CURVATURE; c++)
                own[c] = along_u[c] != NO_CURVATURE   ? along_u[c]
                         : along_v[c] != NO_CURVATURE ? along_v[c]
                                                      : 0;
        }
}

/* The same of a triangle, whose rows get shorter. */
static void fill_triangle_curvature(float (*curvature)[CURVATURES], uint32_t points)
{
    static const int STEPS[][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    const int64_t n = points;
    float(*own)[CURVATURES] = curvature;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; i + j < n; j++, own++)
            for (int s = 0; (*own)[0] == NO_CURVATURE && s < 4; s++) {
                const int64_t row = i + STEPS[s][0], k = j + STEPS[s][1];
                if (row >= 0 && k >= 0 && row + k < n)
                    memcpy(*own, curvature[row * n - row * (row - 1) / 2 + k], sizeof(*own));
            }
}

static struct mesh_triangle triangle_of(
    size_t a, size_t b, size_t c, uint32_t group, uint32_t lines)
{
    return (struct mesh_triangle){{(uint32_t)a, (uint32_t)b, (uint32_t)c}, group, lines};
}

/* Rounded as the points are. */
static void copy_vertex(const struct bezier *b, const double from[4], double to[3])
{
    for (int c = 0; c < 3; c++)
        to[c] = b->options.precision == PRECISION_FLOAT ? (double)(float)from[c] : from[c];
}

/* The unit normal of a polygon, by the sum over its sides (Newell; Sutherland et al. 1974). */
static void find_normal(const double (*p)[3], uint32_t count, float normal[3])
{
    double sum[3] = {0, 0, 0};
    for (uint32_t k = 0; k < count; k++)
        for (int c = 0; c < 3; c++) {
            const double *one = p[k], *next = p[(k + 1) % count];
            const int i = (c + 1) % 3, j = (c + 2) % 3;
            sum[c] += (one[i] - next[i]) * (one[j] + next[j]);
        }
    const double length = sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]);
    for (int c = 0; c < 3; c++)
        normal[c] = length > 0 ? (float)(sum[c] / length) : 0;
}

/* Fans with vertices of their own; diagonals are no lines. Gives the number of vertices. */
static size_t add_polyhedron(
    struct bezier *b, const struct patch *patch, size_t first, struct mesh_triangle **triangles)
{
    const uint32_t *face = b->patches.faces + patch->face;
    size_t vertex = first;
    for (size_t f = 0; f < patch->face_count; f++, face += 1 + *face) {
        for (uint32_t k = 0; k < *face; k++)
            copy_vertex(
                b, b->controls[patch->control + face[1 + k]], b->result.mesh.positions[vertex + k]);
        find_normal((const double(*)[3])b->result.mesh.positions + vertex, *face,
            b->result.mesh.normals[vertex]);
        for (uint32_t k = 1; k < *face; k++)
            memcpy(b->result.mesh.normals[vertex + k], b->result.mesh.normals[vertex],
                sizeof(*b->result.mesh.normals));
        for (uint32_t k = 2; k < *face; k++)
            *(*triangles)++ = triangle_of(vertex, vertex + k - 1, vertex + k,
                (uint32_t)patch->group, (k == 2 ? 1 : 0) | 2 | (k + 1 == *face ? 4 : 0));
        vertex += *face;
    }
    return vertex - first;
}

/* Not where products of large coordinates are out of range. */
static int is_finite(const float normal[3])
{
    return isfinite(normal[0]) && isfinite(normal[1]) && isfinite(normal[2]);
}

/* The places and normals of a patch's points, from the `first` one of all. */
static void copy_points(struct bezier *b, size_t first, size_t count)
{
    struct mesh *mesh = &b->result.mesh;
    for (size_t i = first; i < first + count; i++)
        for (int c = 0; c < 3; c++) {
            mesh->positions[i][c] =
                number_get(b->result.points, 3 * i + (size_t)c, b->options.precision);
            mesh->normals[i][c] = is_finite(b->result.normals[i]) ? b->result.normals[i][c] : 0;
        }
}

/* The same of their curvatures, 0 where there is none. */
static void copy_curvature(struct bezier *b, const struct batch *batch, size_t first, size_t count)
{
    float(*curvature)[CURVATURES] = b->result.mesh.curvature + first;
    memcpy(curvature, b->result.curvatures + first, count * sizeof(*curvature));
    if (batch->is_triangle)
        fill_triangle_curvature(curvature, batch->points_u);
    else if (batch->rows > 1 && batch->columns > 1)
        fill_curvature(curvature, batch->rows, batch->columns);
    for (size_t i = 0; i < count; i++)
        for (int c = 0; c < CURVATURES; c++)
            if (curvature[i][c] == NO_CURVATURE || !isfinite(curvature[i][c]))
                curvature[i][c] = 0;
}

static void add_patch(struct bezier *b, const struct batch *batch, size_t member,
    struct mesh_triangle *batch_triangles)
{
    const size_t points = (size_t)batch->rows * batch->columns;
    const size_t first = batch->first_point + member * points, patch = batch->members[member];
    copy_points(b, first, points);
    copy_curvature(b, batch, first, points);
    grid_triangles(batch, &b->grids[patch], first, (uint32_t)b->patches.patches[patch].group,
        batch_triangles + member * triangles_of(batch));
}

/* Adds so many patches at a time that threads are worth it. */
static int add_batch(
    struct run *run, struct bezier *b, const struct batch *batch, struct mesh_triangle *triangles)
{
    const size_t points = (size_t)batch->rows * batch->columns;
    const size_t most = points < REPORTED_POINTS ? REPORTED_POINTS / points : 1;
    for (size_t first = 0; first < batch->count; first += most) {
        const size_t end = batch->count - first < most ? batch->count : first + most;
        const size_t done = batch->first_point + first * points;
        const int rc = run_progress(run, (double)done / (double)b->result.point_count / PARTS);
        if (rc)
            return rc;
#pragma omp parallel for if ((end - first) * points >= PARALLEL_POINTS)
        for (size_t member = first; member < end; member++)
            add_patch(b, batch, member, triangles);
    }
    return 0;
}

static int fill_mesh(struct run *run, struct bezier *b)
{
    struct mesh_triangle *to = b->result.mesh.triangles;
    size_t vertex = b->result.point_count;
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < b->batch_count; i++) {
        rc = add_batch(run, b, &b->batches[i], to);
        to += b->batches[i].count * triangles_of(&b->batches[i]);
    }
    for (size_t i = 0; rc == 0 && i < b->patches.count; i++) {
        const struct patch *patch = &b->patches.patches[i];
        if (patch->kind == KIND_POLYHEDRON)
            vertex += add_polyhedron(b, patch, vertex, &to);
    }
    return rc;
}

static void add_segment(struct bezier *b, const double from[4], const double to[4])
{
    for (int c = 0; c < 3; c++) {
        b->segments[b->segment_count][0][c] = from[c] / from[3];
        b->segments[b->segment_count][1][c] = to[c] / to[3];
    }
    b->segment_count++;
}

/* The lines between neighboring control points. */
static int make_net(struct run *run, struct bezier *b)
{
    free(b->segments);
    b->segment_count = 0;
    b->segments = malloc((3 * b->patches.control_count + 1) * sizeof(*b->segments));
    if (!b->segments)
        return error_set(&run->error, ERROR_INPUT, "not enough memory for the control net");
    for (size_t i = 0; i < b->patches.count; i++) {
        const struct patch *patch = &b->patches.patches[i];
        const double(*p)[4] = (const double(*)[4])b->controls + patch->control;
        const int rows = patch->degree_u + 1, is_triangle = patch_is_triangle(patch);
        for (int row = 0; patch->kind != KIND_POLYHEDRON && row < rows; row++) {
            const int columns = is_triangle ? rows - row : patch->degree_v + 1;
            for (int j = 0; j < columns; j++) {
                if (j + 1 < columns)
                    add_segment(b, p[j], p[j + 1]);
                if (row + 1 < rows && (!is_triangle || j + 1 < columns))
                    add_segment(b, p[j], p[columns + j]);
                if (is_triangle && j > 0)
                    add_segment(b, p[j], p[columns + j - 1]);
            }
            p += columns;
        }
    }
    return 0;
}

/* Colors that are told apart, after Tol's scheme "bright" and its lighter kin. */
static const uint8_t PALETTE[][3] = {{68, 119, 170}, {238, 102, 119}, {34, 136, 51}, {204, 187, 68},
    {102, 204, 238}, {170, 51, 119}, {187, 187, 187}, {255, 170, 90}, {150, 200, 140},
    {180, 150, 220}};

static int name_groups(struct run *run, struct bezier *b)
{
    const size_t count = (size_t)b->patches.group_count;
    const size_t colors = sizeof(PALETTE) / sizeof(PALETTE[0]);
    free(b->group_names);
    free(b->group_colors);
    b->group_names = malloc(count * sizeof(*b->group_names));
    b->group_colors = malloc(count * sizeof(*b->group_colors));
    if (!b->group_names || !b->group_colors)
        return error_set(&run->error, ERROR_INPUT, "not enough memory for groups");
    for (size_t i = 0; i < count; i++) {
        const struct patch_group *group = &b->patches.groups[i];
        b->group_names[i] = group->name;
        memcpy(b->group_colors[i], PALETTE[(unsigned)group->color % colors], 3);
    }
    b->result.mesh.group_count = b->patches.group_count;
    b->result.mesh.group_names = b->group_names;
    b->result.mesh.group_colors = b->group_colors;
    return 0;
}

static int mesh_run(struct run *run, struct bezier *b)
{
    size_t vertices, triangles;
    count_parts(b, &vertices, &triangles);
    mesh_free(&b->result.mesh);
    int rc = mesh_new(vertices, triangles, 1, &b->result.mesh, &run->error);
    if (rc)
        return rc;
    b->result.mesh.is_double = b->options.precision == PRECISION_DOUBLE;
    rc = fill_mesh(run, b);
    if (rc == 0)
        rc = mesh_weld(&b->result.mesh, CREASE_DEGREES, run_watch_part(run, 1, PARTS), &run->error);
    if (rc == 0)
        rc = name_groups(run, b);
    if (rc == 0 && b->options.is_flipped)
        mesh_flip(&b->result.mesh);
    if (rc == 0)
        b->result.volume = mesh_volume(&b->result.mesh);
    if (rc == 0 && b->options.has_net)
        rc = make_net(run, b);
    return rc ? rc : mesh_check(run, b, triangles > 0);
}

const struct bezier_stage MESH = {
    .stage = {"mesh", "join the points of all patches to one mesh"},
    .run = mesh_run,
};
