/* circles and bezier as a program calls them: scenes and patches in memory, which stay as they are,
 * results in the state, frames to functions, on the CPU from where a device has failed. */
#include <stdlib.h>
#include <string.h>

#include "cli/tap.h"
#include "stages/bezier/bezier.h"
#include "stages/circles/circles.h"

enum { SIDE = 24, FIRST = 2, LAST = 6, FRAMES = LAST - FIRST + 1 };

/* A large circle and a small one before it, farthest first. */
static const struct circle CIRCLES[] = {
    {.5f, .5f, 2, .4f, 1, 0, 0, .5f}, {.25f, .5f, 1, .2f, 0, 0, 1, .25f}};

/* What the sinks were called with; one of them fails once where it is told to. */
struct taken {
    uint32_t frames[2 * FRAMES];
    uint64_t sums[2 * FRAMES]; /* of the bytes */
    char parts[2 * FRAMES][64];
    int count, scenes, fail_at, code;
};

static uint64_t sum_bytes(const void *bytes, size_t size)
{
    uint64_t sum = 14695981039346656037u; /* FNV-1a */
    for (size_t i = 0; i < size; i++)
        sum = (sum ^ ((const uint8_t *)bytes)[i]) * 1099511628211u;
    return sum;
}

static int take(struct taken *taken, struct run *run, uint64_t sum, uint32_t frame)
{
    if (taken->fail_at && frame == (uint32_t)taken->fail_at) {
        taken->fail_at = 0;
        return error_set(&run->error, taken->code, "frame %u is not taken", frame);
    }
    if (taken->count == 2 * FRAMES)
        abort();
    taken->frames[taken->count] = frame;
    taken->sums[taken->count] = sum;
    strcpy(taken->parts[taken->count++], run->part);
    return 0;
}

static int take_image(void *context, struct run *run, const struct image *image, uint32_t frame)
{
    const size_t size = 4 * (size_t)image->width * (size_t)image->height;
    return take(context, run, sum_bytes(image->pixels, size), frame);
}

static int take_rows(
    void *context, struct run *run, const struct image *rows, uint32_t first_row, uint32_t frame)
{
    return first_row ? error_set(&run->error, ERROR_INPUT, "not all rows at once")
                     : take_image(context, run, rows, frame);
}

static int take_mesh(void *context, struct run *run, const struct mesh *mesh, uint32_t frame)
{
    const size_t size = mesh->vertex_count * sizeof(*mesh->positions);
    return take(context, run, sum_bytes(mesh->positions, size), frame);
}

static int take_scene(void *context, struct run *run, const struct scene *scene)
{
    struct taken *taken = context;
    (void)run;
    taken->scenes += scene->count > 0;
    return 0;
}

static int are_alike(const struct taken *one, const struct taken *other)
{
    int are = one->count == FRAMES && other->count == FRAMES;
    for (int i = 0; i < FRAMES; i++)
        are = are && one->frames[i] == FIRST + (uint32_t)i && one->frames[i] == other->frames[i] &&
              one->sums[i] == other->sums[i] && strcmp(one->parts[i], other->parts[i]) == 0;
    return are;
}

/* The CPU under another name, chosen by itself, so that the pipeline leaves it where it fails. */
static int open_other(struct run *run)
{
    static struct backend other;
    other = CPU_BACKEND;
    const int rc = device_open("cpu", 0, 1, &run->device, &run->error);
    run->device.backend = &other;
    return rc == 0;
}

static int paint_frames(struct run *run, struct taken *taken)
{
    struct circles c = {
        .options = {.input = "hypnosis",
            .width = SIDE,
            .height = SIDE,
            .has_frames = 1,
            .first_frame = FIRST,
            .last_frame = LAST,
            .sinks = {.context = taken, .save = take_rows, .save_scene = take_scene}}};
    const int rc = circles_run(run, &c);
    run_buffers_free(run);
    circles_end(&c);
    return rc;
}

static struct patches *read_patches(void)
{
    static struct patches patches;
    struct error error;
    if (!patches.count && patches_read("scenes/samples/kinds.bv", NULL, &patches, &error) != 0)
        abort();
    return &patches;
}

static int draw_frames(struct run *run, struct taken *taken)
{
    struct bezier b = {.options = {.patches = read_patches(),
                           .resolution_u = 5,
                           .resolution_v = 5,
                           .animation = ANIMATE_DEGREE,
                           .has_frames = 1,
                           .first_frame = FIRST,
                           .last_frame = LAST,
                           .has_normals = 1,
                           .drawing = {.width = SIDE, .height = SIDE},
                           .sinks = {taken, take_image, NULL}}};
    const int rc = bezier_run(run, &b);
    run_buffers_free(run);
    bezier_end(&b);
    return rc;
}

