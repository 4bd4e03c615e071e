/* B-spline surfaces of .obj and .bv files: their patches against the Cox-de Boor formula in long
 * double, which knows nothing of knot insertion; NURBS spheres and tori; what is refused. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/tap.h"
#include "random.h"
#include "scenes/patches.h"
#include "stages/bezier/reference.h"

enum { MAX_DEGREE = 9, MAX_COUNT = 20, MAX_KNOTS = MAX_COUNT + MAX_DEGREE + 1, SAMPLES = 7 };

/* A direction: its knots, and how many of the places where patches begin and end there are. */
struct direction {
    int degree, count;
    double knots[MAX_KNOTS], range[2], breaks[MAX_KNOTS];
    int break_count;
};

struct surface {
    struct direction u, v;
    int is_rational;
    double controls[MAX_COUNT * MAX_COUNT][4]; /* x y z and the weight, u fastest */
};

static uint64_t seed = 1;

static int random_below(int limit)
{
    return (int)(random_unit(&seed) * (float)limit);
}

/* The values of all B-splines at t, within the spline's domain, by the formula of Cox and de Boor
 * as it stands in textbooks, 0 / 0 being 0. */
static void find_basis(const struct direction *d, long double t, long double *values)
{
    const int knots = d->count + d->degree + 1;
    const double *x = d->knots;
    int last = d->count - 1; /* the segment at whose end the domain ends */
    while (x[last] == x[d->count])
        last--;
    for (int i = 0; i < knots - 1; i++)
        values[i] = (x[i] <= t && t < x[i + 1]) || (t == x[d->count] && i == last);
    for (int degree = 1; degree <= d->degree; degree++)
        for (int i = 0; i < knots - 1 - degree; i++) {
            const long double left = (long double)x[i + degree] - x[i];
            const long double right = (long double)x[i + degree + 1] - x[i + 1];
            values[i] = (left > 0 ? (t - x[i]) / left * values[i] : 0) +
                        (right > 0 ? (x[i + degree + 1] - t) / right * values[i + 1] : 0);
        }
}

static void find_point(const struct surface *s, long double u, long double v, long double point[3])
{
    long double along_u[MAX_KNOTS], along_v[MAX_KNOTS], sum[4] = {0};
    find_basis(&s->u, u, along_u);
    find_basis(&s->v, v, along_v);
    for (int j = 0; j < s->v.count; j++)
        for (int i = 0; i < s->u.count; i++) {
            const double *p = s->controls[j * s->u.count + i];
            const long double share = along_u[i] * along_v[j] * p[3];
            for (int k = 0; k < 3; k++)
                sum[k] += share * p[k];
            sum[3] += share;
        }
    for (int k = 0; k < 3; k++)
        point[k] = sum[k] / sum[3];
}

/* Writes the surface as a .bv file, which the caller frees; such a file wants all of it. */
static char *write_bv(const struct surface *s)
{
    const struct direction *const directions[2] = {&s->u, &s->v};
    char *text = malloc(1 << 17), *end = text;
    end += sprintf(end, "%d\n%d %d\n%d %d\n", s->is_rational ? 2 : 7, s->u.degree, s->v.degree,
        s->u.count, s->v.count);
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < directions[i]->count + directions[i]->degree + 1; k++)
            end += sprintf(end, "%.17g ", directions[i]->knots[k]);
    for (int i = 0; i < s->u.count * s->v.count; i++) {
        const double *p = s->controls[i % s->v.count * s->u.count + i / s->v.count];
        for (int k = 0; k < 3 + s->is_rational; k++)
            end += sprintf(end, "%.17g ", k < 3 && s->is_rational ? p[3] * p[k] : p[k]);
    }
    return text;
}

