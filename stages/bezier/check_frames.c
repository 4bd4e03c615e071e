/* The limits of a frame, from the degrees and the grid that it will have. */
#include "images/memory.h"
#include "stages/bezier/batch.h"
#include "stages/bezier/checks.h"
#include "stages/bezier/grid.h"

#define FLOAT_FACTORIAL 34 /* whose factorial is in range */
#define NORMAL_BYTES 28    /* of a point, for each of the stages to come: normal and curvatures */
#define MESH_BYTES 92      /* of a point in the mesh: its vertex and two triangles */
#define DRAW_BYTES \
    88 /* of a point while the mesh is drawn; joining equal points before takes less */
#define LINE_BYTES 416 /* of a point, with four lines as rectangles */
#define GIB 1073741824.0

/* What the method cannot do for the batch. */
static int check_method(const struct bezier *b, const struct batch *batch, struct error *error)
{
    const uint32_t most = batch->degree_u > batch->degree_v ? batch->degree_u : batch->degree_v;
    if (batch->is_triangle)
        return 0;
    if (b->options.method == EVALUATION_DIRECT && (batch->degree_u != 3 || batch->degree_v != 3))
        return error_set(error, ERROR_INPUT,
            "method direct takes bicubic patches, there is one of degree %u x %u; choose another "
            "method",
            batch->degree_u, batch->degree_v);
    if (b->options.method == EVALUATION_BRF && b->options.precision == PRECISION_FLOAT &&
        most > FLOAT_FACTORIAL)
        return error_set(error, ERROR_INPUT,
            "method brf: %u! is out of a float's range; take double precision or another "
            "method",
            most);
    if (method_is_monomial(b->options.method) && most >= MAT_ORDER)
        return error_set(error, ERROR_INPUT,
            "the matrix methods lose all digits above degree %d, there is one of degree %u; choose "
            "another method",
            MAT_ORDER - 1, most);
    return 0;
}

static int check_tables(const struct bezier *b, const struct batch *batch, struct error *error)
{
    struct basis tables[2];
    batch_tables(b, batch, tables);
    for (int i = 0; i < 2; i++)
        if (basis_numbers(&tables[i]) > BEZIER_MAX_WEIGHTS)
            return error_set(error, ERROR_INPUT,
                "tables for degree %u and %u points a side would have more than %llu numbers; "
                "lower the resolution",
                i ? batch->degree_v : batch->degree_u, i ? batch->points_v : batch->points_u,
                (unsigned long long)BEZIER_MAX_WEIGHTS);
    return 0;
}

/* By what the stages will hold at a time, roughly, before it is taken: memory that a system has
 * promised and does not have ends the program. */
int memory_check(const struct bezier *b, uint64_t points, struct error *error)
{
    const double has = (double)memory_limit();
    const double of_point = 3 * (double)precision_size(b->options.precision) +
                            (b->options.has_normals ? NORMAL_BYTES + MESH_BYTES + DRAW_BYTES : 0) +
                            (b->options.drawing.has_lines ? LINE_BYTES : 0);
    if (has > 0 && (double)points * of_point > has)
        return error_set(error, ERROR_INPUT,
            "%llu points take about %.1f GiB of memory, this machine has %.1f; lower the "
            "resolution",
            (unsigned long long)points, (double)points * of_point / GIB, has / GIB);
    return 0;
}

static int is_like(const struct patch *one, const struct patch *other)
{
    return one->kind == other->kind && one->degree_u == other->degree_u &&
           one->degree_v == other->degree_v;
}

/* `frame` is that of `patches` or a later one. */
static int check_frame(const struct bezier *b, uint32_t frame, struct error *error)
{
    const uint64_t u = frame_points_u(b, frame), v = frame_points_v(b, frame);
    const uint32_t grown = b->options.animation == ANIMATE_DEGREE ? frame - b->moved_frame : 0;
    const struct patch *last = NULL;
    struct batch batch = {0};
    uint64_t points = 0;
    int rc = 0;
    if (u > BEZIER_MAX_RESOLUTION || v > BEZIER_MAX_RESOLUTION)
        return error_set(error, ERROR_INPUT, "the grid cannot grow above %d points a side",
            BEZIER_MAX_RESOLUTION);
    for (size_t i = 0; rc == 0 && i < b->patches.count; i++) {
        const struct patch *patch = &b->patches.patches[i];
        if (patch->kind == KIND_POLYHEDRON)
            continue;
        if (!last || !is_like(last, patch)) {
            if (grown > PATCHES_MAX_DEGREE - (uint32_t)patch->degree_u ||
                grown > PATCHES_MAX_DEGREE - (uint32_t)patch->degree_v)
                return error_set(
                    error, ERROR_INPUT, "the degree cannot grow above %d", PATCHES_MAX_DEGREE);
            batch = batch_new(patch);
            batch.degree_u += grown;
            batch.degree_v += grown;
            const struct patch_grid grid = grid_given(patch, (uint32_t)u, (uint32_t)v);
            batch_lay_out(&batch, &grid);
            rc = check_method(b, &batch, error);
            if (rc == 0)
                rc = check_tables(b, &batch, error);
        }
        last = patch;
        points += (uint64_t)batch.rows * batch.columns;
        if (rc == 0 && points > BEZIER_MAX_POINTS)
            rc = error_set(error, ERROR_INPUT,
                "%zu patches of %u x %u points are more than %llu points; lower the resolution",
                b->patches.count, (uint32_t)u, (uint32_t)v, (unsigned long long)BEZIER_MAX_POINTS);
    }
    return rc ? rc : memory_check(b, points, error);
}

int frames_check(const struct bezier *b, struct error *error)
{
    const uint32_t first = b->frame;
    uint32_t good = first, bad = b->options.last_frame;
    struct error reason;
    int rc = check_frame(b, first, &reason);
    if (rc)
        return b->options.has_frames ? error_set(error, rc, "frame %u: %s", first, reason.text)
                                     : error_set(error, rc, "%s", reason.text);
    if (bad <= first || check_frame(b, bad, &reason) == 0)
        return 0;
    while (bad - good > 1) {
        const uint32_t middle = good + (bad - good) / 2;
        if (check_frame(b, middle, &reason) == 0)
            good = middle;
        else
            bad = middle;
    }
    rc = check_frame(b, bad, &reason);
    return error_set(error, rc, "frames %u to %u can be made, but in frame %u %s", first, good, bad,
        reason.text);
}
