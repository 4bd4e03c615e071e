#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scenes/rows.h"
#include "scenes/svg.h"
#include "scenes/text.h"

/* The shortest number that the reader makes this float of, by dividing by `divisor`: 9 digits tell
 * all floats apart. */
static char *length_put(char *at, const char *before, float value, double divisor)
{
    char *const begin = text_put(at, before), *end = begin;
    for (int digits = 6; digits <= 9; digits++) {
        end = number_put(begin, (double)value * divisor, digits);
        *end = 0;
        if ((float)(span_number((struct span){begin, end}) / divisor) == value)
            break;
    }
    return end;
}

/* As #rrggbb, if the components are bytes, else in percent. */
static char *fill_put(char *at, const float rgb[3], float opacity)
{
    int bytes[3], are_bytes = 1;
    for (int i = 0; i < 3; i++) {
        bytes[i] = (int)lrintf(255 * rgb[i]);
        are_bytes &= (float)bytes[i] / 255 == rgb[i];
    }
    if (are_bytes) {
        at = text_put(at, "\" fill=\"#");
        for (int i = 0; i < 3; i++) {
            *at++ = "0123456789abcdef"[bytes[i] >> 4 & 15];
            *at++ = "0123456789abcdef"[bytes[i] & 15];
        }
    } else {
        for (int i = 0; i < 3; i++)
            at = length_put(at, i ? "%," : "\" fill=\"rgb(", rgb[i], 100);
        at = text_put(at, "%)");
    }
    at = length_put(at, "\" fill-opacity=\"", opacity, 1);
    return text_put(at, "\"/>\n");
}

/* Of a circle: eight numbers and the words around them. */
enum { LONGEST = 8 * NUMBER_ROOM + 100 };

/* Stops of a soft circle's gradient, 32 steps from its center to its edge: exp(-4 d^2) is off from
 * the lines between them by less than a quarter of a byte, and the color by nothing, since it
 * changes evenly within each quarter. */
enum { STOPS = 33, LONGEST_GRADIENT = STOPS * (5 * NUMBER_ROOM + 60) + 100 };

/* What rows are made of. */
struct drawing {
    const struct circle *circles;
    double side;        /* of the square */
    float (*colors)[3]; /* of soft circles, each once, in the order of their bytes; else NULL */
    size_t count;       /* of colors */
};

static int compare_colors(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(float[3]));
}

/* Finds the colors of soft circles. Returns 0, or -1 where memory is short. */
static int colors_find(const struct scene *scene, struct drawing *drawing)
{
    float(*colors)[3] = malloc(scene->count * sizeof(*colors));
    size_t count = 0;
    if (!colors)
        return -1;
    for (size_t i = 0; i < scene->count; i++)
        memcpy(colors[i], &scene->circles[i].red, sizeof(*colors));
    qsort(colors, scene->count, sizeof(*colors), compare_colors);
    for (size_t i = 0; i < scene->count; i++)
        if (i == 0 || compare_colors(colors[i], colors[count - 1]) != 0)
            memmove(colors[count++], colors[i], sizeof(*colors));
    drawing->colors = colors;
    drawing->count = count;
    return 0;
}

static char *stop_put(char *at, double offset, const double rgb[3], double opacity)
{
    at = number_put(text_put(at, "<stop offset=\""), offset, 9);
    for (int i = 0; i < 3; i++)
        at = number_put(text_put(at, i ? "%," : "\" stop-color=\"rgb("), 100 * rgb[i], 6);
    at = number_put(text_put(at, "%)\" stop-opacity=\""), opacity, 6);
    return text_put(at, "\"/>\n");
}

/* The fill of soft circles of a color: the middle and the radius of a gradient are the circle's
 * own. */
static char *gradient_put(const void *source, size_t number, char *at)
{
    static const double STATIONS[][3] = {
        {1, 1, 1}, {1, 1, 1}, {.8, .9, 1}, {.8, .9, 1}, {.8, .8, 1}, {.8, .8, 1}};
    const float *color = ((const struct drawing *)source)->colors[number];
    at = text_put(whole_put(text_put(at, "<radialGradient id=\"c"), (uint32_t)number), "\">\n");
    for (int i = 0; i < STOPS; i++) {
        const double d = (double)i / (STOPS - 1), place = 4 * d;
        const double *from = STATIONS[(int)place], *to = STATIONS[(int)place + 1];
        double rgb[3];
        for (int j = 0; j < 3; j++)
            rgb[j] = (double)color[j] * (from[j] + (place - floor(place)) * (to[j] - from[j]));
        at = stop_put(at, d, rgb, exp(-4 * d * d));
    }
    return text_put(at, "</radialGradient>\n");
}

static char *rule_put(const void *source, size_t number, char *at)
{
    (void)source;
    at = whole_put(text_put(at, ".c"), (uint32_t)number);
    at = whole_put(text_put(at, "{fill:url(#c"), (uint32_t)number);
    return text_put(at, ")}\n");
}