/* Writes the surface as an .obj file, which the caller frees. */
static char *write_obj(const struct surface *s)
{
    const struct direction *const directions[2] = {&s->u, &s->v};
    char *text = malloc(1 << 17), *end = text;
    for (int i = 0; i < s->u.count * s->v.count; i++) {
        const double *p = s->controls[i];
        end += sprintf(end, "v %.17g %.17g %.17g %.17g\n", p[0], p[1], p[2], p[3]);
    }
    end += sprintf(end, "cstype %sbspline\ndeg %d %d\nsurf", s->is_rational ? "rat " : "",
        s->u.degree, s->v.degree);
    for (int i = 0; i < 4; i++)
        end += sprintf(end, " %.17g", directions[i / 2]->range[i % 2]);
    for (int i = 1; i <= s->u.count * s->v.count; i++)
        end += sprintf(end, " %d", i);
    for (int i = 0; i < 2; i++) {
        end += sprintf(end, "\nparm %s", i ? "v" : "u");
        for (int k = 0; k < directions[i]->count + directions[i]->degree + 1; k++)
            end += sprintf(end, " %.17g", directions[i]->knots[k]);
    }
    sprintf(end, "\nend\n");
    return text;
}

static int read_text(const char *text, const char *name, struct patches *patches)
{
    struct error error = {""};
    const int rc = patches_parse(text, strlen(text), name, patches, &error);
    if (rc)
        printf("# %s\n", error.text);
    return rc == 0;
}

/* Knots with repetitions; the first and last ones mostly degree + 1 times, as is usual. */
static void make_direction(struct direction *d, int may_be_part)
{
    d->degree = 1 + random_below(MAX_DEGREE);
    d->count = d->degree + 1 + random_below(MAX_COUNT - MAX_DEGREE);
    const int knots = d->count + d->degree + 1;
    const int is_clamped = random_below(4) > 0;
    double x = random_unit(&seed) - .5;
    for (int i = 0, times = 0; i < knots; i++) {
        const int is_first = i <= d->degree, is_last = i > d->count;
        const int repeats =
            is_clamped && (is_first || is_last)
                ? i > 0 && i != d->count + 1
                : times < d->degree && random_below(3) == 0 && i != d->count && i != d->degree + 1;
        x += repeats ? 0 : .01 + random_unit(&seed);
        times = repeats ? times + 1 : 1;
        d->knots[i] = is_clamped && is_last ? d->knots[d->count] : x;
        if (is_clamped && i == d->count)
            times = d->degree;
    }
    const double low = d->knots[d->degree], high = d->knots[d->count];
    const int is_part = may_be_part && random_below(4) == 0;
    d->range[0] = is_part ? low + .3 * (high - low) : low;
    d->range[1] = is_part ? high - .1 * (high - low) : high;
    d->break_count = 0;
    d->breaks[d->break_count++] = d->range[0];
    for (int i = 0; i < knots; i++)
        if (d->knots[i] > d->breaks[d->break_count - 1] && d->knots[i] < d->range[1])
            d->breaks[d->break_count++] = d->knots[i];
    d->breaks[d->break_count++] = d->range[1];
}

/* The largest distance of points of a patch from the surface. */
static long double patch_error(
    const struct surface *s, const struct patches *patches, int row, int column)
{
    const struct patch *patch = &patches->patches[row * (s->v.break_count - 1) + column];
    const long double from_u = s->u.breaks[row], to_u = s->u.breaks[row + 1];
    const long double from_v = s->v.breaks[column], to_v = s->v.breaks[column + 1];
    long double most = 0;
    for (int i = 0; i < SAMPLES * SAMPLES; i++) {
        const long double u = i / SAMPLES / (SAMPLES - 1.0L), v = i % SAMPLES / (SAMPLES - 1.0L);
        long double point[3];
        struct reference_point found;
        reference_point(patches, patch, u, v, &found);
        find_point(s, from_u + u * (to_u - from_u), from_v + v * (to_v - from_v), point);
        for (int k = 0; k < 3; k++)
            most = fmaxl(most, fabsl(found.position[k] - point[k]));
    }
    return most;
}

static const double *corner(const struct patches *patches, const struct patch *patch, int i, int j)
{
    return patches->controls[patch->control + (size_t)(i * (patch->degree_v + 1) + j)];
}

