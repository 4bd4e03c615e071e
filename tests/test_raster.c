/* What must hold of any rasterizer, whatever it is compared with: the self-test of bezier compares
 * draw_mesh with its reference. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/tap.h"
#include "random.h"
#include "stages/bezier/draw_mesh.h"

#define GROUPS 3
#define MAX_VERTICES (40 * 40)
#define MAX_TRIANGLES (2 * MAX_VERTICES)

static double positions[MAX_VERTICES][3];
static struct mesh_triangle triangles[MAX_TRIANGLES];
static uint8_t colors[GROUPS][3] = {{200, 80, 60}, {70, 140, 250}, {0, 255, 128}};

static double between(double least, double most, uint64_t *state)
{
    return least + (most - least) * (double)random_unit(state);
}

/* A grid of columns x rows whose inner points are moved about, without folds; it hangs in the
 * image's plane, so that from the front no triangle hides another. */
static struct mesh make_grid(uint32_t columns, uint32_t rows, uint64_t seed)
{
    struct mesh mesh = {.vertex_count = (size_t)(columns + 1) * (rows + 1),
        .triangle_count = (size_t)2 * columns * rows,
        .positions = positions,
        .triangles = triangles,
        .group_count = GROUPS,
        .group_colors = colors};
    uint64_t state = seed;
    for (uint32_t i = 0; i < mesh.vertex_count; i++) {
        const uint32_t column = i % (columns + 1), row = i / (columns + 1);
        const double x = column == 0 || column == columns ? 0 : between(-0.24, 0.24, &state);
        const double z = row == 0 || row == rows ? 0 : between(-0.24, 0.24, &state);
        positions[i][0] = (column + x) / columns;
        positions[i][1] = 0;
        positions[i][2] = (row + z) / rows;
    }
    for (uint32_t i = 0; i < columns * rows; i++) {
        const uint32_t a = i / columns * (columns + 1) + i % columns, b = a + 1;
        const uint32_t c = a + columns + 1, d = c + 1;
        const int falls = random_bits(&state) % 2;
        const uint32_t corners[2][3] = {
            {a, b, falls ? c : d}, {falls ? d : a, falls ? c : d, falls ? b : c}};
        memcpy(triangles[2 * i].vertex, corners[0], sizeof(corners[0]));
        memcpy(triangles[2 * i + 1].vertex, corners[1], sizeof(corners[1]));
    }
    for (size_t i = 0; i < mesh.triangle_count; i++)
        triangles[i].group = (uint32_t)(random_bits(&state) % GROUPS);
    return mesh;
}

/* Every sample of a grid belongs to one triangle: one less is a hole, one more shows when the
 * triangles are drawn in the opposite order. */
static void check_sides(struct run *run)
{
    for (uint64_t seed = 1; seed <= 6; seed++) {
        const struct mesh mesh = make_grid(3 + (uint32_t)seed * 5, 31, seed);
        struct raster raster = {0};
        const struct drawing drawing = {.width = 240,
            .height = 180,
            .samples = 1,
            .zoom = 2.5,
            .is_orthographic = 1, /* all at the same depth: the first triangle is seen */
            .shading = SHADING_SMOOTH,
            .has_groups = 1, /* without normals they are lit alike, so a sample shows its group */
            .background = {1, 0, 1}};
        struct image images[2] = {{0}};
        size_t holes = 0, different = 0;
        for (int i = 0; i < 2; i++) {
            if (draw_mesh(run, &mesh, &drawing, &raster, &images[i]) != 0)
                abort();
            for (size_t t = 0; t < mesh.triangle_count / 2; t++) {
                const struct mesh_triangle other = triangles[mesh.triangle_count - 1 - t];
                triangles[mesh.triangle_count - 1 - t] = triangles[t];
                triangles[t] = other;
            }
        }
        for (size_t i = 0; i < (size_t)drawing.width * drawing.height; i++) {
            const uint8_t *const a = (uint8_t *)images[0].pixels + 4 * i;
            holes += a[0] == 255 && a[1] == 0 && a[2] == 255;
            different += memcmp(a, (uint8_t *)images[1].pixels + 4 * i, 4) != 0;
        }
        tap_check(holes == 0, "grid %d fills the image: %zu holes", (int)seed, holes);
        tap_check(different == 0, "grid %d: no sample belongs to two triangles: %zu differ",
            (int)seed, different);
        for (int i = 0; i < 2; i++)
            image_free(&images[i]);
        run_buffers_free(run);
    }
}

/* A triangle in front of another one, one corner behind it. */
static void check_depth(struct run *run)
{
    static const double CORNERS[6][3] = {
        {-1, 0, -1}, {1, 0, -1}, {0, 0, 1}, {-0.5, -0.5, -0.8}, {0.5, -0.5, -0.8}, {0, 0.5, 0.6}};
    const struct mesh mesh = {.vertex_count = 6,
        .triangle_count = 2,
        .positions = positions,
        .triangles = triangles,
        .group_count = GROUPS,
        .group_colors = colors};
    struct raster raster = {0};
    struct image image = {0};
    const struct drawing drawing = {.width = 101, .height = 101, .has_groups = 1};
    memcpy(positions, CORNERS, sizeof(CORNERS));
    for (uint32_t i = 0; i < 6; i++)
        triangles[i / 3].vertex[i % 3] = i;
    triangles[0].group = 2; /* green */
    triangles[1].group = 0; /* red */
    if (draw_mesh(run, &mesh, &drawing, &raster, &image) != 0)
        abort();
    const uint8_t *const high = (uint8_t *)image.pixels + 4 * (101 * 40 + 50);
    const uint8_t *const low = (uint8_t *)image.pixels + 4 * (101 * 70 + 50);
    tap_check(low[0] > low[1] && high[1] > high[0], "triangles pierce each other: %d %d, %d %d",
        low[0], low[1], high[0], high[1]);
    image_free(&image);
    run_buffers_free(run);
}

