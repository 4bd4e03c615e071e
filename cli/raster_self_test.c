/* Meshes drawn on every device, compared byte for byte with the reference, which goes through all
 * triangles and samples. */
#include "cli/raster_self_test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/tap.h"
#include "random.h"
#include "stages/bezier/raster_reference.h"

#define COUNT_OF(table) (sizeof(table) / sizeof((table)[0]))
#define SEGMENT_COUNT 40
#define GROUPS 3
#define SHADINGS (SHADING_NONE + 1)

#define HAS_LINES 1
#define HAS_GROUPS 2
#define HAS_SEGMENTS 4
#define IS_ORTHOGRAPHIC 8
#define IS_LIGHT 16 /* the background */
#define HAS_CLAMP 32
#define IS_CLEAR 64    /* the background */
#define HAS_CAMERA 128 /* a direction upward, a point to look at, a place for it */

static uint8_t group_colors[GROUPS][3] = {{200, 80, 60}, {70, 140, 250}, {0, 255, 128}};

enum shape {
    SHAPE_SOUP,  /* triangles at random places, see make_soup */
    SHAPE_PAIRS, /* a soup in which each triangle comes twice, far apart in the order */
    SHAPE_BARE,  /* a soup without normals and groups */
    SHAPE_SHEET, /* a wave, whose triangles share their sides */
};

static const char *const SHAPES[] = {"a soup", "a soup of pairs", "a bare soup", "a sheet"};

struct test_case {
    enum shape shape;
    size_t triangles;
    double length; /* of a soup's triangles; the model is about 2 wide */
    double zoom;
    uint32_t width, height, samples;
    enum shading shading;
    int flags;
    uint64_t band_samples, band_entries; /* see struct raster */
};

/* Around the 16 samples of a screen tile's side, and primes. */
static const uint32_t SIZES[][3] = {
    {1, 1, 1}, {15, 17, 1}, {16, 16, 1}, {17, 15, 3}, {101, 67, 1}, {67, 101, 2}};

