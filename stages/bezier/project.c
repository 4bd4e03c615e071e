#include "stages/bezier/project.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "images/draw.h"
#include "stages/bezier/curvature.h"

#define PARALLEL_VERTICES 16384    /* fewer are done before other threads wake up */
#define REPORTED ((size_t)1 << 17) /* vertices or triangles, between two reports */
#define PARTS 4                    /* of the work: range, vertices, triangles, outlines */
#define LINE_LIFT 0.006 /* toward the viewer, so that lines lie on a surface, not in it */
#define LINE_WIDTH 1.5  /* pixels */
#define FAR_OFF 1e30    /* in ranges of curvature: colors far beyond the ends stay floats */

static const float CLAY[3] = {0.90f, 0.85f, 0.79f}, SEGMENTS[3] = {0.80f, 0.22f, 0.12f}; /* sRGB */
static const float DARK[3] = {0.10f, 0.11f, 0.13f}, LIGHT[3] = {0.92f, 0.93f, 0.95f};

/* A float4 of screen; x is NAN where it cannot be drawn. */
static void put_on_screen(
    const struct camera *view, const double at[2], double depth, float screen[4])
{
    const double near = CAMERA_EYE + depth;
    const double column = floor(at[0] + 0.5), row = floor(at[1] + 0.5);
    const int is_drawn = fabs(column) <= PLACE_LIMIT && fabs(row) <= PLACE_LIMIT &&
                         (view->is_orthographic || near >= CAMERA_NEAREST);
    screen[0] = is_drawn ? (float)column : NAN;
    screen[1] = (float)row;
    screen[2] = (float)(view->is_orthographic ? -depth : 1 / near);
    screen[3] = view->is_orthographic ? 1 : screen[2];
}

static void project_vertex(const struct mesh *mesh, const struct drawing *drawing,
    const struct camera *view, size_t i, struct projection *projection)
{
    const double low = projection->curvature[0], high = projection->curvature[1];
    double p[3], at[2], normal[3] = {0, 0, 0};
    camera_look(view, mesh->positions[i], p);
    camera_place(view, p, at);
    put_on_screen(view, at, p[1], projection->screen[i]);
    for (int j = 0; mesh->normals && j < 3; j++)
        normal[j] = (double)mesh->normals[i][j];
    camera_turn(view, normal, normal);
    for (int j = 0; j < 3; j++) {
        projection->surface[i][0][j] = (float)p[j];
        projection->surface[i][1][j] = (float)normal[j];
    }
    if (drawing->shading == SHADING_CURVATURE) {
        const double value = (double)mesh->curvature[i][drawing->curvature];
        const double share = fmin(fmax((value - low) / (high - low), -FAR_OFF), FAR_OFF);
        projection->surface[i][0][3] = isfinite(value) ? (float)share : 0.5f;
    }
}

/* Returns whether it was stopped, as the two below do. */
static int project_vertices(const struct mesh *mesh, const struct drawing *drawing,
    const struct progress *progress, const struct camera *view, struct projection *projection)
{
    const size_t count = mesh->vertex_count;
    for (size_t first = 0; first < count; first += REPORTED) {
        const size_t rest = count - first;
        const size_t end = first + (rest < REPORTED ? rest : REPORTED);
        if (progress_report(progress, (1 + (double)first / (double)count) / PARTS))
            return 1;
#pragma omp parallel for if (end - first >= PARALLEL_VERTICES)
        for (size_t i = first; i < end; i++)
            project_vertex(mesh, drawing, view, i, projection);
    }
    return 0;
}

static int is_drawn(const struct projection *projection, const struct mesh_triangle *triangle)
{
    return !isnan(projection->screen[triangle->vertex[0]][0]) &&
           !isnan(projection->screen[triangle->vertex[1]][0]) &&
           !isnan(projection->screen[triangle->vertex[2]][0]);
}

static void add_triangle(struct projection *projection, const struct mesh_triangle *triangle)
{
    if (is_drawn(projection, triangle))
        projection->triangles[projection->triangle_count++] = *triangle;
}

/* Adds so many triangles, of which hardly ever one is not drawn. */
static void add_block(struct projection *projection, const struct mesh_triangle *from, size_t count)
{
    struct mesh_triangle *const to = projection->triangles + projection->triangle_count;
    int are_drawn = 1;
#pragma omp parallel for reduction(& : are_drawn) if (count >= PARALLEL_VERTICES)
    for (size_t i = 0; i < count; i++) {
        are_drawn &= is_drawn(projection, &from[i]);
        to[i] = from[i];
    }
    if (are_drawn)
        projection->triangle_count += count;
    for (size_t i = 0; !are_drawn && i < count; i++)
        add_triangle(projection, &from[i]);
}

