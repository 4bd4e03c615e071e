/* The sequential reference of circles against results found by hand, and the reference images
 * against it and every method on each kind of device. */
#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/tap.h"
#include "random.h"
#include "stages/circles/circles.h"
#include "stages/circles/reference.h"

#define FOLDER "images/reference"
#define MAX 4096     /* bytes of the images that are made by hand */
#define MANY 5000000 /* circles: good would take long */

static const float CIRCLE_ALPHA = .5f;

static int ignore(void *context, double share)
{
    (void)context;
    (void)share;
    return 0;
}

static int stop(void *context, double share)
{
    (void)share;
    return *(int *)context;
}

/* The red, green and blue bytes of the circles on `background`. */
static void paint_scene(
    const struct scene *scene, int width, int height, uint32_t samples, uint8_t *bytes)
{
    struct error error;
    struct image image = {0};
    if (image_new(width, height, 3, 8, &image, &error) != 0)
        abort();
    const size_t pixels = (size_t)width * (size_t)height;
    memset(image.pixels, 0x5a, 4 * pixels);
    if (reference_circles(scene, samples, &image, ignore, NULL, &error) != 0)
        abort();
    for (size_t i = 0; i < pixels; i++) {
        const uint8_t *pixel = (uint8_t *)image.pixels + 4 * i;
        memcpy(bytes + 3 * i, pixel, 3);
        if (pixel[3] != 255)
            abort();
    }
    image_free(&image);
}

static struct scene on_white(struct circle *circles, size_t count)
{
    return (struct scene){.count = count, .circles = circles, .background = {1, 1, 1}};
}

/* A circle over all of the image: what a pixel becomes. */
static void check_pixel(
    const char *what, const struct scene *scene, uint32_t samples, int red, int green, int blue)
{
    uint8_t got[3];
    paint_scene(scene, 1, 1, samples, got);
    tap_check(got[0] == red && got[1] == green && got[2] == blue,
        "%s: %d %d %d, should be %d %d %d", what, got[0], got[1], got[2], red, green, blue);
}

static struct circle layer(float red, float green, float blue, float alpha)
{
    return (struct circle){.5f, .5f, 0, 1, red, green, blue, alpha};
}

static void check_blending(void)
{
    struct circle one[] = {layer(1, 0, .5f, CIRCLE_ALPHA)};
    struct scene scene = on_white(one, 1);
    check_pixel("half of a color on white", &scene, 1, 255, 127, 191);
    one[0].alpha = .25f; /* 1/4 0 + 3/4 1 */
    check_pixel("a quarter of it", &scene, 1, 255, 191, 223);
    one[0].alpha = 1;
    check_pixel("all of it", &scene, 1, 255, 0, 127);
    one[0].alpha = 0;
    check_pixel("nothing of it", &scene, 1, 255, 255, 255);

    struct circle two[] = {layer(1, 0, 0, CIRCLE_ALPHA), layer(0, 0, 1, CIRCLE_ALPHA)};
    scene = on_white(two, 2); /* 1 1/2 1/2, then 1/2 1/4 3/4 */
    check_pixel("blue before red", &scene, 1, 127, 63, 191);
    struct circle turned[] = {two[1], two[0]};
    scene = on_white(turned, 2);
    check_pixel("red before blue", &scene, 1, 191, 63, 127);

    struct circle shades[] = {layer(.999f, 0x1p-8f, .75f, 1)}; /* 254.7, .996, 191.25 */
    scene = on_white(shades, 1);
    check_pixel("bytes are cut off, not rounded", &scene, 1, 254, 0, 191);
    struct circle beyond[] = {layer(2, -1, 1e6f, 1)};
    scene = on_white(beyond, 1);
    check_pixel("colors beyond what is shown", &scene, 1, 255, 0, 255);
    struct circle late[] = {layer(3, -1, -1e6f, CIRCLE_ALPHA), layer(-1, .5f, 1e6f, CIRCLE_ALPHA)};
    scene = on_white(late, 2); /* 2, then 1/2; 0, then 1/4; -499999.5, then 250000.25 */
    check_pixel("they are cut at the end, not before", &scene, 1, 127, 63, 255);
}

