/* bezier's stages: degree elevation, moved normals, sides of neighbors, collapsed sides. */
#include "stages/bezier/bezier.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/tap.h"
#include "random.h"
#include "stages/bezier/reference.h"
#include "tests/test_fake.h"

#define MAX_DEGREE 12
#define MAX_CONTROLS ((MAX_DEGREE + 1) * (MAX_DEGREE + 1))

static uint64_t seed = 1;

static double between(double least, double most)
{
    return least + (most - least) * (double)random_unit(&seed);
}

static int is_triangle(enum patch_kind kind)
{
    return patch_is_triangle(&(struct patch){.kind = kind});
}

static size_t count_controls(enum patch_kind kind, int degree_u, int degree_v)
{
    const size_t u = (size_t)degree_u + 1, v = (size_t)degree_v + 1;
    return is_triangle(kind) ? u * (u + 1) / 2 : u * v;
}

static struct patches patches_new(void)
{
    return (struct patches){.patches = calloc(8, sizeof(struct patch)),
        .controls = calloc(8 * MAX_CONTROLS, sizeof(double[4])),
        .groups = calloc(1, sizeof(struct patch_group)),
        .group_count = 1};
}

/* A random patch, of floats, and random normals where its kind has some. */
static void add_patch(struct patches *patches, enum patch_kind kind, int degree_u, int degree_v)
{
    struct patch *patch = &patches->patches[patches->count++];
    const size_t own = count_controls(kind, degree_u, degree_v);
    *patch = (struct patch){.kind = kind,
        .degree_u = degree_u,
        .degree_v = is_triangle(kind) ? degree_u : degree_v,
        .control = patches->control_count,
        .control_count = own,
        .normal = patches->control_count + own};
    size_t all = own;
    if (kind == KIND_PN_TENSOR || kind == KIND_PN_TRIANGLE) {
        patch->normal_degree_u = 2;
        patch->normal_degree_v = is_triangle(kind) ? 2 : 1;
        all += count_controls(kind, 2, 1);
    }
    for (size_t i = 0; i < all; i++) {
        double *p = patches->controls[patches->control_count++];
        p[3] = patch_is_rational(patch) ? (double)(float)between(0.5, 2) : 1;
        for (int c = 0; c < 3; c++)
            p[c] = (double)(float)(p[3] * between(-1, 1) + (i >= own && c == 2 ? 3 : 0));
    }
}

static const struct bezier_stage *const MOVED[] = {&MOVE, NULL};
static const struct bezier_stage *const POINTS[] = {&MOVE, &BINOMIALS, &BASES, &EVALUATE, NULL};
static const struct bezier_stage *const NORMALS_TOO[] = {
    &MOVE, &BINOMIALS, &BASES, &EVALUATE, &NORMALS, NULL};

static int run_stages(struct run *run, const struct bezier_stage *const *stages, struct bezier *b)
{
    run->device_id = "cpu";
    int rc = 0;
    run_start(run);
    for (; rc == 0 && *stages; stages++)
        rc = bezier_run_stage(run, *stages, b);
    if (rc)
        tap_check(0, "stages run: %s", run->error.text);
    return rc == 0;
}

static double gap(const struct reference_point *one, const struct reference_point *other)
{
    double most = 0;
    for (int c = 0; c < 3; c++)
        most = fmax(most, fabs((double)(one->position[c] - other->position[c])));
    return most;
}