/* Whether the patch has the control points of its neighbors, bit for bit, on their common sides. */
static int is_joined(const struct surface *s, const struct patches *patches, int number)
{
    const int columns = s->v.break_count - 1;
    const struct patch *patch = &patches->patches[number];
    int joined = 1;
    for (int j = 0; number >= columns && j <= s->v.degree; j++)
        joined &= memcmp(corner(patches, patch, 0, j),
                      corner(patches, patch - columns, s->u.degree, j), 4 * sizeof(double)) == 0;
    for (int i = 0; number % columns > 0 && i <= s->u.degree; i++)
        joined &= memcmp(corner(patches, patch, i, 0), corner(patches, patch - 1, i, s->v.degree),
                      4 * sizeof(double)) == 0;
    return joined;
}

static void check_random(int number, int is_bv)
{
    struct surface s = {.is_rational = number % 2};
    struct patches patches = {0};
    long double most = 0;
    make_direction(&s.u, !is_bv);
    make_direction(&s.v, !is_bv);
    for (int i = 0; i < s.u.count * s.v.count; i++) {
        for (int k = 0; k < 3; k++)
            s.controls[i][k] = 2 * random_unit(&seed) - 1;
        s.controls[i][3] = s.is_rational ? .1 + 2 * random_unit(&seed) : 1;
    }
    char *text = is_bv ? write_bv(&s) : write_obj(&s);
    const int rows = s.u.break_count - 1, columns = s.v.break_count - 1;
    int passed = read_text(text, is_bv ? "a.bv" : "a.obj", &patches) &&
                 patches.count == (size_t)rows * (size_t)columns;
    int are_plain = 1;
    for (int i = 0; passed && i < rows * columns; i++) {
        most = fmaxl(most, patch_error(&s, &patches, i / columns, i % columns));
        passed &= is_joined(&s, &patches, i) &&
                  patches.patches[i].kind == (s.is_rational ? KIND_RATIONAL : KIND_TENSOR);
    }
    for (size_t i = 0; !s.is_rational && i < patches.control_count; i++)
        are_plain &= patches.controls[i][3] == 1;
    tap_check(passed && are_plain, "%s %d: %d x %d patches of degree %d x %d, joined",
        is_bv ? "bv" : "obj", number, rows, columns, s.u.degree, s.v.degree);
    if (!tap_check(most < 1e-14L, "%s %d: on the B-spline", is_bv ? "bv" : "obj", number))
        printf("# %.3Lg\n%s", most, text);
    patches_free(&patches);
    free(text);
}

#define ROOT .70710678118654752440 /* of 1/2 */

/* A circle or, of 5 points, its right half, each quarter a piece: x, z and weights. */
static const double CIRCLE[9][3] = {{0, -1, 1}, {1, -1, ROOT}, {1, 0, 1}, {1, 1, ROOT}, {0, 1, 1},
    {-1, 1, ROOT}, {-1, 0, 1}, {-1, -1, ROOT}, {0, -1, 1}};

static struct direction quarters(int count)
{
    struct direction d = {.degree = 2, .count = 2 * count + 1, .range = {0, count}};
    for (int i = 0; i < d.count + 3; i++)
        d.knots[i] = fmax(0, fmin((i - 1) / 2, count));
    return d;
}

/* Turns the circle, `ring` away from the z axis, about that: a torus, of half a circle a sphere. */
static struct surface turn_circle(double ring, int pieces)
{
    struct surface s = {.u = quarters(pieces), .v = quarters(4), .is_rational = 1};
    for (int i = 0; i < s.u.count * s.v.count; i++) {
        const double *part = CIRCLE[i % s.u.count], *turn = CIRCLE[i / s.u.count];
        const double across = ring + part[0];
        const double control[4] = {across * turn[0], across * turn[1], part[1], part[2] * turn[2]};
        memcpy(s.controls[i], control, sizeof(control));
    }
    return s;
}