/* The pixels that a black circle of alpha 1 holds, as rows of # and . */
static void check_shape(
    const char *what, struct circle circle, int width, int height, const char *wanted)
{
    uint8_t bytes[MAX];
    char got[MAX];
    circle.red = circle.green = circle.blue = 0;
    circle.alpha = 1;
    const struct scene scene = on_white(&circle, 1);
    char *end = got;
    paint_scene(&scene, width, height, 1, bytes);
    for (int i = 0; i < width * height; i++) {
        *end++ = bytes[3 * i] ? '.' : '#';
        if (i % width == width - 1)
            *end++ = i == width * height - 1 ? 0 : ' ';
    }
    tap_check(strcmp(got, wanted) == 0, "%s: %s, should be %s", what, got, wanted);
}

static void check_shapes(void)
{
    const float quarter = .25f;
    check_shape(
        "the left upper pixel", (struct circle){.x = .25f, .y = .75f, .r = .1f}, 2, 2, "#. ..");
    check_shape(
        "the right lower one", (struct circle){.x = .75f, .y = .25f, .r = .1f}, 2, 2, ".. .#");
    /* Centers of an image of 4 x 4: 1/8, 3/8, 5/8, 7/8. */
    check_shape("a border on pixel centers", (struct circle){.x = .375f, .y = .625f, .r = quarter},
        4, 4, ".#.. ###. .#.. ....");
    check_shape("a border before them",
        (struct circle){.x = .375f, .y = .625f, .r = nextafterf(quarter, 0)}, 4, 4,
        ".... .#.. .... ....");
    check_shape("no radius, on a pixel center", (struct circle){.x = .875f, .y = .125f}, 4, 4,
        ".... .... .... ...#");
    check_shape(
        "no radius, elsewhere", (struct circle){.x = .5f, .y = .5f}, 4, 4, ".... .... .... ....");
    /* 3/8 each way: 9/64 + 9/64 > 1/4 > 9/64 + 1/64 */
    check_shape("corners are out", (struct circle){.x = .5f, .y = .5f, .r = .5f}, 4, 4,
        ".##. #### #### .##.");
    check_shape("the center off the image", (struct circle){.x = -.5f, .y = .125f, .r = .65f}, 4, 4,
        ".... .... .... #...");
    check_shape(
        "far off", (struct circle){.x = 1e20f, .y = 0, .r = 1e10f}, 4, 4, ".... .... .... ....");
    check_shape("a very large one", (struct circle){.x = 1e10f, .y = 0, .r = 1e11f}, 4, 4,
        "#### #### #### ####");
    /* The longer side has length 1; of the shorter one the middle is seen. */
    check_shape(
        "a wide image", (struct circle){.x = .125f, .y = .625f, .r = .1f}, 4, 2, "#... ....");
    check_shape(
        "beyond a wide image", (struct circle){.x = .5f, .y = .9f, .r = .2f}, 4, 2, ".... ....");
    check_shape(
        "a high image", (struct circle){.x = .375f, .y = .875f, .r = .1f}, 2, 4, "#. .. .. ..");
    check_shape("a high image of odd width", (struct circle){.x = .5f, .y = .125f, .r = .1f}, 1, 4,
        ". . . #");
}