/* After a soup of each size and shading. */
static const struct test_case CASES[] = {
    {SHAPE_SOUP, 0, 0, 1, 101, 67, 1, SHADING_SMOOTH, 0, 0, 0},
    {SHAPE_BARE, 1, 0.5, 1, 101, 67, 1, SHADING_SMOOTH, 0, 0, 0},
    {SHAPE_BARE, 100, 0.3, 1, 67, 101, 2, SHADING_REFLECTION, IS_ORTHOGRAPHIC, 0, 0},
    /* Corners around the farthest places that are drawn. */
    {SHAPE_SOUP, 60, 0.5, 1e3, 101, 67, 1, SHADING_SMOOTH, 0, 0, 0},
    {SHAPE_SOUP, 60, 0.5, 1.9e3, 101, 67, 1, SHADING_SMOOTH, HAS_LINES, 0, 0},
    {SHAPE_SOUP, 60, 0.5, 3.6e3, 101, 67, 1, SHADING_SMOOTH, 0, 0, 0},
    {SHAPE_SOUP, 60, 0.5, 6.9e3, 101, 67, 1, SHADING_SMOOTH, IS_ORTHOGRAPHIC, 0, 0},
    {SHAPE_SOUP, 60, 0.5, 1.3e4, 101, 67, 1, SHADING_SMOOTH, 0, 0, 0},
    {SHAPE_SOUP, 60, 0.5, 2.5e4, 101, 67, 1, SHADING_FLAT, 0, 0, 0},
    {SHAPE_SOUP, 60, 0.5, 4.7e4, 101, 67, 1, SHADING_SMOOTH, 0, 0, 0},
    {SHAPE_SOUP, 60, 0.5, 8.9e4, 101, 67, 1, SHADING_SMOOTH, 0, 0, 0},
    /* In bands of one row of screen tiles, and of some. */
    {SHAPE_SOUP, 900, 0.1, 1, 101, 67, 1, SHADING_SMOOTH, HAS_LINES, 1, 0},
    {SHAPE_SOUP, 900, 0.1, 1, 101, 67, 2, SHADING_SMOOTH, 0, 1, 0},
    {SHAPE_SOUP, 900, 0.1, 1, 101, 67, 3, SHADING_SMOOTH, 0, 1, 0},
    {SHAPE_SOUP, 900, 0.1, 1, 101, 67, 1, SHADING_SMOOTH, 0, 20000, 6000},
    {SHAPE_SOUP, 900, 0.1, 1, 101, 67, 2, SHADING_SMOOTH, HAS_SEGMENTS, 20000, 6000},
    {SHAPE_SOUP, 900, 0.1, 1, 101, 67, 3, SHADING_SMOOTH, 0, 20000, 6000},
    /* Of two at the same place the first is seen, whichever is listed first. */
    {SHAPE_PAIRS, 40000, 0.05, 1, 101, 67, 1, SHADING_SMOOTH, HAS_GROUPS, 0, 0},
    {SHAPE_SHEET, 2 * 1 * 1, 0, 1, 97, 89, 1, SHADING_SMOOTH, HAS_LINES, 0, 0},
    {SHAPE_SHEET, 2 * 1 * 1, 0, 30, 97, 89, 1, SHADING_HIGHLIGHT, IS_ORTHOGRAPHIC, 0, 0},
    {SHAPE_SHEET, 2 * 7 * 7, 0, 1, 33, 31, 1, SHADING_FLAT, HAS_LINES | HAS_GROUPS, 0, 0},
    {SHAPE_SHEET, 2 * 7 * 7, 0, 1, 31, 33, 4, SHADING_CURVATURE, IS_LIGHT, 0, 0},
    {SHAPE_SHEET, 2 * 31 * 31, 0, 1, 127, 113, 2, SHADING_SMOOTH, HAS_GROUPS, 0, 0},
    {SHAPE_SHEET, 2 * 31 * 31, 0, 1, 127, 113, 2, SHADING_SMOOTH, IS_ORTHOGRAPHIC, 0, 0},
    {SHAPE_SHEET, 2 * 31 * 31, 0, 1, 113, 127, 3, SHADING_NONE, HAS_LINES | IS_LIGHT, 0, 0},
    {SHAPE_SHEET, 2 * 31 * 31, 0, 4, 113, 127, 1, SHADING_REFLECTION, HAS_SEGMENTS, 0, 0},
    {SHAPE_SHEET, 2 * 90 * 90, 0, 1, 47, 48, 1, SHADING_SMOOTH, HAS_GROUPS, 0, 0},
    {SHAPE_SHEET, 2 * 31 * 31, 0, 1, 113, 127, 3, SHADING_NONE, HAS_LINES | IS_CLEAR, 0, 0},
    {SHAPE_SHEET, 2 * 31 * 31, 0, 1, 127, 113, 1, SHADING_SMOOTH, HAS_CAMERA | IS_CLEAR, 0, 0},
    {SHAPE_SHEET, 2 * 90 * 90, 0, 2, 48, 47, 2, SHADING_FLAT, HAS_LINES, 0, 0},
};

_Static_assert(COUNT_OF(SIZES) * SHADINGS + COUNT_OF(CASES) == RASTER_CASES, "cases are counted");

static struct test_case get_case(size_t number)
{
    static const double LENGTHS[] = {0.01, 0.1, 0.6};
    const size_t soups = COUNT_OF(SIZES) * SHADINGS;
    if (number >= soups)
        return CASES[number - soups];
    const uint32_t *const size = SIZES[number % COUNT_OF(SIZES)];
    const enum shading shading = (enum shading)(number / COUNT_OF(SIZES));
    return (struct test_case){
        .shape = SHAPE_SOUP,
        .triangles = number % 4 == 3 ? 1300 : 300,
        .length = LENGTHS[number % COUNT_OF(LENGTHS)],
        .zoom = number % 5 == 2 ? 30 : 1,
        .width = size[0],
        .height = size[1],
        .samples = size[2],
        .shading = shading,
        .flags = (number % 2 || shading == SHADING_NONE ? HAS_LINES : 0) |
                 (number % 3 == 1 ? HAS_GROUPS : 0) | (number % 3 == 0 ? HAS_SEGMENTS : 0) |
                 (number % 4 == 1 ? IS_ORTHOGRAPHIC : 0) | (number % 2 ? IS_LIGHT : 0) |
                 (number % 6 == 5 ? HAS_CLAMP : 0) | (number % 7 < 2 ? IS_CLEAR : 0) |
                 (number % 11 < 5 ? HAS_CAMERA : 0),
    };
}

