/* draw_mesh: projects on the host, then by tiles on the device: count the triangles of each, list
 * them, paint. */
#include "stages/bezier/draw_mesh.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stages/bezier/curvature.h"
#include "stages/bezier/project.h"

#define BAND_SAMPLES ((uint64_t)1 << 26) /* of a band, at most */
#define BAND_ENTRIES ((uint64_t)1 << 28) /* of a band's lists: 1 GiB */
#define TRIANGLE_SECONDS 1e-7            /* on one processor, for --device auto */
#define SAMPLE_SECONDS 2e-8

struct drawing drawing_with_defaults(const struct drawing *drawing)
{
    struct drawing d = *drawing;
    d.width = d.width ? d.width : 1024;
    d.height = d.height ? d.height : 768;
    d.samples = d.samples ? d.samples : 1;
    d.zoom = d.zoom > 0 ? d.zoom : 1;
    return d;
}

static struct raster_args make_args(
    const struct drawing *drawing, const struct projection *projection)
{
    struct raster_args args = {
        .triangles = (uint32_t)projection->triangle_count,
        .columns = drawing->width * drawing->samples,
        .rows = drawing->height * drawing->samples,
        .shading = drawing->shading,
        .line_color = projection->curvature_colors - 1,
        .curvature_colors = projection->curvature_colors,
        .eye = projection->eye,
        .half_line = drawing->has_lines ? drawing_half_line(drawing) : 0,
    };
    args.tile_columns = (args.columns + TILE - 1) / TILE;
    args.tile_rows = (args.rows + TILE - 1) / TILE;
    memcpy(args.background, drawing->background, sizeof(drawing->background));
    args.background[3] = drawing->is_clear ? 0 : 1;
    return args;
}

/* Where the device shares the host's memory, the buffer is `data` itself, until it is made anew. */
static int upload(struct run *run, struct buffer *buffer, void *data, size_t size)
{
    const int rc = run_buffer(run, buffer, size, data);
    return rc ? rc : buffer_upload(buffer, data, size, &run->error);
}

/* Its arrays have room for one more: a kernel takes every buffer, and none is empty. */
static int upload_projection(
    struct run *run, struct raster *raster, const struct projection *projection)
{
    int rc = upload(run, &raster->screen, projection->screen,
        (projection->vertex_count + 1) * sizeof(*projection->screen));
    if (rc == 0)
        rc = upload(run, &raster->surface, projection->surface,
            (projection->surface_count + 1) * sizeof(*projection->surface));
    if (rc == 0)
        rc = upload(run, &raster->triangles, projection->triangles,
            (projection->triangle_count + 1) * sizeof(*projection->triangles));
    if (rc == 0)
        rc = upload(run, &raster->palette, projection->palette,
            projection->palette_count * sizeof(*projection->palette));
    return rc;
}

static size_t triangle_groups(const struct raster_args *args)
{
    return ((size_t)args->triangles + RASTER_GROUP - 1) / RASTER_GROUP;
}

/* How many triangles meet each tile of the image, which `counts` has zeros for. */
static int count_triangles(
    struct run *run, struct raster *raster, const struct raster_args *args, uint32_t *counts)
{
    const size_t size = (size_t)args->tile_columns * args->tile_rows * sizeof(*counts);
    int rc = upload(run, &raster->counts, counts, size);
    if (rc == 0)
        rc = DEVICE_LAUNCH(&run->device, KERNEL_raster_count, triangle_groups(args), 1, &run->error,
            ARGUMENT_BUFFER(&raster->screen), ARGUMENT_BUFFER(&raster->triangles),
            ARGUMENT_BUFFER(&raster->counts), ARGUMENT(*args));
    if (rc == 0)
        rc = buffer_download(&raster->counts, counts, size, &run->error);
    return rc;
}

/* Gives the band that begins at args->first_tile_row as many rows of tiles as its lists and samples
 * have room for, so that no row of pixels is cut. */