/* An image of one pixel with four samples, the centers at 1/4 and 3/4; black circles hold some. */
static void check_samples(void)
{
    static const int WANTED[] = {255, 191, 128, 64, 0}; /* 191.25, 127.5, 63.75 */
    static const float PLACES[4][2] = {{.25f, .25f}, {.75f, .25f}, {.25f, .75f}, {.75f, .75f}};
    struct circle circles[4];
    char what[40];
    for (int i = 0; i < 4; i++)
        circles[i] = (struct circle){PLACES[i][0], PLACES[i][1], 0, .1f, 0, 0, 0, 1};
    for (size_t held = 0; held <= 4; held++) {
        const struct scene scene = on_white(circles, held);
        snprintf(what, sizeof(what), "%zu of 4 samples", held);
        check_pixel(what, &scene, 2, WANTED[held], WANTED[held], WANTED[held]);
    }
    struct circle beyond = {.25f, .25f, 0, .1f, 5, -3, .999f, 1};
    const struct scene scene = on_white(&beyond, 1); /* 255; 0; 254: (765 + 254) / 4 = 254.75 */
    check_pixel("a sample is cut before the mean", &scene, 2, 255, 191, 255);
}

static void check_gradient(void)
{
    uint8_t got[12];
    const struct scene scene = {.background = {.25f, 1, 0}, .rise = {.5f, -.5f, 2}};
    paint_scene(&scene, 1, 4, 1, got); /* 1, 3/4, 1/2, 1/4 of the rise */
    static const uint8_t WANTED[] = {191, 127, 255, 159, 159, 255, 127, 191, 255, 95, 223, 127};
    tap_check(memcmp(got, WANTED, sizeof(got)) == 0, "a background that rises from row to row");
    paint_scene(&scene, 1, 2, 2, got); /* the mean of two of these rows, rounded */
    static const uint8_t MEANS[] = {175, 143, 255, 111, 207, 191};
    tap_check(memcmp(got, MEANS, sizeof(MEANS)) == 0, "the same with samples");
}

/* A pixel under circles over all of the image, with alpha. */
static void check_alpha(
    const char *what, const struct scene *scene, uint32_t samples, const uint8_t wanted[4])
{
    struct error error;
    struct image image = {0};
    if (image_new(1, 1, 4, 8, &image, &error) != 0)
        abort();
    memset(image.pixels, 0x5a, 4);
    if (reference_circles(scene, samples, &image, ignore, NULL, &error) != 0)
        abort();
    const uint8_t *got = image.pixels;
    tap_check(memcmp(got, wanted, 4) == 0, "%s: %d %d %d %d, should be %d %d %d %d", what, got[0],
        got[1], got[2], got[3], wanted[0], wanted[1], wanted[2], wanted[3]);
    image_free(&image);
}

#define BYTES(...) ((const uint8_t[4]){__VA_ARGS__})

static void check_alphas(void)
{
    struct circle one[] = {layer(1, 0, .8f, .5f)};
    struct scene scene = {.count = 1, .circles = one, .background = {1, 1, 1}, .transmittance = 1};
    /* 127 0 102, and 127 */
    check_alpha("half of a color on nothing", &scene, 1, BYTES(255, 0, 205, 127));
    one[0].alpha = 1;
    check_alpha("all of it", &scene, 1, BYTES(255, 0, 204, 255));
    one[0].alpha = 0;
    check_alpha("nothing of it", &scene, 1, BYTES(0, 0, 0, 0));
    one[0] = layer(2, -1, .5f, .5f); /* 255 0 63, and 127 */
    check_alpha("colors beyond what is shown", &scene, 1, BYTES(255, 0, 126, 127));
    one[0] = (struct circle){.25f, .25f, 0, .1f, .5f, 1, 0, 1}; /* 1 of 4 samples: 32 64 0 of 64 */
    check_alpha("samples", &scene, 2, BYTES(128, 255, 0, 64));

    struct circle two[] = {layer(1, 0, 0, .5f), layer(0, 0, 1, .5f)}; /* 63 0 127, and 191 */
    scene = (struct scene){.count = 2, .circles = two, .transmittance = 1};
    check_alpha("two layers", &scene, 1, BYTES(84, 0, 170, 191));
    /* A background of alpha 1/2: 1/8 1/8 0 of it is left, of alpha 1/8: 95 31 127, and 223 */
    scene.transmittance = .5f;
    scene.background[0] = scene.background[1] = 1;
    check_alpha("on half of yellow", &scene, 1, BYTES(109, 35, 145, 223));
    scene.background[0] = 0;
    scene.rise[0] = 1;
    check_alpha("that rises", &scene, 1, BYTES(109, 35, 145, 223));
}

