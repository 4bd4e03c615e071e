/* EVALUATE: level 1, the points of every patch, batch by batch. */
#include <stdlib.h>

#include "stages/bezier/batch.h"
#include "stages/bezier/parts.h"

#define SECONDS_A_SUM 0.5e-9 /* of three coordinates, on one processor */

/* Degrees up to which mat3 and mat4 are good to four digits (docs/bench/bezier-epyc-2-cores.md has
 * the errors). */
static const uint32_t GOOD_POWERS[2][PRECISIONS] = {{7, 20}, {5, 14}};

int method_is_monomial(enum evaluation method)
{
    return method == EVALUATION_MAT3 || method == EVALUATION_MAT4;
}

static void warn_of_powers(struct run *run, struct bezier *b, const struct batch *batch)
{
    const uint32_t most = batch->degree_u > batch->degree_v ? batch->degree_u : batch->degree_v;
    const uint32_t good = GOOD_POWERS[b->options.method == EVALUATION_MAT4][b->options.precision];
    if (!method_is_monomial(b->options.method) || batch->is_triangle || most <= good ||
        b->warned & WARNED_OF_POWERS)
        return;
    run_notice(
        run, 1, "the matrix methods are not accurate above degree %u; this one is %u", good, most);
    b->warned |= WARNED_OF_POWERS;
}

/* By the run's device alone. */
static int evaluate_alone(struct run *run, struct bezier *b, const struct chunk *chunk)
{
    const struct batch *batch = chunk->batch;
    const size_t size = chunk_points_size(b, chunk);
    const int is_matrix = b->options.method == EVALUATION_MAT3 && !batch->is_triangle;
    const struct buffer *buffers[5] = {&b->nets_buffer,
        chunk->has_pairs ? &b->folded_buffer : &b->basis_u_buffer, &b->basis_v_buffer,
        &b->points_buffer, &b->counter};
    int rc = run_buffer(run, &b->points_buffer, size, chunk_points(b, chunk));
    if (rc == 0)
        rc = run_buffer(run, &b->counter, BEZIER_LIST_BYTES, NULL);
    if (rc == 0 && is_matrix)
        rc = chunk_upload_matrix(run, b, batch->order_u, &b->basis_u_buffer, &b->in_u);
    if (rc == 0 && is_matrix)
        rc = chunk_upload_matrix(run, b, batch->order_v, &b->basis_v_buffer, &b->in_v);
    if (rc == 0)
        rc = chunk_launch(&run->device, b, chunk, buffers, &run->error);
    if (rc == 0 && is_matrix)
        rc = chunk_upload_bases(run, b, chunk);
    if (rc == 0 && batch_has_powers(b, batch))
        rc = chunk_upload_nets(run, b, chunk, NET_CONTROLS, NULL);
    buffers[1] = &b->basis_u_buffer;
    if (rc == 0)
        rc = chunk_evaluate_sides(run, b, chunk, &run->device, buffers);
    return rc ? rc : buffer_download(&b->points_buffer, chunk_points(b, chunk), size, &run->error);
}

static int evaluate_patches(struct run *run, struct bezier *b, uint32_t part)
{
    struct chunk chunk;
    evaluate_part(b, part, &chunk);
    const struct batch *batch = chunk.batch;
    const int is_together = b->options.sharing != SHARE_NOTHING &&
                            run->device.backend != &CPU_BACKEND && batch_has_blocks(b, batch);
    int rc = 0;
    warn_of_powers(run, b, batch);
    while (rc == 0 && chunk_next(b, &chunk)) {
        chunk_plan(&run->device, b, &chunk);
        rc = chunk_upload_nets(
            run, b, &chunk, batch_has_powers(b, batch) ? NET_POWERS : NET_CONTROLS, NULL);
        if (rc == 0)
            rc = chunk_upload_bases(run, b, &chunk);
        if (rc == 0)
            rc = is_together ? chunk_evaluate_together(run, b, &chunk)
                             : evaluate_alone(run, b, &chunk);
    }
    return rc;
}

/* Operations and bytes, for choosing a device. Where an image is to be drawn, the same device draws
 * it, so that counts too. */
static struct workload estimate(const struct bezier *b)
{
    const double all = (double)b->result.point_count;
    struct workload work = {0};
    if (b->options.sinks.save && !b->options.has_mesh)
        work = drawing_workload(&b->options.drawing, all, 2 * all);
    for (size_t i = 0; i < b->batch_count; i++) {
        const struct batch *batch = &b->batches[i];
        const double points = (double)batch->rows * batch->columns * (double)batch->count;
        const double sums =
            (double)batch->order_u * (b->options.has_normals ? batch->order_v + 1 : 1);
        work.cpu_seconds += points * sums * SECONDS_A_SUM;
        work.bytes += points * (3 * (double)precision_size(b->options.precision) +
                                   (b->options.has_normals ? 28 : 0));
    }
    return work;
}

static int evaluate_run(struct run *run, struct bezier *b)
{
    const struct workload work = estimate(b);
    const size_t size = b->result.point_count * 3 * precision_size(b->options.precision);
    int rc = run_device(run, &work);
    if (rc == 0 && size > b->points_size) {
        free(b->result.points);
        b->result.points = malloc(size);
        b->points_size = b->result.points ? size : 0;
        if (!b->result.points)
            rc = error_set(&run->error, ERROR_INPUT,
                "not enough memory for %zu points; lower the resolution", b->result.point_count);
    }
    uint32_t part;
    if (rc == 0)
        rc = evaluate_share(run, b);
    while (rc == 0 && run_take(run, &part)) {
        rc = evaluate_patches(run, b, part);
        if (rc == 0)
            run_give(run, part);
        if (rc == 0)
            rc = run_progress(run, (double)(part + 1) / run->shared.parts);
    }
    return run_join(run, rc);
}

const struct bezier_stage EVALUATE = {
    .stage = {"evaluate", "level 1: the points of every patch"},
    .run = evaluate_run,
};
