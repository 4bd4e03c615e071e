#include "stages/bezier/raster_reference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "images/draw.h"
#include "stages/bezier/curvature.h"
#include "stages/bezier/range_reference.h"

#define PARTS 16          /* of a sample */
#define FAR_OFF (1 << 23) /* parts: what is farther is left out */

/* A corner on the image. */
struct corner {
    int is_drawn;
    int64_t x, y;
    float depth, weight; /* a greater depth is nearer */
    float place[3], normal[3], value;
};

struct canvas {
    const struct mesh *mesh;
    const struct drawing *drawing;
    int columns, rows; /* samples */
    double center[3], radius;
    double range[2]; /* of curvature */
    float *depth;    /* of what each sample shows; greater is nearer */
    uint8_t (*bytes)[4];
};

/* By Rodrigues' formula, about the axis k at right angles to `up` and z, by the angle between them;
 * about x by half a turn where `up` is -z. */
static void make_upright(const double up[3], const double p[3], double to[3])
{
    const double across = hypot(up[0], up[1]), angle = atan2(across, up[2]);
    const double k[3] = {across > 0 ? up[1] / across : 1, across > 0 ? -up[0] / across : 0, 0};
    const double kp[3] = {k[1] * p[2], -k[0] * p[2], k[0] * p[1] - k[1] * p[0]};
    const double along = (k[0] * p[0] + k[1] * p[1]) * (1 - cos(angle));
    for (int i = 0; i < 3; i++)
        to[i] = angle > 0 ? p[i] * cos(angle) + kp[i] * sin(angle) + k[i] * along : p[i];
}

static void turn(const struct drawing *drawing, const double p[3], double to[3])
{
    const double degree = acos(-1) / 180;
    const double yaw = drawing->yaw * degree, pitch = drawing->pitch * degree;
    double q[3];
    make_upright(drawing->up, p, q);
    const double x = cos(yaw) * q[0] - sin(yaw) * q[1];
    const double y = sin(yaw) * q[0] + cos(yaw) * q[1], z = q[2];
    to[0] = x;
    to[1] = cos(pitch) * y - sin(pitch) * z;
    to[2] = sin(pitch) * y + cos(pitch) * z;
}

/* From the model to the eye's coordinates: x to the right, y away, z up, in radii. */
static void look(const struct canvas *canvas, const double position[3], double to[3])
{
    double p[3];
    for (int i = 0; i < 3; i++)
        p[i] = (position[i] - canvas->center[i]) / canvas->radius;
    turn(canvas->drawing, p, to);
}

/* From these to the image; the eye is 4 radii off and sees the ball in 0.9 of the shorter side. */
static void place(const struct canvas *canvas, const double p[3], double at[2])
{
    const struct drawing *d = canvas->drawing;
    const double shorter = canvas->columns < canvas->rows ? canvas->columns : canvas->rows;
    double scale = PARTS * 0.45 * shorter * d->zoom;
    if (!d->is_orthographic)
        scale = scale * sqrt(15.0) / (4 + p[1]);
    at[0] = PARTS * (double)canvas->columns * (0.5 + d->pan[0]) + scale * p[0];
    at[1] = PARTS * (double)canvas->rows * (0.5 - d->pan[1]) - scale * p[2];
}

static struct corner make_corner(const struct canvas *canvas, const double at[2], double away)
{
    const int is_orthographic = canvas->drawing->is_orthographic;
    const double x = floor(at[0] + 0.5), y = floor(at[1] + 0.5);
    struct corner corner = {0};
    if (fabs(x) <= FAR_OFF && fabs(y) <= FAR_OFF && (is_orthographic || 4 + away >= 0.5)) {
        corner.is_drawn = 1;
        corner.x = (int64_t)x;
        corner.y = (int64_t)y;
        corner.depth = (float)(is_orthographic ? -away : 1 / (4 + away));
        corner.weight = is_orthographic ? 1 : corner.depth;
    }
    return corner;
}