static void check_frames(
    const char *name, int (*make)(struct run *run, struct taken *taken), int scenes)
{
    struct run run = {.device_id = "cpu"}, other = {0}, stopped = {.device_id = "cpu"};
    struct taken all = {0}, failed = {.fail_at = FIRST + 2, .code = ERROR_DEVICE};
    struct taken first = {.fail_at = FIRST + 1, .code = ERROR_INPUT};
    tap_check(make(&run, &all) == 0 && are_alike(&all, &all) && all.scenes == scenes &&
                  strcmp(all.parts[1], "frame 2 of 5") == 0,
        "%s: every frame goes to the sink, in order", name);
    tap_check(open_other(&other) && make(&other, &failed) == 0 &&
                  other.device.backend == &CPU_BACKEND && are_alike(&all, &failed) &&
                  failed.scenes == scenes,
        "%s: the CPU goes on with the frame that a device failed at", name);
    tap_check(make(&stopped, &first) == ERROR_INPUT && first.count == 1 &&
                  strcmp(stopped.error.text, "frame 3 is not taken") == 0,
        "%s: a sink that fails ends the pipeline", name);
    run_end(&run);
    run_end(&other);
    run_end(&stopped);
}

/* The red byte of a pixel. */
static int red_at(const struct image *image, int x, int y)
{
    return ((uint8_t *)image->pixels)[4 * (y * image->width + x)];
}

static void check_scene(void)
{
    struct circle circles[2];
    memcpy(circles, CIRCLES, sizeof(circles));
    const struct scene scene = {.count = 2, .circles = circles, .width = 40, .height = 20};
    const struct scene empty = {0};
    struct run run = {.device_id = "cpu"};
    for (int has_alpha = 0; has_alpha < 2; has_alpha++) {
        struct circles c = {.options = {.scene = &scene, .has_alpha = has_alpha, .alpha = 1}};
        run_start(&run);
        const int rc = circles_paint(&run, &c);
        /* Half of red on black, and three quarters of that behind blue. */
        tap_check(rc == 0 && c.result.width == 40 && c.result.height == 20 &&
                      c.result.samples == 1 &&
                      red_at(&c.result.image, 25, 10) == (has_alpha ? 255 : 127) &&
                      red_at(&c.result.image, 7, 10) == (has_alpha ? 0 : 95),
            "a scene in memory is painted%s", has_alpha ? ", with another alpha" : "");
        run_buffers_free(&run);
        circles_end(&c);
    }
    tap_check(memcmp(circles, CIRCLES, sizeof(circles)) == 0, "it stays as it is");
    struct circles none = {.options = {.scene = &empty}};
    struct circles moved = {.options = {.scene = &scene, .has_frames = 1}};
    tap_check(circles_run(&run, &none) == ERROR_INPUT, "a scene without circles is refused");
    tap_check(circles_run(&run, &moved) == ERROR_USAGE, "a scene in memory does not move");
    circles_end(&none);
    circles_end(&moved);
    run_end(&run);
}

static void check_patches(void)
{
    struct patches *patches = read_patches();
    const uint64_t controls =
        sum_bytes(patches->controls, patches->control_count * sizeof(*patches->controls));
    struct run run = {.device_id = "cpu"};
    struct bezier points = {.options = {.patches = patches, .resolution_u = 3, .resolution_v = 3}};
    struct bezier read = {.options = {.input = "scenes/samples/kinds.bv"}};
    struct bezier none = {.options = {.patches = &(struct patches){0}}};
    struct taken taken = {0};
    struct bezier mesh = {.options = {.patches = patches,
                              .has_normals = 1,
                              .has_mesh = 1,
                              .sinks = {&taken, NULL, take_mesh}}};
    read.options.resolution_u = read.options.resolution_v = 3;
    run_start(&run);
    const size_t size = 3 * sizeof(float);
    tap_check(
        bezier_evaluate(&run, &points) == 0 && bezier_evaluate(&run, &read) == 0 &&
            points.result.point_count > 0 && points.result.point_count == read.result.point_count &&
            memcmp(points.result.points, read.result.points, size * read.result.point_count) == 0,
        "patches in memory have the points of those of the file");
    tap_check(bezier_run(&run, &mesh) == 0 && mesh.result.mesh.triangle_count > 0 &&
                  !mesh.result.image.pixels && taken.count == 1 && !run.part[0],
        "where the mesh is wanted, nothing is drawn");
    tap_check(sum_bytes(patches->controls, patches->control_count * sizeof(*patches->controls)) ==
                  controls,
        "the patches stay as they are");
    tap_check(bezier_evaluate(&run, &none) == ERROR_INPUT, "no patches are refused");
    run_buffers_free(&run);
    bezier_end(&points);
    bezier_end(&read);
    bezier_end(&none);
    bezier_end(&mesh);
    run_end(&run);
}

int main(void)
{
    check_scene();
    check_frames("circles", paint_frames, 1);
    check_patches();
    check_frames("bezier", draw_frames, 0);
    patches_free(read_patches());
    return tap_finish();
}
