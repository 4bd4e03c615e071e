/* draw_mesh on every device against the sequential reference, which loops over all triangles and
 * samples; and what must hold of any rasterizer. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/tap.h"
#include "random.h"
#include "stages/bezier/raster_reference.h"

#define GROUPS 3
#define MAX_VERTICES (3 * MAX_TRIANGLES)
#define MAX_TRIANGLES 40000
#define SEGMENT_COUNT 40

static double positions[MAX_VERTICES][3];
static float normals[MAX_VERTICES][3], curvature[MAX_VERTICES][CURVATURES];
static struct mesh_triangle triangles[MAX_TRIANGLES];
static uint8_t colors[GROUPS][3] = {{200, 80, 60}, {70, 140, 250}, {0, 255, 128}};
static double segments[SEGMENT_COUNT][2][3];

static double between(double least, double most, uint64_t *state)
{
    return least + (most - least) * (double)random_unit(state);
}

static void fill_attributes(struct mesh *mesh, uint64_t *state)
{
    for (size_t i = 0; i < mesh->vertex_count; i++) {
        for (int j = 0; j < 3; j++)
            normals[i][j] = i % 7 ? (float)between(-1, 1, state) : 0;
        for (int j = 0; j < CURVATURES; j++)
            curvature[i][j] = i % 50 == 9 ? INFINITY : (float)between(-0.5 * j, 4, state);
    }
    for (size_t i = 0; i < mesh->triangle_count; i++) {
        triangles[i].group = (uint32_t)(random_bits(state) % GROUPS);
        triangles[i].lines = (uint32_t)(random_bits(state) % 8);
    }
    mesh->positions = positions;
    mesh->normals = normals;
    mesh->curvature = curvature;
    mesh->triangles = triangles;
    mesh->group_count = GROUPS;
    mesh->group_colors = colors;
}

/* Triangles of any size: about `size`, some slivers, some of no area, some over all of the
 * picture. */
static struct mesh make_soup(size_t count, double size, uint64_t seed)
{
    struct mesh mesh = {.vertex_count = 3 * count, .triangle_count = count};
    uint64_t state = seed;
    for (size_t i = 0; i < count; i++) {
        const double wide = i % 97 == 5 ? 1 : size, thin = i % 5 == 1 ? 1e-4 : wide;
        double center[3], along[3];
        for (int k = 0; k < 3; k++) {
            center[k] = between(-1, 1, &state);
            along[k] = between(-wide, wide, &state);
        }
        for (uint32_t j = 0; j < 3; j++) {
            for (int k = 0; k < 3; k++)
                positions[3 * i + j][k] =
                    center[k] + along[k] * j + (i % 11 ? between(-thin, thin, &state) : 0);
            triangles[i].vertex[j] = (uint32_t)(3 * i) + j;
        }
    }
    fill_attributes(&mesh, &state);
    return mesh;
}

/* A grid of columns x rows whose inner points are moved about, without folds; it hangs in the
 * picture's plane, so that from the front no triangle hides another. */
static struct mesh make_grid(uint32_t columns, uint32_t rows, uint64_t seed)
{
    struct mesh mesh = {.vertex_count = (size_t)(columns + 1) * (rows + 1),
        .triangle_count = (size_t)2 * columns * rows};
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
    fill_attributes(&mesh, &state);
    return mesh;
}

static int agree(struct run *run, const struct mesh *mesh, const struct drawing *drawing,
    struct raster raster, const struct image *wanted)
{
    struct image got = {0};
    const size_t size = 4 * (size_t)wanted->width * (size_t)wanted->height;
    int agrees = draw_mesh(run, mesh, drawing, &raster, &got) == 0;
    if (!agrees)
        printf("# %s\n", run->error.text);
    for (size_t i = 0; agrees && i < size; i++)
        if (((uint8_t *)got.pixels)[i] != ((uint8_t *)wanted->pixels)[i]) {
            printf("# channel %zu of pixel %zu, %zu: %u, not %u\n", i % 4,
                i / 4 % (size_t)wanted->width, i / 4 / (size_t)wanted->width,
                ((uint8_t *)got.pixels)[i], ((uint8_t *)wanted->pixels)[i]);
            agrees = 0;
        }
    image_free(&got);
    run_buffers_free(run);
    return agrees;
}