static struct corner vertex_corner(const struct canvas *canvas, uint32_t vertex)
{
    const struct mesh *mesh = canvas->mesh;
    double p[3], at[2];
    look(canvas, mesh->positions[vertex], p);
    place(canvas, p, at);
    struct corner corner = make_corner(canvas, at, p[1]);
    for (int i = 0; i < 3; i++)
        corner.place[i] = (float)p[i];
    if (mesh->normals) {
        const double normal[3] = {(double)mesh->normals[vertex][0],
            (double)mesh->normals[vertex][1], (double)mesh->normals[vertex][2]};
        turn(canvas->drawing, normal, p);
        for (int i = 0; i < 3; i++)
            corner.normal[i] = (float)p[i];
    }
    if (mesh->curvature) {
        const double value = (double)mesh->curvature[vertex][canvas->drawing->curvature];
        corner.value =
            isfinite(value)
                ? (float)((value - canvas->range[0]) / (canvas->range[1] - canvas->range[0]))
                : 0.5f;
    }
    return corner;
}

static float dot(const float a[3], const float b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const float a[3], const float b[3], float c[3])
{
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}

static void make_unit(float a[3])
{
    const float length = sqrtf(dot(a, a));
    for (int i = 0; i < 3 && length > 0; i++)
        a[i] /= length;
}

static float between_0_and_1(float value)
{
    return value < 0 ? 0 : value > 1 ? 1 : value;
}

static void light_up(const float color[3], const float n[3], const float v[3], float lit[3])
{
    static const float LAMP[3] = {-0.48f, -0.64f, 0.6f};
    float halfway[3] = {LAMP[0] + v[0], LAMP[1] + v[1], LAMP[2] + v[2]};
    make_unit(halfway);
    const float half = 0.5f + 0.5f * dot(n, LAMP);
    const float gloss = dot(n, halfway), g2 = gloss * gloss, g4 = g2 * g2, g8 = g4 * g4;
    const float g16 = g8 * g8, shine = 0.15f * (g16 * g16);
    const float light =
        0.03f + 0.05f * (1 + n[2]) + 0.2f * dot(n, v) + 0.78f * (half * half * half);
    for (int i = 0; i < 3; i++)
        lit[i] = color[i] * light + shine;
}

/* 13 lamps of direction x, half a radius apart; D = (H x N) . (A - P) / |H x N|. */
static float highlight(const float p[3], const float n[3])
{
    static const float H[3] = {1, 0, 0}, STEP[3] = {0, 0.384615385f, 0.923076923f};
    const float to_middle[3] = {0 - p[0], -2.4f - p[1], 1 - p[2]};
    float across[3], share = 0;
    cross(H, n, across);
    make_unit(across);
    for (int lamp = -6; lamp <= 6; lamp++) {
        const float d = dot(across, to_middle) + (float)lamp * (0.5f * dot(across, STEP));
        share = fmaxf(share, between_0_and_1((0.08f - fabsf(d)) * (4 / 0.08f)));
    }
    return share;
}

static float reflection(const float p[3], const float n[3], const float v[3])
{
    static const float PLANE[3] = {0, -0.8f, 0.6f};
    float mirrored[3];
    for (int i = 0; i < 3; i++)
        mirrored[i] = -v[i] + 2 * dot(n, v) * n[i];
    const float along = dot(PLANE, mirrored), side = along < 0 ? -1 : 1;
    const float rise = fabsf(along), clear = between_0_and_1(rise * 2.5f - 0.4f);
    const float way = (2.5f - side * dot(PLANE, p)) / fmaxf(rise, 0.1f);
    const float stripe = fminf(fmaxf((p[0] + way * mirrored[0]) * 0.5f + 64, 0), 128);
    const float beside = fabsf(stripe - truncf(stripe) - 0.5f);
    const float light = between_0_and_1((0.25f - beside) * 10 + 0.5f);
    return clear * light + (1 - clear) * 0.3f;
}

/* Points a normal to where the seen side of its face does, and not away from the viewer. */
static void show_side(const float face[3], const float v[3], float n[3])
{
    const float way = (dot(face, v) < 0) == (dot(face, n) < 0) ? 1 : -1;
    for (int j = 0; j < 3; j++)
        n[j] *= way;
    const float away = -dot(n, v);
    if (away <= 0)
        return;
    for (int j = 0; j < 3; j++)
        n[j] += away * v[j];
    make_unit(n);
}

static uint8_t to_byte(float value)
{
    return (uint8_t)(between_0_and_1(value) * 255 + 0.5f);
}

