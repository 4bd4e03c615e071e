/* The reference of Bézier patches against surfaces whose formulas are known. Controls are whole
 * numbers, so that the surfaces are exact. */
#include "stages/bezier/reference.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "cli/tap.h"
#include "tests/test_random.h"

#define MAX_CONTROLS ((PATCHES_MAX_DEGREE + 1) * (PATCHES_MAX_DEGREE + 1))
#define STEPS 7 /* of a side: 0 / 7 to 7 / 7 */

static const enum patch_kind RATIONAL_KINDS[] = {KIND_RATIONAL, KIND_RATIONAL_TRIANGLE};
static const char *const KIND_NAMES[] = {"tensor products", "triangles"};

/* One patch and its controls. */
struct surface {
    struct patch patch;
    double controls[MAX_CONTROLS][4];
};

static struct surface surface, raised;

static int is_triangle(const struct surface *s)
{
    return s->patch.kind == KIND_RATIONAL_TRIANGLE;
}

/* Number of point j of row i. */
static int control_number(const struct surface *s, int i, int j)
{
    const int row = s->patch.degree_v + 1;
    return is_triangle(s) ? i * row - i * (i - 1) / 2 + j : i * row + j;
}

/* Gives how many points row i has. */
static int row_points(const struct surface *s, int i)
{
    return s->patch.degree_v + 1 - (is_triangle(s) ? i : 0);
}

static void set_shape(struct surface *s, enum patch_kind kind, int degree_u, int degree_v)
{
    s->patch = (struct patch){.kind = kind, .degree_u = degree_u, .degree_v = degree_v};
    s->patch.control_count = (size_t)control_number(s, degree_u, row_points(s, degree_u) - 1) + 1;
}

static void set_control(struct surface *s, int i, int j, double x, double y, double z, double w)
{
    const double control[4] = {x, y, z, w};
    memcpy(s->controls[control_number(s, i, j)], control, sizeof(control));
}

/* Whole numbers: -128 to 127, weights 1 to 8. */
static void set_random(struct surface *s, enum patch_kind kind, int degree_u, int degree_v)
{
    set_shape(s, kind, degree_u, degree_v);
    for (size_t i = 0; i < s->patch.control_count; i++) {
        for (int c = 0; c < 3; c++)
            s->controls[i][c] = (int)(next_random() >> 24) - 128;
        s->controls[i][3] = 1 + (next_random() >> 29);
    }
}

static struct patches patches_of(struct surface *s)
{
    return (struct patches){.count = 1,
        .patches = &s->patch,
        .control_count = s->patch.control_count,
        .controls = s->controls};
}

static struct reference_point point_of(struct surface *s, long double u, long double v)
{
    const struct patches patches = patches_of(s);
    struct reference_point point;
    reference_point(&patches, &s->patch, u, v, &point);
    return point;
}

static long double magnitude_of(struct surface *s)
{
    const struct patches patches = patches_of(s);
    return reference_magnitude(&patches, &s->patch);
}

static long double distance(const long double a[3], const long double b[3])
{
    return hypotl(hypotl(a[0] - b[0], a[1] - b[1]), a[2] - b[2]);
}

static long double distance_to(const long double a[3], long double x, long double y, long double z)
{
    const long double b[3] = {x, y, z};
    return distance(a, b);
}

static void keep_worst(long double *worst, long double error)
{
    if (!(error <= *worst)) /* a NaN stays */
        *worst = error;
}

/* Calls `check` with points all over the patch, which adds to the worst error. */
static long double worst_error(struct surface *s,
    void (*check)(struct surface *s, long double u, long double v, long double *worst))
{
    long double worst = 0;
    for (int i = 0; i <= STEPS; i++)
        for (int j = 0; j <= (is_triangle(s) ? STEPS - i : STEPS); j++)
            check(s, (long double)i / STEPS, (long double)j / STEPS, &worst);
    return worst;
}

