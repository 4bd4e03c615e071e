/* The cases of bezier's self-test: every method on every device against the reference in long
 * double, and against the first device byte for byte; behind them those of raster_self_test.h. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/raster_self_test.h"
#include "cli/self_test.h"
#include "cli/tap.h"
#include "random.h"
#include "stages/bezier/bezier.h"
#include "stages/bezier/reference.h"

#define COUNT_OF(table) (sizeof(table) / sizeof((table)[0]))
#define NORMAL_ERROR 1e-4    /* of a float's normal, where the surface is not nearly singular */
#define CURVATURE_ERROR 2e-3 /* of curvatures, over the largest of the patch */

/* Random patches of one shape. */
struct test_case {
    enum patch_kind kind; /* KIND_TENSOR, KIND_RATIONAL, KIND_TRIANGLE, KIND_RATIONAL_TRIANGLE */
    int degree_u, degree_v;
    uint32_t points_u, points_v;
    size_t count;
    int exponent; /* they are 2^exponent times as large, as floats hold it with its square */
};

/* Around what groups have: 16, 64, 128, 256 points; around the orders that sep and mle tell
 * apart. */
static const struct test_case CASES[] = {
    {KIND_TENSOR, 3, 3, 1, 1, 1, 0},
    {KIND_TENSOR, 3, 3, 1, 7, 2, 0},
    {KIND_TENSOR, 3, 3, 7, 1, 2, 0},
    {KIND_TENSOR, 3, 3, 2, 2, 5, 0},
    {KIND_TENSOR, 3, 3, 15, 17, 3, 0},
    {KIND_TENSOR, 3, 3, 16, 16, 1, 0},
    {KIND_TENSOR, 3, 3, 17, 15, 100, 0},
    {KIND_TENSOR, 3, 3, 64, 63, 2, 0},
    {KIND_TENSOR, 3, 3, 65, 64, 2, 0},
    {KIND_TENSOR, 3, 3, 63, 65, 2, 0},
    {KIND_TENSOR, 3, 3, 33, 127, 1, 0},
    {KIND_TENSOR, 3, 3, 97, 128, 1, 0},
    {KIND_TENSOR, 3, 3, 31, 129, 1, 0},
    {KIND_TENSOR, 3, 3, 32, 255, 1, 0},
    {KIND_TENSOR, 3, 3, 61, 257, 1, 0},
    {KIND_TENSOR, 1, 1, 13, 11, 4, 0},
    {KIND_TENSOR, 1, 4, 13, 11, 4, 0},
    {KIND_TENSOR, 2, 2, 13, 11, 4, 0},
    {KIND_TENSOR, 4, 1, 13, 11, 4, 0},
    {KIND_TENSOR, 5, 6, 19, 23, 3, 0},
    {KIND_TENSOR, 7, 7, 19, 23, 3, 0},
    {KIND_TENSOR, 8, 3, 19, 23, 3, 0},
    {KIND_TENSOR, 3, 11, 19, 23, 3, 0},
    {KIND_TENSOR, 11, 11, 37, 41, 2, 0},
    {KIND_TENSOR, 12, 9, 37, 41, 2, 0},
    {KIND_TENSOR, 15, 15, 37, 41, 2, 0},
    {KIND_TENSOR, 16, 20, 37, 41, 2, 0},
    {KIND_TENSOR, 20, 20, 37, 41, 2, 0},
    {KIND_TENSOR, 23, 23, 67, 71, 2, 0},
    {KIND_TENSOR, 23, 40, 17, 19, 2, 0},
    {KIND_TENSOR, 24, 23, 17, 19, 2, 0},
    {KIND_TENSOR, 50, 50, 17, 19, 2, 0},
    {KIND_TENSOR, 100, 1, 17, 19, 2, 0},
    {KIND_TENSOR, 1, 100, 17, 19, 2, 0},
    {KIND_TENSOR, 100, 100, 11, 13, 1, 0},
    {KIND_RATIONAL, 1, 1, 1, 1, 1, 0},
    {KIND_RATIONAL, 2, 2, 17, 15, 7, 0},
    {KIND_RATIONAL, 3, 3, 8, 257, 2, 0},
    {KIND_RATIONAL, 4, 7, 9, 33, 3, 0},
    {KIND_RATIONAL, 30, 30, 9, 11, 1, 0},
    {KIND_TRIANGLE, 1, 1, 1, 1, 2, 0},
    {KIND_TRIANGLE, 1, 1, 2, 2, 2, 0},
    {KIND_TRIANGLE, 2, 2, 16, 16, 5, 0},
    {KIND_TRIANGLE, 3, 3, 22, 22, 1, 0},
    {KIND_TRIANGLE, 4, 4, 23, 23, 40, 0},
    {KIND_TRIANGLE, 11, 11, 17, 17, 2, 0},
    {KIND_TRIANGLE, 50, 50, 7, 7, 1, 0},
    {KIND_RATIONAL_TRIANGLE, 2, 2, 17, 17, 3, 0},
    {KIND_RATIONAL_TRIANGLE, 5, 5, 9, 9, 2, 0},
    {KIND_TENSOR, 3, 3, 17, 15, 3, 55},
    {KIND_TENSOR, 3, 3, 17, 15, 3, -55},
    {KIND_TENSOR, 20, 12, 17, 15, 3, 40},
    {KIND_RATIONAL, 3, 3, 17, 15, 3, 55},
    {KIND_RATIONAL, 3, 3, 17, 15, 3, -55},
    {KIND_TRIANGLE, 4, 4, 17, 17, 3, -55},
    {KIND_RATIONAL_TRIANGLE, 4, 4, 17, 17, 3, 55},
};

