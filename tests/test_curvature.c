/* Colors of curvature: their range by the area of a torus, whose curvature is known everywhere, and
 * that each pixel of its image can be read back from the bar. */
#include "stages/bezier/curvature.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/tap.h"
#include "images/draw.h"
#include "stages/bezier/project.h"

enum { AROUND = 400, ACROSS = 320, SIDE = 600 };
#define RING 1.0 /* radius of the torus' middle line */
#define TUBE 0.4
#define STEPS 100000

static double positions[AROUND * ACROSS][3];
static float curvature[AROUND * ACROSS][CURVATURES];
static struct mesh_triangle triangles[2 * AROUND * ACROSS];

/* 1 outside, -1 inside; the row's angle grows unevenly, so that points crowd inside. */
static double cosine_of_row(int row)
{
    const double angle = 2 * acos(-1) * row / ACROSS;
    return cos(angle + 0.6 * sin(angle));
}

static double sine_of_row(int row)
{
    const double angle = 2 * acos(-1) * row / ACROSS;
    return sin(angle + 0.6 * sin(angle));
}

/* Of a torus, where the cosine of the tube's angle is this (do Carmo, 1976, section 3-3). */
static double gaussian(double cosine)
{
    return cosine / (TUBE * (RING + TUBE * cosine));
}

static struct mesh make_torus(void)
{
    for (int i = 0; i < AROUND * ACROSS; i++) {
        const double angle = 2 * acos(-1) * (i / ACROSS) / AROUND;
        const double cosine = cosine_of_row(i % ACROSS), radius = RING + TUBE * cosine;
        const double place[3] = {
            radius * cos(angle), radius * sin(angle), TUBE * sine_of_row(i % ACROSS)};
        memcpy(positions[i], place, sizeof(place));
        curvature[i][CURVATURE_GAUSSIAN] = (float)gaussian(cosine);
        curvature[i][CURVATURE_MEAN] = -1;
        const uint32_t a = (uint32_t)i, b = (uint32_t)(i / ACROSS * ACROSS + (i + 1) % ACROSS);
        const uint32_t c = (a + ACROSS) % (AROUND * ACROSS), d = (b + ACROSS) % (AROUND * ACROSS);
        const uint32_t corners[2][3] = {{a, c, b}, {b, c, d}};
        for (int j = 0; j < 2; j++)
            memcpy(triangles[2 * i + j].vertex, corners[j], sizeof(corners[j]));
    }
    return (struct mesh){.vertex_count = AROUND * ACROSS,
        .triangle_count = 2 * AROUND * ACROSS,
        .positions = positions,
        .curvature = curvature,
        .triangles = triangles};
}

/* Below which this share of the area has its curvature: it grows with the cosine, and a ring of the
 * angle v has the area RING + TUBE cos v. */
static double exact_percentile(double share)
{
    double area = 0, sum = 0, angle = acos(-1);
    for (int i = 0; i < STEPS; i++)
        area += RING + TUBE * cos(acos(-1) * (i + 0.5) / STEPS);
    for (int i = STEPS - 1; i >= 0 && sum < share * area; i--) {
        angle = acos(-1) * (i + 0.5) / STEPS;
        sum += RING + TUBE * cos(angle);
    }
    return gaussian(cos(angle));
}

static void check_range(const struct mesh *mesh)
{
    struct drawing drawing = {.width = SIDE, .height = SIDE};
    struct error error;
    double range[2], own[2] = {exact_percentile(0.1), exact_percentile(0.9)};
    if (curvature_range(mesh, &drawing, NULL, range, &error))
        abort();
    tap_check(own[0] < 0 && own[1] > 0 && range[0] == -range[1] &&
                  fabs(range[1] / fmax(-own[0], own[1]) - 1) < 0.06,
        "Gaussian: %.3f to %.3f, as wide below 0 as above: %.3f to %.3f of the area's middle",
        range[0], range[1], own[0], own[1]);
    drawing.curvature = CURVATURE_MEAN;
    if (curvature_range(mesh, &drawing, NULL, range, &error))
        abort();
    tap_check(range[0] == -1.5 && range[1] == -0.5, "where all is alike it is in the middle");
    drawing.unit = 3;
    drawing.has_clamp = 1;
    drawing.clamp[0] = 2;
    drawing.clamp[1] = 5;
    if (curvature_range(mesh, &drawing, NULL, range, &error))
        abort();
    tap_check(range[0] == 16 && range[1] == 40, "a clamp is in the file's units");
}

static const uint8_t *pixel_at(const struct image *image, int x, int y)
{
    return (const uint8_t *)image->pixels + 4 * (y * image->width + x);
}

/* The first column of the bar, which stands by itself in the right quarter, as colors from the
 * highest down, neither white nor dark as ink; gives how many. */
static int read_bar(const struct image *image, uint8_t bar[SIDE][3])
{
    for (int x = SIDE * 3 / 4; x < SIDE; x++) {
        int count = 0;
        for (int y = 0; y < SIDE; y++) {
            const uint8_t *const p = pixel_at(image, x, y);
            if (p[2] < 250 && p[0] + p[1] + p[2] > 120)
                memcpy(bar[count++], p, 3);
        }
        if (count > SIDE / 2)
            return count;
    }
    return 0;
}