/* S = (u, v, u v). */
static void check_saddle_point(struct surface *s, long double u, long double v, long double *worst)
{
    const struct reference_point p = point_of(s, u, v);
    const long double q = 1 + u * u + v * v, length = sqrtl(q);
    keep_worst(worst, distance_to(p.position, u, v, u * v));
    keep_worst(worst, distance_to(p.su, 1, 0, v));
    keep_worst(worst, distance_to(p.sv, 0, 1, u));
    keep_worst(worst, distance_to(p.suu, 0, 0, 0));
    keep_worst(worst, distance_to(p.suv, 0, 0, 1));
    keep_worst(worst, distance_to(p.svv, 0, 0, 0));
    keep_worst(worst, distance_to(p.normal, -v / length, -u / length, 1 / length));
    keep_worst(worst, fabsl(p.curvature[CURVATURE_GAUSSIAN] + 1 / (q * q)));
    keep_worst(worst, fabsl(p.curvature[CURVATURE_MEAN] + u * v / (q * length)));
    keep_worst(worst, fabsl(p.curvature[CURVATURE_MAX] * p.curvature[CURVATURE_MIN] + 1 / (q * q)));
}

static void check_saddle(void)
{
    set_shape(&surface, KIND_TENSOR, 1, 1);
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            set_control(&surface, i, j, i, j, i * j, 1);
    const long double error = worst_error(&surface, check_saddle_point);
    tap_check(
        error <= 8 * LDBL_EPSILON, "a bilinear patch: points to curvatures, error %Lg", error);
    tap_check(
        magnitude_of(&surface) == sqrtl(3), "its farthest control point: the square root of 3");
}

/* raised += factor surface, control (i, j) of both moved by (di, dj). */
static void add_moved(int i, int j, int di, int dj, int factor)
{
    if (i < di || j < dj || i - di > surface.patch.degree_u ||
        j - dj >= row_points(&surface, i - di))
        return;
    for (int c = 0; c < 4; c++)
        raised.controls[control_number(&raised, i, j)][c] +=
            factor * surface.controls[control_number(&surface, i - di, j - dj)][c];
}

/* The same surface by controls of one degree more along u, of a triangle everywhere. Weights grow
 * by degree + 1, so that no number is rounded. */
static void raise_degree(void)
{
    const int degree = surface.patch.degree_u + 1, triangle = is_triangle(&surface);
    set_shape(&raised, surface.patch.kind, degree, surface.patch.degree_v + triangle);
    memset(raised.controls, 0, sizeof(raised.controls));
    for (int i = 0; i <= degree; i++)
        for (int j = 0; j < row_points(&raised, i); j++) {
            add_moved(i, j, 1, 0, i);
            add_moved(i, j, 0, 1, triangle ? j : 0);
            add_moved(i, j, 0, 0, degree - i - (triangle ? j : 0));
        }
}

static void check_raised_point(struct surface *s, long double u, long double v, long double *worst)
{
    const long double degree = s->patch.degree_u, magnitude = magnitude_of(s);
    const struct reference_point p = point_of(s, u, v), q = point_of(&raised, u, v);
    keep_worst(worst, distance(p.position, q.position) / magnitude);
    keep_worst(worst, distance(p.su, q.su) / (degree * magnitude));
    keep_worst(worst, distance(p.sv, q.sv) / (degree * magnitude));
    keep_worst(worst, distance(p.suu, q.suu) / (degree * degree * magnitude));
    keep_worst(worst, distance(p.suv, q.suv) / (degree * degree * magnitude));
    keep_worst(worst, distance(p.svv, q.svv) / (degree * degree * magnitude));
}

static void check_degree_raising(int k)
{
    long double error = 0;
    for (int degree = 1; degree <= 20; degree++) {
        set_random(&surface, RATIONAL_KINDS[k], degree, degree);
        raise_degree();
        keep_worst(&error, worst_error(&surface, check_raised_point));
    }
    tap_check(error <= 64 * LDBL_EPSILON,
        "%s of degree 1 to 20: the surface stays as degrees rise, error %Lg", KIND_NAMES[k], error);
}

/* n! / (k! (n - k)!) */
static long double binomial(int n, int k)
{
    long double product = 1;
    for (int i = 1; i <= k; i++)
        product = product * (n - k + i) / i;
    return product;
}

static long double bernstein(int degree, int i, long double t)
{
    return binomial(degree, i) * powl(t, i) * powl(1 - t, degree - i);
}

/* Of a triangle: degree! / (i! j! (degree - i - j)!) u^i v^j w^(degree - i - j). */
static long double basis(const struct surface *s, int i, int j, long double u, long double v)
{
    const int degree = s->patch.degree_u;
    if (!is_triangle(s))
        return bernstein(degree, i, u) * bernstein(s->patch.degree_v, j, v);
    return binomial(degree, i) * binomial(degree - i, j) * powl(u, i) * powl(v, j) *
           powl(1 - u - v, degree - i - j);
}