static double between(double least, double most, uint64_t *state)
{
    return least + (most - least) * (double)random_unit(state);
}

/* Triangles of about the length: some slivers, some of no area, some over all of the image. */
static void make_soup(const struct test_case *test, struct mesh *mesh, uint64_t *state)
{
    for (size_t i = 0; i < mesh->triangle_count; i++) {
        const double wide = i % 97 == 5 ? 1 : test->length, thin = i % 5 == 1 ? 1e-4 : wide;
        double center[3], along[3];
        for (int k = 0; k < 3; k++) {
            center[k] = between(-1, 1, state);
            along[k] = between(-wide, wide, state);
        }
        for (uint32_t j = 0; j < 3; j++) {
            for (int k = 0; k < 3; k++)
                mesh->positions[3 * i + j][k] =
                    center[k] + along[k] * j + (i % 11 ? between(-thin, thin, state) : 0);
            mesh->triangles[i].vertex[j] = (uint32_t)(3 * i) + j;
        }
    }
    const size_t half = test->shape == SHAPE_PAIRS ? mesh->triangle_count / 2 : 0;
    for (size_t i = 0; i < half; i++)
        memcpy(mesh->triangles[half + i].vertex, mesh->triangles[i].vertex,
            sizeof(mesh->triangles[i].vertex));
}

/* side x side squares of two triangles each, over x and y from -1 to 1. */
static void make_sheet(uint32_t side, struct mesh *mesh)
{
    for (uint32_t i = 0; i < (side + 1) * (side + 1); i++) {
        const double x = 2.0 * (i % (side + 1)) / side - 1, y = 2.0 * (i / (side + 1)) / side - 1;
        const double position[3] = {x, y, 0.4 * sin(5 * x) * cos(4 * y)};
        memcpy(mesh->positions[i], position, sizeof(position));
    }
    for (uint32_t i = 0; i < side * side; i++) {
        const uint32_t a = i / side * (side + 1) + i % side, b = a + 1;
        const uint32_t c = a + side + 1, d = c + 1;
        const uint32_t corners[2][3] = {{a, b, d}, {a, d, c}};
        for (uint32_t j = 0; j < 2; j++)
            memcpy(mesh->triangles[2 * i + j].vertex, corners[j], sizeof(corners[j]));
    }
}

/* Normals, of which some are missing, curvatures, of which some are infinite, groups and lines. */
static void fill_attributes(struct mesh *mesh, uint64_t *state)
{
    for (size_t i = 0; i < mesh->vertex_count; i++) {
        for (int j = 0; j < 3; j++)
            mesh->normals[i][j] = i % 7 ? (float)between(-1, 1, state) : 0;
        for (int j = 0; j < CURVATURES; j++)
            mesh->curvature[i][j] = i % 50 == 9 ? INFINITY : (float)between(-0.5 * j, 4, state);
    }
    for (size_t i = 0; i < mesh->triangle_count; i++) {
        mesh->triangles[i].group = (uint32_t)(random_bits(state) % GROUPS);
        mesh->triangles[i].lines = (uint32_t)(random_bits(state) % 8);
    }
    mesh->group_count = GROUPS;
    mesh->group_colors = group_colors;
}

static int make_mesh(
    const struct test_case *test, struct mesh *mesh, uint64_t *state, struct error *error)
{
    const uint32_t side = (uint32_t)sqrt((double)test->triangles / 2 + 0.5);
    const size_t vertices =
        test->shape == SHAPE_SHEET ? (size_t)(side + 1) * (side + 1) : 3 * test->triangles;
    const int rc = mesh_new(vertices, test->triangles, 1, mesh, error);
    if (rc)
        return rc;
    if (test->shape == SHAPE_SHEET)
        make_sheet(side, mesh);
    else
        make_soup(test, mesh, state);
    fill_attributes(mesh, state);
    if (test->shape == SHAPE_BARE) {
        free(mesh->normals);
        mesh->normals = NULL;
        mesh->group_colors = NULL;
        mesh->group_count = 0;
        for (size_t i = 0; i < mesh->triangle_count; i++)
            mesh->triangles[i].group = 0;
    }
    return 0;
}