/* The value of a color by the bar: the middle of the rows that come nearest to it. */
static double read_value(const uint8_t color[3], const uint8_t bar[SIDE][3], int count, double end)
{
    int least = 1 << 30, sum = 0, rows = 0;
    for (int i = 0; i < count; i++) {
        int away = 0;
        for (int j = 0; j < 3; j++)
            away += (color[j] - bar[i][j]) * (color[j] - bar[i][j]);
        if (away < least)
            sum = rows = 0;
        if (away <= least) {
            least = away;
            sum += i;
            rows++;
        }
    }
    return end - 2 * end * ((double)sum / rows + 0.5) / count;
}

/* From above, every pixel's distance from the middle says what its curvature is. */
static void check_colors(struct run *run, const struct mesh *mesh)
{
    const double end = 3; /* of the colors */
    const struct drawing drawing = {.width = SIDE,
        .height = SIDE,
        .samples = 1,
        .pitch = 90,
        .zoom = 0.75,
        .is_orthographic = 1,
        .shading = SHADING_CURVATURE,
        .has_clamp = 1,
        .clamp = {-end, end},
        .background = {1, 1, 1}};
    struct raster raster = {0};
    struct image image;
    uint8_t bar[SIDE][3];
    if (draw_mesh(run, mesh, &drawing, &raster, &image))
        abort();
    const int count = read_bar(&image, bar);
    const double pixel = 2 * raster.view.radius / (0.9 * 0.75 * SIDE); /* as camera.c scales it */
    /* What a sixteenth of a pixel makes, to which corners are rounded, where the curvature is
     * steepest. */
    const double rounded = RING / pow(TUBE * (RING - TUBE), 2) * pixel / 16;
    double worst = 0;
    int read = 0;
    for (int i = 0; i < SIDE * SIDE; i++) {
        const double x = (i % SIDE + 0.5 - SIDE / 2) * pixel,
                     y = (i / SIDE + 0.5 - SIDE / 2) * pixel;
        const double cosine = (sqrt(x * x + y * y) - RING) / TUBE;
        if (fabs(cosine) > 0.97 || fabs(gaussian(cosine)) > 0.98 * end)
            continue;
        const double value = read_value(pixel_at(&image, i % SIDE, i / SIDE), bar, count, end);
        worst = fmax(worst, fabs(value - gaussian(cosine)));
        read++;
    }
    tap_check(count > SIDE / 2 && read > 50000 && worst < 2 * end / 255 + rounded,
        "%d pixels of a torus read back from a bar of %d rows: %.3f off, a step of color is %.3f",
        read, count, worst, 2 * end / 255);
    image_free(&image);
    run_buffers_free(run);
}

struct watched {
    int reports, stops_at; /* the report that asks to stop */
    double last;           /* share */
    int is_rising;
};

static int watch(void *context, double share)
{
    struct watched *w = context;
    w->is_rising &= share >= w->last && share <= 1;
    w->last = share;
    return w->reports++ == w->stops_at;
}

/* What is done on the host for an image reports all the time, and stops wherever it is asked to. */
static void check_stops(const struct mesh *mesh)
{
    static const struct drawing DRAWINGS[] = {
        {.width = SIDE, .height = SIDE, .samples = 1, .zoom = 1, .has_lines = 1},
        {.width = SIDE, .height = SIDE, .samples = 1, .zoom = 1, .shading = SHADING_CURVATURE}};
    int reports[2] = {0}, stops = 0, wanted = 0, is_rising = 1;
    for (int i = 0; i < 2; i++)
        for (int stops_at = -1; stops_at < reports[i]; stops_at += stops_at < 8 ? 1 : 7) {
            struct watched w = {.stops_at = stops_at, .is_rising = 1};
            const struct progress progress = {watch, &w};
            struct raster raster = {0};
            struct projection projection;
            struct error error;
            const int rc =
                mesh_project(mesh, &DRAWINGS[i], &progress, &raster, &projection, &error);
            projection_free(&projection);
            is_rising &= w.is_rising;
            wanted += stops_at >= 0;
            stops += rc == ERROR_STOPPED && w.reports == stops_at + 1;
            if (stops_at < 0)
                reports[i] = rc == 0 ? w.reports : 0;
        }
    /* Outlines are added one at a time; vertices and triangles by blocks that threads share. */
    const int least = 2 * AROUND * ACROSS / REPORT_EVERY;
    tap_check(reports[0] > least && reports[1] > 3 && is_rising,
        "reports: %d with lines, %d with curvatures", reports[0], reports[1]);
    tap_check(wanted > 20 && stops == wanted, "it stops at %d of %d of them", stops, wanted);
}

int main(void)
{
    struct device_info infos[DEVICE_LIMIT];
    struct run run = {0};
    if (device_list(infos) < 1)
        abort();
    run.device_id = infos[0].id;
    const struct mesh mesh = make_torus();
    check_range(&mesh);
    check_colors(&run, &mesh);
    check_stops(&mesh);
    run_end(&run);
    return tap_finish();
}