static char *circle_put(const void *source, size_t number, char *at)
{
    const struct drawing *drawing = source;
    const struct circle *c = &drawing->circles[number];
    const float rgb[] = {c->red, c->green, c->blue};
    at = text_put(at, "<circle ");
    if (drawing->colors) {
        const float(*own)[3] =
            bsearch(rgb, drawing->colors, drawing->count, sizeof(rgb), compare_colors);
        at = whole_put(text_put(at, "class=\"c"), (uint32_t)(own - drawing->colors));
        at = text_put(at, "\" ");
    }
    at = length_put(at, "cx=\"", c->x, drawing->side);
    at = length_put(at, "\" cy=\"", c->y, -drawing->side);
    at = length_put(at, "\" r=\"", c->r, drawing->side);
    return fill_put(at, rgb, c->alpha);
}

static int rises(const struct scene *scene)
{
    return scene->rise[0] != 0 || scene->rise[1] != 0 || scene->rise[2] != 0;
}

/* The background's colors from the middle of the top row to half a pixel below the image. */
static void sky_write(struct output *output, const struct scene *scene, double top, double bottom)
{
    char text[2 * (5 * NUMBER_ROOM + 60)];
    double high[3], low[3];
    for (int i = 0; i < 3; i++) {
        low[i] = scene->background[i];
        high[i] = low[i] + (double)scene->rise[i];
    }
    fprintf(output->file,
        "<linearGradient id=\"sky\" gradientUnits=\"userSpaceOnUse\" "
        "x1=\"0\" y1=\"%.9g\" x2=\"0\" y2=\"%.9g\">\n",
        top + .5, bottom + .5);
    const char *end = stop_put(stop_put(text, 0, high, 1), 1, low, 1);
    output_write(output, text, (size_t)(end - text));
    fputs("</linearGradient>\n", output->file);
}

/* What gradients paint, other programs learn from a style sheet, which prevails over the attributes
 * that the reader takes: so it reads the bits that were written. Returns as output_progress. */
static int gradients_write(struct output *output, const struct scene *scene,
    const struct drawing *drawing, double top, double bottom)
{
    const struct rows gradients = {drawing->count, LONGEST_GRADIENT, gradient_put, drawing, 0, .4};
    const struct rows rules = {drawing->count, LONGEST, rule_put, drawing, .4, .5};
    fputs("<defs>\n", output->file);
    if (rises(scene))
        sky_write(output, scene, top, bottom);
    if (rows_write(output, &gradients))
        return 1;
    fputs("</defs>\n<style>\n", output->file);
    if (rises(scene))
        fputs("rect{fill:url(#sky)}\n", output->file);
    if (rows_write(output, &rules))
        return 1;
    fputs("</style>\n", output->file);
    return 0;
}

static void head_write(
    struct output *output, const struct scene *scene, const int size[2], double left, double top)
{
    fprintf(output->file,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
        "viewBox=\"%.9g %.9g %d %d\"",
        size[0], size[1], left, top, size[0], size[1]);
    if (scene->soft)
        fputs(" " SVG_SOFT "=\"true\"", output->file);
    if (rises(scene))
        fprintf(output->file, " " SVG_RISE "=\"%.9g %.9g %.9g\"", (double)scene->rise[0],
            (double)scene->rise[1], (double)scene->rise[2]);
    fputs(">\n", output->file);
}

/* The image, in pixels, is a part of a square that begins at 0 and lies above the x axis, so that a
 * circle's cx, -cy and r are its x, y and r times the square's side: all floats have such
 * numbers. */
void svg_write(struct output *output, const struct scene *scene)
{
    const int width = scene->width ? scene->width : SCENE_SIDE;
    const int height = scene->width ? scene->height : SCENE_SIDE;
    const double side = fmax(width, height), left = (side - width) / 2, top = -(side + height) / 2;
    const int has_gradients = scene->soft || rises(scene);
    struct drawing drawing = {.circles = scene->circles, .side = side};
    const struct rows rows = {
        scene->count, LONGEST, circle_put, &drawing, has_gradients ? .5 : 0, 1};
    char fill[LONGEST];
    int is_over = 0;
    if (scene->soft && colors_find(scene, &drawing) != 0) {
        output->failure = ENOMEM;
        return;
    }
    head_write(output, scene, (int[]){width, height}, left, top);
    if (has_gradients)
        is_over = gradients_write(output, scene, &drawing, top, top + height);
    if (!is_over) {
        fprintf(output->file, "<rect x=\"%.9g\" y=\"%.9g\" width=\"%d\" height=\"%d", left, top,
            width, height);
        const char *end = fill_put(fill, scene->background, 1 - scene->transmittance);
        output_write(output, fill, (size_t)(end - fill));
        is_over = rows_write(output, &rows);
    }
    if (!is_over)
        fputs("</svg>\n", output->file);
    free(drawing.colors);
}

static int are_shares(const float rgb[3])
{
    int are = 1;
    for (int i = 0; i < 3; i++)
        are &= rgb[i] >= 0 && rgb[i] <= 1;
    return are;
}

/* Of depths only the order counts, and that is kept. */
const char *svg_find_loss(const struct scene *scene)
{
    float top[3];
    for (int i = 0; i < 3; i++)
        top[i] = scene->background[i] + scene->rise[i];
    int is_whole = are_shares(scene->background) && are_shares(top);
    for (size_t i = 0; is_whole && i < scene->count; i++) {
        const struct circle *c = &scene->circles[i];
        is_whole = c->r > 0 && are_shares((float[]){c->red, c->green, c->blue});
    }
    return is_whole ? NULL
                    : "SVG holds no colors below 0 or above 1 and no circles of radius 0; use "
                      ".json";
}
