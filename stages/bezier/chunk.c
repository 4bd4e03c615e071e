#include "stages/bezier/chunk.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define STRIP_ROWS 512                    /* pairs of rows of a patch block of sep */
#define MIN_STRIP_ROWS 16                 /* where there would be too few for the device */
#define MAX_CHUNK_BYTES ((size_t)1 << 32) /* of points */
#define LEAST_EXTENT 0x1p-10 /* a patch's size over its distance: a float leaves 14 bits to it */

static const struct {
    enum kernel kernel[PRECISIONS];
    int has_blocks; /* they can be shared */
} KERNEL_OF[] = {
    [EVALUATION_SEP] = {{KERNEL_sep_float, KERNEL_sep_double}, 1},
    [EVALUATION_MLE] = {{KERNEL_mle_float, KERNEL_mle_double}, 1},
    [EVALUATION_BRF] = {{KERNEL_brf_float, KERNEL_brf_double}, 0},
    [EVALUATION_MAT3] = {{KERNEL_mat3_float, KERNEL_mat3_double}, 0},
    [EVALUATION_MAT4] = {{KERNEL_mat4_float, KERNEL_mat4_double}, 0},
    [EVALUATION_CASTELJAU] = {{KERNEL_casteljau_float, KERNEL_casteljau_double}, 0},
    [EVALUATION_DIRECT] = {{KERNEL_direct_float, KERNEL_direct_double}, 0},
};

int chunk_next(const struct bezier *b, struct chunk *chunk)
{
    const struct batch *batch = chunk->batch;
    const size_t points = (size_t)batch->rows * batch->columns;
    const size_t most = MAX_CHUNK_BYTES / (points * 3 * precision_size(b->options.precision));
    const size_t first = chunk->first + chunk->count, rest = chunk->end - first;
    *chunk = (struct chunk){
        .batch = batch,
        .first = first,
        .end = chunk->end,
        .count = most < 1 && rest > 0 ? 1
                 : rest < most        ? rest
                                      : most,
        .controls = (size_t)batch->order_u * batch->order_v,
        .points = points,
    };
    return rest > 0;
}

void *chunk_points(const struct bezier *b, const struct chunk *chunk)
{
    const size_t first = chunk->batch->first_point + chunk->first * chunk->points;
    return (char *)b->result.points + first * 3 * precision_size(b->options.precision);
}

size_t chunk_points_size(const struct bezier *b, const struct chunk *chunk)
{
    return chunk->count * chunk->points * 3 * precision_size(b->options.precision);
}

/* R[p][k] = (-1)^(p-k) C(n,p) C(p,k): how much of t^p is in the k-th Bernstein polynomial; k up to
 * p. */
static double in_powers(const struct bezier *b, uint32_t order, uint32_t power, uint32_t k)
{
    return ((power - k) % 2 ? -1 : 1) * b->binomials[order - 1][power] * b->binomials[power][k];
}

/* G = R P R^T for one patch, in double: along v, then along u. */
static void to_monomials(const struct bezier *b, const struct batch *batch, double (*net)[4])
{
    double turned[MAT_ORDER][4];
    for (int along_u = 0; along_u < 2; along_u++) {
        const uint32_t lines = along_u ? batch->order_v : batch->order_u;
        const uint32_t order = along_u ? batch->order_u : batch->order_v;
        const size_t step = along_u ? batch->order_v : 1, line_step = along_u ? 1 : batch->order_v;
        for (uint32_t line = 0; line < lines; line++) {
            double(*p)[4] = net + line * line_step;
            memset(turned, 0, sizeof(turned));
            for (uint32_t power = 0; power < order; power++)
                for (uint32_t k = 0; k <= power; k++)
                    for (int i = 0; i < 4; i++)
                        turned[power][i] += in_powers(b, order, power, k) * p[k * step][i];
            for (uint32_t power = 0; power < order; power++)
                memcpy(p[power * step], turned[power], sizeof(turned[power]));
        }
    }
}

/* Divides by a power of two, so that the largest weight is from 0.5 to 1. */
static void scale_weights(size_t controls, double (*net)[4])
{
    double largest = 0;
    int exponent;
    for (size_t j = 0; j < controls; j++)
        largest = fmax(largest, net[j][3]);
    frexp(largest, &exponent);
    for (size_t j = 0; j < controls; j++)
        for (int c = 0; c < 4; c++)
            net[j][c] = ldexp(net[j][c], -exponent);
}

/* Moves a patch that is far from the origin nearer, so that its numbers keep their digits: to
 * where the rounding of its coordinates, which are doubles, is still below what the kernels
 * take for 0. */
