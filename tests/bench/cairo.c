/* How long Cairo takes to draw a scene's circles: cairo SCENE SIZE none|default|best RUNS
 * [FILE.png]
 *
 * SCENE is a name of circles --list-scenes or a scene file, SIZE the pixels of a side. Prints the
 * median of RUNS in milliseconds: background, then an arc and a fill for each circle, on an image
 * surface in memory. The last image goes to FILE.png. */
#include <cairo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/device/clock.h"
#include "scenes/scene.h"

#define MAX_RUNS 100

static int compare_doubles(const void *a, const void *b)
{
    const double difference = *(const double *)a - *(const double *)b;
    return (difference > 0) - (difference < 0);
}

/* Down from y = 1, as circles has it; colors beyond 0 to 1 are cut by Cairo. */
static void draw(cairo_t *cairo, const struct scene *scene, double side)
{
    const double whole_turn = 6.283185307179586;
    cairo_set_source_rgb(cairo, scene->background[0], scene->background[1], scene->background[2]);
    cairo_paint(cairo);
    for (size_t i = 0; i < scene->count; i++) {
        const struct circle *c = &scene->circles[i];
        cairo_set_source_rgba(cairo, c->red, c->green, c->blue, c->alpha);
        cairo_arc(cairo, c->x * side, (1 - c->y) * side, c->r * side, 0, whole_turn);
        cairo_fill(cairo);
    }
}

static int read_scene(const char *name, struct scene *scene, struct error *error)
{
    const struct scene_info *info = scene_find(name);
    int rc = info ? scene_make(info, 0, scene, error) : scene_read(name, NULL, scene, NULL, error);
    if (rc == 0 && scene->soft)
        rc = error_set(error, ERROR_INPUT, "'%s' has soft circles, which Cairo has not", name);
    return rc;
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        cairo_antialias_t mode;
    } MODES[] = {{"none", CAIRO_ANTIALIAS_NONE}, {"default", CAIRO_ANTIALIAS_DEFAULT},
        {"best", CAIRO_ANTIALIAS_BEST}};
    const int side = argc > 2 ? atoi(argv[2]) : 0, runs = argc > 4 ? atoi(argv[4]) : 0;
    double milliseconds[MAX_RUNS];
    struct scene scene;
    struct error error;
    size_t mode = 0;
    while (mode < 3 && argc > 3 && strcmp(argv[3], MODES[mode].name) != 0)
        mode++;
    if (mode == 3 || side < 1 || runs < 1 || runs > MAX_RUNS) {
        fprintf(stderr, "usage: cairo SCENE SIZE none|default|best RUNS [FILE.png]\n");
        return 2;
    }
    if (read_scene(argv[1], &scene, &error) != 0) {
        fprintf(stderr, "cairo: %s\n", error.text);
        return 1;
    }
    cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, side, side);
    cairo_t *cairo = cairo_create(surface);
    cairo_set_antialias(cairo, MODES[mode].mode);
    for (int i = 0; i < runs; i++) {
        const double start = clock_seconds();
        draw(cairo, &scene, side);
        cairo_surface_flush(surface);
        milliseconds[i] = 1e3 * (clock_seconds() - start);
    }
    cairo_status_t status = cairo_status(cairo);
    if (status == CAIRO_STATUS_SUCCESS && argc > 5)
        status = cairo_surface_write_to_png(surface, argv[5]);
    if (status != CAIRO_STATUS_SUCCESS)
        fprintf(stderr, "cairo: %s\n", cairo_status_to_string(status));
    qsort(milliseconds, (size_t)runs, sizeof(*milliseconds), compare_doubles);
    printf("%.3f\n", milliseconds[runs / 2]);
    cairo_destroy(cairo);
    cairo_surface_destroy(surface);
    scene_free(&scene);
    return status != CAIRO_STATUS_SUCCESS;
}