static int add_triangles(
    const struct mesh *mesh, const struct progress *progress, struct projection *projection)
{
    const size_t count = mesh->triangle_count;
    for (size_t first = 0; first < count; first += REPORTED) {
        const size_t rest = count - first;
        if (progress_report(progress, (2 + (double)first / (double)count) / PARTS))
            return 1;
        add_block(projection, mesh->triangles + first, rest < REPORTED ? rest : REPORTED);
    }
    return 0;
}

/* Places p as a rectangle on the image, a line's width wide and as much longer at each end. */
static void add_line(const struct camera *view, double p[2][3], double half_width, uint32_t color,
    struct projection *projection)
{
    const uint32_t first = (uint32_t)projection->vertex_count;
    double at[2][2];
    for (int i = 0; i < 2; i++)
        camera_place(view, p[i], at[i]);
    double along[2] = {at[1][0] - at[0][0], at[1][1] - at[0][1]};
    const double length = sqrt(along[0] * along[0] + along[1] * along[1]);
    along[0] = length > 0 ? along[0] / length * half_width : half_width;
    along[1] = length > 0 ? along[1] / length * half_width : 0;
    for (uint32_t i = 0; i < 4; i++) {
        const int end = i >= 2, forth = end ? 1 : -1, side = i % 2 ? 1 : -1;
        const double corner[2] = {at[end][0] + forth * along[0] - side * along[1],
            at[end][1] + forth * along[1] + side * along[0]};
        put_on_screen(view, corner, p[end][1] - LINE_LIFT, projection->screen[first + i]);
    }
    projection->vertex_count += 4;
    for (uint32_t i = 0; i < 2; i++)
        add_triangle(
            projection, &(struct mesh_triangle){.vertex = {first + i, first + i + 1, first + 2 + i},
                            .group = color,
                            .lines = TRIANGLE_IS_FLAT});
}

/* Whether a triangle is seen from behind, or from its side. */
static int is_turned_away(const struct projection *projection, const struct mesh_triangle *triangle)
{
    const float *const a = projection->screen[triangle->vertex[0]];
    const float *const b = projection->screen[triangle->vertex[1]];
    const float *const c = projection->screen[triangle->vertex[2]];
    return (double)(b[0] - a[0]) * (double)(c[1] - a[1]) >=
           (double)(b[1] - a[1]) * (double)(c[0] - a[0]);
}

/* A triangle paints the half of a line that lies in it, where it is seen at all. Lines of triangles
 * that are turned away are drawn on their own, so that outlines are as wide as others. */
static int add_outlines(const struct mesh *mesh, const struct progress *progress,
    const struct camera *view, double half_width, uint32_t color, struct projection *projection)
{
    for (size_t i = 0; i < mesh->triangle_count; i++) {
        if (i % REPORT_EVERY == 0 &&
            progress_report(progress, (3 + (double)i / (double)mesh->triangle_count) / PARTS))
            return 1;
        const struct mesh_triangle *const triangle = &mesh->triangles[i];
        if (!is_drawn(projection, triangle) || !is_turned_away(projection, triangle))
            continue;
        for (int side = 0; side < 3; side++) {
            double p[2][3];
            camera_look(view, mesh->positions[triangle->vertex[side]], p[0]);
            camera_look(view, mesh->positions[triangle->vertex[(side + 1) % 3]], p[1]);
            if (triangle->lines >> side & 1)
                add_line(view, p, half_width, color, projection);
        }
    }
    return 0;
}

static void set_paint(const float color[3], float paint[4])
{
    for (int i = 0; i < 3; i++)
        paint[i] = color[i] * color[i];
    paint[3] = 0;
}

static void set_paint_bytes(const uint8_t color[3], float paint[4])
{
    const float c[3] = {(float)color[0] / 255, (float)color[1] / 255, (float)color[2] / 255};
    set_paint(c, paint);
}

