/* NORMALS: unit normals and curvatures of all points; of PN patches the normals that they bring. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stages/bezier/chunk.h"

#define FLAT_CURVATURE 1e-6   /* of a patch of size 1: below it there may be rounding alone */
#define MAX_EXPONENT 500      /* of 2, by which curvatures are multiplied */
#define PARALLEL_POINTS 16384 /* fewer are done before other threads wake up */
#define LAUNCH_SUMS 0x1p24    /* points times control points: not much more between two reports */

static int make_room(struct run *run, struct bezier *b)
{
    free(b->result.normals);
    free(b->result.curvatures);
    b->result.normals = calloc(b->result.point_count + 1, sizeof(*b->result.normals));
    b->result.curvatures = calloc(b->result.point_count + 1, sizeof(*b->result.curvatures));
    return b->result.normals && b->result.curvatures
               ? 0
               : error_set(&run->error, ERROR_INPUT, "not enough memory for normals");
}

static int find_normals(struct run *run, struct bezier *b, const struct chunk *chunk)
{
    const struct batch *batch = chunk->batch;
    const size_t points = chunk->count * chunk->points;
    const size_t first = batch->first_point + chunk->first * chunk->points;
    const size_t groups = (points + PATCH_GROUP - 1) / PATCH_GROUP;
    const struct point_args args = {(uint32_t)chunk->count, batch->rows, batch->columns,
        batch->order_u, batch->order_v, batch->coordinates};
    const int is_float = b->options.precision == PRECISION_FLOAT;
    int rc = run_buffer(
        run, &b->normals_buffer, points * sizeof(*b->result.normals), b->result.normals + first);
    if (rc == 0)
        rc = run_buffer(run, &b->curvatures_buffer, points * sizeof(*b->result.curvatures),
            b->result.curvatures + first);
    if (rc == 0 && batch->is_triangle)
        rc = DEVICE_LAUNCH(&run->device,
            is_float ? KERNEL_differential_triangle_float : KERNEL_differential_triangle_double,
            groups, 1, &run->error, ARGUMENT_BUFFER(&b->nets_buffer),
            ARGUMENT_BUFFER(&b->basis_u_buffer), ARGUMENT_BUFFER(&b->normals_buffer),
            ARGUMENT_BUFFER(&b->curvatures_buffer), ARGUMENT(args));
    else if (rc == 0)
        rc = DEVICE_LAUNCH(&run->device,
            is_float ? KERNEL_differential_float : KERNEL_differential_double, groups, 1,
            &run->error, ARGUMENT_BUFFER(&b->nets_buffer), ARGUMENT_BUFFER(&b->basis_u_buffer),
            ARGUMENT_BUFFER(&b->basis_v_buffer), ARGUMENT_BUFFER(&b->normals_buffer),
            ARGUMENT_BUFFER(&b->curvatures_buffer), ARGUMENT(args));
    if (rc == 0)
        rc = buffer_download(&b->normals_buffer, b->result.normals + first,
            points * sizeof(*b->result.normals), &run->error);
    if (rc == 0)
        rc = buffer_download(&b->curvatures_buffer, b->result.curvatures + first,
            points * sizeof(*b->result.curvatures), &run->error);
    return rc;
}

/* Multiplies a curvature, to the nearest number that a float holds. Returns whether it does not
 * hold the product. */
static int scale_curvature(double factor, float *curvature)
{
    if (*curvature == NO_CURVATURE || !isfinite(*curvature))
        return 0;
    const double own = (double)*curvature, value = own * factor;
    *curvature = (float)(value > FLT_MAX ? FLT_MAX : value < -FLT_MAX ? -FLT_MAX : value);
    return fabs(value) > FLT_MAX || (fabs(value) < FLT_MIN && fabs(own) > FLAT_CURVATURE);
}

/* Turns curvatures of patches that were divided by 2^exponent into those of the patches with
 * lengths in 2^b->result.unit. Returns how many a float does not hold. */
