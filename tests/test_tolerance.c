/* How far the triangles of an image lie from the surface: at most 0.3 pixels in any view, where
 * grids are chosen by the view, and closed models stay closed.
 *
 *   test_tolerance [VIEWS FILE...]
 *
 * measures so many random views of each patch file and prints a row of a table for each. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/tap.h"
#include "random.h"
#include "stages/bezier/grid.h"

#define TOLERANCE 0.3  /* pixels */
#define TRIANGLES 3000 /* that are measured in a view, about */
#define SHARES 6       /* places on each */

extern const struct bezier_stage VIEW;

static const char *const SAMPLES[] = {"goblet", "kettle", "kinds", "sphere", "torus", "wave"};

static double between(double least, double most, uint64_t *state)
{
    return least + (most - least) * (double)random_unit(state);
}

/* A view from anywhere, near or far, of an image of any size, sometimes of a point of the model. */
static struct drawing random_drawing(const double low[3], const double high[3], uint64_t *state)
{
    struct drawing drawing = {
        .width = (uint32_t)between(64, 1200, state),
        .height = (uint32_t)between(64, 1200, state),
        .samples = 1 + (uint32_t)(random_bits(state) % 3),
        .yaw = between(-180, 180, state),
        .pitch = between(-90, 90, state),
        .up = {between(-1, 1, state), between(-1, 1, state), between(-1, 1, state)},
        .zoom = random_bits(state) % 2 ? 1 : pow(2, between(-2, 4, state)),
        .is_tight = random_bits(state) % 4 != 0,
        .is_orthographic = random_bits(state) % 4 == 0,
        .has_target = random_bits(state) % 3 == 0,
    };
    for (int c = 0; c < 3; c++)
        drawing.target[c] = between(low[c], high[c], state);
    return drawing;
}

/* The point (u, v) of a patch, by de Casteljau's scheme in double. */
static void find_point(
    const struct patch *patch, double (*controls)[4], double u, double v, double point[3])
{
    static double p[(PATCHES_MAX_DEGREE + 1) * (PATCHES_MAX_DEGREE + 1)][4];
    const int m = patch->degree_u, n = patch->degree_v;
    memcpy(p, controls, patch->control_count * sizeof(*p));
    if (patch_is_triangle(patch)) {
        for (int left = m; left > 0; left--)
            for (int i = 0, at = 0, to = 0; i < left; i++, at++)
                for (int j = 0; i + j < left; j++, at++, to++)
                    for (int c = 0; c < 4; c++)
                        p[to][c] =
                            (1 - u - v) * p[at][c] + v * p[at + 1][c] + u * p[at + left + 1 - i][c];
    } else {
        for (int i = 0; i <= m; i++)
            for (int left = n; left > 0; left--)
                for (int j = 0; j < left; j++)
                    for (int c = 0; c < 4; c++)
                        p[i * (n + 1) + j][c] +=
                            v * (p[i * (n + 1) + j + 1][c] - p[i * (n + 1) + j][c]);
        for (int left = m; left > 0; left--)
            for (int i = 0; i < left; i++)
                for (int c = 0; c < 4; c++)
                    p[i * (n + 1)][c] += u * (p[(i + 1) * (n + 1)][c] - p[i * (n + 1)][c]);
    }
    for (int c = 0; c < 3; c++)
        point[c] = p[0][c] / p[0][3];
}

/* Column, row, in parts of a sample, and distance from the viewer. */
static void look(const struct camera *view, const double position[3], double at[3])
{
    double p[3];
    camera_look(view, position, p);
    camera_place(view, p, at);
    at[2] = view->is_orthographic ? 1 : CAMERA_EYE + p[1];
}

/* The parameters of a point of a patch's grid. */
static void find_parameters(const struct batch *batch, size_t point, double uv[2])
{
    size_t i = 0, columns = batch->points_v;
    for (; point >= columns; columns -= batch->is_triangle, i++)
        point -= columns;
    uv[0] = (double)i / (batch->points_u - 1);
    uv[1] = (double)point / (batch->points_v - 1);
}

/* The largest distance on the image between places on a triangle and the surface at the same
 * parameters, in pixels. Corners are at whole parts of a sample, as they are drawn. */