static void make_palette(
    const struct mesh *mesh, const struct drawing *drawing, struct projection *projection)
{
    const unsigned colors = projection->curvature_colors, lines = colors - 1;
    const unsigned segments = colors - 2;
    for (unsigned i = 0; i < segments; i++) {
        if (drawing->has_groups && mesh->group_colors)
            set_paint_bytes(mesh->group_colors[i], projection->palette[i]);
        else
            set_paint(CLAY, projection->palette[i]);
    }
    set_paint(SEGMENTS, projection->palette[segments]);
    set_paint(drawing->shading == SHADING_NONE ? drawing_contrast(drawing) : DARK,
        projection->palette[lines]);
    for (unsigned i = 0; i < CURVATURE_COLORS; i++) {
        const struct color c = draw_diverging(i / (CURVATURE_COLORS - 1.0));
        set_paint_bytes((uint8_t[]){c.red, c.green, c.blue}, projection->palette[colors + i]);
    }
}

/* How many lines may be drawn on their own. */
static size_t count_lines(const struct mesh *mesh, const struct drawing *drawing)
{
    size_t count = drawing->segment_count;
    for (size_t i = 0; drawing->has_lines && i < mesh->triangle_count; i++)
        for (int side = 0; side < 3; side++)
            count += mesh->triangles[i].lines >> side & 1;
    return count;
}

static int projection_new(const struct mesh *mesh, const struct drawing *drawing,
    struct projection *projection, struct error *error)
{
    const size_t lines = count_lines(mesh, drawing);
    const size_t vertices = mesh->vertex_count + 4 * lines;
    const size_t triangles = mesh->triangle_count + 2 * lines;
    const unsigned groups = mesh->group_count > 0 ? (unsigned)mesh->group_count : 1;
    projection->curvature_colors = groups + 2;
    projection->palette_count = groups + 2 + CURVATURE_COLORS;
    projection->screen = calloc(vertices + 1, sizeof(*projection->screen));
    projection->surface = calloc(mesh->vertex_count + 1, sizeof(*projection->surface));
    projection->triangles = calloc(triangles + 1, sizeof(*projection->triangles));
    projection->palette = calloc(projection->palette_count, sizeof(*projection->palette));
    if (vertices > UINT32_MAX || triangles >= NO_TRIANGLE)
        return error_set(error, ERROR_INPUT, "%zu triangles are more than can be drawn", triangles);
    if (!projection->screen || !projection->surface || !projection->triangles ||
        !projection->palette)
        return error_set(error, ERROR_INPUT, "not enough memory to draw %zu triangles", triangles);
    return 0;
}

/* The range of curvatures is the first of the PARTS. */
static int report_range(void *context, double share)
{
    return progress_report(context, share / PARTS);
}

int mesh_project(const struct mesh *mesh, const struct drawing *drawing,
    const struct progress *progress, struct raster *raster, struct projection *projection,
    struct error *error)
{
    const struct progress range = {report_range, (void *)(uintptr_t)progress};
    *projection = (struct projection){.eye = drawing->is_orthographic ? 0 : (float)CAMERA_EYE};
    int rc = projection_new(mesh, drawing, projection, error);
    if (rc == 0 && drawing->shading == SHADING_CURVATURE)
        rc = curvature_range(mesh, drawing, &range, projection->curvature, error);
    if (rc)
        return rc;
    if (raster->view.radius == 0)
        raster->view = camera_fit(drawing, (const double(*)[3])mesh->positions, mesh->vertex_count);
    const struct camera *const view = &raster->view;
    const double half_width = (double)drawing_half_line(drawing);
    const uint32_t line_color = projection->curvature_colors - 1;
    projection->vertex_count = projection->surface_count = mesh->vertex_count;
    if (project_vertices(mesh, drawing, progress, view, projection) ||
        add_triangles(mesh, progress, projection) ||
        (drawing->has_lines &&
            add_outlines(mesh, progress, view, half_width, line_color, projection)))
        return error_set(error, ERROR_STOPPED, "stopped");
    for (size_t i = 0; i < drawing->segment_count; i++) {
        double p[2][3];
        camera_look(view, drawing->segments[i][0], p[0]);
        camera_look(view, drawing->segments[i][1], p[1]);
        add_line(view, p, half_width, line_color - 1, projection);
    }
    make_palette(mesh, drawing, projection);
    return 0;
}

void projection_free(struct projection *projection)
{
    free(projection->screen);
    free(projection->surface);
    free(projection->triangles);
    free(projection->palette);
}

float drawing_half_line(const struct drawing *drawing)
{
    return (float)(LINE_WIDTH / 2 * SAMPLE_PARTS * drawing->samples);
}

const float *drawing_contrast(const struct drawing *drawing)
{
    const float *const b = drawing->background;
    return 0.3f * b[0] + 0.6f * b[1] + 0.1f * b[2] < 0.5f ? LIGHT : DARK;
}