static void check_turned(const char *name, const char *file, double ring, int pieces)
{
    const struct surface s = turn_circle(ring, pieces);
    struct patches patches = {0};
    long double most = 0;
    char *text = strcmp(file, "a.bv") == 0 ? write_bv(&s) : write_obj(&s);
    tap_check(read_text(text, file, &patches) && patches.count == 4 * (size_t)pieces,
        "%s in %s: %zu patches", name, file, patches.count);
    for (size_t i = 0; i < patches.count * SAMPLES * SAMPLES; i++) {
        const size_t sample = i % (SAMPLES * SAMPLES);
        struct reference_point p;
        reference_point(&patches, &patches.patches[i / SAMPLES / SAMPLES],
            (long double)(sample / SAMPLES) / (SAMPLES - 1),
            (long double)(sample % SAMPLES) / (SAMPLES - 1), &p);
        const long double across = hypotl(p.position[0], p.position[1]) - ring;
        most = fmaxl(most, fabsl(hypotl(across, p.position[2]) - 1));
    }
    tap_check(most < 1e-15L, "%s in %s: exact", name, file);
    patches_free(&patches);
    free(text);
}

/* A torus of uniform cubic B-splines closes bit for bit though no knot is repeated, also where
 * knots are rounded. */
static void check_periodic(double step)
{
    enum { COUNT = 10, PERIOD = COUNT - 3 };
    struct surface s = {.u = {3, COUNT, .range = {0, 99}}, .v = {3, COUNT, .range = {0, 99}}};
    struct patches patches = {0};
    for (int i = 0; i < COUNT + 4; i++)
        s.u.knots[i] = s.v.knots[i] = i * step;
    for (int i = 0; i < COUNT * COUNT; i++) {
        const double a = 2 * M_PI * (i % COUNT % PERIOD) / PERIOD;
        const double b = 2 * M_PI * (i / COUNT % PERIOD) / PERIOD;
        const double control[4] = {(3 + cos(a)) * cos(b), (3 + cos(a)) * sin(b), sin(a), 1};
        memcpy(s.controls[i], control, sizeof(control));
    }
    char *text = write_obj(&s);
    int passed = read_text(text, "a.obj", &patches) && patches.count == PERIOD * PERIOD;
    for (int i = 0; passed && i < PERIOD * 4; i++) {
        const struct patch *all = patches.patches;
        passed &= memcmp(corner(&patches, &all[i / 4], 0, i % 4),
                      corner(&patches, &all[(PERIOD - 1) * PERIOD + i / 4], 3, i % 4),
                      4 * sizeof(double)) == 0;
        passed &= memcmp(corner(&patches, &all[i / 4 * PERIOD], i % 4, 0),
                      corner(&patches, &all[i / 4 * PERIOD + PERIOD - 1], i % 4, 3),
                      4 * sizeof(double)) == 0;
    }
    tap_check(passed, "a periodic surface with knots %g apart is closed", step);
    patches_free(&patches);
    free(text);
}

/* Knots for one patch leave control points as they are. */
static void check_single(void)
{
    static const char POINTS[] = "v .1 0 3\nv 1e-300 1e30 -1e30\nv 3 -4 .7 .3\nv 0 1 .9 1e-9\n"
                                 "cstype rat ";
    static const char END[] = "\ndeg 1 1\nsurf -3 7 .1 .3 1 2 3 4\n"
                              "parm u -3 -3 7 7\nparm v .1 .1 \\\n .3 .3\nend";
    struct patches splines = {0}, beziers = {0};
    char text[400];
    snprintf(text, sizeof(text), "%sbspline%s", POINTS, END);
    int passed = read_text(text, "a.obj", &splines);
    snprintf(text, sizeof(text), "%sbezier%s", POINTS, END);
    passed &= read_text(text, "a.obj", &beziers) && splines.control_count == 4 &&
              beziers.control_count == 4;
    tap_check(passed && memcmp(splines.controls, beziers.controls, 16 * sizeof(double)) == 0,
        "a B-spline of one patch is that patch");
    patches_free(&splines);
    patches_free(&beziers);
}

#define SQUARE "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\ncstype bspline\ndeg 1 1\n"
#define SURF "surf 0 1 0 1 1 2 3 4\n"
#define KNOTS "parm u 0 0 1 1\nparm v 0 0 1 1\n"