/* What the triangle shows at a sample with these edge functions, as linear light. */
static void shade(const struct canvas *canvas, const struct corner corners[3], const int64_t e[3],
    const float color[3], float to[3])
{
    const struct drawing *d = canvas->drawing;
    float p[3] = {0, 0, 0}, n[3] = {0, 0, 0}, v[3] = {0, -1, 0}, ab[3], ac[3], face[3];
    float base[3] = {color[0], color[1], color[2]}, value = 0, sum = 0;
    for (int i = 0; i < 3; i++) {
        const float share = (float)e[i] * corners[i].weight;
        for (int j = 0; j < 3; j++) {
            p[j] += share * corners[i].place[j];
            n[j] += share * corners[i].normal[j];
        }
        value += share * corners[i].value;
        sum += share;
    }
    if (d->shading == SHADING_CURVATURE) {
        const int step = (int)(between_0_and_1(value / sum) * 255 + 0.5f);
        const struct color c = draw_diverging(step / 255.0);
        const uint8_t bytes[3] = {c.red, c.green, c.blue};
        for (int j = 0; j < 3; j++)
            to[j] = (float)bytes[j] / 255 * ((float)bytes[j] / 255);
        return;
    }
    for (int j = 0; j < 3; j++) {
        p[j] /= sum;
        ab[j] = corners[1].place[j] - corners[0].place[j];
        ac[j] = corners[2].place[j] - corners[0].place[j];
    }
    cross(ab, ac, face);
    if (d->shading == SHADING_FLAT || dot(n, n) == 0)
        memcpy(n, face, sizeof(n));
    make_unit(n);
    if (!d->is_orthographic) {
        const float back[3] = {-p[0], -4 - p[1], -p[2]};
        memcpy(v, back, sizeof(v));
        make_unit(v);
    }
    show_side(face, v, n);
    light_up(base, n, v, to);
    const float share = d->shading == SHADING_HIGHLIGHT    ? highlight(p, n)
                        : d->shading == SHADING_REFLECTION ? reflection(p, n, v)
                                                           : 0;
    for (int j = 0; j < 3; j++)
        if (d->shading == SHADING_HIGHLIGHT)
            to[j] = 0.45f * (1 - share) * to[j] + 0.95f * share;
        else if (d->shading == SHADING_REFLECTION)
            to[j] = 0.35f * to[j] + 0.65f * share;
}

/* The color of lines: of the grid on a surface dark, else what the background is not. */
static float line_level(const struct drawing *d, int channel)
{
    static const float DARK[3] = {0.10f, 0.11f, 0.13f}, LIGHT[3] = {0.92f, 0.93f, 0.95f};
    const float gray = 0.3f * d->background[0] + 0.6f * d->background[1] + 0.1f * d->background[2];
    return d->shading == SHADING_NONE && gray < 0.5f ? LIGHT[channel] : DARK[channel];
}

/* Twice the area of the triangle of the side and the point. */
static int64_t edge(const struct corner *from, const struct corner *to, int64_t x, int64_t y)
{
    return (to->x - from->x) * (y - from->y) - (to->y - from->y) * (x - from->x);
}

