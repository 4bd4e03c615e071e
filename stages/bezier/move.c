/* MOVE: brings the control points, the degrees and the grids to the frame at work, and sorts the
 * patches by shape and grid. */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stages/bezier/batch.h"
#include "stages/bezier/checks.h"
#include "stages/bezier/grid.h"

#define TURN_DEGREES 3   /* a frame */
#define WAVE_FRAMES 60   /* of a period */
#define WAVE_LENGTHS 2   /* along the model */
#define WAVE_HEIGHT 0.05 /* of the model's largest extent */
#define PI 3.14159265358979323846

struct box {
    double low[3], high[3];
};

/* About the vertical axis through the middle; a normal, whose box is zeros, through the origin. */
static void turn(double p[4], const struct box *box, double angle)
{
    const double x = p[0] - p[3] * (box->low[0] + box->high[0]) / 2;
    const double y = p[1] - p[3] * (box->low[1] + box->high[1]) / 2;
    p[0] += x * (cos(angle) - 1) - y * sin(angle);
    p[1] += x * sin(angle) + y * (cos(angle) - 1);
}

/* Upward and downward, running along x. */
static void wave(double p[4], const struct box *box, double phase)
{
    const double length = box->high[0] - box->low[0];
    const double extent =
        fmax(length, fmax(box->high[1] - box->low[1], box->high[2] - box->low[2]));
    const double place = length > 0 ? (p[0] / p[3] - box->low[0]) / length : 0;
    p[2] += p[3] * WAVE_HEIGHT * extent * sin(2 * PI * WAVE_LENGTHS * place + phase);
}

static size_t normal_count(const struct patch *patch)
{
    const size_t u = (size_t)patch->normal_degree_u + 1, v = (size_t)patch->normal_degree_v + 1;
    return patch->kind == KIND_PN_TRIANGLE ? u * (u + 1) / 2
           : patch->kind == KIND_PN_TENSOR ? u * v
                                           : 0;
}

static void move_controls(struct bezier *b)
{
    static const struct box NO_BOX = {{0}, {0}};
    const struct patches *patches = &b->patches;
    const double angle = b->frame * TURN_DEGREES * PI / 180;
    struct box box;
    memcpy(b->controls, patches->controls, patches->control_count * sizeof(*b->controls));
    patches_box(patches, box.low, box.high);
    for (size_t i = 0; i < patches->count; i++) {
        const struct patch *patch = &patches->patches[i];
        for (size_t j = 0; j < patch->control_count; j++)
            if (b->options.animation == ANIMATE_TURN)
                turn(b->controls[patch->control + j], &box, angle);
            else if (b->options.animation == ANIMATE_WAVE)
                wave(b->controls[patch->control + j], &box, 2 * PI * b->frame / WAVE_FRAMES);
        for (size_t j = 0; b->options.animation == ANIMATE_TURN && j < normal_count(patch); j++)
            turn(b->controls[patch->normal + j], &NO_BOX, angle);
    }
}

/* A curve of `order` control points, `step` apart, as one of an order more (Farin 5.1). */
static void raise_curve(
    double (*from)[4], size_t from_step, size_t order, double (*to)[4], size_t to_step)
{
    for (size_t k = 0; k <= order; k++)
        for (int i = 0; i < 4; i++) {
            const double before = k > 0 ? from[(k - 1) * from_step][i] : 0;
            const double same = k < order ? from[k * from_step][i] : 0;
            to[k * to_step][i] = ((double)k * before + (double)(order - k) * same) / (double)order;
        }
}

/* A tensor product, in one direction after the other; `to` has room for both. */
static void raise_tensor(double (*from)[4], size_t rows, size_t columns, double (*to)[4])
{
    double(*between)[4] = to + (rows + 1) * (columns + 1);
    for (size_t k = 0; k < rows; k++)
        raise_curve(from + k * columns, 1, columns, between + k * (columns + 1), 1);
    for (size_t l = 0; l <= columns; l++)
        raise_curve(between + l, columns + 1, rows, to + l, columns + 1);
}

/* Where row i of a triangle of that degree starts. */
static size_t triangle_row(size_t degree, size_t i)
{
    return i * (degree + 1) - i * (i - 1) / 2;
}

