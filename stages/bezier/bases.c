/* BASES: level 2, Bernstein bases at the grid's points for every order that occurs, as far as they
 * are not known yet. They are computed in double and rounded once. */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stages/bezier/batch.h"

#define PARALLEL_NUMBERS 16384 /* of a table; fewer are done before other threads wake up */
#define TRIANGLE_SUMS 6        /* point, u, v, uu, uv, vv, as in curvature.h */

/* The powers of the parameters i / steps, i = 0 to steps: all that is needed, since 1 - t is one
 * too. */
struct powers {
    uint32_t steps; /* 1 where there is one point, at 0 */
    double *values; /* exponent by exponent */
};

static int powers_new(struct run *run, uint32_t points, int degree, struct powers *powers)
{
    const size_t steps = points > 1 ? points - 1 : 1;
    powers->steps = (uint32_t)steps;
    powers->values = calloc((size_t)(degree + 1) * (steps + 1), sizeof(*powers->values));
    if (!powers->values)
        return error_set(
            &run->error, ERROR_INPUT, "not enough memory for the bases; lower the resolution");
#pragma omp parallel for schedule(dynamic) if ((size_t)(degree + 1) * steps >= PARALLEL_NUMBERS)
    for (int k = 0; k <= degree; k++)
        for (size_t i = 0; i <= steps; i++)
            powers->values[(size_t)k * (steps + 1) + i] = pow((double)i / (double)steps, k);
    return 0;
}

/* (i / steps)^k */
static double power(const struct powers *powers, uint32_t i, int k)
{
    return powers->values[(size_t)k * (powers->steps + 1) + i];
}

/* C(n, k) t^k (1-t)^(n-k) at t = i / steps; 0 where k is not in 0..n. */
static double bernstein(
    const struct bezier *b, const struct powers *powers, int n, int k, uint32_t i)
{
    if (k < 0 || k > n || n < 0)
        return 0;
    return b->binomials[n][k] * power(powers, i, k) * power(powers, powers->steps - i, n - k);
}

/* The d-th derivative: n (B[n-1][k-1] - B[n-1][k]), once or twice (Farin 5.3). */
static double derivative(
    const struct bezier *b, const struct powers *powers, int n, int k, int d, uint32_t i)
{
    if (d == 0)
        return bernstein(b, powers, n, k, i);
    return n * (derivative(b, powers, n - 1, k - 1, d - 1, i) -
                   derivative(b, powers, n - 1, k, d - 1, i));
}

static void fill_side(const struct bezier *b, const struct powers *powers, struct basis *basis)
{
    const int order = (int)basis->order, rows = (basis->derivatives ? 3 : 1) * order;
#pragma omp parallel for schedule(dynamic) if ((size_t)rows * basis->points >= PARALLEL_NUMBERS)
    for (int row = 0; row < rows; row++)
        for (uint32_t i = 0; i < basis->points; i++)
            number_put(basis->values, (size_t)row * basis->points + i,
                derivative(b, powers, order - 1, row % order, row / order, i),
                b->options.precision);
}

/* Halves of sums and differences of bases that mirror each other, for the first half of the points;
 * one that mirrors itself as it is. */
static void fold_side(const struct bezier *b, const struct powers *powers, struct basis *basis)
{
    const int degree = (int)basis->order - 1, order = (int)SEP_ORDER_FOR(basis->order);
    const uint32_t last = basis->points - 1;
#pragma omp parallel for if ((size_t)order * basis->points >= PARALLEL_NUMBERS)
    for (uint32_t i = 0; i <= last / 2; i++)
        for (int k = 0; k < order / 2; k++) {
            const double one = 2 * k <= degree ? bernstein(b, powers, degree, k, i) : 0;
            const double other = 2 * k < degree ? bernstein(b, powers, degree, degree - k, i) : one;
            const size_t at = (size_t)i * (size_t)order + (size_t)k;
            number_put(basis->folded, at, (one + other) / 2, b->options.precision);
            number_put(
                basis->folded, at + (size_t)order / 2, (one - other) / 2, b->options.precision);
        }
}

/* n! / (i! j! k!) u^i v^j w^k, k = n - i - j, at u = r / steps, v = s / steps, w = 1 - u - v; 0
 * where a number is negative. */
static double weight(const struct bezier *b, const struct powers *powers, int n, int i, int j,
    uint32_t r, uint32_t s)
{
    const int k = n - i - j;
    if (i < 0 || j < 0 || k < 0)
        return 0;
    return b->binomials[n][i] * b->binomials[n - i][j] * power(powers, r, i) * power(powers, s, j) *
           power(powers, powers->steps - r - s, k);
}

/* One of TRIANGLE_SUMS: by u is n (W[i-1][j] - W[i][j]) of degree n - 1, since w shrinks where u
 * grows. */
static double weight_derivative(const struct bezier *b, const struct powers *powers, int n, int i,
    int j, int by_u, int by_v, uint32_t r, uint32_t s)
{
    if (by_u > 0)
        return n * (weight_derivative(b, powers, n - 1, i - 1, j, by_u - 1, by_v, r, s) -
                       weight_derivative(b, powers, n - 1, i, j, by_u - 1, by_v, r, s));
    if (by_v > 0)
        return n * (weight_derivative(b, powers, n - 1, i, j - 1, by_u, by_v - 1, r, s) -
                       weight_derivative(b, powers, n - 1, i, j, by_u, by_v - 1, r, s));
    return n < 0 ? 0 : weight(b, powers, n, i, j, r, s);
}

