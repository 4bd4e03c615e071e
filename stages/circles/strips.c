/* Strips of rows, in which ranks share an image out, and frames. */
#include <stdlib.h>
#include <string.h>

#include "stages/circles/circles.h"
#include "stages/shared_frames.h"

/* What another rank has to know to paint strips, or whole frames; with the first rows of a frame
 * come the circles, unless the scene is a named one, as all are that have frames. */
struct strips_job {
    struct circles_options options; /* without what it points to */
    struct scene scene;             /* the same; unless it is a named one */
    char name[64];                  /* of a named scene, or "" */
    uint32_t frame, frames;                     /* those to paint from `frame` on; 0: strips */
    uint32_t image_row, image_rows, strip_rows; /* as in struct circles */
    struct image_parts parts;                   /* the same */
};

/* Pixels of the rows that are in memory, of which the image may have fewer left. */
static uint32_t rows_at_work(const struct circles *c)
{
    const uint32_t rest = c->result.height - c->image_row;
    return rest < c->image_rows ? rest : c->image_rows;
}

/* Rows of a strip: whole screen tiles. */
static uint32_t choose_rows(const struct run *run, const struct circles *c)
{
    const uint32_t rows = rows_at_work(c), strips = PARTS_A_RANK * (uint32_t)run_ranks(run);
    const uint32_t tiles = ((rows + strips - 1) / strips + TILE - 1) / TILE;
    return run_ranks(run) > 1 ? tiles * TILE : rows;
}

/* The first row of a strip in the image, and how many it has. */
static uint32_t strip_first(const struct circles *c, uint32_t strip, uint32_t *rows)
{
    const uint32_t rest = rows_at_work(c) - strip * c->strip_rows;
    *rows = rest < c->strip_rows ? rest : c->strip_rows;
    return c->image_row + strip * c->strip_rows;
}

static void *strip_result(void *context, uint32_t strip, size_t *size)
{
    const struct circles *c = context;
    uint32_t rows;
    const uint32_t first = strip_first(c, strip, &rows);
    const size_t row = (size_t)c->result.width * 4;
    *size = rows * row;
    return (uint8_t *)c->result.image.pixels + (c->holds_strip ? 0 : (first - c->image_row) * row);
}

void circles_start_rows(struct circles *c, uint32_t first, uint32_t rows)
{
    c->rows = c->result.height * c->result.samples;
    c->begin_row = c->band_row = first * c->result.samples;
    c->end_row = (first + rows) * c->result.samples;
    c->held_row = c->holds_strip ? first : c->image_row;
}

void circles_start_strip(struct circles *c, uint32_t strip)
{
    uint32_t rows;
    const uint32_t first = strip_first(c, strip, &rows);
    circles_start_rows(c, first, rows);
}

/* What all of it has. The job has no circles yet. */
static void fill_job(const struct circles *c, struct strips_job *job)
{
    memset(job, 0, sizeof(*job));
    job->options = c->options;
    job->options.input = NULL;
    job->options.scene = NULL;
    job->options.sinks = (struct circles_sinks){0};
    job->options.width = c->result.width;
    job->options.height = c->result.height;
    job->options.samples = c->result.samples;
    job->frame = c->frame;
    job->image_row = c->image_row;
    job->image_rows = c->image_rows;
    job->strip_rows = c->strip_rows;
    job->parts = c->parts;
    if (c->has_scene && !c->options.scene && scene_find(c->options.input))
        snprintf(job->name, sizeof(job->name), "%s", c->options.input);
}

int circles_share(struct run *run, struct circles *c)
{
    struct strips_job job;
    struct share share = {.input = {&job}, .input_size = {sizeof(job)}, .context = c};
    if (c->parts.count) {
        share.parts = (uint32_t)c->parts.count;
        share.result = circles_part_rest;
    } else {
        c->strip_rows = choose_rows(run, c);
        share.parts = (rows_at_work(c) + c->strip_rows - 1) / c->strip_rows;
        share.result = strip_result;
    }
    fill_job(c, &job);
    if (!job.name[0] && c->image_row == 0) {
        job.scene = c->scene;
        job.options.has_background = job.options.has_alpha = 0; /* it has them already */
        share.input[1] = c->scene.circles;
        share.input_size[1] = c->scene.count * sizeof(*c->scene.circles);
    }
    return run_share(run, &share);
}

