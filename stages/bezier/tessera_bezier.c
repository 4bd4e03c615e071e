/* tessera_evaluate_patches: patches in memory. */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stages/bezier/bezier.h"
#include "stages/context.h"

static_assert(TESSERA_CURVATURES == CURVATURES, "as many inside and outside");

static int take_options(struct tessera *tessera, const struct tessera_bezier_options *from,
    struct bezier_options *options)
{
    if (from->points_u < 0 || from->points_v < 0 || !from->points_u != !from->points_v ||
        from->points_u > BEZIER_MAX_RESOLUTION || from->points_v > BEZIER_MAX_RESOLUTION)
        return context_refuse(tessera,
            "bad options: %d x %d points of a patch; give both or neither, at most %d",
            from->points_u, from->points_v, BEZIER_MAX_RESOLUTION);
    *options = (struct bezier_options){
        .input = "patches",
        .resolution_u = (uint32_t)from->points_u,
        .resolution_v = (uint32_t)from->points_v,
        .precision = from->is_double ? PRECISION_DOUBLE : PRECISION_FLOAT,
        .has_normals = from->has_normals,
    };
    return 0;
}

static size_t count_controls(const struct tessera_patch *patch)
{
    const size_t u = (size_t)patch->degree_u + 1, v = (size_t)patch->degree_v + 1;
    return patch->is_triangle ? u * (u + 1) / 2 : u * v;
}

static int check_patch(struct tessera *tessera, size_t number, const struct tessera_patch *patch)
{
    const int u = patch->degree_u, v = patch->degree_v;
    const size_t size = patch->is_rational ? 4 : 3;
    if (u < 1 || v < 1 || u > PATCHES_MAX_DEGREE || v > PATCHES_MAX_DEGREE ||
        (patch->is_triangle && u != v))
        return context_refuse(tessera,
            "bad patch %zu: degrees %d and %d; they are from 1 to %d, of a triangle the same",
            number, u, v, PATCHES_MAX_DEGREE);
    if (!patch->control)
        return context_refuse(tessera, "bad patch %zu: it has no control points", number);
    for (size_t i = 0; i < count_controls(patch); i++) {
        double control[4] = {0, 0, 0, 1};
        struct error error;
        memcpy(control, patch->control + size * i, size * sizeof(double));
        if (control_check(control, &error))
            return context_refuse(tessera, "bad patch %zu: %s", number, error.text);
    }
    return 0;
}

static enum patch_kind kind_of(const struct tessera_patch *patch)
{
    if (patch->is_triangle)
        return patch->is_rational ? KIND_RATIONAL_TRIANGLE : KIND_TRIANGLE;
    return patch->is_rational ? KIND_RATIONAL : KIND_TENSOR;
}

static int take_patches(struct tessera *tessera, const struct tessera_patch *from, size_t count,
    struct patches *patches)
{
    size_t controls = 0;
    if (count < 1 || count > PATCHES_MAX_COUNT)
        return context_refuse(
            tessera, "bad patches: %zu; there are 1 to %d", count, PATCHES_MAX_COUNT);
    if (!from)
        return context_refuse(tessera, "there are no patches, but their count is %zu", count);
    for (size_t n = 0; n < count; n++) {
        const int rc = check_patch(tessera, n + 1, &from[n]);
        if (rc)
            return rc;
        controls += count_controls(&from[n]);
    }
    patches->patches = calloc(count, sizeof(*patches->patches));
    patches->controls = malloc(controls * sizeof(*patches->controls));
    patches->groups = calloc(1, sizeof(*patches->groups));
    if (!patches->patches || !patches->controls || !patches->groups ||
        !(patches->groups[0].name = calloc(1, 1)))
        return context_refuse(tessera, "not enough memory for %zu patches", count);
    patches->count = count;
    patches->group_count = 1;
    for (size_t n = 0; n < count; n++) {
        const size_t size = from[n].is_rational ? 4 : 3, points = count_controls(&from[n]);
        patches->patches[n] = (struct patch){.kind = kind_of(&from[n]),
            .degree_u = from[n].degree_u,
            .degree_v = from[n].degree_v,
            .control = patches->control_count,
            .control_count = points};
        for (size_t i = 0; i < points; i++) {
            double *control = patches->controls[patches->control_count++];
            control[3] = 1;
            memcpy(control, from[n].control + size * i, size * sizeof(double));
        }
    }
    return 0;
}

