/* EVALUATE: level 1, the points of every patch, batch by batch. */
#include <stdlib.h>

#include "stages/bezier/pieces.h"

#define STRIP_ROWS 64     /* of a tile of sep */
#define MIN_STRIP_ROWS 16 /* where there would be too few for the device */
#define FLOAT_POWERS 7    /* degree up to which monomials are good enough in float */
#define DOUBLE_POWERS 14
#define FLOAT_FACTORIAL 34   /* whose factorial is in range */
#define SECONDS_A_SUM 0.5e-9 /* of three coordinates, on one processor */

static const struct {
    enum kernel kernel[PRECISIONS];
    int has_tiles; /* they can be shared */
} KERNEL_OF[] = {
    [EVALUATION_SEP] = {{KERNEL_sep_float, KERNEL_sep_double}, 1},
    [EVALUATION_MLE] = {{KERNEL_mle_float, KERNEL_mle_double}, 1},
    [EVALUATION_BRF] = {{KERNEL_brf_float, KERNEL_brf_double}, 0},
    [EVALUATION_MAT3] = {{KERNEL_mat3_float, KERNEL_mat3_double}, 0},
    [EVALUATION_MAT4] = {{KERNEL_mat4_float, KERNEL_mat4_double}, 0},
    [EVALUATION_CASTELJAU] = {{KERNEL_casteljau_float, KERNEL_casteljau_double}, 0},
    [EVALUATION_DIRECT] = {{KERNEL_direct_float, KERNEL_direct_double}, 0},
};

static int has_tiles(const struct bezier *b, const struct batch *batch)
{
    return KERNEL_OF[b->method].has_tiles && !batch->is_triangle;
}

/* Whether the kernel takes coefficients of powers in the place of control points. */
static int has_powers(const struct bezier *b, const struct batch *batch)
{
    return b->method == EVALUATION_MAT4 && !batch->is_triangle;
}

static int is_monomial(enum evaluation method)
{
    return method == EVALUATION_MAT3 || method == EVALUATION_MAT4;
}

/* What the method cannot do for the batch, or should not. */
static int check_method(struct run *run, const struct bezier *b, const struct batch *batch)
{
    const uint32_t most = batch->degree_u > batch->degree_v ? batch->degree_u : batch->degree_v;
    const uint32_t good = b->precision == PRECISION_FLOAT ? FLOAT_POWERS : DOUBLE_POWERS;
    if (b->method == EVALUATION_DIRECT && (batch->degree_u != 3 || batch->degree_v != 3))
        return error_set(&run->error, ERROR_INPUT,
            "method direct takes bicubic patches, there is one of degree %u x %u; leave out "
            "--method",
            batch->degree_u, batch->degree_v);
    if (b->method == EVALUATION_BRF && b->precision == PRECISION_FLOAT && most > FLOAT_FACTORIAL)
        return error_set(&run->error, ERROR_INPUT,
            "method brf: %u! is out of a float's range; use --precision double, or leave out "
            "--method",
            most);
    if (is_monomial(b->method) && most >= MAT_ORDER)
        return error_set(&run->error, ERROR_INPUT,
            "the matrix methods lose all digits above degree %d, there is one of degree %u; leave "
            "out --method",
            MAT_ORDER - 1, most);
    if (is_monomial(b->method) && most > good && b->frames.frame == 0)
        run_notice(run, 1, "the matrix methods are not accurate above degree %u; this one is %u",
            good, most);
    return 0;
}

/* The method's kernel, or what stands in for it; and its tiles. */
static void choose_kernel(const struct run *run, const struct bezier *b, struct piece *piece)
{
    const struct device *device = &run->device;
    const size_t few =
        device->info.is_gpu ? 8 * (size_t)device->info.units : 4 * (size_t)device->threads;
    const struct batch *batch = piece->batch;
    const int is_general =
        b->method == EVALUATION_SEP && (batch->coordinates == 4 || batch->order_u > SEP_ORDER);
    uint32_t strip_rows = STRIP_ROWS;
    piece->kernel = KERNEL_OF[b->method].kernel[b->precision];
    if (batch->is_triangle) {
        piece->kernel =
            b->precision == PRECISION_FLOAT ? KERNEL_triangle_float : KERNEL_triangle_double;
        return;
    }
    if (is_general) {
        piece->kernel =
            b->precision == PRECISION_FLOAT ? KERNEL_sep_rows_float : KERNEL_sep_rows_double;
        strip_rows = ROWS_AT_ONCE;
    }
    if (b->method == EVALUATION_MLE)
        strip_rows = MLE_SIDE;
    const uint32_t width = b->method == EVALUATION_MLE ? MLE_SIDE : kernel_group(piece->kernel);
    const uint32_t blocks = (batch->columns + width - 1) / width;
    while (b->method == EVALUATION_SEP && !is_general && strip_rows > MIN_STRIP_ROWS &&
           (batch->rows + strip_rows - 1) / strip_rows * blocks * piece->count < few)
        strip_rows /= 2;
    piece->tiles = (struct patch_args){
        .rows = batch->rows,
        .columns = batch->columns,
        .order_u = batch->order_u,
        .order_v = batch->order_v,
        .coordinates = batch->coordinates,
        .strip_rows = strip_rows,
        .strips = (batch->rows + strip_rows - 1) / strip_rows,
        .blocks = blocks,
    };
    piece->tiles.end = piece->tiles.strips * blocks * (uint32_t)piece->count;
}