static void check_bands(struct run *runs, int count, const struct mesh *mesh,
    const struct drawing *drawing, struct raster raster, const char *name)
{
    struct error error;
    struct image wanted = {0};
    if (image_new((int)drawing->width, (int)drawing->height, 3, 8, &wanted, &error) != 0 ||
        reference_draw_mesh(mesh, drawing, &wanted, &error) != 0)
        abort();
    for (int i = 0; i < count; i++)
        tap_check(agree(&runs[i], mesh, drawing, raster, &wanted),
            "%s: %s, shading %d, %u x %u of %u", runs[i].device_id, name, (int)drawing->shading,
            (unsigned)drawing->width, (unsigned)drawing->height, (unsigned)drawing->samples);
    image_free(&wanted);
}

static void check_drawing(struct run *runs, int count, const struct mesh *mesh,
    const struct drawing *drawing, const char *name)
{
    check_bands(runs, count, mesh, drawing, (struct raster){0}, name);
}

/* Every shading of soups of triangles of all sizes. */
static void check_soups(struct run *runs, int count)
{
    static const uint32_t SIZES[][3] = {
        {1, 1, 1}, {15, 17, 1}, {16, 16, 1}, {17, 15, 3}, {101, 67, 1}, {67, 101, 2}};
    static const double LENGTHS[] = {0.01, 0.1, 0.6};
    uint64_t state = 3;
    for (int i = 0; i < 36; i++) {
        const struct mesh mesh =
            make_soup(i % 4 == 3 ? 1300 : 300, LENGTHS[i % 3], (uint64_t)i + 100);
        const uint32_t *const size = SIZES[i % 6];
        const struct drawing drawing = {.width = size[0],
            .height = size[1],
            .samples = size[2],
            .shading = (enum shading)(i / 6),
            .has_lines = i % 2 || i / 6 == SHADING_NONE,
            .has_groups = i % 3 == 1,
            .yaw = between(-180, 180, &state),
            .pitch = between(-90, 90, &state),
            .zoom = i % 5 == 2 ? 30 : 1,
            .is_orthographic = i % 4 == 1,
            .curvature = (enum mesh_curvature)(i % CURVATURES),
            .has_clamp = i % 6 == 5,
            .clamp = {0.5, 2},
            .background = {i % 2 ? 1 : 0.1f, 0.2f, 0.5f},
            .segment_count = i % 3 == 0 ? SEGMENT_COUNT : 0,
            .segments = (const double(*)[2][3])segments};
        for (int j = 0; j < SEGMENT_COUNT * 6; j++)
            segments[j / 6][j / 3 % 2][j % 3] = j < 12 ? 0.25 : between(-1.2, 1.2, &state);
        check_drawing(runs, count, &mesh, &drawing, "a soup");
    }
}

static void check_special(struct run *runs, int count)
{
    struct drawing drawing = {.width = 101, .height = 67, .samples = 1, .zoom = 1};
    struct mesh mesh = {.positions = positions, .triangles = triangles};
    check_drawing(runs, count, &mesh, &drawing, "nothing");
    mesh = make_soup(1, 0.5, 7);
    mesh.normals = NULL;
    mesh.group_colors = NULL;
    mesh.group_count = 0;
    triangles[0].group = 0;
    check_drawing(runs, count, &mesh, &drawing, "one triangle");
    /* Corners around the farthest places that are drawn. */
    for (drawing.zoom = 1e3; drawing.zoom < 1e5; drawing.zoom *= 1.9) {
        mesh = make_soup(60, 0.5, 8);
        check_drawing(runs, count, &mesh, &drawing, "huge triangles");
    }
    drawing.zoom = 1;
    for (drawing.samples = 1; drawing.samples <= 3; drawing.samples++) {
        mesh = make_soup(900, 0.1, 11);
        check_bands(
            runs, count, &mesh, &drawing, (struct raster){.band_samples = 1}, "smallest bands");
        check_bands(runs, count, &mesh, &drawing,
            (struct raster){.band_samples = 20000, .band_entries = 6000}, "bands");
    }
    struct raster raster = {.band_entries = 100};
    struct image picture = {0};
    tap_check(draw_mesh(&runs[0], &mesh, &drawing, &raster, &picture) == ERROR_INPUT,
        "lists beyond what there is room for: %s", runs[0].error.text);
    image_free(&picture);
    run_buffers_free(&runs[0]);
    drawing.samples = 1;
    /* Two at each place, far apart in the order, so that threads list them in either: the first is
     * seen. */
    drawing.has_groups = 1;
    mesh = make_soup(MAX_TRIANGLES, 0.05, 9);
    for (size_t i = MAX_TRIANGLES / 2; i < MAX_TRIANGLES; i++)
        memcpy(triangles[i].vertex, triangles[i - MAX_TRIANGLES / 2].vertex,
            sizeof(triangles[i].vertex));
    check_drawing(runs, count, &mesh, &drawing, "two at each place");
}