static void check_sum_point(struct surface *s, long double u, long double v, long double *worst)
{
    long double sum[4] = {0};
    for (int i = 0; i <= s->patch.degree_u; i++)
        for (int j = 0; j < row_points(s, i); j++)
            for (int c = 0; c < 4; c++)
                sum[c] += basis(s, i, j, u, v) * s->controls[control_number(s, i, j)][c];
    const struct reference_point p = point_of(s, u, v);
    keep_worst(worst, distance_to(p.position, sum[0] / sum[3], sum[1] / sum[3], sum[2] / sum[3]) /
                          magnitude_of(s));
}

static void check_sums(int k)
{
    long double error = 0;
    for (int degree = 1; degree <= 20; degree++) {
        const int degree_v = is_triangle(&surface) ? degree : 21 - degree;
        set_random(&surface, RATIONAL_KINDS[k], degree, degree_v);
        keep_worst(&error, worst_error(&surface, check_sum_point));
    }
    tap_check(error <= 8 * LDBL_EPSILON,
        "%s of degree 1 to 20: sums of Bernstein polynomials, error %Lg", KIND_NAMES[k], error);
}

/* How far a derivative is from the central difference of what it is the derivative of. */
static long double difference_error(const long double less[3], const long double more[3],
    long double step, const long double derivative[3])
{
    return distance_to(derivative, (more[0] - less[0]) / (2 * step),
        (more[1] - less[1]) / (2 * step), (more[2] - less[2]) / (2 * step));
}

/* The formulas hold beyond the patch's sides too. */
static void check_difference_point(
    struct surface *s, long double u, long double v, long double *worst)
{
    const long double step = 0x1p-24L, scale = magnitude_of(s);
    const struct reference_point p = point_of(s, u, v);
    const struct reference_point west = point_of(s, u - step, v), east = point_of(s, u + step, v);
    const struct reference_point south = point_of(s, u, v - step), north = point_of(s, u, v + step);
    keep_worst(worst, difference_error(west.position, east.position, step, p.su) / scale);
    keep_worst(worst, difference_error(south.position, north.position, step, p.sv) / scale);
    keep_worst(worst, difference_error(west.su, east.su, step, p.suu) / scale);
    keep_worst(worst, difference_error(south.su, north.su, step, p.suv) / scale);
    keep_worst(worst, difference_error(south.sv, north.sv, step, p.svv) / scale);
}

static void check_differences(int k)
{
    long double error = 0;
    for (int degree = 1; degree <= 4; degree++) {
        const int degree_v = is_triangle(&surface) ? degree : 5 - degree;
        set_random(&surface, RATIONAL_KINDS[k], degree, degree_v);
        keep_worst(&error, worst_error(&surface, check_difference_point));
    }
    tap_check(error <= 1e-6L, "%s: derivatives by differences, error %Lg", KIND_NAMES[k], error);
}

/* A quarter of the unit circle: (1 - t^2, 2 t) / (1 + t^2). */
static const double QUARTER[3][3] = {{1, 0, 1}, {1, 1, 1}, {0, 2, 2}};

/* A quarter of a unit circle, turned by a quarter about the vertical axis from which its center is
 * `ring` away: u goes around, v along the circle. `inner`: the quarter that looks to the axis. */
static void set_turned(struct surface *s, double ring, int inner)
{
    set_shape(s, KIND_RATIONAL, 2, 2);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const double *around = QUARTER[i], *along = QUARTER[j];
            const double r = ring * along[2] + (inner ? -along[1] : along[0]);
            const double z = inner ? along[0] : along[1];
            set_control(s, i, j, around[0] * r, around[1] * r, around[2] * z, around[2] * along[2]);
        }
}

/* The unit sphere. */
static void check_sphere_point(struct surface *s, long double u, long double v, long double *worst)
{
    static const long double CENTER[3] = {0};
    const struct reference_point p = point_of(s, u, v);
    keep_worst(worst, fabsl(distance(p.position, CENTER) - 1));
    keep_worst(worst, distance(p.position, p.normal));
}