static double measure(const struct bezier *b, const struct drawing *drawing,
    const struct batch *batch, size_t member, const struct mesh_triangle *triangle, uint64_t *state)
{
    const struct camera *const view = &b->raster.view;
    const struct patch *const patch = &b->patches.patches[batch->members[member]];
    const double parts = (double)SAMPLE_PARTS * drawing->samples;
    double corner[3][3], uv[3][2], most = 0;
    for (int k = 0; k < 3; k++) {
        double position[3];
        const size_t point = triangle->vertex[k];
        for (size_t c = 0; c < 3; c++)
            position[c] = number_get(b->result.points, 3 * point + c, b->options.precision);
        look(view, position, corner[k]);
        if (corner[k][2] < CAMERA_NEAREST)
            return 0;
        corner[k][0] = floor(corner[k][0] + 0.5);
        corner[k][1] = floor(corner[k][1] + 0.5);
        find_parameters(batch,
            point - batch->first_point - member * batch->rows * (size_t)batch->columns, uv[k]);
    }
    for (int place = 0; place < SHARES; place++) {
        double share[3] = {place == 0 ? 0 : 0.5, place == 1 ? 0 : 0.5, place == 2 ? 0 : 0.5};
        double u = 0, v = 0, at[2] = {0, 0}, sum = 0, surface[3], on[3];
        if (place > 2) {
            share[0] = between(0, 1, state);
            share[1] = between(0, 1 - share[0], state);
            share[2] = 1 - share[0] - share[1];
        }
        for (int k = 0; k < 3; k++) {
            const double weight = share[k] / corner[k][2];
            u += share[k] * uv[k][0];
            v += share[k] * uv[k][1];
            at[0] += weight * corner[k][0];
            at[1] += weight * corner[k][1];
            sum += weight;
        }
        find_point(patch, b->controls + patch->control, u, v, surface);
        look(view, surface, on);
        if (on[0] >= 0 && on[1] >= 0 && on[0] <= parts * drawing->width &&
            on[1] <= parts * drawing->height)
            most = fmax(most, hypot(at[0] / sum - on[0], at[1] / sum - on[1]) / parts);
    }
    return most;
}

/* Over some of the triangles of all patches. */
static double measure_view(const struct bezier *b, const struct drawing *drawing, uint64_t *state)
{
    double most = 0;
    size_t cells = 0;
    for (size_t i = 0; i < b->batch_count; i++)
        cells += b->batches[i].count * 2 * b->batches[i].points_u * (size_t)b->batches[i].points_v;
    for (size_t i = 0; i < b->batch_count; i++) {
        const struct batch *const batch = &b->batches[i];
        const size_t points = batch->rows * (size_t)batch->columns;
        struct mesh_triangle *const triangles = malloc(2 * points * sizeof(*triangles));
        for (size_t member = 0; triangles && member < batch->count; member++) {
            const struct mesh_triangle *const end =
                grid_triangles(batch, &b->grids[batch->members[member]],
                    batch->first_point + member * points, 0, triangles);
            for (const struct mesh_triangle *t = triangles; t < end; t++)
                if (random_bits(state) % (1 + cells / TRIANGLES) == 0)
                    most = fmax(most, measure(b, drawing, batch, member, t, state));
        }
        free(triangles);
    }
    return most;
}

static void check_rc(struct run *run, int rc)
{
    if (rc == 0)
        return;
    fprintf(stderr, "%s\n", run->error.text);
    abort();
}

/* What a file is found to be. */
struct found {
    double most; /* pixels */
    size_t points;
    int64_t open;  /* boundary edges of the mesh of the view that has most */
    int64_t given; /* with the default grid of meshes */
};

static struct found measure_file(struct run *run, const char *path, int views)
{
    struct bezier b = {.options = {.input = path, .has_normals = 1}};
    struct found found = {0};
    uint64_t state = 1;
    for (int k = 0; k <= views; k++) { /* first the default grid */
        check_rc(run, bezier_evaluate(run, &b));
        if (k > 0) {
            b.options.drawing = random_drawing(b.low, b.high, &state);
            b.warned = 0;
            check_rc(run, bezier_run_stage(run, &VIEW, &b));
            check_rc(run, bezier_evaluate(run, &b));
            if (b.warned & WARNED_OF_GRID)
                printf("# %s, view %d: limits make the grid coarser\n", path, k);
            else
                found.most = fmax(found.most, measure_view(&b, &b.options.drawing, &state));
        }
        check_rc(run, bezier_run_stage(run, &NORMALS, &b));
        check_rc(run, bezier_run_stage(run, &MESH, &b));
        const int64_t open = mesh_boundary_edges(&b.result.mesh, NULL, &run->error);
        found.given = k == 0 ? open : found.given;
        found.open = k > 0 && open > found.open ? open : found.open;
        found.points = b.result.point_count > found.points ? b.result.point_count : found.points;
        b.raster.view.radius = 0;
    }
    bezier_end(&b);
    run_buffers_free(run);
    return found;
}

int main(int argc, char **argv)
{
    struct device_info infos[DEVICE_LIMIT];
    struct run run = {0};
    if (device_list(infos) < 1)
        abort();
    run.device_id = infos[0].id;
    for (int i = 2; i < argc; i++) {
        const struct found f = measure_file(&run, argv[i], atoi(argv[1]));
        const char *const name = strrchr(argv[i], '/');
        printf("| `%s` | %.3f | %zu | %lld | %lld |\n", name ? name + 1 : argv[i], f.most, f.points,
            (long long)f.given, (long long)f.open);
        fflush(stdout);
    }
    for (size_t i = 0; argc < 2 && i < sizeof(SAMPLES) / sizeof(SAMPLES[0]); i++) {
        char path[64];
        snprintf(path, sizeof(path), "scenes/samples/%s.bv", SAMPLES[i]);
        const struct found f = measure_file(&run, path, 6);
        tap_check(f.most > 0 && f.most <= TOLERANCE, "%s: %.3f pixels at most", SAMPLES[i], f.most);
        if (f.given == 0)
            tap_check(
                f.open == 0, "%s stays closed: %lld boundary edges", SAMPLES[i], (long long)f.open);
    }
    run_end(&run);
    return argc < 2 ? tap_finish() : 0;
}
