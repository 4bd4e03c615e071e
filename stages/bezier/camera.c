#include "stages/bezier/camera.h"

#include <math.h>
#include <string.h>

#include "stages/bezier/curvature.h"

#define MARGIN 0.05           /* of the image's side, that the view leaves free at each end */
#define BAR_MAX (1.0 / 3)     /* of its width, that the bar of colors takes */
#define PARALLEL_POINTS 16384 /* fewer are done before other threads wake up */

/* As fmin and fmax would, but without calls. */
static void include(const double *point, int count, double *low, double *high)
{
    for (int i = 0; i < count; i++) {
        low[i] = point[i] < low[i] ? point[i] : low[i];
        high[i] = point[i] > high[i] ? point[i] : high[i];
    }
}

static double distance(const double a[3], const double b[3])
{
    const double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    return sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
}

/* A ball that holds the points and the segments, about the middle of the points' bounding box; of
 * that of the segments where they are alone. About the point that is to be looked at it is so much
 * larger that the model can turn about its own middle. */
static void find_ball(
    const struct drawing *drawing, const double (*points)[3], size_t count, struct camera *view)
{
    const double(*const ends)[3] = (const double(*)[3])drawing->segments;
    const size_t end_count = 2 * drawing->segment_count;
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    double radius = 0;
#pragma omp parallel for reduction(min : low) reduction(max : high) if (count >= PARALLEL_POINTS)
    for (size_t i = 0; i < count; i++)
        include(points[i], 3, low, high);
    for (size_t i = 0; count == 0 && i < end_count; i++)
        include(ends[i], 3, low, high);
    for (int i = 0; i < 3; i++)
        view->center[i] = low[i] <= high[i] ? (low[i] + high[i]) / 2 : 0;
#pragma omp parallel for reduction(max : radius) if (count >= PARALLEL_POINTS)
    for (size_t i = 0; i < count; i++) {
        const double own = distance(points[i], view->center);
        radius = own > radius ? own : radius;
    }
    for (size_t i = 0; i < end_count; i++)
        radius = fmax(radius, distance(ends[i], view->center));
    view->radius = radius;
    if (drawing->has_target) {
        view->radius += distance(drawing->target, view->center);
        memcpy(view->center, drawing->target, sizeof(view->center));
    }
    if (view->radius == 0)
        view->radius = 1;
}

/* The least rotation that brings the direction `up` to z: with v = up x z and c = up . z of a unit
 * vector it is 1 + [v] + [v]^2 / (1 + c), and 1 / (1 + c) = (1 - c) / |v|^2; half a turn about x
 * where up is -z. No direction, zeros, means z. */
static void make_upright(const double up[3], double rotation[3][3])
{
    const double longest = fmax(fmax(fabs(up[0]), fabs(up[1])), fabs(up[2]));
    const double u[3] = {longest > 0 ? up[0] / longest : 0, longest > 0 ? up[1] / longest : 0,
        longest > 0 ? up[2] / longest : 1};
    const double length = sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
    const double x = u[0] / length, y = u[1] / length, c = u[2] / length;
    const double square = x * x + y * y; /* of |v|, v = (y, -x, 0) */
    const double share = square > 0 ? (1 - c) / square : 0;
    const double turned[3][3] = {{1 - share * x * x, -share * x * y, -x},
        {-share * x * y, 1 - share * y * y, -y}, {x, y, c}};
    memcpy(rotation, turned, sizeof(turned));
    if (square == 0)
        rotation[1][1] = c;
}