/* Not at the pole. */
static void check_sphere_curvature(
    struct surface *s, long double u, long double v, long double *worst)
{
    const struct reference_point p = point_of(s, u, v < 1 ? v : 0.5L);
    keep_worst(worst, fabsl(p.curvature[CURVATURE_GAUSSIAN] - 1));
    keep_worst(worst, fabsl(p.curvature[CURVATURE_MEAN] + 1));
}

static void check_sphere(const char *name)
{
    const long double error = worst_error(&surface, check_sphere_point);
    const long double curvature_error = worst_error(&surface, check_sphere_curvature);
    tap_check(error <= 8 * LDBL_EPSILON, "%s: radius and normals, error %Lg", name, error);
    tap_check(curvature_error <= 64 * LDBL_EPSILON, "%s: K = 1, H = -1, error %Lg", name,
        curvature_error);
}

static void check_spheres(void)
{
    set_turned(&surface, 0, 0);
    check_sphere("an octant of a sphere");
    const struct reference_point pole = point_of(&surface, 0.3L, 1);
    tap_check(pole.normal[2] == 1 && pole.curvature[CURVATURE_MEAN] == 0,
        "at its pole: the normal is the limit, curvatures are zeros");

    /* Stereographic: (2 u, 2 v, 1 - u^2 - v^2) / (1 + u^2 + v^2). */
    set_shape(&surface, KIND_RATIONAL_TRIANGLE, 2, 2);
    for (int i = 0; i <= 2; i++)
        for (int j = 0; i + j <= 2; j++) {
            const int square = (i == 2) + (j == 2);
            set_control(&surface, i, j, i, j, 1 - square, 1 + square);
        }
    check_sphere("a triangle on a sphere");
}

static long double torus_error(int inner)
{
    const long double ring = 3;
    long double worst = 0;
    set_turned(&surface, 3, inner);
    for (int j = 0; j <= STEPS; j++) {
        const long double v = (long double)j / STEPS;
        const struct reference_point p = point_of(&surface, 0.4L, v);
        const long double cosine = (inner ? -2 * v : 1 - v * v) / (1 + v * v);
        const long double across = cosine / (ring + cosine);
        keep_worst(&worst, fabsl(p.curvature[CURVATURE_GAUSSIAN] - across));
        keep_worst(&worst, fabsl(p.curvature[CURVATURE_MEAN] + (1 + across) / 2));
        keep_worst(&worst, fabsl(p.curvature[CURVATURE_MAX] + across));
        keep_worst(&worst, fabsl(p.curvature[CURVATURE_MIN] + 1));
    }
    return worst;
}

static void check_tori(void)
{
    tap_check(torus_error(0) <= 64 * LDBL_EPSILON, "curvatures outside on a torus");
    tap_check(magnitude_of(&surface) == sqrtl(33), "its farthest control point: (4, 4, 1)");
    tap_check(torus_error(1) <= 64 * LDBL_EPSILON, "curvatures inside, where K is negative");
}

/* S = 2^-30 (u, v, u v) + (1000, 1000, 1000), far from the origin. */
static void check_small(void)
{
    const long double size = 0x1p-30L;
    set_shape(&surface, KIND_TENSOR, 1, 1);
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            set_control(&surface, i, j, 1000 + i * size, 1000 + j * size, 1000 + i * j * size, 1);
    const struct reference_point p = point_of(&surface, 0, 0.75L);
    tap_check(distance_to(p.normal, -0.6L, 0, 0.8L) < 1e-8L &&
                  fabsl(p.curvature[CURVATURE_MAX] * size - 0.64L) < 1e-8L,
        "a small patch has normals and curvatures");
}

/* S = (u, v, u + 2 v). */
static void check_plane_point(struct surface *s, long double u, long double v, long double *worst)
{
    const struct reference_point p = point_of(s, u, v);
    const long double length = sqrtl(6);
    keep_worst(worst, distance_to(p.position, u, v, u + 2 * v));
    keep_worst(worst, distance_to(p.su, 1, 0, 1));
    keep_worst(worst, distance_to(p.sv, 0, 1, 2));
    keep_worst(worst, distance_to(p.normal, -1 / length, -2 / length, 1 / length));
    for (int i = 0; i < CURVATURES; i++) /* maximum and minimum are roots of errors */
        keep_worst(worst, p.curvature[i] * p.curvature[i]);
}

