/* SHADE: every screen tile from the circles of its bin, nearest first until each byte is proven. */
#include <math.h>
#include <stdlib.h>

#include "stages/circles/circles.h"

/* Adds the hits of the band and chunk to those of the whole image. */
static int keep_hits(struct run *run, struct circles *c, const struct band *band)
{
    const size_t samples = (size_t)band->width * band->rows;
    if (!c->hits)
        c->hits = calloc((size_t)c->columns * c->rows, sizeof(*c->hits));
    uint32_t *hits = malloc(samples * sizeof(*hits));
    int rc = 0;
    if (!c->hits || !hits)
        rc = error_set(&run->error, ERROR_INPUT, "not enough memory for an image of the hits");
    if (rc == 0)
        rc = buffer_download(&c->hits_buffer, hits, samples * sizeof(*hits), &run->error);
    for (size_t i = 0; rc == 0 && i < samples; i++) {
        uint32_t *all = &c->hits[(size_t)band->first_row * c->columns + i];
        *all = hits[i] + (circles_resumes(c) ? *all : 0);
    }
    free(hits);
    return rc;
}

static enum kernel choose_kernel(const struct circles *c)
{
    if (c->scene.soft)
        return c->nearest_first ? KERNEL_shade_nearest_soft : KERNEL_shade_all_soft;
    if (c->small)
        return c->nearest_first ? KERNEL_shade_nearest_small : KERNEL_shade_all_small;
    return c->nearest_first ? KERNEL_shade_nearest : KERNEL_shade_all;
}

static int shade_run(struct run *run, struct circles *c)
{
    const struct band band = circles_band(c);
    struct shade_args args = {
        .band = band,
        .circles = (uint32_t)(c->chunk_end - c->chunk_first),
        .words = c->words,
        .columns = c->bin_columns,
        .bins = c->bin_columns * c->bin_rows,
        .bin_shift = c->bin_shift,
        .from = c->from,
        .soft = (unsigned)c->scene.soft,
        .scale = (float)(c->columns > c->rows ? c->columns : c->rows),
        .resumes = (unsigned)circles_resumes(c),
        .pauses = (unsigned)circles_pauses(c),
        .wants_hits = run->snapshot != NULL,
        .is_front = c->left_out > 0,
        .list_groups = c->list_groups,
        .marks = (unsigned)c->marks,
        .repeats = (unsigned)c->repeats,
        .check_below = c->check_below,
        .limit = c->limit,
        .slack = c->slack,
        .slack_most = c->slack_most,
        .terms_a_halving = c->terms_a_halving,
    };
    for (int i = 0; i < 3; i++) {
        const float half = (c->high[i] - c->low[i]) / 2;
        args.low[i] = c->low[i];
        args.high[i] = c->high[i];
        args.middle[i] = c->low[i] + half;
        args.spread = fmaxf(args.spread, 255 * half);
    }
    const size_t tiles = (size_t)((band.width + TILE - 1) / TILE) * ((band.rows + TILE - 1) / TILE);
    int rc = circles_prepare_band(run, c);
    if (rc == 0)
        rc = run_buffer(
            run, &c->hits_buffer, args.wants_hits ? (size_t)band.width * band.rows * 4 : 4, NULL);
    if (rc == 0)
        rc = run_buffer(run, &c->tile_marks, c->marks || c->repeats ? tiles * 4 : 4, NULL);
    struct buffer *const result = c->result.samples > 1 ? &c->samples_buffer : &c->pixels_buffer;
    if (rc == 0 && circles_are_few(c))
        rc = DEVICE_LAUNCH(&run->device, c->scene.soft ? KERNEL_shade_few_soft : KERNEL_shade_few,
            (band.width + FEW_GROUP - 1) / FEW_GROUP, (band.rows + FEW_ROWS - 1) / FEW_ROWS,
            &run->error, ARGUMENT_BUFFER(&c->geometry_buffer), ARGUMENT_BUFFER(&c->paint_buffer),
            ARGUMENT_BUFFER(&c->places_buffer), ARGUMENT_BUFFER(result),
            ARGUMENT_BUFFER(&c->hits_buffer), ARGUMENT(args));
    else if (rc == 0)
        rc = DEVICE_LAUNCH(&run->device, choose_kernel(c), (band.width + TILE - 1) / TILE,
            (band.rows + TILE - 1) / TILE, &run->error, ARGUMENT_BUFFER(&c->geometry_buffer),
            ARGUMENT_BUFFER(&c->paint_buffer), ARGUMENT_BUFFER(&c->places_buffer),
            ARGUMENT_BUFFER(&c->matrix), ARGUMENT_BUFFER(&c->lists), ARGUMENT_BUFFER(result),
            ARGUMENT_BUFFER(&c->state), ARGUMENT_BUFFER(&c->hits_buffer),
            ARGUMENT_BUFFER(&c->tile_marks), ARGUMENT(args));
    if (rc == 0 && args.wants_hits)
        rc = keep_hits(run, c, &band);
    return rc;
}

/* How many circles each sample took until its byte was proven. */
static int shade_snapshot(struct run *run, struct circles *c, struct image *snapshot)
{
    const int is_sampled = c->result.samples > 1;
    return circles_draw_counts(run, c->hits, c->columns, c->rows,
        is_sampled ? "circles until each sample is proven" : "circles until each pixel is proven",
        is_sampled ? "samples" : "pixels", snapshot);
}

const struct circles_stage SHADE = {
    .stage = {"shade",
        "blend the circles of each screen tile, nearest first until the byte is proven"},
    .run = shade_run,
    .snapshot = shade_snapshot,
};