static int plan_band(const struct drawing *drawing, const struct raster *raster, uint32_t tile_rows,
    const uint32_t *counts, struct raster_args *args, struct error *error)
{
    const uint64_t most = raster->band_entries ? raster->band_entries : BAND_ENTRIES;
    const uint64_t samples = raster->band_samples ? raster->band_samples : BAND_SAMPLES;
    const uint32_t first = args->first_tile_row, step = drawing->samples;
    uint32_t end = first;
    uint64_t entries = 0;
    while (end < tile_rows &&
           (end == first || (uint64_t)(end + step - first) * TILE * args->columns <= samples)) {
        const uint32_t next = end + step < tile_rows ? end + step : tile_rows;
        for (size_t i = (size_t)end * args->tile_columns; i < (size_t)next * args->tile_columns;
             i++)
            entries += counts[i];
        if (entries > most)
            break;
        end = next;
    }
    args->tile_rows = end - first;
    if (end == first)
        return error_set(error, ERROR_INPUT,
            "%u rows of the image have %llu triangles in their tiles, at most %llu can be drawn; "
            "draw a smaller image or fewer triangles",
            TILE, (unsigned long long)entries, (unsigned long long)most);
    return 0;
}

/* Turns counts into the sums of those before; gives the sum of all. */
static uint32_t sum_before(uint32_t *counts, size_t count)
{
    uint32_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        const uint32_t own = counts[i];
        counts[i] = sum;
        sum += own;
    }
    return sum;
}

/* Lists a band's triangles and paints it; `counts` of its tiles become where their lists begin. */
static int draw_band(struct run *run, const struct drawing *drawing, struct raster *raster,
    const struct raster_args *args, uint32_t *counts, struct image *image)
{
    const size_t tiles = (size_t)args->tile_rows * args->tile_columns;
    const size_t entries = sum_before(counts, tiles);
    const uint32_t first_row = args->first_tile_row * TILE, rest = args->rows - first_row;
    const uint32_t rows = rest < args->tile_rows * TILE ? rest : args->tile_rows * TILE;
    const size_t samples = (size_t)rows * args->columns;
    const size_t size = samples * 4 / drawing->samples / drawing->samples;
    void *const pixels =
        (uint8_t *)image->pixels + (size_t)first_row / drawing->samples * drawing->width * 4;
    const struct resolve_args resolve = {
        .width = drawing->width, .rows = rows / drawing->samples, .samples = drawing->samples};
    int rc = upload(run, &raster->counts, counts, tiles * sizeof(*counts));
    if (rc == 0)
        rc = run_buffer(run, &raster->lists, (entries + 1) * 4, NULL);
    if (rc == 0)
        rc = run_buffer(run, &raster->pixels, size, pixels);
    if (rc == 0 && drawing->samples > 1)
        rc = run_buffer(run, &raster->samples, samples * 4, NULL);
    if (rc == 0)
        rc = DEVICE_LAUNCH(&run->device, KERNEL_raster_fill, triangle_groups(args), 1, &run->error,
            ARGUMENT_BUFFER(&raster->screen), ARGUMENT_BUFFER(&raster->triangles),
            ARGUMENT_BUFFER(&raster->counts), ARGUMENT_BUFFER(&raster->lists), ARGUMENT(*args));
    if (rc == 0)
        rc = DEVICE_LAUNCH(&run->device, KERNEL_raster, args->tile_columns, args->tile_rows,
            &run->error, ARGUMENT_BUFFER(&raster->screen), ARGUMENT_BUFFER(&raster->surface),
            ARGUMENT_BUFFER(&raster->triangles), ARGUMENT_BUFFER(&raster->palette),
            ARGUMENT_BUFFER(&raster->counts), ARGUMENT_BUFFER(&raster->lists),
            ARGUMENT_BUFFER(drawing->samples > 1 ? &raster->samples : &raster->pixels),
            ARGUMENT(*args));
    if (rc == 0 && drawing->samples > 1)
        rc = DEVICE_LAUNCH(&run->device, KERNEL_resolve,
            (drawing->width + RESOLVE_GROUP - 1) / RESOLVE_GROUP, resolve.rows, &run->error,
            ARGUMENT_BUFFER(&raster->samples), ARGUMENT_BUFFER(&raster->pixels), ARGUMENT(resolve));
    if (rc == 0)
        rc = buffer_download(&raster->pixels, pixels, size, &run->error);
    return rc;
}