/* An image with alpha, put on a color as "over" of Porter and Duff has it, is what is painted on
 * that color. It is off by less than 2.5 of 255: color, alpha and what is compared with are each
 * cut off, the first of these the other way, and a quotient is rounded. */
static void check_over(void)
{
    enum { COUNT = 200, SIDE = 40, SIZE = SIDE * SIDE };
    static struct circle circles[COUNT];
    static uint8_t wanted[3 * SIZE];
    static const float BACKGROUNDS[][3] = {{1, 1, 1}, {0, 0, 0}, {1, .5f, .2f}};
    struct error error;
    struct image image = {0};
    uint64_t state = 5;
    double most = 0;
    if (image_new(SIDE, SIDE, 4, 8, &image, &error) != 0)
        abort();
    for (int i = 0; i < COUNT; i++) {
        float *numbers = &circles[i].x;
        for (int j = 0; j < 8; j++)
            numbers[j] = random_unit(&state) * (j == 3 ? .15f : 1);
    }
    for (int soft = 0; soft < 2; soft++)
        for (int i = 0; i < 3; i++) {
            struct scene scene = {
                .count = COUNT, .circles = circles, .soft = soft, .transmittance = 1};
            if (reference_circles(&scene, 1, &image, ignore, NULL, &error) != 0)
                abort();
            memcpy(scene.background, BACKGROUNDS[i], sizeof(scene.background));
            scene.transmittance = 0;
            paint_scene(&scene, SIDE, SIDE, 1, wanted);
            for (int p = 0; p < SIZE; p++)
                for (int j = 0; j < 3; j++) {
                    const uint8_t *pixel = (uint8_t *)image.pixels + (size_t)(4 * p);
                    const double alpha = pixel[3] / 255.0;
                    const double over =
                        alpha * pixel[j] + (1 - alpha) * 255 * (double)BACKGROUNDS[i][j];
                    most = fmax(most, fabs(over - wanted[3 * p + j]));
                }
        }
    tap_check(most < 2.5, "with alpha, on any color, off by %.3f at most", most);
    image_free(&image);
}

static void check_stop(void)
{
    struct error error;
    struct image image = {0};
    struct circle circle = layer(0, 0, 0, 1);
    const struct scene scene = on_white(&circle, 1);
    int code = ERROR_STOPPED;
    if (image_new(3, 3, 3, 8, &image, &error) != 0)
        abort();
    tap_check(reference_circles(&scene, 1, &image, stop, &code, &error) == ERROR_STOPPED,
        "progress stops it");
    image_free(&image);
}

/* Of a run: the shares that a kernel reported within, up to one at which it is to stop. */
struct reports {
    int count, stop_at;
    double least, most;
};

static int report(void *context, const char *stage, double share)
{
    struct reports *r = context;
    if (strcmp(stage, "cull") != 0 || share == 0)
        return 0;
    r->least = r->count == 0 || share < r->least ? share : r->least;
    r->most = share > r->most ? share : r->most;
    return ++r->count == r->stop_at;
}