static int launch_points(struct run *run, const struct bezier *b, const struct piece *piece)
{
    const struct batch *batch = piece->batch;
    const struct point_args args = {(uint32_t)piece->count, batch->rows, batch->columns,
        batch->order_u, batch->order_v, batch->coordinates};
    const size_t groups = (piece->count * piece->points + kernel_group(piece->kernel) - 1) /
                          kernel_group(piece->kernel);
    if (piece->kernel == KERNEL_triangle_float || piece->kernel == KERNEL_triangle_double)
        return DEVICE_LAUNCH(&run->device, piece->kernel, groups, 1, &run->error,
            ARGUMENT_BUFFER(&b->nets_buffer), ARGUMENT_BUFFER(&b->basis_u_buffer),
            ARGUMENT_BUFFER(&b->points_buffer), ARGUMENT(args));
    if (b->method == EVALUATION_MAT3)
        return DEVICE_LAUNCH(&run->device, piece->kernel, groups, 1, &run->error,
            ARGUMENT_BUFFER(&b->nets_buffer), ARGUMENT_BUFFER(&b->basis_u_buffer),
            ARGUMENT_BUFFER(&b->basis_v_buffer), ARGUMENT_BUFFER(&b->points_buffer),
            ARGUMENT(args));
    return DEVICE_LAUNCH(&run->device, piece->kernel, groups, 1, &run->error,
        ARGUMENT_BUFFER(&b->nets_buffer), ARGUMENT_BUFFER(&b->points_buffer), ARGUMENT(args));
}

/* By the run's device alone. */
static int evaluate_alone(struct run *run, struct bezier *b, const struct piece *piece)
{
    const struct batch *batch = piece->batch;
    const size_t size = piece_points_size(b, piece);
    const int is_matrix = b->method == EVALUATION_MAT3 && !batch->is_triangle;
    const struct buffer *const buffers[5] = {
        &b->nets_buffer, &b->basis_u_buffer, &b->basis_v_buffer, &b->points_buffer, &b->counter};
    int rc = run_buffer(run, &b->points_buffer, size, piece_points(b, piece));
    if (rc == 0)
        rc = run_buffer(run, &b->counter, sizeof(b->taken), NULL);
    if (rc == 0 && is_matrix)
        rc = piece_upload_matrix(run, b, batch->order_u, &b->basis_u_buffer, &b->in_u);
    if (rc == 0 && is_matrix)
        rc = piece_upload_matrix(run, b, batch->order_v, &b->basis_v_buffer, &b->in_v);
    if (rc == 0)
        rc = has_tiles(b, batch) ? piece_launch_tiles(&run->device, piece, buffers, piece->tiles,
                                       piece->tiles.end, &run->error)
                                 : launch_points(run, b, piece);
    if (rc == 0 && is_matrix)
        rc = piece_upload_bases(run, b, piece);
    if (rc == 0 && has_powers(b, batch))
        rc = piece_upload_nets(run, b, piece, 0);
    if (rc == 0)
        rc = piece_evaluate_sides(run, b, piece, &run->device, buffers);
    return rc ? rc : buffer_download(&b->points_buffer, piece_points(b, piece), size, &run->error);
}

static int evaluate_batch(struct run *run, struct bezier *b, const struct batch *batch)
{
    const int is_shared =
        b->sharing != SHARE_NOTHING && run->device.backend != &CPU_BACKEND && has_tiles(b, batch);
    struct piece piece = {0};
    int rc = batch->is_triangle ? 0 : check_method(run, b, batch);
    while (rc == 0 && piece_next(b, batch, &piece)) {
        choose_kernel(run, b, &piece);
        rc = piece_upload_nets(run, b, &piece, has_powers(b, batch));
        if (rc == 0)
            rc = piece_upload_bases(run, b, &piece);
        if (rc == 0)
            rc = is_shared ? piece_evaluate_shared(run, b, &piece) : evaluate_alone(run, b, &piece);
    }
    return rc;
}

/* Operations and bytes, for choosing a device. */
static struct workload estimate(const struct bezier *b)
{
    struct workload work = {0};
    for (size_t i = 0; i < b->batch_count; i++) {
        const struct batch *batch = &b->batches[i];
        const double points = (double)batch->rows * batch->columns * (double)batch->count;
        const double sums = (double)batch->order_u * (b->has_normals ? batch->order_v + 1 : 1);
        work.cpu_seconds += points * sums * SECONDS_A_SUM;
        work.bytes +=
            points * (3 * (double)precision_size(b->precision) + (b->has_normals ? 28 : 0));
    }
    return work;
}

static int evaluate_run(struct run *run, void *state)
{
    struct bezier *b = state;
    const struct workload work = estimate(b);
    const size_t size = b->point_count * 3 * precision_size(b->precision);
    int rc = run_device(run, &work);
    if (rc == 0 && size > b->points_size) {
        free(b->points);
        b->points = malloc(size);
        b->points_size = b->points ? size : 0;
        if (!b->points)
            rc = error_set(&run->error, ERROR_INPUT,
                "not enough memory for %zu points; lower --resolution", b->point_count);
    }
    for (size_t i = 0; rc == 0 && i < b->batch_count; i++) {
        rc = evaluate_batch(run, b, &b->batches[i]);
        if (rc == 0)
            rc = run_progress(run, (double)(i + 1) / (double)b->batch_count);
    }
    return rc;
}

const struct stage EVALUATE = {
    .name = "evaluate",
    .summary = "level 1: the points of every patch",
    .run = evaluate_run,
};