static void check_trimmed(void)
{
    struct patches patches = {0};
    const int is_read = read_text(SQUARE SURF KNOTS
        "trim 0 1 1\nhole 0 1 2\ntrim 0 1 3\nend\ncurv2 1 2\nparm u 0 0 1 1\nend\n" SURF KNOTS
        "end\ncstype bezier\n" SURF "hole 0 1 1\nend\n" SURF,
        "a.obj", &patches);
    tap_check(is_read && patches.count == 4 && patches.trimmed_count == 2,
        "surfaces that are trimmed are counted");
    patches_free(&patches);
}

#define POINTS_OF_SQUARE "0 0 0 0 1 0 1 0 0 1 1 0\n"
#define BV_SQUARE "7 1 1 2 2  0 0 1 1  0 0 1 1  " POINTS_OF_SQUARE
#define BV_CURVE "6 1 2  0 0 1 1  0 0 1 1 0 1\n"

static void check_trimmed_bv(void)
{
    struct patches patches = {0};
    const int is_read =
        read_text(BV_SQUARE BV_CURVE BV_CURVE "4 1 0 0 0 0 1 0 1 0 0 1 1 0\n" BV_SQUARE BV_CURVE,
            "a.bv", &patches);
    tap_check(is_read && patches.count == 3 && patches.trimmed_count == 2,
        "a .bv file: surfaces that are trimmed are counted");
    patches_free(&patches);
}

/* Control points lie as those of kind 5 do: a B-spline of one patch is that patch. */
static void check_order(void)
{
    static const char POINTS[] = " 0 0 0 1 0 2 2 0 1  0 1 0 1 1 5 2 1 1\n";
    struct patches splines = {0}, beziers = {0};
    char text[400];
    snprintf(text, sizeof(text), "7 1 2 2 3  0 0 1 1  0 0 0 1 1 1 %s", POINTS);
    int passed = read_text(text, "a.bv", &splines);
    snprintf(text, sizeof(text), "5 1 2 %s", POINTS);
    passed &= read_text(text, "a.bv", &beziers) && splines.count == 1 &&
              splines.patches[0].kind == KIND_TENSOR && splines.patches[0].degree_u == 1 &&
              splines.patches[0].degree_v == 2 && splines.control_count == 6;
    tap_check(passed && memcmp(splines.controls, beziers.controls, 24 * sizeof(double)) == 0,
        "a .bv file: a B-spline of one patch is that patch");
    patches_free(&splines);
    patches_free(&beziers);
}