/* `is_flat`: in its color, without light. */
static void draw_triangle(const struct canvas *canvas, const struct corner corners[3],
    uint32_t lines, int is_flat, const float color[3])
{
    const struct drawing *d = canvas->drawing;
    const struct corner *const c = corners;
    const int64_t area = edge(&c[0], &c[1], c[2].x, c[2].y), way = area < 0 ? -1 : 1;
    if (!c[0].is_drawn || !c[1].is_drawn || !c[2].is_drawn || area == 0)
        return;
    int64_t left = INT64_MAX, right = INT64_MIN, top = INT64_MAX, bottom = INT64_MIN;
    for (int i = 0; i < 3; i++) {
        left = c[i].x < left ? c[i].x : left;
        right = c[i].x > right ? c[i].x : right;
        top = c[i].y < top ? c[i].y : top;
        bottom = c[i].y > bottom ? c[i].y : bottom;
    }
    const int64_t first_row = top < 0 ? 0 : top / PARTS, first_column = left < 0 ? 0 : left / PARTS;
    for (int64_t row = first_row; row < canvas->rows && row * PARTS <= bottom; row++)
        for (int64_t column = first_column; column < canvas->columns && column * PARTS <= right;
             column++) {
            float *const depth = &canvas->depth[row * canvas->columns + column];
            uint8_t *const bytes = canvas->bytes[row * canvas->columns + column];
            int64_t e[3];
            int is_inside = 1, is_line = 0;
            float near = 0;
            for (int i = 0; i < 3; i++) {
                const struct corner *const from = &c[(i + 1) % 3], *const to = &c[(i + 2) % 3];
                const int64_t dx = way * (to->x - from->x), dy = way * (to->y - from->y);
                e[i] = way * edge(from, to, column * PARTS + PARTS / 2, row * PARTS + PARTS / 2);
                is_inside &= e[i] > 0 || (e[i] == 0 && (dy < 0 || (dy == 0 && dx > 0)));
                near += (float)e[i] * (c[i].depth / (float)(way * area));
                const float length = sqrtf((float)dy * (float)dy + (float)dx * (float)dx);
                is_line |= (lines >> (i + 1) % 3 & 1) && d->has_lines &&
                           (float)e[i] / length < 0.75f * PARTS * (float)d->samples;
            }
            if (!is_inside || near <= *depth)
                continue;
            *depth = near;
            float light[3];
            if (is_flat)
                memcpy(light, color, sizeof(light));
            else if (!is_line && d->shading != SHADING_NONE)
                shade(canvas, corners, e, color, light);
            const int is_surface = is_line || is_flat || d->shading != SHADING_NONE;
            bytes[3] = is_surface || !d->is_clear ? 255 : 0;
            for (int i = 0; i < 3; i++)
                bytes[i] = is_line && !is_flat                      ? to_byte(line_level(d, i))
                           : !is_flat && d->shading == SHADING_NONE ? to_byte(d->background[i])
                                                                    : to_byte(sqrtf(light[i]));
        }
}

/* A rectangle of 1.5 pixels' width, as two triangles. */
static void draw_line(
    const struct canvas *canvas, const double from[3], const double to[3], const float color[3])
{
    const double half = 0.75 * PARTS * canvas->drawing->samples;
    double p[2][3], at[2][2];
    look(canvas, from, p[0]);
    look(canvas, to, p[1]);
    for (int i = 0; i < 2; i++)
        place(canvas, p[i], at[i]);
    const double x = at[1][0] - at[0][0], y = at[1][1] - at[0][1], length = sqrt(x * x + y * y);
    const double u = length > 0 ? x / length * half : half, v = length > 0 ? y / length * half : 0;
    const double places[4][2] = {{at[0][0] - u + v, at[0][1] - v - u},
        {at[0][0] - u - v, at[0][1] - v + u}, {at[1][0] + u + v, at[1][1] + v - u},
        {at[1][0] + u - v, at[1][1] + v + u}};
    struct corner corners[4];
    for (int i = 0; i < 4; i++)
        corners[i] = make_corner(canvas, places[i], p[i / 2][1] - 0.006);
    draw_triangle(canvas, corners, 0, 1, color);
    draw_triangle(canvas, corners + 1, 0, 1, color);
}

static void draw_surface(const struct canvas *canvas, int is_outline)
{
    static const float CLAY[3] = {0.90f, 0.85f, 0.79f};
    const struct mesh *mesh = canvas->mesh;
    const struct drawing *d = canvas->drawing;
    for (size_t i = 0; i < mesh->triangle_count; i++) {
        const struct mesh_triangle *const t = &mesh->triangles[i];
        struct corner c[3];
        float color[3];
        for (int j = 0; j < 3; j++)
            c[j] = vertex_corner(canvas, t->vertex[j]);
        for (int j = 0; j < 3; j++) {
            const float own = is_outline ? line_level(d, j)
                              : d->has_groups && mesh->group_colors
                                  ? (float)mesh->group_colors[t->group][j] / 255
                                  : CLAY[j];
            color[j] = own * own;
        }
        if (!is_outline)
            draw_triangle(canvas, c, t->lines, 0, color);
        else if (c[0].is_drawn && c[1].is_drawn && c[2].is_drawn &&
                 edge(&c[0], &c[1], c[2].x, c[2].y) >= 0)
            for (int j = 0; j < 3; j++)
                if (t->lines >> j & 1)
                    draw_line(canvas, mesh->positions[t->vertex[j]],
                        mesh->positions[t->vertex[(j + 1) % 3]], color);
    }
}