static int draw_bands(struct run *run, const struct drawing *drawing, struct raster *raster,
    const struct projection *projection, struct image *image)
{
    struct raster_args args = make_args(drawing, projection);
    const uint32_t tile_rows = args.tile_rows;
    uint32_t *const counts = calloc((size_t)args.tile_columns * tile_rows, sizeof(*counts));
    int rc = counts ? 0 : error_set(&run->error, ERROR_INPUT, "not enough memory for tiles");
    if (rc == 0)
        rc = upload_projection(run, raster, projection);
    if (rc == 0)
        rc = count_triangles(run, raster, &args, counts);
    for (; rc == 0 && args.first_tile_row < tile_rows; args.first_tile_row += args.tile_rows) {
        rc = plan_band(drawing, raster, tile_rows, counts, &args, &run->error);
        if (rc == 0)
            rc = draw_band(run, drawing, raster, &args,
                counts + (size_t)args.first_tile_row * args.tile_columns, image);
    }
    free(counts);
    return rc;
}

/* Whether the image shows its background only, as the kernels make it. */
static int is_blank(const struct drawing *drawing, const struct image *image)
{
    const uint8_t *const bytes = image->pixels;
    uint8_t background[4] = {0, 0, 0, drawing->is_clear ? 0 : 255};
    for (int c = 0; c < 3 && !drawing->is_clear; c++)
        background[c] = (uint8_t)(drawing->background[c] * 255.0f + 0.5f);
    for (size_t i = 0; i < (size_t)image->width * (size_t)image->height; i++)
        if (memcmp(bytes + 4 * i, background, 4) != 0)
            return 0;
    return 1;
}

static enum blank find_blank(const struct drawing *drawing, const struct projection *projection)
{
    const double size[2] = {(double)drawing->width * drawing->samples * SAMPLE_PARTS,
        (double)drawing->height * drawing->samples * SAMPLE_PARTS};
    if (drawing->shading == SHADING_NONE && !drawing->has_lines && !drawing->segment_count)
        return BLANK_SHADING;
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (size_t i = 0; i < projection->vertex_count; i++) {
        const float *const at = projection->screen[i];
        if (!(at[0] >= 0 && at[0] <= size[0] && at[1] >= 0 && at[1] <= size[1]))
            return BLANK_OUTSIDE;
        for (int c = 0; c < 2; c++) {
            low[c] = fmin(low[c], (double)at[c]);
            high[c] = fmax(high[c], (double)at[c]);
        }
    }
    const double pixel = (double)drawing->samples * SAMPLE_PARTS;
    return fmax(high[0] - low[0], high[1] - low[1]) < pixel ? BLANK_SMALL : BLANK_THIN;
}

struct workload drawing_workload(const struct drawing *drawing, double vertices, double triangles)
{
    const struct drawing d = drawing_with_defaults(drawing);
    const double pixels = (double)d.width * d.height;
    return (struct workload){
        .cpu_seconds =
            TRIANGLE_SECONDS * triangles + SAMPLE_SECONDS * pixels * d.samples * d.samples,
        .bytes = 48 * vertices + (double)sizeof(struct mesh_triangle) * triangles + 4 * pixels,
    };
}

int draw_mesh(struct run *run, const struct mesh *mesh, const struct drawing *drawing,
    struct raster *raster, struct image *image)
{
    const struct drawing d = drawing_with_defaults(drawing);
    const struct workload work =
        drawing_workload(drawing, (double)mesh->vertex_count, (double)mesh->triangle_count);
    struct projection projection = {0};
    if ((uint64_t)d.width * d.samples > DRAWING_MAX_SAMPLES ||
        (uint64_t)d.height * d.samples > DRAWING_MAX_SAMPLES)
        return error_set(&run->error, ERROR_INPUT,
            "%u x %u pixels of %u x %u samples: at most %d samples a side can be drawn", d.width,
            d.height, d.samples, d.samples, DRAWING_MAX_SAMPLES);
    assert(mesh->curvature || d.shading != SHADING_CURVATURE);
    int rc = run_device(run, &work);
    if (rc == 0)
        rc = mesh_project(mesh, &d, run_watch_part(run, 0, 2), raster, &projection, &run->error);
    run->launch_from = 0.5; /* the kernels are the other half */
    if (rc == 0)
        rc = image_new((int)d.width, (int)d.height, d.is_clear ? 4 : 3, 8, image, &run->error);
    if (rc == 0)
        rc = draw_bands(run, &d, raster, &projection, image);
    if (rc == 0)
        raster->blank = is_blank(&d, image) ? find_blank(&d, &projection) : BLANK_NOT;
    if (rc == 0 && d.shading == SHADING_CURVATURE)
        curvature_draw_bar(&d, projection.curvature, image);
    projection_free(&projection);
    return rc;
}
