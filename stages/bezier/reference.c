#include "stages/bezier/reference.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define SIDE_POINTS (PATCHES_MAX_DEGREE + 1)
#define TRIANGLE_POINTS (SIDE_POINTS * (SIDE_POINTS + 1) / 2)

/* Derivatives by how often they go along u and along v; homogeneous (wx, wy, wz, w). */
typedef long double jet[3][3][4];

static void read_controls(const double (*controls)[4], int count, long double (*points)[4])
{
    for (int i = 0; i < count; i++)
        for (int c = 0; c < 4; c++)
            points[i][c] = controls[i][c];
}

/* Of the curve with these degree + 1 points, which are overwritten: its point and derivatives. The
 * derivative k is degree! / (degree - k)! times difference k of the points that are left when the
 * scheme has k steps to go. */
static void reduce_curve(
    long double (*points)[4], int degree, long double t, long double derivatives[3][4])
{
    memset(derivatives, 0, 3 * sizeof(*derivatives));
    for (int left = degree; left >= 0; left--)
        for (int c = 0; c < 4; c++) {
            if (left == 2)
                derivatives[2][c] = (long double)degree * (degree - 1) *
                                    (points[2][c] - 2 * points[1][c] + points[0][c]);
            if (left == 1)
                derivatives[1][c] = degree * (points[1][c] - points[0][c]);
            if (left == 0)
                derivatives[0][c] = points[0][c];
            for (int i = 0; i < left; i++)
                points[i][c] = (1 - t) * points[i][c] + t * points[i + 1][c];
        }
}

/* Every row along v, then along u what these leave. */
static void tensor_jet(const double (*controls)[4], int degree_u, int degree_v, long double u,
    long double v, jet surface)
{
    long double row[SIDE_POINTS][4] = {{0}}, columns[3][SIDE_POINTS][4] = {{{0}}};
    long double along_u[3][4], along_v[3][4];
    for (int i = 0; i <= degree_u; i++) {
        read_controls(controls + i * (degree_v + 1), degree_v + 1, row);
        reduce_curve(row, degree_v, v, along_v);
        for (int l = 0; l < 3; l++)
            memcpy(columns[l][i], along_v[l], sizeof(along_v[l]));
    }
    for (int l = 0; l < 3; l++) {
        reduce_curve(columns[l], degree_u, u, along_u);
        for (int k = 0; k < 3; k++)
            memcpy(surface[k][l], along_u[k], sizeof(along_u[k]));
    }
}

/* The triangle of points shrinks in place: point j of row i becomes w (i, j) + v (i, j + 1) +
 * u (i + 1, j), rows getting one shorter. The last six are 00 01 02 / 10 11 / 20. */
static void triangle_jet(
    const double (*controls)[4], int degree, long double u, long double v, jet surface)
{
    long double p[TRIANGLE_POINTS][4] = {{0}};
    memset(surface, 0, sizeof(jet));
    read_controls(controls, (degree + 1) * (degree + 2) / 2, p);
    for (int left = degree; left >= 0; left--)
        for (int c = 0; c < 4; c++) {
            const long double squared = (long double)degree * (degree - 1);
            if (left == 2) {
                surface[2][0][c] = squared * (p[5][c] - 2 * p[3][c] + p[0][c]);
                surface[1][1][c] = squared * (p[4][c] - p[3][c] - p[1][c] + p[0][c]);
                surface[0][2][c] = squared * (p[2][c] - 2 * p[1][c] + p[0][c]);
            }
            if (left == 1) {
                surface[1][0][c] = degree * (p[2][c] - p[0][c]);
                surface[0][1][c] = degree * (p[1][c] - p[0][c]);
            }
            if (left == 0)
                surface[0][0][c] = p[0][c];
            int to = 0, from = 0;
            for (int i = 0; i < left; i++, from++)
                for (int j = 0; j < left - i; j++, to++, from++)
                    p[to][c] = (1 - u - v) * p[from][c] + v * p[from + 1][c] +
                               u * p[from + left - i + 1][c];
        }
}