/* The surface stays where its degree grows, to the rounding of doubles. */
static void test_degrees(void)
{
    static const enum patch_kind KINDS[] = {KIND_TRIANGLE, KIND_SQUARE, KIND_TENSOR, KIND_RATIONAL,
        KIND_PN_TRIANGLE, KIND_PN_TENSOR, KIND_RATIONAL_TRIANGLE};
    enum { COUNT = sizeof(KINDS) / sizeof(KINDS[0]), FRAME = 3 };
    for (int degree = 1; degree <= MAX_DEGREE; degree += degree < 4 ? 1 : 4) {
        struct patches before = patches_new(), after = patches_new();
        const uint64_t start = seed;
        for (int i = 0; i < COUNT; i++)
            add_patch(&before, KINDS[i], degree, KINDS[i] == KIND_SQUARE ? degree : 13 - degree);
        seed = start;
        for (int i = 0; i < COUNT; i++)
            add_patch(&after, KINDS[i], degree, KINDS[i] == KIND_SQUARE ? degree : 13 - degree);
        struct run run = {0};
        struct bezier b = {.options = {.animation = ANIMATE_DEGREE,
                               .has_frames = 1,
                               .first_frame = FRAME,
                               .last_frame = FRAME},
            .patches = after,
            .frame = FRAME};
        const int is_moved = run_stages(&run, MOVED, &b);
        double most = 0, of_normals = 0;
        int grows = 1;
        for (size_t i = 0; is_moved && i < before.count; i++) {
            const struct patch *from = &before.patches[i], *to = &b.patches.patches[i];
            grows &= to->degree_u == from->degree_u + FRAME &&
                     to->degree_v == from->degree_v + FRAME &&
                     to->control_count == count_controls(to->kind, to->degree_u, to->degree_v);
            for (size_t k = 0; k < to->control_count && !patch_is_rational(to); k++)
                grows &= fabs(b.patches.controls[to->control + k][3] - 1) < 32 * DBL_EPSILON;
            for (int k = 0; k < 50; k++) {
                struct reference_point one, other;
                const double u = between(0, 1), v = between(0, is_triangle(from->kind) ? 1 - u : 1);
                reference_point(&before, from, u, v, &one);
                reference_point(&b.patches, to, u, v, &other);
                most = fmax(most, gap(&one, &other));
            }
            for (size_t k = 0; from->normal_degree_u && k < count_controls(from->kind, 2, 1); k++)
                of_normals = fmax(of_normals, fabs(before.controls[from->normal + k][2] -
                                                   b.patches.controls[to->normal + k][2]));
        }
        tap_check(is_moved && grows && most < 32 * DBL_EPSILON,
            "degree %d, grown by %d: the surface stays to %.2g", degree, FRAME, most);
        tap_check(of_normals == 0, "degree %d, grown by %d: normals stay", degree, FRAME);
        bezier_end(&b);
        run_end(&run);
        patches_free(&before);
    }
}

