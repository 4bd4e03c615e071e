/* Strips of rows, in which ranks share an image out. */
#include <stdlib.h>
#include <string.h>

#include "stages/circles/circles.h"

#define STRIPS_A_RANK 8 /* so that all end at about the same time */

/* What another rank has to know to paint strips; the circles of a file follow. */
struct strips_job {
    struct circles_options options; /* without what it points to */
    struct scene scene;             /* the same; unless it is a named one */
    char name[64];                  /* of a named scene, or "" */
    uint32_t frame, strip_rows;
};

/* Pixels of a strip: whole screen tiles. */
static uint32_t choose_rows(const struct run *run, const struct circles *c)
{
    const uint32_t strips = run_ranks(run) > 1 ? STRIPS_A_RANK * (uint32_t)run_ranks(run) : 1;
    const uint32_t tiles = ((c->result.height + strips - 1) / strips + TILE - 1) / TILE;
    return strips > 1 ? tiles * TILE : c->result.height;
}

void *circles_strip(void *context, uint32_t strip, size_t *size)
{
    struct circles *c = context;
    const uint32_t first = strip * c->strip_rows, rest = c->result.height - first;
    const size_t row = (size_t)c->result.width * 4;
    *size = (rest < c->strip_rows ? rest : c->strip_rows) * row;
    return (uint8_t *)c->result.image.pixels + (c->holds_strip ? 0 : first * row);
}

void circles_start_strip(struct circles *c, uint32_t strip)
{
    const uint32_t rows = c->strip_rows * c->result.samples;
    c->rows = c->result.height * c->result.samples;
    c->band_row = strip * rows;
    c->end_row = c->rows - c->band_row < rows ? c->rows : c->band_row + rows;
    c->image_row = c->holds_strip ? strip * c->strip_rows : 0;
}

int circles_share(struct run *run, struct circles *c)
{
    struct strips_job job;
    struct share share = {.result = circles_strip, .context = c};
    const int is_named = c->has_scene && !c->options.scene && scene_find(c->options.input);
    c->strip_rows = choose_rows(run, c);
    share.parts = (c->result.height + c->strip_rows - 1) / c->strip_rows;
    memset(&job, 0, sizeof(job));
    job.options = c->options;
    job.options.input = NULL;
    job.options.scene = NULL;
    job.options.sinks = (struct circles_sinks){0};
    job.options.width = c->result.width;
    job.options.height = c->result.height;
    job.frame = c->frame;
    job.strip_rows = c->strip_rows;
    share.input[0] = &job;
    share.input_size[0] = sizeof(job);
    if (is_named) {
        snprintf(job.name, sizeof(job.name), "%s", c->options.input);
    } else {
        job.scene = c->scene;
        job.options.has_background = job.options.has_alpha = 0; /* it has them already */
        share.input[1] = c->scene.circles;
        share.input_size[1] = c->scene.count * sizeof(*c->scene.circles);
    }
    return run_share(run, &share);
}

/* Takes over what rank 0 sent, for the first frame or a later one. */
static void take_job(const struct share *share, struct strips_job *job, struct circles *c)
{
    memcpy(job, share->input[0], sizeof(*job));
    c->frame = job->frame;
    c->strip_rows = job->strip_rows;
    c->holds_strip = 1;
    if (c->has_scene)
        return;
    c->options = job->options;
    c->options.input = job->name;
    if (!job->name[0]) {
        job->scene.circles = share->input[1];
        job->scene.borrows = 1;
        c->options.scene = &job->scene;
    }
}

int circles_serve(struct run *run)
{
    struct circles c = {0};
    struct strips_job job;
    int rc = 0;
    run_start(run);
    while ((rc = run_await(run, rc)) > 0) {
        if (c.options.scene) { /* a file's, whose circles went with the last job */
            circles_end(&c);
            c = (struct circles){0};
        }
        take_job(&run->shared, &job, &c);
        run->shared.result = circles_strip;
        run->shared.context = &c;
        rc = circles_run_stage(run, &SCENE, &c);
        if (rc == 0)
            rc = circles_paint_strips(run, &c);
    }
    circles_end(&c);
    return rc;
}