static void find_view(struct canvas *canvas)
{
    const struct mesh *mesh = canvas->mesh;
    const struct drawing *d = canvas->drawing;
    for (int j = 0; j < 3 && mesh->vertex_count; j++) {
        double low = INFINITY, high = -INFINITY;
        for (size_t i = 0; i < mesh->vertex_count; i++) {
            low = fmin(low, mesh->positions[i][j]);
            high = fmax(high, mesh->positions[i][j]);
        }
        canvas->center[j] = (low + high) / 2;
    }
    for (size_t i = 0; i < mesh->vertex_count + 2 * d->segment_count; i++) {
        const size_t end = i - mesh->vertex_count; /* of a segment */
        const double *const p =
            i < mesh->vertex_count ? mesh->positions[i] : d->segments[end / 2][end % 2];
        const double x = p[0] - canvas->center[0], y = p[1] - canvas->center[1];
        const double z = p[2] - canvas->center[2];
        canvas->radius = fmax(canvas->radius, sqrt(x * x + y * y + z * z));
    }
    if (d->has_target) {
        const double *const from = canvas->center, *const to = d->target;
        canvas->radius += hypot(hypot(from[0] - to[0], from[1] - to[1]), from[2] - to[2]);
        memcpy(canvas->center, d->target, sizeof(canvas->center));
    }
    if (canvas->radius == 0)
        canvas->radius = 1;
}

/* The rounded means of a pixel's samples: of opacity, and of color where they are opaque. */
static void average(const struct canvas *canvas, struct image *image)
{
    const int side = (int)canvas->drawing->samples, area = side * side;
    for (int i = 0; i < image->width * image->height; i++) {
        uint8_t *const pixel = (uint8_t *)image->pixels + 4 * (size_t)i;
        const int column = i % image->width * side, row = i / image->width * side;
        int sum[3] = {0}, opaque = 0;
        for (int k = 0; k < area; k++) {
            const uint8_t *const sample =
                canvas->bytes[(row + k / side) * canvas->columns + column + k % side];
            opaque += sample[3] == 255;
            for (int j = 0; j < 3 && sample[3] == 255; j++)
                sum[j] += sample[j];
        }
        for (int j = 0; j < 3; j++)
            pixel[j] = opaque ? (uint8_t)((sum[j] + opaque / 2) / opaque) : 0;
        pixel[3] = (uint8_t)((opaque * 255 + area / 2) / area);
    }
}

int reference_draw_mesh(const struct mesh *mesh, const struct drawing *drawing, struct image *image,
    struct error *error)
{
    static const float SEGMENTS[3] = {0.80f * 0.80f, 0.22f * 0.22f, 0.12f * 0.12f};
    struct canvas canvas = {.mesh = mesh,
        .drawing = drawing,
        .columns = (int)(drawing->width * drawing->samples),
        .rows = (int)(drawing->height * drawing->samples)};
    const size_t samples = (size_t)canvas.columns * (size_t)canvas.rows;
    canvas.depth = malloc(samples * sizeof(*canvas.depth));
    canvas.bytes = calloc(samples, sizeof(*canvas.bytes));
    int rc = canvas.depth && canvas.bytes
                 ? 0
                 : error_set(error, ERROR_INPUT, "not enough memory for %zu samples", samples);
    if (rc == 0 && mesh->curvature)
        rc = reference_find_range(mesh, drawing, canvas.range, error);
    if (rc == 0) {
        for (size_t i = 0; i < 4 * samples && !drawing->is_clear; i++)
            canvas.bytes[i / 4][i % 4] = i % 4 < 3 ? to_byte(drawing->background[i % 4]) : 255;
        for (size_t i = 0; i < samples; i++)
            canvas.depth[i] = -INFINITY;
        find_view(&canvas);
        draw_surface(&canvas, 0);
        if (drawing->has_lines)
            draw_surface(&canvas, 1);
        for (size_t i = 0; i < drawing->segment_count; i++)
            draw_line(&canvas, drawing->segments[i][0], drawing->segments[i][1], SEGMENTS);
        average(&canvas, image);
        if (drawing->shading == SHADING_CURVATURE)
            curvature_draw_bar(drawing, canvas.range, image);
    }
    free(canvas.depth);
    free(canvas.bytes);
    return rc;
}