/* Seen from anywhere. Some segments have no length. */
static struct drawing make_drawing(const struct test_case *test, size_t number,
    double segments[SEGMENT_COUNT][2][3], uint64_t *state)
{
    for (int i = 0; i < SEGMENT_COUNT * 6; i++)
        segments[i / 6][i / 3 % 2][i % 3] = i < 12 ? 0.25 : between(-1.2, 1.2, state);
    struct drawing drawing = {
        .width = test->width,
        .height = test->height,
        .samples = test->samples,
        .shading = test->shading,
        .has_lines = (test->flags & HAS_LINES) != 0,
        .has_groups = (test->flags & HAS_GROUPS) != 0,
        .yaw = between(-180, 180, state),
        .pitch = between(-90, 90, state),
        .zoom = test->zoom,
        .is_orthographic = (test->flags & IS_ORTHOGRAPHIC) != 0,
        .curvature = (enum mesh_curvature)(number % CURVATURES),
        .has_clamp = (test->flags & HAS_CLAMP) != 0,
        .clamp = {0.5, 2},
        .background = {test->flags & IS_LIGHT ? 1 : 0.1f, 0.2f, 0.5f},
        .segment_count = test->flags & HAS_SEGMENTS ? SEGMENT_COUNT : 0,
        .segments = (const double(*)[2][3])segments,
        .is_clear = (test->flags & IS_CLEAR) != 0,
        .has_target = (test->flags & HAS_CAMERA) != 0,
    };
    for (int i = 0; drawing.has_target && i < 3; i++) {
        drawing.up[i] = number % 4 ? between(-1, 1, state) : i == 2 ? -1 : 0;
        drawing.target[i] = between(-1, 1, state);
        drawing.pan[i % 2] = between(-0.3, 0.3, state);
    }
    return drawing;
}

static int agrees(struct run *run, const struct mesh *mesh, const struct drawing *drawing,
    struct raster raster, const struct image *expected)
{
    struct image image = {0};
    const size_t width = drawing->width, size = 4 * width * drawing->height;
    run_start(run);
    const int rc = draw_mesh(run, mesh, drawing, &raster, &image);
    const uint8_t *const got = image.pixels, *const wanted = expected->pixels;
    size_t i = 0;
    while (rc == 0 && i < size && got[i] == wanted[i])
        i++;
    if (rc)
        printf("# %s\n", run->error.text);
    else if (i < size)
        printf("# channel %zu of column %zu, row %zu: %u, not %u\n", i % 4, i / 4 % width,
            i / 4 / width, got[i], wanted[i]);
    image_free(&image);
    run_buffers_free(run);
    return rc == 0 && i == size;
}

void raster_run_case(
    size_t number, struct run *runs, const struct device_info *infos, int device_count)
{
    const struct test_case test = get_case(number);
    const struct raster raster = {
        .band_samples = test.band_samples, .band_entries = test.band_entries};
    uint64_t state = number + 100;
    double segments[SEGMENT_COUNT][2][3];
    const struct drawing drawing = make_drawing(&test, number, segments, &state);
    struct mesh mesh = {0};
    struct image expected = {0};
    struct error error;
    int rc = make_mesh(&test, &mesh, &state, &error);
    if (rc == 0)
        rc = image_new((int)test.width, (int)test.height, 3, 8, &expected, &error);
    if (rc == 0)
        rc = reference_draw_mesh(&mesh, &drawing, &expected, &error);
    if (rc)
        tap_check(0, "%s", error.text);
    for (int i = 0; rc == 0 && i < device_count; i++)
        tap_check(agrees(&runs[i], &mesh, &drawing, raster, &expected),
            "%s: %s of %zu, size %g, shading %d, flags %d, zoom %g, %u x %u of %u, bands of %llu",
            infos[i].id, SHAPES[test.shape], test.triangles, test.length, (int)test.shading,
            test.flags, test.zoom, test.width, test.height, test.samples,
            (unsigned long long)test.band_samples);
    image_free(&expected);
    mesh_free(&mesh);
}
