/* RACE: circles in parallel, without order or atomicity, to show what comes of it. */
#include "stages/circles/circles.h"

static int race_run(struct run *run, struct circles *c)
{
    const struct band band = circles_band(c);
    const struct good_args args = {
        .band = band,
        .circles = (uint32_t)(c->chunk_end - c->chunk_first),
        .soft = (unsigned)c->scene.soft,
    };
    if (circles_pauses(c))
        return error_set(&run->error, ERROR_INPUT,
            "method bad needs all circles on the device at once; give it more memory");
    if (!run->device.info.is_gpu && !c->is_warned)
        run_notice(run, 1,
            "on %s a block's circles come one after the other: the race shows little or nothing",
            run->device.info.id);
    c->is_warned = 1;
    int rc = circles_prepare_band(run, c);
    if (rc == 0)
        rc = DEVICE_LAUNCH(&run->device, KERNEL_race, (band.width + TILE - 1) / TILE,
            (band.rows + TILE - 1) / TILE, &run->error, ARGUMENT_BUFFER(&c->geometry_buffer),
            ARGUMENT_BUFFER(&c->paint_buffer), ARGUMENT_BUFFER(&c->places_buffer),
            ARGUMENT_BUFFER(c->result.samples > 1 ? &c->samples_buffer : &c->pixels_buffer),
            ARGUMENT(args));
    return rc;
}

const struct circles_stage RACE = {
    .stage = {"race", "blend circles in parallel without order: wrong on purpose"},
    .run = race_run,
};