/* A triangle (Farin 17.4): (i, j, k) takes i/n (i-1, j, k) + j/n (i, j-1, k) + k/n (i, j, k-1). */
static void raise_triangle(double (*from)[4], size_t degree, double (*to)[4])
{
    const size_t n = degree + 1;
    for (size_t i = 0; i <= n; i++)
        for (size_t j = 0; i + j <= n; j++) {
            const size_t k = n - i - j;
            double *p = to[triangle_row(n, i) + j];
            for (int c = 0; c < 4; c++) {
                const double by_i = i > 0 ? from[triangle_row(degree, i - 1) + j][c] : 0;
                const double by_j = j > 0 ? from[triangle_row(degree, i) + j - 1][c] : 0;
                const double by_k = k > 0 ? from[triangle_row(degree, i) + j][c] : 0;
                p[c] = ((double)i * by_i + (double)j * by_j + (double)k * by_k) / (double)n;
            }
        }
}

/* The control points of a patch whose degrees are raised by one. */
static size_t raised_count(const struct patch *patch)
{
    const size_t u = (size_t)patch->degree_u + 2, v = (size_t)patch->degree_v + 2;
    return patch_is_triangle(patch) ? u * (u + 1) / 2 : u * v;
}

/* The same surfaces, each of a degree more in both directions. */
static int raise_degrees(struct run *run, struct patches *patches)
{
    size_t total = 0, at = 0, most = 0;
    for (size_t i = 0; i < patches->count; i++) {
        const struct patch *patch = &patches->patches[i];
        if (patch->kind == KIND_POLYHEDRON) {
            total += patch->control_count;
            continue;
        }
        assert(patch->degree_u < PATCHES_MAX_DEGREE && patch->degree_v < PATCHES_MAX_DEGREE);
        const size_t own = raised_count(patch);
        total += own + normal_count(patch);
        most = own > most ? own : most;
    }
    assert(total > 0);
    double(*raised)[4] = malloc((total + most) * sizeof(*raised));
    if (!raised)
        return error_set(&run->error, ERROR_INPUT, "not enough memory for control points");
    for (size_t i = 0; i < patches->count; i++) {
        struct patch *patch = &patches->patches[i];
        double(*from)[4] = patches->controls + patch->control;
        double(*normals)[4] = patches->controls + patch->normal;
        const size_t own =
            patch->kind == KIND_POLYHEDRON ? patch->control_count : raised_count(patch);
        patch->control = at;
        if (patch->kind == KIND_POLYHEDRON) {
            memcpy(raised + at, from, own * sizeof(*raised));
        } else if (patch_is_triangle(patch)) {
            raise_triangle(from, (size_t)patch->degree_u, raised + at);
        } else {
            raise_tensor(
                from, (size_t)patch->degree_u + 1, (size_t)patch->degree_v + 1, raised + at);
        }
        at += own;
        if (patch->kind == KIND_POLYHEDRON)
            continue;
        memcpy(raised + at, normals, normal_count(patch) * sizeof(*raised));
        patch->normal = at;
        at += normal_count(patch);
        patch->control_count = own;
        patch->degree_u++;
        patch->degree_v++;
    }
    free(patches->controls);
    patches->controls = raised;
    patches->control_count = total;
    return 0;
}

static int make_room(struct run *run, struct bezier *b)
{
    free(b->controls);
    free(b->grids);
    free(b->members);
    free(b->batches);
    b->controls = malloc(b->patches.control_count * sizeof(*b->controls));
    b->grids = malloc(b->patches.count * sizeof(*b->grids));
    b->members = malloc(b->patches.count * sizeof(*b->members));
    b->batches = calloc(b->patches.count, sizeof(*b->batches));
    return b->controls && b->grids && b->members && b->batches
               ? 0
               : error_set(&run->error, ERROR_INPUT, "not enough memory for %zu patches",
                     b->patches.count);
}

static int is_of_batch(
    const struct patch *patch, const struct patch_grid *grid, const struct batch *batch)
{
    return grid->points_u == batch->points_u && grid->points_v == batch->points_v &&
           patch_is_triangle(patch) == batch->is_triangle &&
           (uint32_t)patch->degree_u == batch->degree_u &&
           (uint32_t)patch->degree_v == batch->degree_v &&
           (patch_is_rational(patch) ? 4 : 3) == (int)batch->coordinates;
}