/* Every sample of a grid belongs to one triangle: one less is a hole, one more shows when the
 * triangles are drawn in the opposite order. */
static void check_sides(struct run *runs, int count)
{
    for (uint64_t seed = 1; seed <= 6; seed++) {
        struct mesh mesh = make_grid(3 + (uint32_t)seed * 5, 31, seed);
        struct raster raster = {0};
        struct drawing drawing = {.width = 240,
            .height = 180,
            .samples = 1,
            .zoom = 2.5,
            .is_orthographic = 1, /* all at the same depth: the first triangle is seen */
            .shading = SHADING_SMOOTH,
            .background = {1, 0, 1}};
        struct image pictures[2] = {{0}};
        size_t holes = 0, different = 0;
        drawing.has_groups = 1;
        mesh.normals = NULL; /* all alike, so a sample shows its triangle's group */
        for (int i = 0; i < 2; i++) {
            if (draw_mesh(&runs[0], &mesh, &drawing, &raster, &pictures[i]) != 0)
                abort();
            for (size_t t = 0; t < mesh.triangle_count / 2; t++) {
                const struct mesh_triangle other = triangles[mesh.triangle_count - 1 - t];
                triangles[mesh.triangle_count - 1 - t] = triangles[t];
                triangles[t] = other;
            }
        }
        for (size_t i = 0; i < (size_t)drawing.width * drawing.height; i++) {
            const uint8_t *const a = (uint8_t *)pictures[0].pixels + 4 * i;
            holes += a[0] == 255 && a[1] == 0 && a[2] == 255;
            different += memcmp(a, (uint8_t *)pictures[1].pixels + 4 * i, 4) != 0;
        }
        tap_check(holes == 0, "grid %d fills the picture: %zu holes", (int)seed, holes);
        tap_check(different == 0, "grid %d: no sample belongs to two triangles: %zu differ",
            (int)seed, different);
        drawing.samples = 2;
        drawing.zoom = 1;
        check_drawing(runs, count, &mesh, &drawing, "a grid");
        for (int i = 0; i < 2; i++)
            image_free(&pictures[i]);
        run_buffers_free(&runs[0]);
    }
}

/* A triangle in front of another one, one corner behind it. */
static void check_depth(struct run *run)
{
    static const double CORNERS[6][3] = {
        {-1, 0, -1}, {1, 0, -1}, {0, 0, 1}, {-0.5, -0.5, -0.8}, {0.5, -0.5, -0.8}, {0, 0.5, 0.6}};
    struct mesh mesh = make_soup(2, 0.5, 10);
    struct raster raster = {0};
    struct image picture = {0};
    const struct drawing drawing = {.width = 101, .height = 101, .has_groups = 1};
    memcpy(positions, CORNERS, sizeof(CORNERS));
    mesh.normals = NULL;
    for (uint32_t i = 0; i < 6; i++)
        triangles[i / 3].vertex[i % 3] = i;
    triangles[0].group = 2; /* green */
    triangles[1].group = 0; /* red */
    if (draw_mesh(run, &mesh, &drawing, &raster, &picture) != 0)
        abort();
    const uint8_t *const high = (uint8_t *)picture.pixels + 4 * (101 * 40 + 50);
    const uint8_t *const low = (uint8_t *)picture.pixels + 4 * (101 * 70 + 50);
    tap_check(low[0] > low[1] && high[1] > high[0], "triangles pierce each other: %d %d, %d %d",
        low[0], low[1], high[0], high[1]);
    image_free(&picture);
    run_buffers_free(run);
}

static int is_required(const char *kind)
{
    const char *const required = getenv("REQUIRE_DEVICES");
    return required && strstr(required, kind);
}

int main(void)
{
    const struct words kinds = device_kinds();
    struct device_info infos[DEVICE_LIMIT];
    struct run runs[DEVICE_LIMIT] = {0};
    const int count = device_list(infos);
    for (int i = 0; i < count; i++)
        runs[i].device_id = infos[i].id;
    for (int kind = 0; kind < kinds.count; kind++) {
        int found = 0;
        for (int i = 0; i < count; i++)
            found |= strncmp(infos[i].id, kinds.word[kind], strlen(kinds.word[kind])) == 0;
        tap_check(found || !is_required(kinds.word[kind]), "%s is present%s", kinds.word[kind],
            found ? "" : " # SKIP not present");
    }
    check_soups(runs, count);
    check_special(runs, count);
    check_sides(runs, count);
    check_depth(&runs[0]);
    for (int i = 0; i < count; i++)
        run_end(&runs[i]);
    return tap_finish();
}