static struct camera make_view(const struct drawing *drawing)
{
    const double degree = acos(-1) / 180;
    const double width = drawing->width * drawing->samples,
                 height = drawing->height * drawing->samples;
    struct camera view = {
        .yaw = {cos(drawing->yaw * degree), sin(drawing->yaw * degree)},
        .pitch = {cos(drawing->pitch * degree), sin(drawing->pitch * degree)},
        .scale = SAMPLE_PARTS * (0.5 - MARGIN) * fmin(width, height),
        .middle = {SAMPLE_PARTS * width / 2, SAMPLE_PARTS * height / 2},
        .is_orthographic = drawing->is_orthographic,
    };
    if (!view.is_orthographic) /* the ball fills the image, not its largest circle */
        view.scale *= sqrt(CAMERA_EYE * CAMERA_EYE - 1);
    make_upright(drawing->up, view.upright);
    return view;
}

void camera_turn(const struct camera *view, const double from[3], double to[3])
{
    double u[3];
    for (int i = 0; i < 3; i++)
        u[i] = view->upright[i][0] * from[0] + view->upright[i][1] * from[1] +
               view->upright[i][2] * from[2];
    const double x = view->yaw[0] * u[0] - view->yaw[1] * u[1];
    const double y = view->yaw[1] * u[0] + view->yaw[0] * u[1];
    to[0] = x;
    to[1] = view->pitch[0] * y - view->pitch[1] * u[2];
    to[2] = view->pitch[1] * y + view->pitch[0] * u[2];
}

void camera_look(const struct camera *view, const double position[3], double to[3])
{
    double from[3];
    for (int i = 0; i < 3; i++)
        from[i] = (position[i] - view->center[i]) / view->radius;
    camera_turn(view, from, to);
}

void camera_place(const struct camera *view, const double p[3], double at[2])
{
    const double scale = view->is_orthographic ? view->scale : view->scale / (CAMERA_EYE + p[1]);
    at[0] = view->middle[0] + scale * p[0];
    at[1] = view->middle[1] - scale * p[2];
}

static void include_place(
    const struct camera *view, const double position[3], double low[2], double high[2])
{
    double p[3], at[2];
    camera_look(view, position, p);
    camera_place(view, p, at);
    include(at, 2, low, high);
}

/* Scales and moves the image so that the points and the segments just fill it, but for the margin;
 * where a point is to be looked at it stays in the middle. */
static void fit_tightly(
    const struct drawing *drawing, const double (*points)[3], size_t count, struct camera *view)
{
    const double bar = fmin(curvature_bar_width(drawing) / (double)drawing->width, BAR_MAX);
    const double size[2] = {2 * view->middle[0] * (1 - bar), 2 * view->middle[1]};
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY}, scale = INFINITY;
#pragma omp parallel for reduction(min : low) reduction(max : high) if (count >= PARALLEL_POINTS)
    for (size_t i = 0; i < count; i++)
        include_place(view, points[i], low, high);
    for (size_t i = 0; i < 2 * drawing->segment_count; i++)
        include_place(view, drawing->segments[i / 2][i % 2], low, high);
    for (int i = 0; i < 2; i++) {
        const double reach = fmax(view->middle[i] - low[i], high[i] - view->middle[i]);
        const double extent = drawing->has_target ? 2 * reach : high[i] - low[i];
        if (extent > 0)
            scale = fmin(scale, (1 - 2 * MARGIN) * size[i] / extent);
    }
    if (scale == INFINITY)
        return;
    for (int i = 0; i < 2; i++) {
        const double off = drawing->has_target ? 0 : (low[i] + high[i]) / 2 - view->middle[i];
        view->middle[i] = size[i] / 2 - scale * drawing->zoom * off;
    }
    view->scale *= scale;
}

struct camera camera_fit(const struct drawing *drawing, const double (*points)[3], size_t count)
{
    struct camera view = make_view(drawing);
    find_ball(drawing, points, count, &view);
    const double size[2] = {2 * view.middle[0], -2 * view.middle[1]};
    if (drawing->is_tight)
        fit_tightly(drawing, points, count, &view);
    view.scale *= drawing->zoom;
    for (int i = 0; i < 2; i++)
        view.middle[i] += drawing->pan[i] * size[i];
    return view;
}