/* A ball of radius 1 with its own normals: `bands` rows of as many cells. */
static struct mesh make_ball(uint32_t bands)
{
    static float normals[MAX_VERTICES][3];
    const double pi = acos(-1);
    struct mesh mesh = {.vertex_count = (size_t)(bands + 1) * (bands + 1),
        .triangle_count = (size_t)2 * bands * bands,
        .positions = positions,
        .normals = normals,
        .triangles = triangles,
        .group_count = GROUPS,
        .group_colors = colors};
    for (uint32_t i = 0; i < mesh.vertex_count; i++) {
        const double turn = 2 * pi * (i % (bands + 1)) / bands,
                     rise = pi * (i / (bands + 1)) / bands;
        const double p[3] = {sin(rise) * cos(turn), sin(rise) * sin(turn), -cos(rise)};
        for (int k = 0; k < 3; k++)
            normals[i][k] = (float)(positions[i][k] = p[k]);
    }
    for (uint32_t i = 0; i < bands * bands; i++) {
        const uint32_t a = i / bands * (bands + 1) + i % bands, c = a + bands + 1;
        const struct mesh_triangle low = {{a, a + 1, c + 1}, 0, 0}, high = {{a, c + 1, c}, 0, 0};
        triangles[2 * i] = low;
        triangles[2 * i + 1] = high;
    }
    return mesh;
}

static double luminance(const struct image *image, int column, int row)
{
    const uint8_t *const p = (uint8_t *)image->pixels + 4 * (row * image->width + column);
    return (p[0] + p[1] + p[2]) / 765.0;
}

/* The outline of a coarse ball is as light as what lies within: where its normals already point
 * away from the viewer, no dark samples stand. */
static void check_outline(struct run *run)
{
    const struct mesh mesh = make_ball(12);
    struct raster raster = {0};
    struct image image = {0};
    const struct drawing drawing = {.width = 240, .height = 240, .pitch = 20, .is_clear = 1};
    double steepest = 0;
    if (draw_mesh(run, &mesh, &drawing, &raster, &image) != 0)
        abort();
    for (int row = 40; row < 200; row++)
        for (int side = -1; side <= 1; side += 2) {
            int column = side < 0 ? 0 : 239;
            while (((uint8_t *)image.pixels)[4 * (row * 240 + column) + 3] == 0)
                column -= side;
            steepest = fmax(steepest,
                luminance(&image, column - 3 * side, row) - luminance(&image, column, row));
        }
    tap_check(steepest < 0.25, "outlines are at most %.2f darker than 3 pixels within", steepest);
    image_free(&image);
    run_buffers_free(run);
}

/* Light falls off smoothly from the lamp's side of a fine ball to the other: on the way through the
 * middle of the image its slope changes little from one twentieth of the radius to the next. */
static void check_light(struct run *run)
{
    const struct mesh mesh = make_ball(39);
    struct raster raster = {0};
    struct image image = {0};
    const struct drawing drawing = {.width = 1001, .height = 1001, .is_orthographic = 1};
    double light[41], most = 0;
    if (draw_mesh(run, &mesh, &drawing, &raster, &image) != 0)
        abort();
    for (int i = 0; i <= 40; i++) {
        const int away = (i - 20) * 18;
        const double shown = luminance(&image, 500 + away * 5 / 8, 500 + away * 25 / 32);
        light[i] = shown * shown;
    }
    for (int i = 1; i < 40; i++)
        most = fmax(most, fabs(light[i - 1] - 2 * light[i] + light[i + 1]));
    tap_check(most < 0.018, "the slope of light changes by at most %.4f", most);
    image_free(&image);
    run_buffers_free(run);
}

/* More triangles than there is room for in the lists of a row of screen tiles. */
static void check_room(struct run *run)
{
    const struct mesh mesh = make_grid(31, 31, 7);
    const struct drawing drawing = {.width = 101, .height = 67};
    struct raster raster = {.band_entries = 100};
    struct image image = {0};
    tap_check(draw_mesh(run, &mesh, &drawing, &raster, &image) == ERROR_INPUT,
        "lists beyond what there is room for: %s", run->error.text);
    image_free(&image);
    run_buffers_free(run);
}

int main(void)
{
    struct device_info infos[DEVICE_LIMIT];
    struct run run = {0};
    if (device_list(infos) < 1)
        abort();
    run.device_id = infos[0].id;
    check_sides(&run);
    check_depth(&run);
    check_outline(&run);
    check_light(&run);
    check_room(&run);
    run_end(&run);
    return tap_finish();
}