/* Of work that takes many times as long as the time between two reports. */
static void check_kernel_progress(void)
{
    for (int stop_at = 0; stop_at < 2; stop_at++) {
        struct reports reports = {.stop_at = stop_at};
        struct run run = {
            .device_id = "cpu", .threads = 1, .progress = report, .context = &reports};
        struct circles c = {
            .options = {.input = "rand100k", .method = METHOD_GOOD, .width = 768, .height = 768}};
        const int rc = circles_paint(&run, &c);
        if (stop_at)
            tap_check(rc == ERROR_STOPPED && reports.count == 1, "a kernel on the CPU stops");
        else
            tap_check(rc == 0 && reports.count > 1 && reports.least > 0 && reports.most <= 1 &&
                          reports.least < reports.most,
                "a kernel on the CPU reports its progress: %d times", reports.count);
        run_end(&run);
        circles_end(&c);
    }
}

/* Every circle against every pixel, by the definition. */
static void paint_all(const struct scene *scene, int width, int height, uint8_t *bytes)
{
    const float w = (float)width, h = (float)height, side = w > h ? w : h;
    for (int row = 0; row < height; row++)
        for (int column = 0; column < width; column++) {
            const float x = ((float)column + .5f + (side - w) / 2) / side;
            const float y = ((float)(height - 1 - row) + .5f + (side - h) / 2) / side;
            float v[3];
            for (int j = 0; j < 3; j++)
                v[j] = scene->background[j] + scene->rise[j] * ((float)(height - row) / h);
            for (size_t i = 0; i < scene->count; i++) {
                const struct circle *c = &scene->circles[i];
                const float dx = x - c->x, dy = y - c->y, rgb[3] = {c->red, c->green, c->blue};
                for (int j = 0; j < 3 && dx * dx + dy * dy <= c->r * c->r; j++)
                    v[j] = c->alpha * rgb[j] + (1 - c->alpha) * v[j];
            }
            for (int j = 0; j < 3; j++)
                *bytes++ = (uint8_t)(255 * fminf(fmaxf(v[j], 0), 1));
        }
}

static void check_random(void)
{
    enum { COUNT = 300 };
    static const float RADII[] = {.01f, .1f, 1, 30}, REACHES[] = {0, .5f, 20};
    static struct circle circles[COUNT];
    static uint8_t got[100000], wanted[100000];
    int different = 0, painted = 0;
    uint64_t state = 11;
    for (int scenes = 0; scenes < 120; scenes++) {
        const int width = 1 + (int)(random_bits(&state) % 90);
        const int height = 1 + (int)(random_bits(&state) % 90);
        const float most = RADII[scenes % 4], reach = REACHES[scenes % 3];
        const size_t size = 3 * (size_t)width * (size_t)height;
        for (size_t i = 0; i < COUNT; i++) {
            float *numbers = &circles[i].x;
            for (int j = 0; j < 8; j++)
                numbers[j] = random_unit(&state);
            circles[i].x = circles[i].x * (1 + 2 * reach) - reach;
            circles[i].y = circles[i].y * (1 + 2 * reach) - reach;
            circles[i].r *= most;
        }
        const struct scene scene = {
            .count = COUNT, .circles = circles, .background = {1, .5f, 0}, .rise = {0, -.5f, 1}};
        paint_scene(&scene, width, height, 1, got);
        paint_all(&scene, width, height, wanted);
        different += memcmp(got, wanted, size) != 0;
        for (size_t i = 0; i < size; i += 3)
            painted += wanted[i] != 255;
    }
    tap_check(different == 0 && painted > 10000,
        "120 random scenes: the reference passes no pixel over (%d differ)", different);
}

/* What a soft circle of radius 1 leaves at the distance d of a color's component and alpha 1, on
 * black, found by the component from which the byte is 128 or more: 255 share component = 128. */
static void measure_soft(float d, double share[3])
{
    float low[3] = {.4f, .4f, .4f}, high[3] = {64, 64, 64};
    for (int step = 0; step < 40; step++) {
        float half[3];
        uint8_t got[3];
        for (int j = 0; j < 3; j++)
            half[j] = (low[j] + high[j]) / 2;
        struct circle circle = {.5f - d, .5f, 0, 1, half[0], half[1], half[2], 1};
        const struct scene scene = {.count = 1, .circles = &circle, .soft = 1};
        paint_scene(&scene, 1, 1, 1, got);
        for (int j = 0; j < 3; j++)
            *(got[j] >= 128 ? &high[j] : &low[j]) = half[j];
    }
    for (int j = 0; j < 3; j++)
        share[j] = 128 / (255 * (double)high[j]);
}