/* Derivatives of S = A / w, from those of A = w S by the product rule. */
static void divide(jet a, struct reference_point *point)
{
    const long double w = a[0][0][3], wu = a[1][0][3], wv = a[0][1][3];
    const long double wuu = a[2][0][3], wuv = a[1][1][3], wvv = a[0][2][3];
    for (int c = 0; c < 3; c++) {
        const long double s = a[0][0][c] / w;
        const long double su = (a[1][0][c] - wu * s) / w, sv = (a[0][1][c] - wv * s) / w;
        point->position[c] = s;
        point->su[c] = su;
        point->sv[c] = sv;
        point->suu[c] = (a[2][0][c] - 2 * wu * su - wuu * s) / w;
        point->suv[c] = (a[1][1][c] - wu * sv - wv * su - wuv * s) / w;
        point->svv[c] = (a[0][2][c] - 2 * wv * sv - wvv * s) / w;
    }
}

static long double dot(const long double a[3], const long double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static long double norm(const long double a[3])
{
    return sqrtl(dot(a, a));
}

/* sum += factor a x b */
static void add_cross(
    const long double a[3], const long double b[3], long double factor, long double sum[3])
{
    for (int c = 0; c < 3; c++) {
        const int next = (c + 1) % 3, last = (c + 2) % 3;
        sum[c] += factor * (a[next] * b[last] - a[last] * b[next]);
    }
}

/* Makes its length 1. Returns 0, and leaves zeros, if that is no more than the error. */
static int normalize(long double vector[3], long double error)
{
    const long double length = norm(vector);
    for (int c = 0; c < 3; c++)
        vector[c] = length > error ? vector[c] / length : 0;
    return length > error;
}

/* Control points are rounded to doubles, so that an edge which has collapsed may still have
 * derivatives of `error` along it. `to` is the direction to the middle. Returns whether Su x Sv is
 * the normal. */
static int find_normal(
    struct reference_point *p, const long double to[2], int degree, long double error)
{
    const long double first = norm(p->su) + norm(p->sv);
    const long double second = norm(p->suu) + 2 * norm(p->suv) + norm(p->svv);
    memset(p->normal, 0, sizeof(p->normal));
    add_cross(p->su, p->sv, 1, p->normal);
    if (normalize(p->normal, error * first))
        return 1;
    add_cross(p->suu, p->sv, to[0], p->normal);
    add_cross(p->su, p->suv, to[0], p->normal);
    add_cross(p->suv, p->sv, to[1], p->normal);
    add_cross(p->su, p->svv, to[1], p->normal);
    normalize(p->normal, error * (degree * first + second));
    return 0;
}

/* K = (L N - M^2) / (E G - F^2), H = (E N - 2 F M + G L) / (2 (E G - F^2)). */
static void find_curvature(struct reference_point *p)
{
    const long double e = dot(p->su, p->su), f = dot(p->su, p->sv), g = dot(p->sv, p->sv);
    const long double l = dot(p->suu, p->normal), m = dot(p->suv, p->normal);
    const long double n = dot(p->svv, p->normal), determinant = e * g - f * f;
    const long double gaussian = (l * n - m * m) / determinant;
    const long double mean = (e * n - 2 * f * m + g * l) / (2 * determinant);
    const long double spread = sqrtl(fmaxl(0, mean * mean - gaussian));
    p->curvature[CURVATURE_GAUSSIAN] = gaussian;
    p->curvature[CURVATURE_MEAN] = mean;
    p->curvature[CURVATURE_MAX] = mean + spread;
    p->curvature[CURVATURE_MIN] = mean - spread;
}

void reference_point(const struct patches *patches, const struct patch *patch, long double u,
    long double v, struct reference_point *point)
{
    const double(*controls)[4] = patches->controls + patch->control;
    const long double middle = patch_is_triangle(patch) ? 1.0L / 3 : 0.5L;
    const long double to[2] = {middle - u, middle - v};
    const int degree = patch->degree_u > patch->degree_v ? patch->degree_u : patch->degree_v;
    const long double error = 8 * DBL_EPSILON * degree * reference_magnitude(patches, patch);
    jet surface;
    if (patch_is_triangle(patch))
        triangle_jet(controls, patch->degree_u, u, v, surface);
    else
        tensor_jet(controls, patch->degree_u, patch->degree_v, u, v, surface);
    divide(surface, point);
    memset(point->curvature, 0, sizeof(point->curvature));
    if (find_normal(point, to, degree, error))
        find_curvature(point);
}

long double reference_magnitude(const struct patches *patches, const struct patch *patch)
{
    long double magnitude = 0;
    for (size_t i = 0; i < patch->control_count; i++) {
        const double *p = patches->controls[patch->control + i];
        const long double position[3] = {p[0], p[1], p[2]};
        magnitude = fmaxl(magnitude, norm(position) / fabsl(p[3]));
    }
    return magnitude;
}
