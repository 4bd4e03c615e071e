#include "scenes/surface.h"

#include <stdlib.h>
#include <string.h>

#include "scenes/spline.h"

void surface_clear(struct surface *surface)
{
    surface->count = surface->knots[0].count = surface->knots[1].count = 0;
}

int surface_add_control(
    struct patch_reader *reader, struct surface *surface, const double control[4])
{
    double(*all)[4] =
        reader_grow(reader, surface->controls, surface->count, &surface->capacity, sizeof(*all));
    if (!all)
        return ERROR_INPUT;
    surface->controls = all;
    memcpy(all[surface->count++], control, sizeof(*all));
    return reader_check_weight(reader, control);
}

int surface_add_knot(
    struct patch_reader *reader, struct surface *surface, int direction, struct span word)
{
    struct surface_knots *knots = &surface->knots[direction];
    double *all = reader_grow(reader, knots->numbers, knots->count, &knots->capacity, sizeof(*all));
    if (!all)
        return ERROR_INPUT;
    knots->numbers = all;
    return reader_coordinate(reader, word, &all[knots->count++]);
}

int surface_add_patch(struct patch_reader *reader, const struct surface *surface,
    const double (*controls)[4], size_t step_u, size_t step_v)
{
    const int rows = surface->degrees[0] + 1, columns = surface->degrees[1] + 1;
    struct patch *patch =
        reader_add_patch(reader, surface->is_rational ? KIND_RATIONAL : KIND_TENSOR);
    if (!patch)
        return ERROR_INPUT;
    patch->degree_u = surface->degrees[0];
    patch->degree_v = surface->degrees[1];
    patch->control_count = (size_t)rows * (size_t)columns;
    int rc = 0;
    for (int i = 0; rc == 0 && i < rows * columns; i++)
        rc = reader_add_control(
            reader, controls[(size_t)(i / columns) * step_u + (size_t)(i % columns) * step_v]);
    return rc;
}

/* The spline of one direction, 0 for u, 1 for v. */
static int make_spline(struct patch_reader *reader, const struct surface *surface, int direction,
    struct spline *spline)
{
    const struct surface_knots *knots = &surface->knots[direction];
    const size_t order = (size_t)surface->degrees[direction] + 1;
    struct error error;
    int rc = 0;
    *spline = (struct spline){surface->degrees[direction], knots->count - order, knots->numbers,
        surface->range[2 * direction], surface->range[2 * direction + 1]};
    if (knots->count < 2 * order)
        rc = error_set(&error, ERROR_INPUT, "%zu knots; degree %d takes %zu or more", knots->count,
            spline->degree, 2 * order);
    if (rc == 0)
        rc = spline_check(spline, &error);
    return rc ? origin_fail(&reader->origin, surface->line, "%s, in %s: %s", surface->name,
                    direction ? "v" : "u", error.text)
              : 0;
}

struct cutting {
    struct patch_reader *reader;
    int rc;
};

static int is_stopped(void *context)
{
    struct cutting *cutting = context;
    struct patch_reader *reader = cutting->reader;
    cutting->rc = origin_progress(
        &reader->origin, (size_t)(reader->at - reader->text), (size_t)(reader->end - reader->text));
    return cutting->rc;
}

int surface_cut(struct patch_reader *reader, const struct surface *surface)
{
    const struct origin *origin = &reader->origin;
    struct spline u, v;
    if (make_spline(reader, surface, 0, &u) != 0 || make_spline(reader, surface, 1, &v) != 0)
        return ERROR_INPUT;
    if (surface->count % u.count != 0 || surface->count / u.count != v.count)
        return origin_fail(origin, surface->line,
            "%s with %zu control points; its knots take %zu x %zu", surface->name, surface->count,
            u.count, v.count);
    const size_t rows = spline_segments(&u), columns = spline_segments(&v);
    if (rows > PATCHES_MAX_COUNT / columns)
        return origin_fail(
            origin, surface->line, "%s of more than %d patches", surface->name, PATCHES_MAX_COUNT);
    /* Cutting wants the direction first whose control points are next to each other; in the net
     * that it makes, those of the other direction are. */
    const struct spline *fast = surface->is_v_fastest ? &v : &u;
    const struct spline *slow = surface->is_v_fastest ? &u : &v;
    int rc = 0;
    struct cutting cutting = {reader, 0};
    double(*net)[4] =
        spline_surface(fast, slow, (const double(*)[4])surface->controls, is_stopped, &cutting);
    if (!net && cutting.rc)
        return cutting.rc;
    if (!net)
        return origin_fail(origin, surface->line, "no memory for a %s of %zu x %zu patches",
            surface->name, rows, columns);
    const size_t width = spline_segments(slow) * (size_t)slow->degree + 1;
    const size_t step_u = fast == &u ? width : 1, step_v = fast == &u ? 1 : width;
    for (size_t i = 0; rc == 0 && i < rows * columns; i++) {
        const size_t row = i / columns * (size_t)u.degree, column = i % columns * (size_t)v.degree;
        rc = reader_progress(reader);
        if (rc == 0)
            rc = surface_add_patch(reader, surface,
                (const double(*)[4])net + row * step_u + column * step_v, step_u, step_v);
    }
    free(net);
    return rc;
}

void surface_free(struct surface *surface)
{
    free(surface->controls);
    free(surface->knots[0].numbers);
    free(surface->knots[1].numbers);
}