static void check_refusals(void)
{
    static const struct {
        const char *file, *text, *reason;
    } CASES[] = {
        {"a.obj", SQUARE SURF, "line 7: surf without an end"},
        {"a.obj", SQUARE SURF KNOTS SURF, "line 7: surf without an end"},
        {"a.obj", SQUARE SURF "end", "line 7: surf, in u: 0 knots; degree 1 takes 4 or more"},
        {"a.obj", SQUARE SURF "parm u 0 0 1 1\nparm v 0 1 1\nend",
            "line 7: surf, in v: 3 knots; degree 1 takes 4 or more"},
        {"a.obj", SQUARE SURF "parm u 0 0 1 1\nparm v 0 0 1 1 1\nend",
            "line 7: surf, in v: knot 1 stands 3 times; degree 1 allows 2"},
        {"a.obj", SQUARE SURF "parm u 0 0 1 1\nparm v 0 0 1 2 3\nend",
            "line 7: surf with 4 control points; its knots take 2 x 3"},
        {"a.obj", SQUARE SURF "parm u 0 0 2 1\nparm v 0 0 1 1\nend",
            "line 7: surf, in u: knot 1 stands after 2; they must not decrease"},
        {"a.obj", SQUARE SURF "parm u 0 1 1 2\nparm v 0 0 1 1\nend",
            "line 7: surf, in u: knot 1 stands 2 times; degree 1 allows 1"},
        {"a.obj", SQUARE SURF "parm u 0 0 0 0\nparm v 0 0 1 1\nend",
            "line 7: surf, in u: knot 0 stands 4 times; degree 1 allows 2"},
        {"a.obj", SQUARE SURF "parm u 5 5 6 6\nparm v 0 0 1 1\nend",
            "line 7: surf, in u: nothing lies from 0 to 1; the knots define it from 5 to 6"},
        {"a.obj",
            SQUARE "deg 2 1\nsurf 0 9 0 1 1 2 1 3 4 3\nparm u 0 0 1 1 2 2\nparm v 0 0 1 1\nend",
            "line 8: surf, in u: nothing lies from 0 to 9; the knots define it from 1 to 1"},
        {"a.obj", SQUARE SURF "parm w 0 0 1 1\n",
            "line 8: parm 'w' of a surface; parm u and parm v are its own"},
        {"a.obj", SQUARE SURF "parm u 0 0 1 x\n", "line 8: 'x' is no number"},
        {"a.obj", SQUARE SURF "parm u 0 0 1 inf\n", "line 8: 'inf' is no number"},
        {"a.obj", SQUARE "surf 0 1 0 1 1 2 3 5\n",
            "line 7: vertex '5' is not a whole number from 1 to 4"},
        {"a.bv", "7\n1 1 2 1",
            "line 2: number of control points '1' is not a whole number from 2 to "
            "2147483647"},
        {"a.bv", "7\n1 1 2147483647 2147483647\n0 0 1",
            "line 3: the file ends before surface 1 is complete"},
        {"a.bv", BV_SQUARE BV_SQUARE "2 1 1 2 2 0 0 1 1 0 0 1 1 0 0 0 1 0 1 0 1 1 0 0 1 1 1 0",
            "line 3: the file ends before surface 3 is complete"},
        {"a.bv", BV_SQUARE "7 1 1 2 2\ngroup 1 a",
            "line 3: a group starts before surface 2 is complete"},
        {"a.bv", "2 1 1 2 2 0 0 1 1 0 0 1 1 0 0 0 1 0 1 0 1 1 0 0 0 1 1 0 1",
            "line 1: weight 0 is not from 1e-30 to 1e+30"},
        {"a.bv", "\n7 1 1 2 2\n 0 0 1 1\n0 2 1 1\n" POINTS_OF_SQUARE,
            "line 2: B-spline, in v: knot 1 stands after 2; they must not decrease"},
        {"a.bv", "7 1 1 3 2 0 0 0 1 1 0 0 1 1 0 0 0 0 0 0 " POINTS_OF_SQUARE,
            "line 1: B-spline, in u: knot 0 stands 3 times; degree 1 allows 2"},
        {"a.bv", "7 1 1 2 2 0 0 nan", "line 1: 'nan' is no number"},
        {"a.bv", BV_CURVE,
            "line 1: a trimming curve, kind 6, without a surface of u and v before it"},
        {"a.bv", "3 1 0 0 0 1 0 0 0 1 0\n" BV_CURVE,
            "line 2: a trimming curve, kind 6, without a surface of u and v before it"},
        {"a.bv", BV_SQUARE "6 2 2",
            "line 2: number of control points '2' is not a whole number from 3 to "
            "2147483647"},
        {"a.bv", BV_SQUARE "6 1 2 0 0 1 1 0 0 1 1 1",
            "line 2: the file ends before surface 1 is complete"},
    };
    for (size_t i = 0; i < sizeof(CASES) / sizeof(CASES[0]); i++) {
        struct error error = {""};
        struct patches patches;
        const char *file = CASES[i].file;
        char expected[200];
        snprintf(expected, sizeof(expected), "cannot read patches '%s': %s", file, CASES[i].reason);
        const int rc = patches_parse(CASES[i].text, strlen(CASES[i].text), file, &patches, &error);
        if (!tap_check(
                rc == ERROR_INPUT && strcmp(error.text, expected) == 0, "%s", CASES[i].reason))
            printf("# %s\n", error.text);
    }
}

int main(void)
{
    for (int i = 0; i < 80; i++)
        check_random(i, i % 4 >= 2);
    check_turned("sphere", "a.obj", 0, 2);
    check_turned("torus", "a.obj", 3, 4);
    check_turned("sphere", "a.bv", 0, 2);
    check_turned("torus", "a.bv", 3, 4);
    check_periodic(1);
    check_periodic(.1);
    check_periodic(1 / 3.);
    check_periodic(M_PI / 6);
    check_single();
    check_trimmed();
    check_trimmed_bv();
    check_order();
    check_refusals();
    return tap_finish();
}
