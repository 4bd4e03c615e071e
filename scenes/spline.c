#include "scenes/spline.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scenes/patches.h"

/* Refuses the equal knots from `first` to `end` if they are more than the degree, or one more at
 * either end of the list. */
static int check_multiplicity(const struct spline *s, size_t first, size_t end, struct error *error)
{
    const size_t knots = s->count + (size_t)s->degree + 1, times = end - first;
    const size_t most = (size_t)s->degree + (first == 0 || end == knots);
    return times <= most ? 0
                         : error_set(error, ERROR_INPUT,
                               "knot %g stands %zu times; degree %d "
                               "allows %zu",
                               s->knots[first], times, s->degree, most);
}

int spline_check(struct spline *spline, struct error *error)
{
    const double *knots = spline->knots;
    const size_t count = spline->count + (size_t)spline->degree + 1;
    size_t first = 0; /* of the knots that are equal to the last one seen */
    int rc = 0;
    for (size_t i = 1; rc == 0 && i <= count; i++) {
        if (i < count && knots[i] < knots[i - 1])
            return error_set(error, ERROR_INPUT, "knot %g stands after %g; they must not decrease",
                knots[i], knots[i - 1]);
        if (i < count && knots[i] == knots[first])
            continue;
        rc = check_multiplicity(spline, first, i, error);
        first = i;
    }
    if (rc)
        return rc;
    const double low = knots[spline->degree], high = knots[spline->count];
    const double begin = fmax(spline->first, low), end = fmin(spline->last, high);
    if (!(begin < end))
        return error_set(error, ERROR_INPUT,
            "nothing lies from %g to %g; the knots define it from "
            "%g to %g",
            spline->first, spline->last, low, high);
    spline->first = begin;
    spline->last = end;
    return 0;
}

/* The number of the knot before the segment that begins there; the next knot is larger. */
static size_t span_from(const struct spline *s, size_t span, double begin)
{
    while (s->knots[span + 1] <= begin)
        span++;
    return span;
}

size_t spline_segments(const struct spline *s)
{
    size_t segments = 0, span = (size_t)s->degree;
    double begin = s->first;
    while (begin < s->last) {
        span = span_from(s, span, begin);
        begin = s->knots[span + 1];
        segments++;
    }
    return segments;
}

/* Control point j of the Bézier segment from begin to end, which lies between two knots: the
 * blossom of the spline at `end` j times and at `begin` degree - j times, by de Boor's scheme with
 * another of these numbers in each step (L. Ramshaw, Blossoms are polar forms, CAGD 6, 1989). All
 * weights are from 0 to 1, and exactly 0 or 1 where a control point is one of the spline's own.
 * `points` are the degree + 1 that the segment depends on. */
static void find_control(const double *knots, int degree, double begin, double end, int j,
    const double *const *points, double control[4])
{
    double work[PATCHES_MAX_DEGREE + 1][4];
    for (int i = 0; i <= degree; i++)
        memcpy(work[i], points[i], sizeof(work[i]));
    for (int step = 1; step <= degree; step++) {
        const double t = step <= j ? end : begin;
        for (int i = degree; i >= step; i--) {
            const double low = knots[i], high = knots[degree + i - step + 1];
            const double share = (t - low) / (high - low);
            for (int k = 0; k < 4; k++)
                work[i][k] = (1 - share) * work[i - 1][k] + share * work[i][k];
        }
    }
    memcpy(control, work[degree], sizeof(work[degree]));
}

/* Cuts a curve. The control points of the results stand `stride` apart. */
static void cut_curve(
    const struct spline *s, const double (*controls)[4], double (*result)[4], size_t stride)
{
    const size_t degree = (size_t)s->degree;
    size_t span = degree;
    double begin = s->first;
    while (begin < s->last) {
        const double *points[PATCHES_MAX_DEGREE + 1];
        span = span_from(s, span, begin);
        const double end = fmin(s->knots[span + 1], s->last);
        for (size_t i = 0; i <= degree; i++)
            points[i] = controls[span - degree + i];
        for (int j = begin > s->first; j <= s->degree; j++)
            find_control(s->knots + span - degree, s->degree, begin, end, j, points,
                result[(size_t)j * stride]);
        result += degree * stride;
        begin = end;
    }
}

/* By how much of their size points may differ because the knots are rounded. */
static double rounding_of(const struct spline *s)
{
    const double *knots = s->knots + s->degree, *last = s->knots + s->count;
    double least = INFINITY;
    for (const double *knot = knots; knot < last; knot++)
        if (knot[1] > knot[0])
            least = fmin(least, knot[1] - knot[0]);
    return fmin(8 * s->degree * DBL_EPSILON * fmax(fabs(*knots), fabs(*last)) / least, 1e-9);
}

/* Knots such as 0.1, 0.2 and 0.3 are not quite evenly spaced, so that the ends of a periodic
 * surface miss each other by roundings. Then the last line of points becomes the first, `end`
 * points before it; a line has `count` points, `step` apart. */
static void close_seam(
    const struct spline *s, double (*net)[4], size_t end, size_t count, size_t step)
{
    double size = 0, gap = 0;
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < 4; k++) {
            const double first = net[i * step][k], last = net[i * step + end][k];
            size = fmax(size, fabs(first));
            gap = fmax(gap, fabs(last - first));
        }
    for (size_t i = 0; gap <= rounding_of(s) * size && i < count; i++)
        memcpy(net[i * step + end], net[i * step], sizeof(*net));
}

double (*spline_surface(const struct spline *u, const struct spline *v, const double (*controls)[4],
    int (*is_stopped)(void *context), void *context))[4]
{
    const size_t rows = spline_segments(u) * (size_t)u->degree + 1;
    const size_t columns = spline_segments(v) * (size_t)v->degree + 1;
    double(*curves)[4] = malloc(rows * v->count * sizeof(*curves));
    double(*net)[4] = malloc(rows * columns * sizeof(*net));
    int is_over = !curves || !net;
    for (size_t j = 0; !is_over && j < v->count; j++) {
        cut_curve(u, controls + j * u->count, curves + j, v->count);
        is_over = is_stopped && is_stopped(context);
    }
    for (size_t i = 0; !is_over && i < rows; i++) {
        cut_curve(v, (const double(*)[4])curves + i * v->count, net + i * columns, 1);
        is_over = is_stopped && is_stopped(context);
    }
    free(curves);
    if (is_over) {
        free(net);
        return NULL;
    }
    close_seam(u, net, (rows - 1) * columns, columns, 1);
    close_seam(v, net, columns - 1, rows, columns);
    return net;
}
