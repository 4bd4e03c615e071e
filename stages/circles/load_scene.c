/* SCENE: makes or reads the scene, or takes that of the options; then brings it to the frame at
 * work, applies the overrides, and hands it to the caller. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stages/circles/circles.h"
#include "stages/shared_frames.h"

static void warn(void *context, const char *line)
{
    run_notice(context, 1, "%s", line);
}

/* What messages call the scene. */
static const char *scene_name(const struct circles *c)
{
    return c->options.input ? c->options.input : "in memory";
}

/* Samples a side of a pixel. A file is painted for its looks: with 4 a value is off by 0.3 to 0.4
 * of 255 in the mean square, with 1 by 2.4 to 3.0. Large images get along with fewer, so that they
 * take neither much longer nor more memory. */
static uint32_t choose_samples(const struct circles *c)
{
    enum { SAMPLES = 4, MAX_SIDE = 1 << 16 };
    const struct circles_result *r = &c->result;
    const uint32_t most = MAX_SIDE / (r->width > r->height ? r->width : r->height);
    if (c->options.samples)
        return c->options.samples;
    if (c->options.scene || scene_find(c->options.input) || most < 1)
        return 1;
    return most < SAMPLES ? most : SAMPLES;
}

/* How many of an image's or a part's rows are in memory at a time: all, or whole screen tiles that
 * fit. */
static uint32_t choose_image_rows(const struct run *run, const struct circles *c, uint32_t all)
{
    const uint64_t most = c->image_bytes / 4 / c->result.width / TILE * TILE;
    if (!c->options.sinks.save || c->options.method == METHOD_REFERENCE || run->snapshot ||
        most >= all)
        return all;
    return most < TILE ? TILE : (uint32_t)most;
}

/* Asks the caller whether it takes what will be painted. */
static int check_image(struct run *run, const struct circles *c)
{
    const struct circles_options *o = &c->options;
    const int is_opaque = o->has_background ? o->background[3] >= 1 : c->scene.transmittance <= 0;
    const struct image whole = {.width = (int)c->result.width,
        .height = (int)c->result.height,
        .channels = is_opaque ? 3 : 4,
        .depth = 8};
    return o->sinks.check ? o->sinks.check(o->sinks.context, run, &whole,
                                choose_image_rows(run, c, c->result.height))
                          : 0;
}

/* Decides how many bytes of the image may be in memory at a time. More than this only cost the time
 * to get them from the system; but a sink that takes only whole images gets them whole, and ranks
 * share whole frames. */
static int choose_image_bytes(struct run *run, struct circles *c)
{
    const uint64_t most = image_share(c->options.memory), band = 4 * BAND_SAMPLES;
    c->image_bytes = most < band || c->options.has_frames ? most : band;
    if (check_image(run, c) == 0)
        return 0;
    c->image_bytes = most;
    return check_image(run, c);
}

/* The size asked for, the scene's own, or the default; the samples. Refused is what cannot be
 * saved. */
static int set_size(struct run *run, struct circles *c)
{
    const int has_own = c->scene.width > 0;
    struct circles_result *r = &c->result;
    r->width = has_own ? (uint32_t)c->scene.width : SCENE_SIDE;
    r->height = has_own ? (uint32_t)c->scene.height : SCENE_SIDE;
    if (c->options.width) {
        r->width = c->options.width;
        r->height = c->options.height;
    }
    r->samples = choose_samples(c);
    if (r->width > CIRCLES_MAX_SIDE / r->samples || r->height > CIRCLES_MAX_SIDE / r->samples)
        return error_set(&run->error, ERROR_USAGE,
            "%u x %u pixels of %u x %u samples are too many: at most %d samples a side; take fewer",
            r->width, r->height, r->samples, r->samples, CIRCLES_MAX_SIDE);
    return choose_image_bytes(run, c);
}

/* Borrows the circles of the options' scene, which does not move. */
static int borrow(struct run *run, struct circles *c)
{
    if (c->options.scene->count == 0)
        return error_set(&run->error, ERROR_INPUT, "scene '%s' has no circles", scene_name(c));
    c->scene = *c->options.scene;
    c->scene.step = NULL;
    c->scene.velocity = NULL;
    c->scene.borrows = 1;
    return set_size(run, c);
}

/* How many circles a named scene has is known before they are made, so that the device can start
 * meanwhile. */
static int make(struct run *run, struct circles *c, const struct scene_info *info)
{
    const int rc = set_size(run, c);
    if (rc)
        return rc;
    const struct workload work = circles_workload(c, info->count);
    if (c->options.method != METHOD_REFERENCE)
        run_expect(run, &work);
    return scene_make(info, c->options.seed, &c->scene, &run->error);
}

static int make_or_read(struct run *run, struct circles *c)
{
    const struct circles_options *o = &c->options;
    const struct scene_warning warning = {warn, run};
    const struct scene_info *info = scene_find(o->input);
    const int is_file = strcmp(o->input, "-") == 0 || strpbrk(o->input, "./");
    const struct words extensions = scene_extensions(0), names = scene_names();
    if (!info && !is_file)
        return error_set(&run->error, ERROR_INPUT,
            "there is no scene '%s'; use one of %s, or a file whose name ends in %s%s", o->input,
            words_join(&names, ", ").text, words_join(&extensions, " or ").text,
            words_suggest(&names, "", o->input).text);
    if (info)
        return make(run, c, info);
    const int rc = scene_read(o->input, run_watch(run), &c->scene, &warning, &run->error);
    return rc ? rc : set_size(run, c);
}

