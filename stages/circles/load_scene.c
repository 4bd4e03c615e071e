/* SCENE: makes or reads the scene, brings it to the frame that is wanted, applies the overrides,
 * saves it. */
#include <stdlib.h>
#include <string.h>

#include "stages/circles/circles.h"

static void warn(void *context, const char *line)
{
    run_notice(context, 1, "%s", line);
}

static int load(struct run *run, struct circles *c)
{
    const struct scene_warning warning = {warn, run};
    const struct scene_info *info = scene_find(c->input);
    const int is_file = strcmp(c->input, "-") == 0 || strpbrk(c->input, "./");
    const struct words endings = scene_endings(0);
    if (!info && !is_file)
        return error_set(&run->error, ERROR_INPUT,
            "there is no scene '%s'; --list-scenes shows those known by name, a file's name ends "
            "in %s",
            c->input, words_join(&endings, " or ").text);
    const int rc = info ? scene_make(info, c->seed, &c->scene, &run->error)
                        : scene_read(c->input, run_watch(run), &c->scene, &warning, &run->error);
    if (rc == 0 && c->frames.are_asked && !c->scene.step)
        return error_set(&run->error, ERROR_USAGE,
            "nothing moves in scene '%s'; leave out --frames, or see --list-scenes", c->input);
    return rc;
}

static void override(struct circles *c)
{
    if (c->has_background)
        for (int i = 0; i < 3; i++) {
            c->scene.background[i] = c->background[i];
            c->scene.rise[i] = 0;
        }
    if (c->has_alpha)
        for (size_t i = 0; i < c->scene.count; i++)
            c->scene.circles[i].alpha = c->alpha;
}

/* The size asked for, the file's own, or the default. */
static int set_size(struct run *run, struct circles *c)
{
    if (!c->width) {
        c->width = c->scene.width ? (uint32_t)c->scene.width : 1024;
        c->height = c->scene.width ? (uint32_t)c->scene.height : 1024;
    }
    if (c->width > CIRCLES_MAX_SIDE / c->samples || c->height > CIRCLES_MAX_SIDE / c->samples)
        return error_set(&run->error, ERROR_USAGE,
            "%u samples of each of %u x %u pixels are too many: at most %d a side; lower "
            "--antialias",
            c->samples, c->width, c->height, CIRCLES_MAX_SIDE);
    return 0;
}

static int scene_run(struct run *run, struct circles *c)
{
    const int is_new = !c->scene.circles;
    if (!c->samples)
        c->samples = 1;
    if (is_new) {
        int rc = load(run, c);
        if (rc)
            return rc;
        override(c);
        rc = set_size(run, c);
        if (rc)
            return rc;
        run_notice(run, 0, "scene '%s', circles: %zu, pixels: %u x %u", c->input, c->scene.count,
            c->width, c->height);
    }
    if (c->frames.frame > c->scene_frame) {
        const int rc = scene_advance(&c->scene, c->frames.frame - c->scene_frame, &run->error);
        if (rc)
            return rc;
        c->scene_frame = c->frames.frame;
    }
    frames_start(run, &c->frames);
    if (is_new && c->save_scene) {
        const int rc = scene_write(c->save_scene, &c->scene, run_watch(run), &run->error);
        if (rc)
            return rc;
    }
    c->band_row = 0;
    c->chunk_first = c->chunk_end = 0;
    if (c->picture.pixels)
        return 0;
    return image_new((int)c->width, (int)c->height, 3, 8, &c->picture, &run->error);
}

const struct circles_stage SCENE = {
    .stage = {"scene", "make or read the circles"},
    .run = scene_run,
};

void circles_end(struct circles *c)
{
    scene_free(&c->scene);
    image_free(&c->picture);
    frames_abandon(&c->frames);
    free(c->places);
    free(c->geometry);
    free(c->paint);
    free(c->hits);
}