static void move_near(enum precision precision, size_t controls, double (*net)[4])
{
    /* 8 epsilons of double over FLAT of kernels/differential_*.cl. */
    static const double NEAR[PRECISIONS] = {0x1p-29, 0x1p-19};
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    double extent = 0, largest = 0;
    for (size_t j = 0; j < controls; j++)
        for (int c = 0; c < 3; c++) {
            low[c] = fmin(low[c], net[j][c] / net[j][3]);
            high[c] = fmax(high[c], net[j][c] / net[j][3]);
        }
    for (int c = 0; c < 3; c++) {
        extent = fmax(extent, high[c] - low[c]);
        largest = fmax(largest, fmax(fabs(low[c]), fabs(high[c])));
    }
    if (extent > LEAST_EXTENT * largest)
        return;
    for (size_t j = 0; j < controls; j++)
        for (int c = 0; c < 3; c++)
            net[j][c] -= net[j][3] * (low[c] - NEAR[precision] * largest);
}

/* Brings a patch to size 1, by powers of two alone unless it is far off, so that no product of
 * its numbers leaves their range and all of them are rounded as before. Returns the exponent. */
static int scale_net(
    enum precision precision, const struct batch *batch, size_t controls, double (*net)[4])
{
    double largest = 0;
    int exponent;
    if (batch->coordinates == 4)
        scale_weights(controls, net);
    move_near(precision, controls, net);
    for (size_t j = 0; j < controls; j++)
        for (int c = 0; c < 3; c++)
            largest = fmax(largest, fabs(net[j][c]));
    frexp(largest, &exponent);
    for (size_t j = 0; j < controls; j++)
        for (int c = 0; c < 3; c++)
            net[j][c] = ldexp(net[j][c], -exponent);
    return exponent;
}

int chunk_upload_nets(
    struct run *run, struct bezier *b, const struct chunk *chunk, enum net net, int *exponents)
{
    const struct batch *batch = chunk->batch;
    const size_t numbers = chunk->count * chunk->controls * batch->coordinates;
    const size_t size = numbers * precision_size(b->options.precision);
    double(*own)[4] = malloc(chunk->controls * sizeof(*own));
    size_t at = 0;
    free(b->nets);
    b->nets = malloc(size);
    if (!b->nets || !own) {
        free(own);
        return error_set(&run->error, ERROR_INPUT, "not enough memory for control points");
    }
    for (size_t i = 0; i < chunk->count; i++) {
        const size_t first = b->patches.patches[batch->members[chunk->first + i]].control;
        memcpy(own, b->controls + first, chunk->controls * sizeof(*own));
        if (net == NET_POWERS)
            to_monomials(b, batch, own);
        else if (net == NET_SCALED)
            exponents[i] = scale_net(b->options.precision, batch, chunk->controls, own);
        for (size_t j = 0; j < chunk->controls; j++)
            for (uint32_t c = 0; c < batch->coordinates; c++)
                number_put(b->nets, at++, own[j][c], b->options.precision);
    }
    free(own);
    const int rc = run_buffer(run, &b->nets_buffer, size, b->nets);
    return rc ? rc : buffer_upload(&b->nets_buffer, b->nets, size, &run->error);
}

/* Brings a table to the device unless it is there. */
static int upload_table(
    struct run *run, size_t number, void *values, size_t size, struct buffer *buffer, size_t *in)
{
    if (*in == number + 1 && buffer->size == size)
        return 0;
    int rc = run_buffer(run, buffer, size, values);
    if (rc == 0)
        rc = buffer_upload(buffer, values, size, &run->error);
    *in = rc ? 0 : number + 1;
    return rc;
}

int chunk_upload_bases(struct run *run, struct bezier *b, const struct chunk *chunk)
{
    const size_t along_u = chunk->batch->basis_u, along_v = chunk->batch->basis_v;
    const struct basis *u = &b->bases[along_u], *v = &b->bases[along_v];
    int rc = upload_table(run, along_u, u->values, u->size, &b->basis_u_buffer, &b->in_u);
    if (rc == 0)
        rc = upload_table(run, along_v, v->values, v->size, &b->basis_v_buffer, &b->in_v);
    if (rc == 0 && chunk->has_pairs)
        rc =
            upload_table(run, along_u, u->folded, u->folded_size, &b->folded_buffer, &b->in_folded);
    return rc;
}

int chunk_upload_matrix(
    struct run *run, const struct bezier *b, uint32_t order, struct buffer *buffer, size_t *in)
{
    const size_t size = (size_t)order * order * precision_size(b->options.precision);
    void *matrix = malloc(size);
    if (!matrix)
        return error_set(&run->error, ERROR_INPUT, "not enough memory");
    for (uint32_t power = 0; power < order; power++)
        for (uint32_t k = 0; k < order; k++)
            number_put(matrix, (size_t)power * order + k,
                k > power ? 0 : in_powers(b, order, power, k), b->options.precision);
    *in = 0;
    int rc = run_buffer(run, buffer, size, NULL);
    if (rc == 0)
        rc = buffer_upload(buffer, matrix, size, &run->error);
    free(matrix);
    return rc;
}