/* Circles that are borrowed are copied first. */
static int override_alpha(struct run *run, struct circles *c)
{
    if (c->scene.borrows) {
        const size_t size = c->scene.count * sizeof(*c->scene.circles);
        struct circle *own = malloc(size);
        if (!own)
            return error_set(
                &run->error, ERROR_INPUT, "not enough memory for %zu circles", c->scene.count);
        c->scene.circles = memcpy(own, c->scene.circles, size);
        c->scene.borrows = 0;
    }
    for (size_t i = 0; i < c->scene.count; i++)
        c->scene.circles[i].alpha = c->options.alpha;
    return 0;
}

static int override(struct run *run, struct circles *c)
{
    if (c->options.width) {
        c->scene.width = (int)c->options.width;
        c->scene.height = (int)c->options.height;
    }
    if (c->options.has_background) {
        for (int i = 0; i < 3; i++) {
            c->scene.background[i] = c->options.background[i];
            c->scene.rise[i] = 0;
        }
        c->scene.transmittance = 1 - c->options.background[3];
    }
    return c->options.has_alpha ? override_alpha(run, c) : 0;
}

/* Warns of an image in which no circle lies, as of a file whose numbers are pixels. Of other files,
 * mostly one of the first circles reaches into the image, so this takes no time. */
static void warn_of_blank(struct run *run, const struct circles *c)
{
    const double width = c->result.width, height = c->result.height, side = fmax(width, height);
    for (size_t i = 0; i < c->scene.count; i++) {
        const struct circle *circle = &c->scene.circles[i];
        const double x = fmax(fabs(circle->x - 0.5) - width / side / 2, 0);
        const double y = fmax(fabs(circle->y - 0.5) - height / side / 2, 0);
        if (hypot(x, y) <= circle->r)
            return;
    }
    run_notice(run, 1,
        "the image shows nothing: all circles lie outside of it; x and y go from 0 to 1 in it, of "
        "SVG over the viewBox");
}

static int load(struct run *run, struct circles *c)
{
    int rc = c->options.scene ? borrow(run, c) : make_or_read(run, c);
    if (rc)
        return rc;
    c->has_scene = 1;
    if (c->options.has_frames && !c->scene.step)
        return error_set(&run->error, ERROR_USAGE,
            "nothing moves in scene '%s'; choose one that moves, or ask for no frames",
            scene_name(c));
    rc = override(run, c);
    if (rc == 0)
        run_notice(run, 0, "scene '%s', circles: %zu, pixels: %u x %u", scene_name(c),
            c->scene.count, c->result.width, c->result.height);
    if (rc == 0 && c->options.sinks.save && !c->scene.step)
        warn_of_blank(run, c);
    return rc;
}

/* Decides what is in memory at a time, and whether ranks write the image in parts. */
static int plan_rows(struct run *run, struct circles *c)
{
    const int rc = circles_open_parts(run, c, image_share(c->options.memory));
    const uint32_t part = c->parts.count ? (uint32_t)image_part_most_rows(&c->parts) : UINT32_MAX;
    c->image_row = 0;
    c->image_rows = choose_image_rows(run, c, part < c->result.height ? part : c->result.height);
    c->strip_rows = c->image_rows;
    c->holds_strip = c->parts.count > 0;
    return rc;
}

static int scene_run(struct run *run, struct circles *c)
{
    const struct circles_sinks *sinks = &c->options.sinks;
    const int is_new = !c->has_scene;
    int rc = 0;
    if (is_new)
        rc = load(run, c);
    if (rc == 0 && c->scene.step && c->frame > c->result.frame) {
        rc = scene_advance(&c->scene, c->frame - c->result.frame, &run->error);
        c->result.frame = c->frame;
    }
    if (rc)
        return rc;
    if (c->options.has_frames)
        run_round(run, c->frame, c->options.first_frame, c->options.last_frame);
    if (is_new && sinks->save_scene)
        rc = sinks->save_scene(sinks->context, run, &c->scene);
    if (rc == 0)
        rc = plan_rows(run, c);
    if (rc)
        return rc;
    circles_start_strip(c, 0);
    c->scene_begin = 0;
    c->scene_end = c->rows;
    c->is_planned = 0;
    circles_forget_places(c);
    c->chunk_first = c->chunk_end = 0;
    return circles_make_room(run, c);
}

int circles_reuses_image(const struct circles *c)
{
    return c->holds_strip || c->image_rows < c->result.height;
}

int circles_make_room(struct run *run, struct circles *c)
{
    if (c->result.image.pixels && (uint32_t)c->result.image.height >= c->strip_rows)
        return 0;
    buffer_free(&c->window);
    image_free(&c->result.image);
    const int rc = image_new((int)c->result.width, (int)c->strip_rows, circles_channels(c), 8,
        &c->result.image, &run->error);
    if (rc == 0 && circles_reuses_image(c)) /* the device, which may be starting, is to map it */
        memory_touch(c->result.image.pixels, image_bytes(&c->result.image));
    return rc;
}

const struct circles_stage SCENE = {
    .stage = {"scene", "make or read the circles"},
    .run = scene_run,
};
