/* The points on the sides of patches. */
#include <stdlib.h>

#include "stages/bezier/chunk.h"

/* The numbers of a side's control points and points: of a tensor product u = 0, u = 1, v = 0, v =
 * 1; of a triangle u = 0, v = 0, w = 0. */
static void fill_path(const struct batch *batch, int side, uint32_t *path)
{
    const int along_v = side < 2;
    if (batch->is_triangle) {
        const uint32_t orders[2] = {batch->degree_u + 1, batch->points_u};
        for (int of_points = 0; of_points < 2; of_points++)
            for (uint32_t k = 0; k < orders[of_points]; k++) {
                const uint32_t order = orders[of_points], i = side == 0 ? 0 : k;
                const uint32_t j = side == 0 ? k : side == 1 ? 0 : order - 1 - k;
                *path++ = i * order - i * (i - 1) / 2 + j;
            }
        return;
    }
    const uint32_t sizes[2][2] = {{batch->order_u, batch->order_v}, {batch->rows, batch->columns}};
    for (int of_points = 0; of_points < 2; of_points++) {
        const uint32_t rows = sizes[of_points][0], columns = sizes[of_points][1];
        for (uint32_t k = 0; k < (along_v ? columns : rows); k++)
            *path++ = along_v ? (side == 1 ? (rows - 1) * columns : 0) + k
                              : k * columns + (side == 3 ? columns - 1 : 0);
    }
}

int chunk_evaluate_sides(struct run *run, struct bezier *b, const struct chunk *chunk,
    struct device *device, const struct buffer *const buffers[5])
{
    const struct batch *batch = chunk->batch;
    const uint32_t along_u = batch->order_u + batch->rows,
                   along_v = batch->order_v + batch->columns;
    const uint32_t of_triangle = batch->degree_u + 1 + batch->points_u;
    const uint32_t sides = batch->is_triangle ? 3 : 4;
    const size_t length = batch->is_triangle ? 3 * of_triangle : 2 * (along_u + along_v);
    uint32_t *paths = malloc(length * sizeof(*paths)), at = 0;
    struct buffer in_place = {0};
    int rc = paths ? 0 : error_set(&run->error, ERROR_INPUT, "not enough memory");
    for (uint32_t side = 0; rc == 0 && side < sides; side++) {
        fill_path(batch, (int)side, paths + at);
        at += batch->is_triangle ? of_triangle : side < 2 ? along_v : along_u;
    }
    if (rc == 0 && device == &run->device)
        rc = run_buffer(run, &b->path_buffer, length * sizeof(*paths), paths);
    else if (rc == 0)
        rc = buffer_new(device, length * sizeof(*paths), paths, &in_place, &run->error);
    struct buffer *const path = device == &run->device ? &b->path_buffer : &in_place;
    if (rc == 0)
        rc = buffer_upload(path, paths, length * sizeof(*paths), &run->error);
    at = 0;
    for (uint32_t side = 0; rc == 0 && side < sides; side++) {
        const int is_along_v = batch->is_triangle || side < 2;
        const struct boundary_args args = {
            .path = at,
            .patches = (uint32_t)chunk->count,
            .order = batch->is_triangle ? batch->degree_u + 1
                     : is_along_v       ? batch->order_v
                                        : batch->order_u,
            .points = batch->is_triangle ? batch->points_u
                      : is_along_v       ? batch->columns
                                         : batch->rows,
            .patch_controls = (uint32_t)chunk->controls,
            .patch_points = (uint32_t)chunk->points,
            .coordinates = batch->coordinates,
        };
        /* Where the grid has one line, it is the first side's. */
        const int is_twice = batch->is_triangle ? side > 0 && batch->points_u == 1
                             : side < 2         ? side == 1 && batch->rows == 1
                                                : side == 3 && batch->columns == 1;
        at += args.order + args.points;
        if (!is_twice)
            rc = DEVICE_LAUNCH(device,
                b->options.precision == PRECISION_FLOAT ? KERNEL_boundary_float
                                                        : KERNEL_boundary_double,
                ((size_t)args.patches * args.points + PATCH_GROUP - 1) / PATCH_GROUP, 1,
                &run->error, ARGUMENT_BUFFER(buffers[0]),
                ARGUMENT_BUFFER(buffers[is_along_v ? 2 : 1]), ARGUMENT_BUFFER(path),
                ARGUMENT_BUFFER(buffers[3]), ARGUMENT(args));
    }
    free(paths);
    return rc;
}