/* Each patch takes the batch of the last one where it fits, since files hold runs of like ones. */
static size_t find_batch(struct bezier *b, size_t number, size_t last)
{
    const struct patch *const patch = &b->patches.patches[number];
    const struct patch_grid *const grid = &b->grids[number];
    if (last < b->batch_count && is_of_batch(patch, grid, &b->batches[last]))
        return last;
    for (size_t i = 0; i < b->batch_count; i++)
        if (is_of_batch(patch, grid, &b->batches[i]))
            return i;
    b->batches[b->batch_count] = batch_new(patch);
    batch_lay_out(&b->batches[b->batch_count], grid);
    return b->batch_count++;
}

static int sort_by_shape(struct run *run, struct bezier *b)
{
    const struct patches *patches = &b->patches;
    size_t last = 0, *batch_of = malloc(patches->count * sizeof(*batch_of));
    if (!batch_of)
        return error_set(&run->error, ERROR_INPUT, "not enough memory");
    b->batch_count = 0;
    for (size_t i = 0; i < patches->count; i++) {
        if (patches->patches[i].kind == KIND_POLYHEDRON)
            continue;
        batch_of[i] = last = find_batch(b, i, last);
        b->batches[last].count++;
    }
    size_t first = 0;
    for (size_t i = 0; i < b->batch_count; i++) {
        b->batches[i].members = b->members + first;
        first += b->batches[i].count;
        b->batches[i].count = 0;
    }
    for (size_t i = 0; i < patches->count; i++)
        if (patches->patches[i].kind != KIND_POLYHEDRON) {
            struct batch *batch = &b->batches[batch_of[i]];
            b->members[batch->members - b->members + (ptrdiff_t)batch->count++] = i;
        }
    free(batch_of);
    return 0;
}

struct batch batch_new(const struct patch *patch)
{
    return (struct batch){
        .is_triangle = patch_is_triangle(patch),
        .degree_u = (uint32_t)patch->degree_u,
        .degree_v = (uint32_t)patch->degree_v,
        .coordinates = patch_is_rational(patch) ? 4 : 3,
    };
}

/* As given, or the default; by the view at least the two ends. */
static uint64_t frame_points(const struct bezier *b, uint32_t given, uint32_t frame)
{
    const uint64_t first = grids_follow_view(b) ? 2 : given ? given : BEZIER_RESOLUTION;
    return first + (b->options.animation == ANIMATE_RESOLUTION ? frame : 0);
}

uint64_t frame_points_u(const struct bezier *b, uint32_t frame)
{
    return frame_points(b, b->options.resolution_u, frame);
}

uint64_t frame_points_v(const struct bezier *b, uint32_t frame)
{
    return frame_points(b, b->options.resolution_v, frame);
}

void batch_lay_out(struct batch *batch, const struct patch_grid *grid)
{
    batch->points_u = grid->points_u;
    batch->points_v = grid->points_v;
    batch->order_u = batch->degree_u + 1;
    batch->order_v = batch->degree_v + 1;
    batch->rows = grid->points_u;
    batch->columns = grid->points_v;
    if (batch->is_triangle) {
        batch->order_u = (batch->degree_u + 1) * (batch->degree_u + 2) / 2;
        batch->order_v = 1;
        batch->rows = 1;
        batch->columns = (uint32_t)((uint64_t)grid->points_u * (grid->points_u + 1) / 2);
    }
}

/* Where the points of every batch go. */
static void lay_out(struct bezier *b)
{
    b->result.point_count = 0;
    for (size_t i = 0; i < b->batch_count; i++) {
        struct batch *batch = &b->batches[i];
        batch->first_point = b->result.point_count;
        b->result.point_count += (size_t)batch->rows * batch->columns * batch->count;
    }
}

static int move_run(struct run *run, struct bezier *b)
{
    if (b->options.has_frames)
        run_round(run, b->frame, b->options.first_frame, b->options.last_frame);
    int rc = frames_check(b, &run->error);
    for (; rc == 0 && b->options.animation == ANIMATE_DEGREE && b->moved_frame < b->frame;
         b->moved_frame++)
        rc = raise_degrees(run, &b->patches);
    if (rc)
        return rc;
    rc = make_room(run, b);
    if (rc)
        return rc;
    move_controls(b);
    struct patches moved = b->patches;
    moved.controls = b->controls;
    patches_box(&moved, b->low, b->high);
    rc = grids_choose(run, b);
    if (rc == 0)
        rc = sort_by_shape(run, b);
    if (rc)
        return rc;
    lay_out(b);
    return memory_check(b, b->result.point_count, &run->error);
}

const struct bezier_stage MOVE = {
    .stage = {"move", "bring control points and grid to the frame"},
    .run = move_run,
};