/* Normals of PN patches are those that the file brings, turned with the patch. */
static void test_normals(enum animation animation)
{
    struct patches patches = patches_new();
    add_patch(&patches, KIND_PN_TRIANGLE, 3, 3);
    add_patch(&patches, KIND_PN_TENSOR, 2, 4);
    struct run run = {0};
    struct bezier b = {.options = {.resolution_u = 5,
                           .resolution_v = 6,
                           .animation = animation,
                           .has_frames = 1,
                           .first_frame = 30,
                           .last_frame = 30,
                           .has_normals = 1},
        .patches = patches,
        .frame = 30};
    double most = INFINITY;
    for (size_t n = 0; run_stages(&run, NORMALS_TOO, &b) && n < b.batch_count; n++) {
        const struct batch *batch = &b.batches[n];
        struct patch as_patch = b.patches.patches[batch->members[0]];
        size_t point = batch->first_point;
        as_patch.kind = is_triangle(as_patch.kind) ? KIND_TRIANGLE : KIND_TENSOR;
        as_patch.degree_u = as_patch.normal_degree_u;
        as_patch.degree_v = as_patch.normal_degree_v;
        as_patch.control = as_patch.normal;
        most = n ? most : 0;
        for (uint32_t i = 0; i < 5; i++)
            for (uint32_t j = 0; j < (batch->is_triangle ? 5 - i : 6); j++, point++) {
                struct reference_point exact;
                reference_point(&b.patches, &as_patch, i / 4.0L,
                    j / (batch->is_triangle ? 4.0L : 5.0L), &exact);
                const long double *p = exact.position;
                const long double length = sqrtl(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
                /* by 90 degrees: (x, y) to (-y, x) */
                const long double turned[2][3] = {{p[0], p[1], p[2]}, {-p[1], p[0], p[2]}};
                for (int c = 0; c < 3; c++)
                    most = fmax(most, fabs((double)(turned[animation == ANIMATE_TURN][c] / length -
                                                    (long double)b.result.normals[point][c])));
            }
    }
    tap_check(most < 1e-6, "normals of PN patches%s: as they are brought, to %.2g",
        animation == ANIMATE_TURN ? ", turned" : "", most);
    bezier_end(&b);
    run_end(&run);
}

/* Number of the k-th of `order` on a side: of a tensor product u = 0, u = 1, v = 0, v = 1 of rows
 * and columns; of a triangle, whose rows get shorter, u = 0, v = 0, w = 0. */
static size_t on_side(int is_of_triangle, int side, size_t rows, size_t columns, size_t k)
{
    if (!is_of_triangle)
        return side < 2 ? (side ? (rows - 1) * columns : 0) + k
                        : k * columns + (side == 3 ? columns - 1 : 0);
    const size_t i = side == 0 ? 0 : k, j = side == 0 ? k : side == 1 ? 0 : rows - 1 - k;
    return i * rows - i * (i - 1) / 2 + j;
}

/* Makes the side of the second patch that of the first, run through forwards or backwards. Where it
 * is to be a point, its ends have one weight, as those of surfaces of revolution do; else they may
 * be an epsilon apart. */
static void join(
    struct patches *patches, size_t order, const int side[2], int is_backwards, int is_point)
{
    struct patch *const one = &patches->patches[0], *const other = &patches->patches[1];
    for (size_t k = 0; k < order; k++) {
        const size_t from = is_backwards ? order - 1 - k : k;
        double *p = patches->controls[one->control +
                                      on_side(is_triangle(one->kind), side[0], order, order, from)];
        const double *first = patches->controls[one->control + on_side(is_triangle(one->kind),
                                                                   side[0], order, order, 0)];
        if (is_point && (k == 0 || k == order - 1))
            p[3] = first[3];
        for (int c = 0; is_point && c < 3; c++)
            p[c] = first[c] / first[3] * p[3];
        memcpy(patches->controls[other->control +
                                 on_side(is_triangle(other->kind), side[1], order, order, k)],
            p, sizeof(double[4]));
    }
}

/* How many points of the common side differ; of a side that is a point, from that. */
static int count_gaps(const struct bezier *b, uint32_t points, const int side[2], int is_backwards,
    const double *point)
{
    const size_t size = precision_size(b->options.precision);
    size_t first[2] = {0, 0};
    int gaps = 0, is_of_triangle[2];
    for (size_t n = 0; n < b->batch_count; n++)
        for (size_t j = 0; j < b->batches[n].count; j++) {
            const struct batch *batch = &b->batches[n];
            first[batch->members[j]] = batch->first_point + j * batch->rows * batch->columns;
        }
    for (int i = 0; i < 2; i++)
        is_of_triangle[i] = is_triangle(b->patches.patches[i].kind);
    for (uint32_t k = 0; k < points; k++) {
        const size_t from = is_backwards ? points - 1 - k : k;
        const size_t at[2] = {first[0] + on_side(is_of_triangle[0], side[0], points, points, from),
            first[1] + on_side(is_of_triangle[1], side[1], points, points, k)};
        gaps += memcmp((char *)b->result.points + 3 * size * at[0],
                    (char *)b->result.points + 3 * size * at[1], 3 * size) != 0;
        for (size_t c = 0; point && c < 3; c++) {
            const double got = number_get(b->result.points, 3 * at[0] + c, b->options.precision);
            const double epsilon =
                b->options.precision == PRECISION_FLOAT ? FLT_EPSILON : DBL_EPSILON;
            gaps += fabs(got - point[c]) > epsilon * fabs(point[c]);
        }
    }
    return gaps;
}

/* Two random patches that share a side, every side with every other in either direction. */
static void test_sides(
    enum patch_kind one, enum patch_kind other, enum precision precision, int is_point)
{
    static const enum evaluation METHODS[] = {
        EVALUATION_SEP, EVALUATION_MLE, EVALUATION_BRF, EVALUATION_CASTELJAU};
    int gaps = 0, cases = 0;
    for (int degree = 1; degree <= MAX_DEGREE; degree++)
        for (int number = 0; number < 4 * 4 * 2; number++) {
            const int side[2] = {number % 4, number / 4 % 4}, is_backwards = number / 16;
            const uint32_t points = 2 + (uint32_t)(number * 7 + degree) % 19;
            if ((is_triangle(one) && side[0] == 3) || (is_triangle(other) && side[1] == 3))
                continue;
            struct patches patches = patches_new();
            add_patch(&patches, one, degree, degree);
            add_patch(&patches, other, degree, degree);
            join(&patches, (size_t)degree + 1, side, is_backwards, is_point);
            const double *p = patches.controls[on_side(
                is_triangle(one), side[0], (size_t)degree + 1, (size_t)degree + 1, 0)];
            const double place[3] = {p[0] / p[3], p[1] / p[3], p[2] / p[3]};
            struct run run = {0};
            struct bezier b = {.options = {.resolution_u = points,
                                   .resolution_v = points,
                                   .precision = precision,
                                   .method = METHODS[number % 4]},
                .patches = patches};
            if (run_stages(&run, POINTS, &b))
                gaps += count_gaps(&b, points, side, is_backwards, is_point ? place : NULL);
            cases++;
            bezier_end(&b);
            run_end(&run);
        }
    tap_check(gaps == 0 && cases > 200,
        "%s beside %s, %s, degree 1 to %d%s: %d of their %d sides differ", patch_kind_name(one),
        patch_kind_name(other), precision == PRECISION_FLOAT ? "float" : "double", MAX_DEGREE,
        is_point ? ", sides that are points" : "", gaps, cases);
}

/* A polyhedron alone has neither points nor a batch. */
static void test_polyhedron(void)
{
    static const char TEXT[] = "1 3 1\n0 0 0 1 0 0 0 1 0\n3 0 1 2\n";
    static const struct bezier_stage *const STAGES[] = {
        &MOVE, &BINOMIALS, &BASES, &EVALUATE, &NORMALS, &MESH, NULL};
    struct run run = {0};
    struct bezier b = {.options = {.animation = ANIMATE_DEGREE,
                           .has_frames = 1,
                           .first_frame = 2,
                           .last_frame = 2,
                           .has_normals = 1},
        .frame = 2};
    const int rc = patches_parse(TEXT, strlen(TEXT), "a.bv", &b.patches, &run.error);
    tap_check(rc == 0 && run_stages(&run, STAGES, &b) && b.result.point_count == 0 &&
                  b.result.mesh.triangle_count == 1 && b.result.mesh.vertex_count == 3 &&
                  b.result.mesh.normals[0][2] == 1,
        "a polyhedron alone");
    bezier_end(&b);
    run_end(&run);
}

/* Triangles of degree 2, of each of which one side is the point (0, 0, 1): its curvature is that of
 * the points beside it, of size 0.36. */
static void test_collapsed_curvature(void)
{
    static const char *const TEXTS[] = {"3 2  0 0 1  0 0 1  0 0 1  1 0 1  1 1 1  1 0 0",
        "3 2  0 0 1  1 1 1  1 0 0  0 0 1  1 0 1  0 0 1",
        "3 2  1 0 0  1 0 1  0 0 1  1 1 1  0 0 1  0 0 1"};
    static const struct bezier_stage *const STAGES[] = {
        &MOVE, &BINOMIALS, &BASES, &EVALUATE, &NORMALS, &MESH, NULL};
    for (int side = 0; side < 3; side++) {
        struct run run = {0};
        struct bezier b = {.options = {.resolution_u = 9, .resolution_v = 9, .has_normals = 1}};
        double mean = 0;
        int tips = 0;
        const int rc =
            patches_parse(TEXTS[side], strlen(TEXTS[side]), "a.bv", &b.patches, &run.error);
        const int is_run = rc == 0 && run_stages(&run, STAGES, &b);
        for (size_t i = 0; is_run && i < b.result.mesh.vertex_count; i++)
            if (b.result.mesh.positions[i][0] == 0 && b.result.mesh.positions[i][2] == 1) {
                mean = fabs((double)b.result.mesh.curvature[i][CURVATURE_MEAN]);
                tips++;
            }
        tap_check(is_run && tips == 1 && mean > 0.35 && mean < 0.38,
            "a triangle's side %d that is a point: mean curvature %.3g", side, mean);
        bezier_end(&b);
        run_end(&run);
    }
}

/* The sample's points lie on the unit sphere to 4 epsilon, its Gaussian curvature is 1 to 1e-3, its
 * normals point outwards. */
static void check_sphere(enum precision precision)
{
    const double epsilon = precision == PRECISION_FLOAT ? (double)FLT_EPSILON : DBL_EPSILON;
    const char *name = precision == PRECISION_FLOAT ? "float" : "double";
    struct run run = {0};
    struct bezier b = {
        .options = {
            .resolution_u = 33, .resolution_v = 41, .precision = precision, .has_normals = 1}};
    double off = 0, bent = 0, turned = 0;
    const int is_read = patches_read("scenes/samples/sphere.bv", NULL, &b.patches, &run.error) == 0;
    const int is_run = is_read && run_stages(&run, NORMALS_TOO, &b);
    for (size_t i = 0; is_run && i < b.result.point_count; i++) {
        double square = 0;
        for (size_t c = 0; c < 3; c++) {
            const double x = number_get(b.result.points, 3 * i + c, precision);
            square += x * x;
            turned = fmax(turned, fabs((double)b.result.normals[i][c] - x));
        }
        off = fmax(off, fabs(sqrt(square) - 1) / epsilon);
        if (b.result.curvatures[i][CURVATURE_GAUSSIAN] != NO_CURVATURE)
            bent = fmax(bent, fabs((double)b.result.curvatures[i][CURVATURE_GAUSSIAN] - 1));
    }
    tap_check(is_run && off <= 4, "sphere, %s: points lie on it to %.2g epsilon", name, off);
    tap_check(is_run && bent <= 1e-3, "sphere, %s: Gaussian curvature is 1 to %.2g", name, bent);
    tap_check(is_run && turned <= 1e-5, "sphere, %s: normals are its points to %.2g", name, turned);
    run_end(&run);
    bezier_end(&b);
}

/* The sample, scaled and moved; its w is not 1. */
static int read_sphere(double scale, double offset, struct bezier *b, struct run *run)
{
    if (patches_read("scenes/samples/sphere.bv", NULL, &b->patches, &run->error) != 0)
        return 0;
    for (size_t i = 0; i < b->patches.control_count; i++)
        for (int c = 0; c < 3; c++) {
            double *p = b->patches.controls[i];
            p[c] = scale * p[c] + p[3] * offset;
        }
    return 1;
}

/* The largest errors of the scaled sphere's curvatures, in those of its size, and of its
 * normals; of a curvature out of a float's range what it is instead. `weight` is that of all
 * points, times. */
static void check_size(double scale, double offset, double weight, enum precision precision)
{
    static const double EXACT[CURVATURES] = {1, -1, -1, -1};
    struct run run = {0};
    struct bezier b = {
        .options = {
            .resolution_u = 9, .resolution_v = 11, .precision = precision, .has_normals = 1}};
    double bent = 0, turned = 0;
    int is_run = read_sphere(scale, offset, &b, &run), singular = 0;
    for (size_t i = 0; is_run && i < b.patches.control_count; i++)
        for (int c = 0; c < 4; c++)
            b.patches.controls[i][c] *= weight;
    is_run = is_run && run_stages(&run, NORMALS_TOO, &b);
    for (size_t i = 0; is_run && i < b.result.point_count; i++) {
        for (size_t c = 0; c < 3 && offset == 0; c++)
            turned = fmax(turned, fabs((double)b.result.normals[i][c] -
                                       number_get(b.result.points, 3 * i + c, precision) / scale));
        singular += b.result.curvatures[i][0] == NO_CURVATURE;
        for (int c = 0; c < CURVATURES && b.result.curvatures[i][0] != NO_CURVATURE; c++) {
            const double unit = c == CURVATURE_GAUSSIAN ? scale * scale : scale;
            const double held = fmin(fmax(EXACT[c] / unit, -(double)FLT_MAX), (double)FLT_MAX);
            if (fabs(held) >= (double)FLT_MIN)
                bent = fmax(bent, fabs((double)b.result.curvatures[i][c] / held - 1));
        }
    }
    /* Two poles of four patches each. */
    tap_check(is_run && bent <= 1e-3 && turned <= 1e-5 && singular == 8 * 9,
        "sphere of size %g at %g, weights of %g, %s: curvatures to %.2g, normals to %.2g, %d "
        "points "
        "without",
        scale, offset, weight, precision == PRECISION_FLOAT ? "float" : "double", bent, turned,
        singular);
    run_end(&run);
    bezier_end(&b);
}

static const char *line;
static int lines;
static void count_line(void *context, int is_warning, const char *text)
{
    static char copy[256];
    (void)context;
    lines += is_warning;
    snprintf(copy, sizeof(copy), "%s", text);
    line = is_warning ? copy : line;
}

/* What a float does not hold is told, once; in the model's own unit it does. */
static void check_range(double scale, int has_own_unit, int wanted)
{
    struct run run = {.notice = count_line};
    struct bezier b = {
        .options = {
            .resolution_u = 5, .resolution_v = 5, .has_normals = 1, .has_own_unit = has_own_unit}};
    double most = 0;
    line = "";
    lines = 0;
    int is_run = read_sphere(scale, 0, &b, &run);
    for (int again = 0; again < 2; again++)
        is_run = is_run && run_stages(&run, NORMALS_TOO, &b);
    for (size_t i = 0; is_run && has_own_unit && i < b.result.point_count; i++)
        if (b.result.curvatures[i][0] != NO_CURVATURE)
            most = fmax(most,
                fabs(ldexp((double)b.result.curvatures[i][0], -2 * b.result.unit) * scale * scale -
                     1));
    tap_check(is_run && lines == wanted && (!wanted || strstr(line, "beyond a float's range")) &&
                  most <= 1e-3,
        "sphere of size %g%s: %d warnings, curvatures to %.2g", scale,
        has_own_unit ? ", in its own unit" : "", lines, most);
    run_end(&run);
    bezier_end(&b);
}

/* All samples' normals at 2^n times their size are those at size 1, bit for bit, their
 * curvatures too but for the power of two. */
static void check_powers(const char *path, int exponent, enum precision precision)
{
    struct run run = {0};
    struct bezier one = {.options = {.precision = precision, .has_normals = 1}}, other = one;
    int is_run = patches_read(path, NULL, &one.patches, &run.error) == 0 &&
                 patches_read(path, NULL, &other.patches, &run.error) == 0;
    size_t gaps = 0;
    for (size_t i = 0; is_run && i < other.patches.control_count; i++)
        for (int c = 0; c < 3; c++)
            other.patches.controls[i][c] = ldexp(other.patches.controls[i][c], exponent);
    is_run = is_run && run_stages(&run, NORMALS_TOO, &one);
    run_end(&run);
    run = (struct run){0};
    is_run = is_run && run_stages(&run, NORMALS_TOO, &other);
    for (size_t i = 0; is_run && i < one.result.point_count; i++) {
        for (int c = 0; c < 3; c++)
            gaps += one.result.normals[i][c] != other.result.normals[i][c];
        for (int c = 0; c < CURVATURES; c++) {
            const float value = one.result.curvatures[i][c];
            const int power = c == CURVATURE_GAUSSIAN ? 2 : 1;
            gaps += other.result.curvatures[i][c] !=
                    (value == NO_CURVATURE ? value : ldexpf(value, -power * exponent));
        }
    }
    tap_check(is_run && gaps == 0, "%s, 2^%d times as large, %s: %zu gaps", path, exponent,
        precision == PRECISION_FLOAT ? "float" : "double", gaps);
    run_end(&run);
    bezier_end(&one);
    bezier_end(&other);
}

static void test_sizes(enum precision precision)
{
    static const char *const SAMPLES[] = {"scenes/samples/kinds.bv", "scenes/samples/torus.bv",
        "scenes/samples/goblet.bv", "scenes/samples/wave.bv"};
    for (int power = -28; power <= 28; power++)
        check_size(pow(10, power), 0, 1, precision);
    for (int power = 4; power <= 9; power++)
        check_size(1, pow(10, power), 1, precision);
    check_size(1e-20, 1e-13, 1, precision);
    check_size(1e-5, 0, 1e20, precision);
    check_size(1e5, 0, 1e-20, precision);
    for (size_t i = 0; i < sizeof(SAMPLES) / sizeof(SAMPLES[0]); i++)
        for (int exponent = -40; exponent <= 40; exponent += 80)
            check_powers(SAMPLES[i], exponent, precision);
}

static int reports;
static int count_report(void *context, const char *stage, double share)
{
    (void)context;
    reports += strcmp(stage, "normals") == 0 && share > 0 && share < 1;
    return 0;
}

/* A device that reports nothing within a launch gets several ones. */
static void test_reports(void)
{
    struct patches patches = patches_new();
    struct run run = {.progress = count_report};
    struct bezier b = {.options = {.resolution_u = 200, .resolution_v = 200, .has_normals = 1}};
    for (int i = 0; i < 8; i++)
        add_patch(&patches, KIND_TENSOR, MAX_DEGREE, MAX_DEGREE);
    b.patches = patches;
    fake_open(&run, CALL_LAUNCH, -1);
    const int is_run = run_stages(&run, NORMALS_TOO, &b);
    tap_check(is_run && reports > 2, "normals of many points: %d reports on the way", reports);
    run_end(&run);
    bezier_end(&b);
}

int main(void)
{
    static const enum patch_kind PAIRS[][2] = {{KIND_TENSOR, KIND_TENSOR},
        {KIND_RATIONAL, KIND_RATIONAL}, {KIND_TRIANGLE, KIND_TRIANGLE},
        {KIND_RATIONAL_TRIANGLE, KIND_RATIONAL_TRIANGLE}, {KIND_TENSOR, KIND_TRIANGLE},
        {KIND_RATIONAL_TRIANGLE, KIND_RATIONAL}, {KIND_PN_TENSOR, KIND_TENSOR}};
    test_degrees();
    test_normals(ANIMATE_NOTHING);
    test_normals(ANIMATE_TURN);
    for (size_t i = 0; i < sizeof(PAIRS) / sizeof(PAIRS[0]); i++)
        for (int precision = 0; precision < PRECISIONS; precision++)
            for (int is_point = 0; is_point < 2; is_point++)
                test_sides(PAIRS[i][0], PAIRS[i][1], (enum precision)precision, is_point);
    test_polyhedron();
    test_collapsed_curvature();
    check_sphere(PRECISION_FLOAT);
    check_sphere(PRECISION_DOUBLE);
    test_sizes(PRECISION_FLOAT);
    test_sizes(PRECISION_DOUBLE);
    check_range(1e15, 0, 0);
    check_range(1e25, 0, 1);
    check_range(1e-25, 0, 1);
    check_range(1e25, 1, 0);
    check_range(1e-25, 1, 0);
    test_reports();
    return tap_finish();
}