static void fill_triangle(const struct bezier *b, const struct powers *powers, struct basis *basis,
    int degree, uint32_t points)
{
    static const int BY[TRIANGLE_SUMS][2] = {{0, 0}, {1, 0}, {0, 1}, {2, 0}, {1, 1}, {0, 2}};
    const int sums = basis->derivatives ? TRIANGLE_SUMS : 1;
#pragma omp parallel for schedule( \
    dynamic) if ((size_t)basis->order * basis->points >= PARALLEL_NUMBERS)
    for (uint32_t r = 0; r < points; r++)
        for (uint32_t s = 0; r + s < points; s++) {
            size_t at = (size_t)r * points - (size_t)r * (r - 1) / 2 + s; /* of the point */
            for (int sum = 0; sum < sums; sum++)
                for (int i = 0; i <= degree; i++)
                    for (int j = 0; i + j <= degree; j++, at += basis->points)
                        number_put(basis->values, at,
                            weight_derivative(
                                b, powers, degree, i, j, BY[sum][0], BY[sum][1], r, s),
                            b->options.precision);
            if (!basis->derivatives)
                continue;
            const double steps = powers->steps;
            number_put(
                basis->values, at, 1.0 / 3 - r / steps, b->options.precision); /* to the middle */
            number_put(
                basis->values, at + basis->points, 1.0 / 3 - s / steps, b->options.precision);
        }
}

uint64_t basis_numbers(const struct basis *basis)
{
    const uint64_t tables = !basis->derivatives ? 1 : basis->is_triangle ? TRIANGLE_SUMS : 3;
    const uint64_t directions = basis->is_triangle && basis->derivatives ? 2 : 0;
    return (tables * basis->order + directions) * basis->points;
}

void batch_tables(const struct bezier *b, const struct batch *batch, struct basis tables[2])
{
    tables[0] = (struct basis){.is_triangle = batch->is_triangle,
        .order = batch->order_u,
        .points = batch->is_triangle ? batch->columns : batch->rows,
        .derivatives = b->options.has_normals};
    tables[1] = (struct basis){.order = batch->degree_v + 1,
        .points = batch->points_v,
        .derivatives = b->options.has_normals};
}

/* Finds it, or makes it. */
static int get_basis(struct run *run, struct bezier *b, const struct basis *wanted, int degree,
    uint32_t side, size_t *number)
{
    for (*number = 0; *number < b->basis_count; ++*number) {
        const struct basis *basis = &b->bases[*number];
        if (basis->is_triangle == wanted->is_triangle && basis->order == wanted->order &&
            basis->points == wanted->points && basis->derivatives >= wanted->derivatives)
            return 0;
    }
    struct basis *bases = realloc(b->bases, (b->basis_count + 1) * sizeof(*bases));
    struct powers powers;
    if (!bases)
        return error_set(&run->error, ERROR_INPUT, "not enough memory");
    b->bases = bases;
    const int rc = powers_new(run, side, degree, &powers);
    if (rc)
        return rc;
    struct basis *basis = &bases[b->basis_count];
    *basis = *wanted;
    basis->size = (size_t)basis_numbers(wanted) * precision_size(b->options.precision);
    assert(basis->size > 0);
    basis->values = malloc(basis->size);
    if (!wanted->is_triangle && wanted->order <= SEP_ORDER) {
        basis->folded_size = (size_t)SEP_ORDER_FOR(basis->order) * ((basis->points + 1) / 2) *
                             precision_size(b->options.precision);
        basis->folded = malloc(basis->folded_size);
    }
    b->basis_count++;
    const int has_room = basis->values && (basis->folded || !basis->folded_size);
    if (has_room && basis->is_triangle)
        fill_triangle(b, &powers, basis, degree, side);
    else if (has_room)
        fill_side(b, &powers, basis);
    if (has_room && basis->folded)
        fold_side(b, &powers, basis);
    free(powers.values);
    return has_room ? 0
                    : error_set(&run->error, ERROR_INPUT,
                          "not enough memory for the bases; lower the resolution");
}

/* Those of other frames are not wanted again where every frame has its own. */
static void drop_bases(struct bezier *b)
{
    for (size_t i = 0; i < b->basis_count; i++) {
        free(b->bases[i].values);
        free(b->bases[i].folded);
    }
    b->basis_count = 0;
    b->in_folded = b->in_u = b->in_v = 0;
}

static int bases_run(struct run *run, struct bezier *b)
{
    int rc = 0;
    if (b->options.animation == ANIMATE_RESOLUTION || b->options.animation == ANIMATE_DEGREE)
        drop_bases(b);
    for (size_t i = 0; rc == 0 && i < b->batch_count; i++) {
        struct batch *batch = &b->batches[i];
        struct basis tables[2];
        batch_tables(b, batch, tables);
        rc = get_basis(run, b, &tables[0], (int)batch->degree_u, batch->points_u, &batch->basis_u);
        if (rc == 0)
            rc = get_basis(
                run, b, &tables[1], (int)batch->degree_v, tables[1].points, &batch->basis_v);
        if (rc == 0)
            rc = run_progress(run, (double)(i + 1) / (double)b->batch_count);
    }
    return rc;
}

const struct bezier_stage BASES = {
    .stage = {"bases", "level 2: Bernstein bases at the points of the grid"},
    .run = bases_run,
};