/* The colors of snow's stations. */
static double ramp(double d, int channel)
{
    static const double STATIONS[5][3] = {
        {1, 1, 1}, {1, 1, 1}, {.8, .9, 1}, {.8, .9, 1}, {.8, .8, 1}};
    const int i = d < .75 ? (int)(4 * d) : 3;
    return STATIONS[i][channel] + (4 * d - i) * (STATIONS[i + 1][channel] - STATIONS[i][channel]);
}

/* With u = 2^-24 and y = d^2 / 2, at most 1/2: Taylor's series of exp(-y) to the 7th power is wrong
 * by less than y^8 / 8! < 9.7e-8, and by 3.2 u from rounding (1 u for the last sum, and half of
 * what the sums before have, which are at most 2.3 u, and of 2 u for a product), of a value of at
 * least .606. The 8th power has 8 times as large a relative error, its squares add 4 + 2 + 1 u. The
 * square d^2, by which exp(-4 d^2) changes 4 d^2 times as much, adds 4 u, the color 8 u, the
 * products and what is measured 5 u. All: 8 (9.7e-8 + 3.2 u) / .606 + 24 u < 1.29e-6 + 67 u. */
static void check_soft(void)
{
    const double bound = 1.29e-6 + 67 * 0x1p-24;
    double worst = 0, worst_d = 0;
    for (int i = 0; i <= 2000; i++) {
        double share[3];
        const float x = .5f - (float)i / 2000; /* the center, as rounded */
        const float d = .5f - x;
        measure_soft(d, share);
        for (int j = 0; j < 3; j++) {
            const double wanted = ramp((double)d, j) * exp(-4 * (double)d * (double)d);
            const double wrong = fabs(share[j] / wanted - 1);
            if (wrong > worst) {
                worst = wrong;
                worst_d = (double)d;
            }
        }
    }
    tap_check(worst <= bound, "soft circles: wrong by %.3g at distance %.4f, at most %.3g", worst,
        worst_d, bound);
    struct circle circle = {.5f, .5f, 0, 0, 0, 0, 0, 1};
    struct scene scene = on_white(&circle, 1);
    scene.soft = 1;
    check_pixel("a soft circle without radius holds its center", &scene, 1, 0, 0, 0);
    circle = (struct circle){.25f, .5f, 0, .1f, 0, 0, 0, 1};
    check_pixel("a soft circle ends at its border", &scene, 1, 255, 255, 255);
}

/* Paints the image's scene by the method. */
static int method_agrees(struct run *run, enum method method, const struct scene *scene,
    const char *name, const struct image *wanted)
{
    struct circles c = {.options = {.input = name,
                            .scene = scene,
                            .width = (uint32_t)wanted->width,
                            .height = (uint32_t)wanted->height,
                            .method = method}};
    run_start(run);
    int agrees = circles_paint(run, &c) == 0;
    if (!agrees)
        printf("# %s\n", run->error.text);
    agrees = agrees && memcmp(c.result.image.pixels, wanted->pixels,
                           4 * (size_t)c.result.width * c.result.height) == 0;
    run_buffers_free(run);
    circles_end(&c);
    return agrees;
}

