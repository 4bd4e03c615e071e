/* Whether a mesh can be seen at all, and whether its numbers hold the model. */
#include <float.h>
#include <math.h>

#include "stages/bezier/checks.h"

/* Numbers of the precision across the model below which there is a warning: in the default
 * image, 1024 pixels wide, a step is then a quarter of a pixel, and normals of facets are off
 * by that in a cell. */
#define LEAST_STEPS 4096

/* Below this, what looks like triangles is the rounding of one point, or of a line. */
#define NO_STEPS 4

static const char *const PRECISION_NAMES[PRECISIONS] = {"float", "double"};
static const char *const REMEDIES[PRECISIONS] = {
    "take double precision", "move the model nearer to the origin, or scale it"};

/* From one number to the next, where the model's coordinates are largest. */
static double find_step(const struct bezier *b)
{
    double largest = 0;
    for (int c = 0; c < 3; c++)
        largest = fmax(largest, fmax(fabs(b->low[c]), fabs(b->high[c])));
    return b->options.precision == PRECISION_FLOAT
               ? (double)nextafterf((float)largest, INFINITY) - (double)(float)largest
               : nextafter(largest, INFINITY) - largest;
}

/* How many of these steps lie across the model's largest extent. */
static double count_steps(const struct bezier *b)
{
    double extent = 0;
    for (int c = 0; c < 3; c++)
        extent = fmax(extent, b->high[c] - b->low[c]);
    return extent / find_step(b);
}

static double distance(const double a[3], const double b[3])
{
    return hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]);
}

/* Whether some triangle is thicker than the rounding of a line. */
static int has_area(const struct bezier *b)
{
    const struct mesh *const mesh = &b->result.mesh;
    const double least = NO_STEPS * find_step(b);
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        const uint32_t *v = mesh->triangles[t].vertex;
        double facet[3], longest = 0;
        for (int i = 0; i < 3; i++)
            longest =
                fmax(longest, distance(mesh->positions[v[i]], mesh->positions[v[(i + 1) % 3]]));
        mesh_facet(mesh, &mesh->triangles[t], facet);
        if (hypot(hypot(facet[0], facet[1]), facet[2]) > least * longest)
            return 1;
    }
    return 0;
}

/* Refuses what the file holds, which the message names; ranks other than 0 know no file. */
static int refuse_input(const struct bezier *b, struct error *error)
{
    const struct error reason = *error;
    return b->options.input
               ? error_set(error, ERROR_INPUT, "'%s': %s", b->options.input, reason.text)
               : ERROR_INPUT;
}

/* Why there is no triangle; `has_cells` is whether the grid has any. */
static int refuse(struct run *run, const struct bezier *b, int has_cells)
{
    const double steps = count_steps(b);
    if (!has_cells && b->result.point_count > 0)
        return error_set(&run->error, ERROR_INPUT,
            "a grid of %u x %u points has no triangle; take a resolution of 2 or more",
            b->result.points_u, b->result.points_v);
    if (steps > 0 && steps < LEAST_STEPS)
        error_write(&run->error,
            "no triangle is left: %s holds only %.2g steps across the model; %s",
            PRECISION_NAMES[b->options.precision], steps, REMEDIES[b->options.precision]);
    else
        error_write(
            &run->error, "no triangle is left: the patches have no area; check the control points");
    return refuse_input(b, &run->error);
}

int points_check(
    const struct bezier *b, const double (*points)[3], size_t count, struct error *error)
{
    const enum precision precision = b->options.precision;
    for (size_t i = 0; i < count; i++)
        for (int c = 0; c < 3; c++)
            if (!isfinite(points[i][c])) {
                error_write(error, "a vertex at %c = %g, out of the range of %s; %s", "xyz"[c],
                    points[i][c], PRECISION_NAMES[precision],
                    precision == PRECISION_FLOAT ? "take double precision"
                                                 : "check the control points and their weights");
                return refuse_input(b, error);
            }
    return 0;
}

int mesh_check(struct run *run, struct bezier *b, int has_cells)
{
    const struct mesh *const mesh = &b->result.mesh;
    const int rc =
        points_check(b, (const double(*)[3])mesh->positions, mesh->vertex_count, &run->error);
    const double steps = count_steps(b);
    if (rc)
        return rc;
    if ((steps < NO_STEPS || !has_area(b)) && b->segment_count == 0)
        return refuse(run, b, has_cells);
    if (steps < LEAST_STEPS && !(b->warned & WARNED_OF_STEPS)) {
        run_notice(run, 1, "%s holds only %.*g steps across the model, which shows; %s",
            PRECISION_NAMES[b->options.precision], steps < 10 ? 2 : 4, steps,
            REMEDIES[b->options.precision]);
        b->warned |= WARNED_OF_STEPS;
    }
    return 0;
}