/* Copies the points of each batch to where its patches were in the caller's order. */
static void copy_points(const struct bezier *b, const size_t *firsts, struct tessera_points *points)
{
    const struct bezier_result *result = &b->result;
    for (size_t i = 0; i < b->batch_count; i++) {
        const struct batch *batch = &b->batches[i];
        const size_t each = (size_t)batch->rows * batch->columns;
        for (size_t j = 0; j < batch->count; j++) {
            const size_t to = firsts[batch->members[j]], from = batch->first_point + j * each;
            for (size_t k = 0; k < 3 * each; k++)
                points->positions[3 * to + k] =
                    number_get(result->points, 3 * from + k, b->options.precision);
            if (points->normals)
                memcpy(points->normals + 3 * to, result->normals + from,
                    each * sizeof(*result->normals));
            for (size_t k = 0; points->curvatures && k < CURVATURES * each; k++) {
                const float value = result->curvatures[from + k / CURVATURES][k % CURVATURES];
                points->curvatures[CURVATURES * to + k] = value == NO_CURVATURE ? NAN : value;
            }
        }
    }
}

static int give_points(
    struct tessera *tessera, const struct bezier *b, struct tessera_points *points)
{
    const size_t count = b->result.point_count, patches = b->patches.count;
    size_t *firsts = malloc(patches * sizeof(*firsts)), next = 0;
    points->count = count;
    points->positions = malloc(3 * count * sizeof(*points->positions));
    if (b->options.has_normals) {
        points->normals = malloc(3 * count * sizeof(*points->normals));
        points->curvatures = malloc(CURVATURES * count * sizeof(*points->curvatures));
    }
    if (!firsts || !points->positions ||
        (b->options.has_normals && (!points->normals || !points->curvatures))) {
        free(firsts);
        return context_refuse(tessera, "not enough memory for %zu points", count);
    }
    for (size_t n = 0; n < patches; n++) {
        const size_t u = b->result.points_u, v = b->result.points_v;
        firsts[n] = next;
        next += patch_is_triangle(&b->patches.patches[n]) ? u * (u + 1) / 2 : u * v;
    }
    copy_points(b, firsts, points);
    free(firsts);
    return 0;
}

static int evaluate(struct run *run, struct bezier *b)
{
    run_start(run);
    int rc = bezier_evaluate(run, b);
    if (rc == 0 && b->options.has_normals)
        rc = bezier_run_stage(run, &NORMALS, b);
    return rc;
}

int tessera_evaluate_patches(struct tessera *tessera, const struct tessera_patch *patches,
    size_t count, const struct tessera_bezier_options *options, struct tessera_points *points)
{
    static const struct tessera_bezier_options DEFAULTS;
    struct run *run = &tessera->run;
    struct bezier b = {0};
    struct patches taken = {0};
    *points = (struct tessera_points){0};
    context_begin(tessera);
    int rc = take_options(tessera, options ? options : &DEFAULTS, &b.options);
    if (rc == 0)
        rc = take_patches(tessera, patches, count, &taken);
    if (rc == 0) {
        b.options.patches = &taken;
        rc = evaluate(run, &b);
        if (run_falls_back(run, rc))
            rc = evaluate(run, &b);
    }
    if (rc == 0)
        rc = give_points(tessera, &b, points);
    if (rc)
        tessera_points_free(points);
    bezier_end(&b);
    patches_free(&taken);
    return context_end(tessera, rc);
}

void tessera_points_free(struct tessera_points *points)
{
    if (!points)
        return;
    free(points->positions);
    free(points->normals);
    free(points->curvatures);
    *points = (struct tessera_points){0};
}