static void check_image(const char *name, struct run *runs, int count)
{
    static const enum method METHODS[] = {METHOD_REFERENCE, METHOD_FAST, METHOD_GOOD};
    static const char *const NAMES[] = {"reference", "fast", "good"};
    struct error error;
    struct scene scene = {0};
    struct image image = {0};
    char path[200];
    snprintf(path, sizeof(path), FOLDER "/%s.png", name);
    int rc = image_read(path, IMAGE_MAX_PIXELS, NULL, &image, &error);
    if (rc == 0)
        rc = scene_make(scene_find(name), 0, &scene, &error);
    tap_check(rc == 0, "%s: %s", name, rc ? error.text : "there is an image of it");
    for (int i = 0; rc == 0 && i < count; i++)
        for (int j = i > 0; j < (scene.count > MANY ? 2 : 3); j++)
            tap_check(method_agrees(&runs[i], METHODS[j], &scene, name, &image),
                "%s: %s on %s makes the reference image", name, NAMES[j], runs[i].device_id);
    scene_free(&scene);
    image_free(&image);
}

/* Adds up how often a notice tells of tiles that the nearest circles do not prove. */
static void count_notices(void *context, int is_warning, const char *line)
{
    *(int *)context += !is_warning && strstr(line, "screen tiles that need more");
}

/* Circles, so many that the nearest ones hide the rest, which is tried first. It is enough, but at
 * the border of a square without circles, if there is one. */
static void check_hole(int count, float radius, int has_hole)
{
    enum { SIDE = 320 };
    uint64_t random = 4;
    struct circle *circles = malloc((size_t)count * sizeof(*circles));
    struct scene scene = on_white(circles, (size_t)count);
    int notices = 0;
    struct run run = {.device_id = "cpu", .notice = count_notices, .context = &notices};
    struct circles c = {.options = {.input = "hole",
                            .scene = &scene,
                            .width = SIDE,
                            .height = SIDE,
                            .method = METHOD_REFERENCE}};
    for (int i = 0; i < count; i++) {
        const float x = random_unit(&random), y = random_unit(&random);
        const int is_inside = fabsf(x - .5f) < .17f && fabsf(y - .5f) < .17f;
        circles[i] =
            (struct circle){has_hole && is_inside ? x + .4f : x, y, 1 - (float)i / (float)count,
                radius, random_unit(&random), random_unit(&random), .5f, CIRCLE_ALPHA};
    }
    run_start(&run);
    tap_check(circles_paint(&run, &c) == 0, "%d circles are painted one by one", count);
    tap_check(method_agrees(&run, METHOD_FAST, &scene, "hole", &c.result.image),
        "the nearest first, they make the same image");
    tap_check(notices == has_hole, "%s need more than the nearest circles: %d",
        has_hole ? "tiles at the hole" : "no tiles", notices);
    run_end(&run);
    circles_end(&c);
    free(circles);
}

/* The first device of each kind, the CPU first. */
static void check_images(void)
{
    struct device_info infos[DEVICE_LIMIT];
    struct run runs[DEVICE_LIMIT] = {0};
    const int found = device_list(infos);
    int count = 0, images = 0, scenes = 0;
    for (int i = 0; i < found; i++)
        if (strcmp(strchr(infos[i].id, ':'), ":0") == 0)
            runs[count++].device_id = infos[i].id;
    for (const struct scene_info *info = SCENES; info->name; info++, scenes++)
        check_image(info->name, runs, count);
    for (int i = 0; i < count; i++)
        run_end(&runs[i]);
    DIR *folder = opendir(FOLDER);
    for (struct dirent *entry; folder && (entry = readdir(folder));)
        images += entry->d_name[0] != '.';
    tap_check(folder && images == scenes, "as many images as scenes: %d", images);
    if (folder)
        closedir(folder);
}

int main(void)
{
    check_blending();
    check_shapes();
    check_samples();
    check_gradient();
    check_alphas();
    check_over();
    check_stop();
    check_kernel_progress();
    check_random();
    check_soft();
    for (int has_hole = 0; has_hole < 2; has_hole++) {
        check_hole(200000, .012f, has_hole);
        check_hole(40000, .04f, has_hole);
    }
    check_images();
    return tap_finish();
}