int batch_has_blocks(const struct bezier *b, const struct batch *batch)
{
    return KERNEL_OF[b->options.method].has_blocks && !batch->is_triangle;
}

int batch_has_powers(const struct bezier *b, const struct batch *batch)
{
    return b->options.method == EVALUATION_MAT4 && !batch->is_triangle;
}

void chunk_plan(const struct device *device, const struct bezier *b, struct chunk *chunk)
{
    const size_t few =
        device->info.is_gpu ? 8 * (size_t)device->info.units : 4 * (size_t)device->threads;
    const struct batch *batch = chunk->batch;
    const int is_general =
        b->options.method == EVALUATION_SEP &&
        (batch->coordinates == 4 || batch->order_u > SEP_ORDER || batch->order_v > SEP_ORDER);
    uint32_t strip_rows = STRIP_ROWS;
    chunk->kernel = KERNEL_OF[b->options.method].kernel[b->options.precision];
    if (batch->is_triangle) {
        chunk->kernel = b->options.precision == PRECISION_FLOAT ? KERNEL_triangle_float
                                                                : KERNEL_triangle_double;
        return;
    }
    if (is_general) {
        chunk->kernel = b->options.precision == PRECISION_FLOAT ? KERNEL_sep_rows_float
                                                                : KERNEL_sep_rows_double;
        strip_rows = ROWS_AT_ONCE;
    }
    chunk->has_pairs = b->options.method == EVALUATION_SEP && !is_general;
    const uint32_t rows = chunk->has_pairs ? (batch->rows + 1) / 2 : batch->rows;
    if (b->options.method == EVALUATION_MLE)
        strip_rows = MLE_SIDE;
    const uint32_t width =
        b->options.method == EVALUATION_MLE ? MLE_SIDE : kernel_group(chunk->kernel);
    const uint32_t blocks = (batch->columns + width - 1) / width;
    while (chunk->has_pairs && strip_rows > MIN_STRIP_ROWS &&
           (rows + strip_rows - 1) / strip_rows * blocks * chunk->count < few)
        strip_rows /= 2;
    chunk->args = (struct patch_args){
        .rows = batch->rows,
        .columns = batch->columns,
        .order_u = batch->order_u,
        .order_v = batch->order_v,
        .coordinates = batch->coordinates,
        .strip_rows = strip_rows,
        .strips = (rows + strip_rows - 1) / strip_rows,
        .blocks = blocks,
    };
    chunk->args.end = chunk->args.strips * blocks * (uint32_t)chunk->count;
}

int chunk_launch_blocks(struct device *device, const struct chunk *chunk,
    const struct buffer *const buffers[5], struct patch_args args, size_t groups,
    struct error *error)
{
    return DEVICE_LAUNCH(device, chunk->kernel, groups, 1, error, ARGUMENT_BUFFER(buffers[0]),
        ARGUMENT_BUFFER(buffers[1]), ARGUMENT_BUFFER(buffers[2]), ARGUMENT_BUFFER(buffers[3]),
        ARGUMENT_BUFFER(buffers[4]), ARGUMENT(args));
}

static int launch_points(struct device *device, const struct bezier *b, const struct chunk *chunk,
    const struct buffer *const buffers[5], struct error *error)
{
    const struct batch *batch = chunk->batch;
    const struct point_args args = {(uint32_t)chunk->count, batch->rows, batch->columns,
        batch->order_u, batch->order_v, batch->coordinates};
    const size_t groups = (chunk->count * chunk->points + kernel_group(chunk->kernel) - 1) /
                          kernel_group(chunk->kernel);
    if (chunk->kernel == KERNEL_triangle_float || chunk->kernel == KERNEL_triangle_double)
        return DEVICE_LAUNCH(device, chunk->kernel, groups, 1, error, ARGUMENT_BUFFER(buffers[0]),
            ARGUMENT_BUFFER(buffers[1]), ARGUMENT_BUFFER(buffers[3]), ARGUMENT(args));
    if (b->options.method == EVALUATION_MAT3)
        return DEVICE_LAUNCH(device, chunk->kernel, groups, 1, error, ARGUMENT_BUFFER(buffers[0]),
            ARGUMENT_BUFFER(buffers[1]), ARGUMENT_BUFFER(buffers[2]), ARGUMENT_BUFFER(buffers[3]),
            ARGUMENT(args));
    return DEVICE_LAUNCH(device, chunk->kernel, groups, 1, error, ARGUMENT_BUFFER(buffers[0]),
        ARGUMENT_BUFFER(buffers[3]), ARGUMENT(args));
}

int chunk_launch(struct device *device, const struct bezier *b, const struct chunk *chunk,
    const struct buffer *const buffers[5], struct error *error)
{
    return batch_has_blocks(b, chunk->batch)
               ? chunk_launch_blocks(device, chunk, buffers, chunk->args, chunk->args.end, error)
               : launch_points(device, b, chunk, buffers, error);
}
