/* Strips of rows, in which ranks share an image out, and frames. */
#include <stdlib.h>
#include <string.h>

#include "stages/circles/circles.h"
#include "stages/shared_frames.h"

/* What another rank has to know to paint strips, whose circles come with each of them, or whole
 * frames, whose scene it makes itself: only named ones have frames. */
struct strips_job {
    struct circles_options options;             /* without what it points to */
    struct scene scene;                         /* of strips; without what it points to */
    char name[64];                              /* of frames: the scene's */
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
    job->scene = c->scene;
    job->scene.circles = NULL;
    job->scene.step = NULL;
    job->scene.velocity = NULL;
    job->frame = c->frame;
    job->image_row = c->image_row;
    job->image_rows = c->image_rows;
    job->strip_rows = c->strip_rows;
    job->parts = c->parts;
}

/* The image's rows that a strip or a part has: from that returned to before *end. */
static uint32_t find_rows(const struct circles *c, uint32_t number, uint32_t *end)
{
    int last;
    uint32_t rows;
    if (c->parts.count) {
        const int first = image_part_rows(&c->parts, (int)number, &last);
        *end = (uint32_t)last;
        return (uint32_t)first;
    }
    const uint32_t first = strip_first(c, number, &rows);
    *end = first + rows;
    return first;
}

/* Sorts the circles by what they reach. */
static int sort_circles(struct run *run, struct circles *c, uint32_t parts)
{
    struct reach *reach = &c->reach;
    const uint32_t samples = c->result.samples;
    reach_free(reach);
    *reach = (struct reach){.circles = c->scene.circles,
        .count = c->scene.count,
        .columns = c->result.width * samples,
        .rows = c->result.height * samples,
        .parts = parts,
        .begin = malloc(parts * sizeof(*reach->begin)),
        .end = malloc(parts * sizeof(*reach->end))};
    if (!reach->begin || !reach->end)
        return error_set(&run->error, ERROR_INPUT, "not enough memory for %u parts", parts);
    for (uint32_t i = 0; i < parts; i++) {
        uint32_t end;
        reach->begin[i] = find_rows(c, i, &end) * samples;
        reach->end[i] = end * samples;
    }
    return reach_make(reach, &run->error);
}

static void *take_circles(void *context, uint32_t part, size_t *size)
{
    const struct circles *c = context;
    size_t count = 0;
    struct circle *circles = reach_take(&c->reach, part, &count);
    *size = count * sizeof(*circles);
    return circles;
}

int circles_share(struct run *run, struct circles *c)
{
    struct strips_job job;
    struct share share = {.input = {&job}, .input_size = {sizeof(job)}, .context = c};
    int rc = 0;
    if (c->parts.count) {
        share.parts = (uint32_t)c->parts.count;
        share.result = circles_part_rest;
    } else {
        c->strip_rows = choose_rows(run, c);
        share.parts = (rows_at_work(c) + c->strip_rows - 1) / c->strip_rows;
        share.result = strip_result;
    }
    if (run_ranks(run) > 1) {
        share.part_input = take_circles;
        rc = sort_circles(run, c, share.parts);
    }
    fill_job(c, &job);
    return rc ? rc : run_share(run, &share);
}

int circles_take_part(struct run *run, struct circles *c, uint32_t part)
{
    const uint32_t samples = c->result.samples;
    uint32_t end;
    size_t size;
    if (run_ranks(run) == 1)
        return 0;
    c->scene_begin = find_rows(c, part, &end) * samples;
    c->scene_end = end * samples;
    c->scene.circles = run_part_input(run, part, &size);
    c->scene.count = size / sizeof(*c->scene.circles);
    c->is_planned = 0;
    c->chunk_first = c->chunk_end = 0;
    return c->scene.circles
               ? 0
               : error_set(&run->error, ERROR_INPUT, "not enough memory for a part's circles");
}

static int paint_frame(struct run *run, void *context, uint32_t frame)
{
    struct circles *c = context;
    c->frame = frame;
    return circles_paint(run, c);
}

static int save_frame(struct run *run, void *context, const struct image *image, uint32_t frame)
{
    const struct circles *c = context;
    return c->options.sinks.save(c->options.sinks.context, run, image, 0, frame);
}

static struct shared_frames frames_of(
    struct run *run, struct circles *c, uint32_t first, uint32_t count)
{
    return (struct shared_frames){.run = run,
        .first = first,
        .count = count,
        .make = paint_frame,
        .image = &c->result.image,
        .save = save_frame,
        .context = c};
}

int circles_share_frames(struct run *run, struct circles *c)
{
    const uint32_t first = c->frame + 1, last = c->options.last_frame;
    struct strips_job job;
    const struct share share = {.input = {&job}, .input_size = {sizeof(job)}};
    if (first >= last || c->parts.count || c->image_rows < c->result.height ||
        !c->options.sinks.save || c->options.method == METHOD_REFERENCE)
        return 0;
    struct shared_frames frames = frames_of(run, c, first, last - first);
    fill_job(c, &job);
    job.frame = first;
    job.frames = frames.count;
    snprintf(job.name, sizeof(job.name), "%s", c->options.input);
    const int rc = frames_share(&frames, &share, image_share(c->options.memory));
    c->frame = first + frames.count - 1;
    return rc;
}

/* Paints the strips that this rank takes. */
static int serve_strips(struct run *run, struct circles *c, const struct strips_job *job)
{
    c->options = job->options;
    c->result.width = job->options.width;
    c->result.height = job->options.height;
    c->result.samples = job->options.samples;
    c->scene = job->scene;
    c->has_scene = c->scene.borrows = 1;
    c->frame = job->frame;
    c->image_row = job->image_row;
    c->image_rows = job->image_rows;
    c->strip_rows = job->strip_rows;
    c->parts = job->parts;
    c->serves = c->holds_strip = 1;
    circles_forget_places(c);
    run->shared.result = c->parts.count ? circles_part_rest : strip_result;
    run->shared.context = c;
    const int rc = circles_make_room(run, c);
    return rc ? rc : circles_paint_shared(run, c);
}

/* Paints the frames that this rank takes. The scene stays from work to work. */
static int serve_frames(struct run *run, struct circles *c, const struct strips_job *job)
{
    struct shared_frames frames = frames_of(run, c, job->frame, job->frames);
    if (!c->has_scene) {
        c->options = job->options;
        c->options.input = scene_find(job->name)->name;
    }
    return frames_serve(&frames);
}

int circles_serve(struct run *run)
{
    struct circles strips = {0}, whole = {0};
    int rc = 0;
    run_start(run);
    while ((rc = run_await(run, rc)) > 0) {
        struct strips_job job;
        memcpy(&job, run->shared.input[0], sizeof(job));
        rc = job.frames ? serve_frames(run, &whole, &job) : serve_strips(run, &strips, &job);
        if (!job.frames && run_falls_back(run, rc))
            rc = serve_strips(run, &strips, &job);
    }
    run_buffers_free(run); /* which are the states' */
    circles_end(&strips);
    circles_end(&whole);
    return rc;
}
