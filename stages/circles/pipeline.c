/* The pipeline of circles, for each method. From the outside in: frames; the rows of one that are
 * in memory; the strips or parts that ranks take of these (strips.c, parts.c), one where there is
 * one process; alpha and colors, where there is alpha; bands, which fit the device; passes over a
 * band, of the nearest circles and, where these were not enough, of all; chunks of circles. */
#include <stdlib.h>

#include "stages/circles/circles.h"

/* Each has a file of its own, but for SAVE_REST, which is in parts.c. */
extern const struct circles_stage RACE, RESOLVE, REFERENCE, SAVE_FRAME, SAVE_REST;

static const struct stage *const FAST[] = {
    &SCENE.stage, &UPLOAD.stage, &BIN.stage, &SHADE.stage, &RESOLVE.stage, &SAVE_FRAME.stage, NULL};
static const struct stage *const GOOD[] = {
    &SCENE.stage, &UPLOAD.stage, &CULL.stage, &RESOLVE.stage, &SAVE_FRAME.stage, NULL};
static const struct stage *const BAD[] = {
    &SCENE.stage, &UPLOAD.stage, &RACE.stage, &RESOLVE.stage, &SAVE_FRAME.stage, NULL};
static const struct stage *const SEQUENTIAL[] = {
    &SCENE.stage, &REFERENCE.stage, &SAVE_FRAME.stage, NULL};

const struct stage *const *const CIRCLES_STAGES[] = {[METHOD_FAST] = FAST,
    [METHOD_GOOD] = GOOD,
    [METHOD_BAD] = BAD,
    [METHOD_REFERENCE] = SEQUENTIAL};

/* Shades the circles that are on the device into the band that is at work. */
static int shade_chunk(struct run *run, struct circles *c)
{
    if (c->options.method == METHOD_GOOD)
        return circles_run_stage(run, &CULL, c);
    if (c->options.method == METHOD_BAD)
        return circles_run_stage(run, &RACE, c);
    const int rc = circles_run_stage(run, &BIN, c);
    return rc ? rc : circles_run_stage(run, &SHADE, c);
}

/* The chunks of the scene, the farthest first. */
static int paint_chunks(struct run *run, struct circles *c)
{
    int rc;
    do {
        rc = circles_run_stage(run, &UPLOAD, c);
        if (rc == 0)
            rc = shade_chunk(run, c);
    } while (rc == 0 && circles_pauses(c));
    return rc;
}

/* Bands of the rows from the top. Screen tiles that the nearest circles did not prove are painted
 * once more, from all circles. */
static int paint_layer(struct run *run, struct circles *c)
{
    int rc = 0;
    while (rc == 0) {
        c->repeats = c->marks = 0;
        do {
            rc = paint_chunks(run, c);
            if (rc == 0)
                rc = circles_run_stage(run, &RESOLVE, c);
        } while (rc == 0 && c->repeats);
        if (rc || !circles_next_band(c))
            break;
    }
    return rc;
}

int circles_paint_rows(struct run *run, struct circles *c)
{
    int rc = 0;
    if (circles_channels(c) == 3)
        return paint_layer(run, c);
    for (int paints_alpha = 1; rc == 0 && paints_alpha >= 0; paints_alpha--) {
        rc = circles_start_layer(run, c, paints_alpha);
        if (rc == 0)
            rc = paint_layer(run, c);
    }
    return rc;
}

static int paint_strip(struct run *run, struct circles *c, uint32_t strip)
{
    circles_start_strip(c, strip);
    return circles_paint_rows(run, c);
}

int circles_paint_shared(struct run *run, struct circles *c)
{
    const struct scene whole = c->scene;
    const struct workload work = circles_workload(c, whole.count);
    uint32_t number;
    /* Another rank takes nothing before it can paint it. */
    int rc = c->serves ? run_device(run, &work) : 0;
    while (rc == 0 && run_take(run, &number)) {
        rc = circles_take_part(run, c, number);
        if (rc == 0)
            rc = c->parts.count ? circles_paint_part(run, c, number) : paint_strip(run, c, number);
        if (rc == 0)
            run_give(run, number);
    }
    c->scene = whole;
    return run_join(run, rc);
}

/* The rows that are in memory, or all parts. */
static int paint_at_work(struct run *run, struct circles *c)
{
    if (c->options.method == METHOD_REFERENCE)
        return circles_run_stage(run, &REFERENCE, c);
    const int rc = circles_share(run, c);
    return rc ? rc : circles_paint_shared(run, c);
}

int circles_paint(struct run *run, struct circles *c)
{
    int rc = circles_run_stage(run, &SCENE, c);
    if (rc == 0 && c->parts.count) {
        rc = paint_at_work(run, c);
        return rc ? rc : circles_run_stage(run, &SAVE_REST, c);
    }
    while (rc == 0 && c->image_row < c->result.height) {
        rc = paint_at_work(run, c);
        if (rc == 0 && c->options.sinks.save && !run->is_alone)
            rc = circles_run_stage(run, &SAVE_FRAME, c);
        c->image_row += c->image_rows;
    }
    return rc;
}

/* From the frame at work to the last one, which is the result. */
static int paint_frames(struct run *run, struct circles *c)
{
    int rc;
    run_start(run);
    for (;; c->frame++) {
        rc = circles_paint(run, c);
        if (rc == 0)
            rc = circles_share_frames(run, c); /* sets the frame to the last one made */
        if (rc || c->frame == c->options.last_frame)
            return rc;
    }
}

/* On the CPU it goes on with the frame that the device failed at. */
int circles_run(struct run *run, struct circles *c)
{
    c->frame = c->options.first_frame;
    const int rc = paint_frames(run, c);
    return run_falls_back(run, rc) ? paint_frames(run, c) : rc;
}

void circles_end(struct circles *c)
{
    scene_free(&c->scene);
    image_free(&c->result.image);
    image_free(&c->rest);
    image_part_close(c->part);
    reach_free(&c->reach);
    circles_forget_places(c);
    free(c->hits);
    free(c->alpha);
}