static const struct test_case LARGE_CASES[] = {
    {KIND_TENSOR, 3, 3, 1021, 1031, 3, 0},
    {KIND_TENSOR, 11, 11, 509, 4099, 1, 0},
    {KIND_TENSOR, 23, 23, 1021, 1031, 1, 0},
    {KIND_TENSOR, 100, 100, 257, 263, 1, 0},
    {KIND_RATIONAL, 3, 3, 1021, 1031, 1, 0},
    {KIND_TRIANGLE, 4, 4, 701, 701, 1, 0},
    {KIND_TENSOR, 3, 3, 9, 11, 70001, 0},
};

static const struct {
    const char *name;
    enum evaluation method;
    int most[PRECISIONS]; /* degree that it holds */
} METHODS[] = {
    {"sep", EVALUATION_SEP, {100, 100}},
    {"mle", EVALUATION_MLE, {100, 100}},
    {"brf", EVALUATION_BRF, {34, 100}},
    {"mat3", EVALUATION_MAT3, {7, 14}},
    {"mat4", EVALUATION_MAT4, {7, 14}},
    {"casteljau", EVALUATION_CASTELJAU, {100, 100}},
    {"direct", EVALUATION_DIRECT, {3, 3}},
};

/* What a device leaves. */
struct result {
    void *points;
    float (*normals)[3];
    float (*curvatures)[CURVATURES];
};

static int is_triangle(const struct test_case *test)
{
    return test->kind == KIND_TRIANGLE || test->kind == KIND_RATIONAL_TRIANGLE;
}

/* Points of a patch. */
static size_t points_of(const struct test_case *test)
{
    return is_triangle(test) ? (size_t)test->points_u * (test->points_u + 1) / 2
                             : (size_t)test->points_u * test->points_v;
}

static size_t controls_of(const struct test_case *test)
{
    const size_t u = (size_t)test->degree_u + 1, v = (size_t)test->degree_v + 1;
    return is_triangle(test) ? u * (u + 1) / 2 : u * v;
}

/* A grid with random bumps, so that normals are nowhere near zero; floats, so that both precisions
 * have the same. */
static int make_patches(const struct test_case *test, struct patches *patches)
{
    const size_t controls = controls_of(test);
    const int is_rational = test->kind == KIND_RATIONAL || test->kind == KIND_RATIONAL_TRIANGLE;
    uint64_t state = (uint64_t)test->degree_u * 1000 + (uint64_t)test->degree_v;
    *patches = (struct patches){.count = test->count,
        .patches = calloc(test->count, sizeof(*patches->patches)),
        .controls = malloc(test->count * controls * sizeof(*patches->controls)),
        .control_count = test->count * controls,
        .groups = calloc(1, sizeof(*patches->groups)),
        .group_count = 1};
    if (!patches->patches || !patches->controls || !patches->groups)
        return 0;
    double(*p)[4] = patches->controls;
    for (size_t n = 0; n < test->count; n++) {
        patches->patches[n] = (struct patch){.kind = test->kind,
            .degree_u = test->degree_u,
            .degree_v = test->degree_v,
            .control = n * controls,
            .control_count = controls};
        for (int i = 0; i <= test->degree_u; i++)
            for (int j = 0; j <= (is_triangle(test) ? test->degree_u - i : test->degree_v);
                 j++, p++) {
                const float w = is_rational ? 0.5f + random_unit(&state) : 1;
                const float bump = 0.25f / (float)(test->degree_u + test->degree_v);
                const float x = (float)i / (float)test->degree_u - 0.5f;
                const float y = (float)j / (float)test->degree_v - 0.5f;
                const float own[4] = {w * (x + bump * random_unit(&state)),
                    w * (y + bump * random_unit(&state)), w * random_unit(&state), w};
                for (int c = 0; c < 4; c++)
                    (*p)[c] = ldexp((double)own[c], c < 3 ? test->exponent : 0);
            }
    }
    return 1;
}