static size_t scale_curvatures(const struct bezier *b, const struct chunk *chunk,
    const int *exponents, float (*curvatures)[CURVATURES])
{
    size_t lost = 0;
#pragma omp parallel for reduction(+ : lost) if (chunk->count * chunk->points >= PARALLEL_POINTS)
    for (size_t patch = 0; patch < chunk->count; patch++) {
        const int exponent = b->result.unit - exponents[patch];
        double factors[CURVATURES];
        for (int c = 0; c < CURVATURES; c++) {
            const int own = c == CURVATURE_GAUSSIAN ? 2 * exponent : exponent;
            /* Beyond these a float, times the factor, is out of its range either way. */
            factors[c] = ldexp(1, own < -MAX_EXPONENT  ? -MAX_EXPONENT
                                  : own > MAX_EXPONENT ? MAX_EXPONENT
                                                       : own);
        }
        for (size_t i = patch * chunk->points; i < (patch + 1) * chunk->points; i++)
            for (int c = 0; c < CURVATURES; c++)
                lost += (size_t)scale_curvature(factors[c], &curvatures[i][c]);
    }
    return lost;
}

/* The smallest e with extent < 2^e, of the model's largest extent. */
static int find_unit(const struct bezier *b)
{
    double extent = 0;
    int unit;
    for (int c = 0; c < 3; c++)
        extent = fmax(extent, b->high[c] - b->low[c]);
    frexp(extent, &unit);
    return unit;
}

/* One step of de Casteljau's scheme for normals `step` apart. */
static void blend(double (*normals)[4], size_t count, size_t step, double t)
{
    for (size_t last = count - 1; last > 0; last--)
        for (size_t k = 0; k < last; k++)
            for (int i = 0; i < 3; i++)
                normals[k * step][i] =
                    (1 - t) * normals[k * step][i] + t * normals[(k + 1) * step][i];
}

/* Leaves the normal at (u, v) in the first; `normals` is used up. */
static void blend_tensor(const struct patch *patch, double (*normals)[4], double u, double v)
{
    const size_t rows = (size_t)patch->normal_degree_u + 1;
    const size_t columns = (size_t)patch->normal_degree_v + 1;
    for (size_t k = 0; k < rows; k++)
        blend(normals + k * columns, columns, 1, v);
    blend(normals, rows, columns, u);
}

static void blend_triangle(const struct patch *patch, double (*normals)[4], double u, double v)
{
    for (int degree = patch->normal_degree_u; degree > 0; degree--) {
        double(*row)[4] = normals, (*to)[4] = normals;
        for (int i = 0; i < degree; i++) {
            double(*next)[4] = row + degree + 1 - i; /* row i + 1 */
            for (int j = 0; i + j < degree; j++, to++)
                for (int c = 0; c < 3; c++)
                    (*to)[c] = (1 - u - v) * row[j][c] + v * row[j + 1][c] + u * next[j][c];
            row = next;
        }
    }
}

/* On the host: their degrees are low. */
static int blend_normals(
    struct run *run, struct bezier *b, const struct batch *batch, size_t member)
{
    const struct patch *patch = &b->patches.patches[batch->members[member]];
    const size_t u = (size_t)patch->normal_degree_u + 1, v = (size_t)patch->normal_degree_v + 1;
    const size_t count = batch->is_triangle ? u * (u + 1) / 2 : u * v;
    const size_t points = (size_t)batch->rows * batch->columns;
    const double last_u = batch->points_u > 1 ? batch->points_u - 1 : 1;
    const double last_v = batch->points_v > 1 ? batch->points_v - 1 : 1;
    float(*to)[3] = b->result.normals + batch->first_point + member * points;
    double(*normals)[4] = malloc(count * sizeof(*normals));
    if (!normals)
        return error_set(&run->error, ERROR_INPUT, "not enough memory for normals");
    for (uint32_t i = 0; i < batch->points_u; i++)
        for (uint32_t j = 0; j < (batch->is_triangle ? batch->points_u - i : batch->points_v);
             j++, to++) {
            memcpy(normals, b->controls + patch->normal, count * sizeof(*normals));
            if (batch->is_triangle)
                blend_triangle(patch, normals, i / last_u, j / last_u);
            else
                blend_tensor(patch, normals, i / last_u, j / last_v);
            const double *n = normals[0];
            const double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
            for (int c = 0; c < 3; c++)
                (*to)[c] = length > 0 ? (float)(n[c] / length) : 0;
        }
    free(normals);
    return 0;
}

