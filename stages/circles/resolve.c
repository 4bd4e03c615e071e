/* RESOLVE: averages and downloads a band, if all of it is painted. What the methods share of bands
 * and chunks. */
#include <stdlib.h>

#include "stages/circles/circles.h"

struct band circles_band(const struct circles *c)
{
    const uint32_t rest = c->end_row - c->band_row;
    return (struct band){
        .width = c->columns,
        .height = c->rows,
        .first_row = c->band_row,
        .rows = rest < c->band_rows ? rest : c->band_rows,
    };
}

int circles_resumes(const struct circles *c)
{
    return c->chunk_first > c->left_out;
}

int circles_pauses(const struct circles *c)
{
    return c->chunk_end < c->scene.count;
}

int circles_are_few(const struct circles *c)
{
    return c->is_small_scene && !circles_resumes(c) && !circles_pauses(c);
}

/* Where the band lies in the image. */
static void *band_pixels(const struct circles *c)
{
    const size_t row = c->band_row / c->result.samples - c->held_row;
    return (uint8_t *)c->result.image.pixels + row * c->result.width * 4;
}

int circles_prepare_band(struct run *run, struct circles *c)
{
    const struct band band = circles_band(c);
    const size_t samples = (size_t)band.width * band.rows;
    const int has_chunks = circles_resumes(c) || circles_pauses(c);
    int rc = 0;
    if (circles_resumes(c))
        return 0;
    if (c->result.samples > 1)
        rc = run_buffer(run, &c->samples_buffer, samples * 4, NULL);
    if (rc == 0)
        rc = run_buffer(run, &c->pixels_buffer, samples * 4 / c->result.samples / c->result.samples,
            band_pixels(c));
    if (rc == 0)
        rc = run_buffer(run, &c->state, has_chunks ? samples * 16 : 16, NULL);
    return rc;
}

/* Averages the samples of the band's pixels. */
static int average(struct run *run, struct circles *c)
{
    const struct resolve_args args = {
        .width = c->result.width,
        .rows = circles_band(c).rows / c->result.samples,
        .samples = c->result.samples,
    };
    return DEVICE_LAUNCH(&run->device, KERNEL_resolve,
        (args.width + RESOLVE_GROUP - 1) / RESOLVE_GROUP, args.rows, &run->error,
        ARGUMENT_BUFFER(&c->samples_buffer), ARGUMENT_BUFFER(&c->pixels_buffer), ARGUMENT(args));
}

/* Lets the device reach the image's memory, where it pays. Where the system refuses it, copies are
 * only slower. */
static void map_image(struct run *run, struct circles *c)
{
    if (circles_reuses_image(c) && !run->device.shares_memory && device_maps_memory(&run->device))
        run_map(run, &c->window, c->result.image.pixels, image_bytes(&c->result.image));
}

/* Looks whether tiles are marked, and says so in `repeats`. Returns 0 or an ERROR_ code. */
static int look_at_marks(struct run *run, struct circles *c)
{
    const size_t size = c->tile_marks.size;
    size_t marked = 0;
    c->repeats = 0;
    if (!c->marks)
        return 0;
    uint32_t *const marks = malloc(size);
    const int rc = marks ? buffer_download(&c->tile_marks, marks, size, &run->error)
                         : error_set(&run->error, ERROR_INPUT, "not enough memory to paint");
    for (size_t i = 0; rc == 0 && i < size / sizeof(*marks); i++)
        marked += marks[i];
    free(marks);
    c->repeats = marked > 0;
    if (c->repeats)
        run_notice(run, 0, "screen tiles that need more than the nearest circles: %zu", marked);
    return rc;
}

static int resolve_run(struct run *run, struct circles *c)
{
    int rc = look_at_marks(run, c);
    if (rc || c->repeats)
        return rc;
    rc = c->result.samples > 1 ? average(run, c) : 0;
    if (rc)
        return rc;
    map_image(run, c);
    rc = buffer_download(&c->pixels_buffer, band_pixels(c), c->pixels_buffer.size, &run->error);
    if (rc == 0 && circles_channels(c) == 4)
        circles_finish_layer(c, band_pixels(c), c->pixels_buffer.size / 4);
    return rc;
}

int circles_next_band(struct circles *c)
{
    if (circles_resumes(c))
        c->chunk_first = c->chunk_end = 0;
    c->band_row += circles_band(c).rows;
    return c->band_row < c->end_row;
}

const struct circles_stage RESOLVE = {
    .stage = {"resolve", "average samples and download them"},
    .run = resolve_run,
};
