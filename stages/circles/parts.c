/* SAVE_PART and SAVE_REST: the parts of an image that ranks paint and write (images/parts.h). */
#include "stages/circles/circles.h"

int circles_open_parts(struct run *run, struct circles *c, uint64_t memory)
{
    const struct circles_sinks *sinks = &c->options.sinks;
    const struct image whole = {.width = (int)c->result.width,
        .height = (int)c->result.height,
        .channels = circles_channels(c),
        .depth = 8};
    c->parts = (struct image_parts){0};
    if (run_ranks(run) == 1 || !sinks->open_parts || c->options.method == METHOD_REFERENCE)
        return 0;
    const int rc = sinks->open_parts(sinks->context, run, &whole, memory, c->frame, &c->parts);
    if (rc || !c->parts.count || c->rest.pixels)
        return rc;
    return image_new(
        c->parts.rest.width, c->parts.rest.height, circles_channels(c), 8, &c->rest, &run->error);
}

void *circles_part_rest(void *context, uint32_t part, size_t *size)
{
    const struct circles *c = context;
    const size_t row = (size_t)c->parts.rest.width * 4;
    int first;
    *size = (size_t)image_part_rest(&c->parts, (int)part, &first) * row;
    return (uint8_t *)c->rest.pixels + (c->serves ? 0 : (size_t)first * row);
}

static int save_part_run(struct run *run, struct circles *c)
{
    struct image rows = c->result.image;
    rows.height = (int)(c->end_row / c->result.samples - c->held_row);
    return image_part_add(c->part, &rows, &run->error);
}

static const struct circles_stage SAVE_PART = {
    .stage = {"save", "write the tiles of some rows"},
    .run = save_part_run,
};

int circles_paint_part(struct run *run, struct circles *c, uint32_t number)
{
    int row, end, rc = 0, unused;
    size_t size;
    if (!c->rest.pixels)
        rc = image_new(c->parts.rest.width, image_part_rest(&c->parts, 0, &unused),
            circles_channels(c), 8, &c->rest, &run->error);
    if (rc == 0)
        rc = image_part_open(
            &c->parts, (int)number, run_watch(run), &c->part, &row, &end, &run->error);
    if (rc)
        return rc;
    while (rc == 0 && row < end) {
        const int rest = end - row, rows = rest < (int)c->strip_rows ? rest : (int)c->strip_rows;
        circles_start_rows(c, (uint32_t)row, (uint32_t)rows);
        rc = circles_paint_rows(run, c);
        if (rc == 0)
            rc = circles_run_stage(run, &SAVE_PART, c);
        row += rows;
    }
    if (rc == 0)
        image_part_copy_rest(c->part, circles_part_rest(c, number, &size));
    image_part_close(c->part);
    c->part = NULL;
    return rc;
}

static int save_rest_run(struct run *run, struct circles *c)
{
    return c->options.sinks.save_rest(c->options.sinks.context, run, &c->rest);
}

const struct circles_stage SAVE_REST = {
    .stage = {"save", "write the tiles that are left when all parts are made"},
    .run = save_rest_run,
};
