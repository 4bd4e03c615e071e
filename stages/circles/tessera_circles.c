/* tessera_paint_circles: a scene in memory. */
#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "stages/circles/circles.h"
#include "stages/context.h"

static_assert(sizeof(struct tessera_circle) == sizeof(struct circle) &&
                  offsetof(struct tessera_circle, r) == offsetof(struct circle, r) &&
                  offsetof(struct tessera_circle, alpha) == offsetof(struct circle, alpha),
    "circles are the same inside and outside");

static int take_options(struct tessera *tessera, const struct tessera_circles_options *from,
    struct circles_options *options)
{
    if (from->width < 0 || from->height < 0 || !from->width != !from->height || from->samples < 0 ||
        from->samples > CIRCLES_MAX_SAMPLES)
        return context_refuse(tessera,
            "bad options: %d x %d pixels of %d x %d samples; give both sides or neither, and up to "
            "%d samples a side",
            from->width, from->height, from->samples, from->samples, CIRCLES_MAX_SAMPLES);
    options->input = "circles";
    options->width = (uint32_t)from->width;
    options->height = (uint32_t)from->height;
    options->samples = (uint32_t)from->samples;
    options->has_background = from->has_background;
    options->background[3] = 1;
    for (int i = 0; i < 3; i++) {
        if (from->has_background && !(from->background[i] >= 0 && from->background[i] <= 1))
            return context_refuse(tessera, "bad options: background %g is not from 0 to 1",
                (double)from->background[i]);
        options->background[i] = from->background[i];
    }
    return 0;
}

int tessera_paint_circles(struct tessera *tessera, const struct tessera_circle *circles,
    size_t count, const struct tessera_circles_options *options, struct tessera_image *image)
{
    static const struct tessera_circles_options DEFAULTS;
    static const struct circle UNSEEN = {.alpha = 0}; /* a scene has at least one circle */
    struct run *run = &tessera->run;
    struct circles c = {0};
    struct scene scene = {0};
    *image = (struct tessera_image){0};
    context_begin(tessera);
    int rc = take_options(tessera, options ? options : &DEFAULTS, &c.options);
    if (rc == 0 && count && !circles)
        rc = context_refuse(tessera, "there are no circles, but their count is %zu", count);
    if (rc == 0)
        rc = scene_of_circles(count ? (const struct circle *)(const void *)circles : &UNSEEN,
            count ? count : 1, &scene, &run->error);
    if (rc == 0) {
        c.options.scene = &scene;
        rc = circles_run(run, &c);
    }
    if (rc == 0)
        rc = context_give_image(tessera, &c.result.image, image);
    circles_end(&c);
    scene_free(&scene);
    return context_end(tessera, rc);
}