static void check_planes(void)
{
    long double error = 0;
    for (int degree = 1; degree <= 9; degree++) {
        set_shape(&surface, KIND_RATIONAL_TRIANGLE, degree, degree);
        for (int i = 0; i <= degree; i++)
            for (int j = 0; i + j <= degree; j++)
                set_control(&surface, i, j, i, j, i + 2 * j, degree);
        keep_worst(&error, worst_error(&surface, check_plane_point));
    }
    tap_check(
        error <= 64 * LDBL_EPSILON, "a plane from triangles of degree 1 to 9, error %Lg", error);
}

static void check_collapsed(void)
{
    /* Moved by numbers that doubles round: the pole's controls are no longer quite equal. */
    set_turned(&surface, 0, 0);
    for (int i = 0; i < 9; i++)
        for (int c = 0; c < 3; c++)
            surface.controls[i][c] += surface.controls[i][3] * (0.1 + 0.7 * c);
    struct reference_point p = point_of(&surface, 0.7L, 1);
    tap_check(
        distance_to(p.normal, 0, 0, 1) < 1e-14L, "the normal at the pole of a rounded sphere");

    /* The side u = 0 is the origin; the tangents there lie between two directions. */
    static const double ROWS[6][3] = {
        {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {1, 0, 0}, {0, 1, 1}, {5, 6, 7}};
    set_shape(&surface, KIND_RATIONAL_TRIANGLE, 2, 2);
    for (int i = 0; i < 6; i++) {
        memcpy(surface.controls[i], ROWS[i], sizeof(ROWS[i]));
        surface.controls[i][3] = 1;
    }
    p = point_of(&surface, 0, 0.25L);
    tap_check(distance_to(p.normal, 0, -sqrtl(0.5L), sqrtl(0.5L)) < 8 * LDBL_EPSILON,
        "the normal on a triangle's collapsed side");

    /* S = (u + 2 v, -u^2, 0) and (u + 2 v, v^2, 0): at the corner, Su and Sv are parallel. */
    for (int along_v = 0; along_v < 2; along_v++) {
        set_shape(&surface, KIND_RATIONAL, 2, 2);
        for (int i = 0; i <= 2; i++)
            for (int j = 0; j <= 2; j++)
                set_control(
                    &surface, i, j, i + 2 * j, along_v ? 2 * (j == 2) : -2 * (i == 2), 0, 2);
        p = point_of(&surface, 0, 0);
        tap_check(p.normal[2] == 1, "the normal at a corner without an angle");
    }

    set_random(&surface, KIND_RATIONAL, 3, 3);
    for (int i = 0; i < 16; i++)
        for (int c = 1; c < 3; c++)
            surface.controls[i][c] = c * surface.controls[i][0];
    p = point_of(&surface, 0.3L, 0.6L);
    tap_check(distance_to(p.normal, 0, 0, 0) == 0 && p.curvature[CURVATURE_GAUSSIAN] == 0,
        "a patch that is a line: no normal, no curvature");
}

static void check_high_degree(int k)
{
    set_random(&surface, RATIONAL_KINDS[k], PATCHES_MAX_DEGREE, PATCHES_MAX_DEGREE);
    const struct reference_point p = point_of(&surface, 0.4L, 0.3L);
    const long double magnitude = magnitude_of(&surface);
    long double worst = 0;
    check_sum_point(&surface, 0.4L, 0.3L, &worst);
    tap_check(worst <= 64 * LDBL_EPSILON, "%s of degree %d: sums, error %Lg", KIND_NAMES[k],
        PATCHES_MAX_DEGREE, worst);
    tap_check(distance_to(p.position, 0, 0, 0) <= magnitude && isfinite(distance(p.suu, p.svv)) &&
                  isfinite(p.curvature[CURVATURE_MAX]),
        "finite, and within the control points");
}

static void check_worse(void)
{
    tap_check(reference_worse(1, 2) == 2 && reference_worse(2, 1) == 2 &&
                  isnan(reference_worse(1, NAN)) && isnan(reference_worse(NAN, 1)),
        "the worse of two errors, and one that is NaN stays");
}

int main(void)
{
    check_worse();
    check_saddle();
    for (int k = 0; k < 2; k++) {
        check_degree_raising(k);
        check_sums(k);
        check_differences(k);
        check_high_degree(k);
    }
    check_spheres();
    check_tori();
    check_planes();
    check_small();
    check_collapsed();
    return tap_finish();
}