/* A frame, and what its image is saved by. */
struct painter {
    struct run *run;
    struct circles *c;
};

static int paint_frame(void *tool, uint32_t frame)
{
    const struct painter *painter = tool;
    painter->c->frame = frame;
    return circles_paint(painter->run, painter->c);
}

static int save_frame(void *tool, const struct image *image, uint32_t frame)
{
    const struct painter *painter = tool;
    const struct circles_sinks *sinks = &painter->c->options.sinks;
    return sinks->save(sinks->context, painter->run, image, 0, frame);
}

static struct shared_frames frames_of(
    struct painter *painter, uint32_t first, uint32_t count)
{
    return (struct shared_frames){.run = painter->run,
        .first = first,
        .count = count,
        .make = paint_frame,
        .image = &painter->c->result.image,
        .save = save_frame,
        .tool = painter};
}

int circles_share_frames(struct run *run, struct circles *c)
{
    const uint32_t first = c->frame + 1, last = c->options.last_frame;
    struct painter painter = {run, c};
    struct strips_job job;
    const struct share share = {.input = {&job}, .input_size = {sizeof(job)}};
    if (first >= last || c->parts.count || c->image_rows < c->result.height ||
        !c->options.sinks.save || c->options.method == METHOD_REFERENCE)
        return 0;
    struct shared_frames frames = frames_of(&painter, first, last - first);
    fill_job(c, &job);
    job.frame = first;
    job.frames = frames.count;
    const int rc = frames_share(&frames, &share, image_share(c->options.memory));
    c->frame = first + frames.count - 1;
    return rc;
}

/* Takes over what rank 0 sent. A named scene stays from frame to frame. Returns how many whole
 * frames there are to paint. */
static uint32_t take_job(struct run *run, struct scene *scene, struct circles *c)
{
    struct strips_job job;
    memcpy(&job, run->shared.input[0], sizeof(job));
    if (job.scene.count) {
        free(scene->circles);
        run_buffers_free(run);
        circles_end(c);
        *c = (struct circles){0};
        *scene = job.scene;
        scene->circles = run_keep_input(run, 1);
        scene->borrows = 1;
    }
    if (!c->has_scene) {
        c->options = job.options;
        c->options.scene = job.name[0] ? NULL : scene;
        c->options.input = job.name[0] ? scene_find(job.name)->name : NULL;
    }
    c->frame = job.frame;
    c->image_row = job.image_row;
    c->image_rows = job.image_rows;
    c->strip_rows = job.strip_rows;
    c->parts = job.parts;
    c->serves = c->holds_strip = job.frames == 0;
    run->shared.result = c->parts.count ? circles_part_rest : strip_result;
    run->shared.context = c;
    return job.frames;
}

/* Paints the strips that this rank takes. */
static int serve_strips(struct run *run, struct circles *c, int is_ready)
{
    const int rc = is_ready && c->image_row > 0 ? 0 : circles_run_stage(run, &SCENE, c);
    return rc ? rc : circles_paint_shared(run, c);
}

/* Paints the frames that this rank takes, from the one at work on. */
static int serve_frames(struct run *run, struct circles *c, uint32_t count)
{
    struct painter painter = {run, c};
    struct shared_frames frames = frames_of(&painter, c->frame, count);
    return frames_serve(&frames);
}

int circles_serve(struct run *run)
{
    struct circles c = {0};
    struct scene scene = {0};
    int rc = 0, is_ready = 0; /* the scene stands at the frame, and nothing is half done */
    run_start(run);
    while ((rc = run_await(run, rc)) > 0) {
        const uint32_t frames = take_job(run, &scene, &c);
        rc = frames ? serve_frames(run, &c, frames) : serve_strips(run, &c, is_ready);
        if (!frames && run_falls_back(run, rc))
            rc = serve_strips(run, &c, is_ready);
        is_ready = rc == 0;
    }
    run_buffers_free(run); /* which are the state's */
    circles_end(&c);
    free(scene.circles);
    return rc;
}