/* Those of patches `first` to before `end`; adds to *lost what scale_curvatures returns. */
static int find_run_normals(struct run *run, struct bezier *b, const struct batch *batch,
    size_t first, size_t end, int *exponents, size_t *lost)
{
    struct chunk chunk = {.batch = batch, .first = first, .end = end};
    int rc = 0;
    while (rc == 0 && chunk_next(b, &chunk)) {
        rc = chunk_upload_nets(run, b, &chunk, NET_SCALED, exponents);
        if (rc == 0)
            rc = chunk_upload_bases(run, b, &chunk);
        if (rc == 0)
            rc = find_normals(run, b, &chunk);
        if (rc == 0)
            *lost += scale_curvatures(b, &chunk, exponents,
                b->result.curvatures + batch->first_point + chunk.first * chunk.points);
    }
    return rc;
}

/* Launches for some patches at a time: devices other than the CPU report nothing within a launch,
 * and high degrees take long. */
static int find_batch_normals(
    struct run *run, struct bezier *b, const struct batch *batch, int *exponents)
{
    const double sums = (double)batch->rows * batch->columns * batch->order_u * batch->order_v;
    const size_t most = sums < LAUNCH_SUMS ? (size_t)(LAUNCH_SUMS / sums) : 1;
    const double begin = run->launch_to, share = 1 / (double)b->batch_count;
    size_t lost = 0;
    int rc = 0;
    for (size_t first = 0; rc == 0 && first < batch->count; first += most) {
        const size_t end = batch->count - first < most ? batch->count : first + most;
        run->launch_from = run->launch_to;
        run->launch_to = begin + share * (double)end / (double)batch->count;
        rc = find_run_normals(run, b, batch, first, end, exponents, &lost);
        if (rc == 0)
            rc = run_progress(run, run->launch_to);
    }
    if (lost && !b->options.has_own_unit && !(b->warned & WARNED_OF_RANGE)) {
        run_notice(run, 1,
            "patches so large or small have curvatures beyond a float's range, which become 0 or "
            "%.2g; scale the model",
            (double)FLT_MAX);
        b->warned |= WARNED_OF_RANGE;
    }
    /* Those of a patch that a wave bends are the surface's. */
    for (size_t member = 0;
         rc == 0 && b->options.animation != ANIMATE_WAVE && member < batch->count; member++) {
        const enum patch_kind kind = b->patches.patches[batch->members[member]].kind;
        if (kind == KIND_PN_TRIANGLE || kind == KIND_PN_TENSOR)
            rc = blend_normals(run, b, batch, member);
        if (rc == 0)
            rc = run_progress(run, run->launch_to);
    }
    return rc;
}

static int normals_run(struct run *run, struct bezier *b)
{
    int *exponents = malloc(b->patches.count * sizeof(*exponents));
    int rc = exponents ? make_room(run, b)
                       : error_set(&run->error, ERROR_INPUT, "not enough memory for normals");
    b->result.unit = b->options.has_own_unit ? find_unit(b) : 0;
    run->launch_to = 0;
    for (size_t i = 0; rc == 0 && i < b->batch_count; i++)
        rc = find_batch_normals(run, b, &b->batches[i], exponents);
    free(exponents);
    return rc;
}

const struct bezier_stage NORMALS = {
    .stage = {"normals", "normals and curvatures of all points"},
    .run = normals_run,
};