static void free_result(struct result *result)
{
    free(result->points);
    free(result->normals);
    free(result->curvatures);
    *result = (struct result){0};
}

/* Evaluates as the options say; normals too by sep, since they do not depend on the method. */
static int evaluate(struct run *run, const struct bezier_options *options, struct result *result)
{
    struct bezier b = {.options = *options};
    b.options.has_normals = options->method == EVALUATION_SEP && options->sharing == SHARE_NOTHING;
    run_start(run);
    int rc = bezier_evaluate(run, &b);
    if (rc == 0 && b.options.has_normals)
        rc = bezier_run_stage(run, &NORMALS, &b);
    *result = (struct result){b.result.points, b.result.normals, b.result.curvatures};
    b.result.points = NULL;
    b.result.normals = NULL;
    b.result.curvatures = NULL;
    run_buffers_free(run);
    bezier_end(&b);
    if (rc == 0)
        return 1;
    printf("# %s\n", run->error.text);
    free_result(result);
    return 0;
}

/* The reference's points: all, or of many some. Every method and precision is compared with the
 * same. */
struct exact {
    size_t count, step; /* from one to the next */
    struct reference_point *points;
};

/* Row and column of a point of a patch. */
static void find_place(const struct test_case *test, size_t number, uint32_t *row, uint32_t *column)
{
    uint32_t length = is_triangle(test) ? test->points_u : test->points_v;
    for (*row = 0; number >= length; ++*row) {
        number -= length;
        length -= (uint32_t)is_triangle(test);
    }
    *column = (uint32_t)number;
}

static int make_exact(
    const struct test_case *test, const struct patches *patches, struct exact *exact)
{
    const size_t points = points_of(test), all = test->count * points;
    const long double last_u = test->points_u > 1 ? test->points_u - 1 : 1;
    const long double last_v = test->points_v > 1 ? test->points_v - 1 : 1;
    exact->step = all / 500 + 1;
    exact->count = (all + exact->step - 1) / exact->step;
    exact->points = malloc(exact->count * sizeof(*exact->points));
    if (!exact->points)
        return 0;
#pragma omp parallel for schedule(dynamic)
    for (size_t i = 0; i < exact->count; i++) {
        const size_t own = i * exact->step;
        uint32_t row, column;
        find_place(test, own % points, &row, &column);
        reference_point(patches, &patches->patches[own / points], row / last_u,
            column / (is_triangle(test) ? last_u : last_v), &exact->points[i]);
    }
    return 1;
}

/* The errors of points in epsilons of the patch's size, of normals, of curvatures over the
 * largest. */
struct errors {
    double points, normals, curvatures;
};

static struct errors find_errors(const struct test_case *test, const struct patches *patches,
    const struct exact *exact, enum precision precision, const struct result *result)
{
    struct errors errors = {0};
    const double epsilon = precision == PRECISION_FLOAT ? FLT_EPSILON : DBL_EPSILON;
    double largest = 0, curvature_error = 0;
    for (size_t i = 0; i < exact->count; i++) {
        const size_t own = i * exact->step;
        const struct reference_point *point = &exact->points[i];
        const double size =
            (double)reference_magnitude(patches, &patches->patches[own / points_of(test)]);
        for (size_t c = 0; c < 3; c++) {
            const double got = number_get(result->points, 3 * own + c, precision);
            const double gap = fabs((double)(got - point->position[c])) / size / epsilon;
            errors.points = reference_worse(errors.points, gap);
            if (result->normals)
                errors.normals = reference_worse(
                    errors.normals, fabs((double)(result->normals[own][c] - point->normal[c])));
        }
        for (int c = 0; result->normals && c < CURVATURES; c++) {
            const long double unit =
                ldexpl(1, c == CURVATURE_GAUSSIAN ? 2 * test->exponent : test->exponent);
            largest = fmax(largest, fabs((double)(unit * point->curvature[c])));
            curvature_error = reference_worse(curvature_error,
                fabs((double)(unit * (result->curvatures[own][c] - point->curvature[c]))));
        }
    }
    errors.curvatures = largest > 0 ? curvature_error / largest : curvature_error;
    return errors;
}

/* Sums of n terms have n roundings, and there are one for each direction; powers lose more. */
static double allowed_error(const struct test_case *test, enum evaluation method)
{
    const int degrees = test->degree_u + test->degree_v;
    if (!is_triangle(test) && (method == EVALUATION_MAT3 || method == EVALUATION_MAT4))
        return 4 * pow(2.6, degrees);
    return 4 + degrees;
}

/* Whether the method takes patches like these. */
static int takes(const struct test_case *test, size_t method, enum precision precision)
{
    const int most = test->degree_u > test->degree_v ? test->degree_u : test->degree_v;
    if (is_triangle(test))
        return METHODS[method].method == EVALUATION_SEP;
    if (METHODS[method].method == EVALUATION_DIRECT)
        return test->degree_u == 3 && test->degree_v == 3;
    return most <= METHODS[method].most[precision];
}

static int are_equal(
    enum precision precision, const struct result *one, const struct result *other, size_t points)
{
    if (memcmp(one->points, other->points, 3 * points * precision_size(precision)) != 0)
        return 0;
    if (!one->normals || !other->normals)
        return 1;
    return memcmp(one->normals, other->normals, points * sizeof(*one->normals)) == 0 &&
           memcmp(one->curvatures, other->curvatures, points * sizeof(*one->curvatures)) == 0;
}

/* With the CPU's help: in fixed parts, and from one list. */
static void check_shares(struct run *run, const struct bezier_options *like, const char *name,
    const struct result *expected, size_t points)
{
    static const uint32_t SHARES[] = {0, 35, 100, 101};
    for (size_t i = 0; i < COUNT_OF(SHARES); i++) {
        struct result result;
        struct bezier_options options = *like;
        options.sharing = SHARES[i] > 100 ? SHARE_DYNAMIC : SHARE_STATIC;
        options.share = SHARES[i];
        const int passed = evaluate(run, &options, &result);
        tap_check(passed && are_equal(options.precision, expected, &result, points),
            "%s, %u %% to the CPU%s", name, SHARES[i], SHARES[i] > 100 ? " (from a list)" : "");
        free_result(&result);
    }
}

/* One method and precision on all devices. */
static void check_method(const struct test_case *test, const struct patches *patches,
    const struct exact *exact, size_t method, enum precision precision, struct run *runs,
    const struct device_info *infos, int device_count)
{
    const size_t points = points_of(test) * test->count;
    struct result first = {0}, result;
    for (int i = 0; i < device_count; i++) {
        const struct bezier_options options = {.patches = patches,
            .resolution_u = test->points_u,
            .resolution_v = test->points_v,
            .precision = precision,
            .method = METHODS[method].method};
        char name[192];
        snprintf(name, sizeof(name),
            "%.31s: %s, %s: %zu of kind %d, degree %d x %d, %u x %u, size 2^%d", infos[i].id,
            METHODS[method].name, precision == PRECISION_FLOAT ? "float" : "double", test->count,
            (int)test->kind, test->degree_u, test->degree_v, test->points_u, test->points_v,
            test->exponent);
        const int passed = evaluate(&runs[i], &options, &result);
        if (!passed || first.points) {
            tap_check(passed && are_equal(precision, &first, &result, points), "%s", name);
        } else {
            const struct errors errors = find_errors(test, patches, exact, precision, &result);
            tap_check(errors.points <= allowed_error(test, METHODS[method].method) &&
                          errors.normals <= NORMAL_ERROR && errors.curvatures <= CURVATURE_ERROR,
                "%s: %.2g epsilons, normals %.2g, curvatures %.2g", name, errors.points,
                errors.normals, errors.curvatures);
        }
        if (passed && !is_triangle(test) && runs[i].device.backend != &CPU_BACKEND &&
            (options.method == EVALUATION_SEP || options.method == EVALUATION_MLE))
            check_shares(&runs[i], &options, name, &result, points);
        if (first.points)
            free_result(&result);
        else if (passed)
            first = result;
    }
    free_result(&first);
}

static void evaluate_case(const struct test_case *test, struct run *runs,
    const struct device_info *infos, int device_count)
{
    struct patches patches;
    struct exact exact = {0};
    if (!make_patches(test, &patches) || !make_exact(test, &patches, &exact))
        tap_check(0, "not enough memory for %zu patches", test->count);
    else
        for (size_t method = 0; method < COUNT_OF(METHODS); method++)
            for (int precision = 0; precision < PRECISIONS; precision++)
                if (takes(test, method, (enum precision)precision))
                    check_method(test, &patches, &exact, method, (enum precision)precision, runs,
                        infos, device_count);
    free(exact.points);
    patches_free(&patches);
}

static void run_case(
    size_t number, struct run *runs, const struct device_info *infos, int device_count)
{
    const size_t drawn = COUNT_OF(CASES), large = drawn + RASTER_CASES;
    if (number >= drawn && number < large)
        raster_run_case(number - drawn, runs, infos, device_count);
    else
        evaluate_case(number < drawn ? &CASES[number] : &LARGE_CASES[number - large], runs, infos,
            device_count);
}

const struct self_test BEZIER_SELF_TEST = {
    .cases = COUNT_OF(CASES) + RASTER_CASES + COUNT_OF(LARGE_CASES),
    .large_cases = COUNT_OF(LARGE_CASES),
    .run_case = run_case,
};
