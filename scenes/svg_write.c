#include <math.h>

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

/* Of a circle: seven numbers and the words around them. */
enum { LONGEST = 7 * NUMBER_ROOM + 100 };

/* What rows of circles are made of. */
struct square {
    const struct circle *circles;
    double side;
};

static char *circle_put(const void *source, size_t number, char *at)
{
    const struct square *square = source;
    const struct circle *c = &square->circles[number];
    at = length_put(at, "<circle cx=\"", c->x, square->side);
    at = length_put(at, "\" cy=\"", c->y, -square->side);
    at = length_put(at, "\" r=\"", c->r, square->side);
    return fill_put(at, (float[]){c->red, c->green, c->blue}, c->alpha);
}

/* The image, in pixels, is a part of a square that begins at 0 and lies above the x axis, so that a
 * circle's cx, -cy and r are its x, y and r times the square's side: all floats have such
 * numbers. */
void svg_write(struct output *output, const struct scene *scene)
{
    const int width = scene->width ? scene->width : SCENE_SIDE;
    const int height = scene->width ? scene->height : SCENE_SIDE;
    const double side = fmax(width, height), left = (side - width) / 2, top = -(side + height) / 2;
    const struct square square = {scene->circles, side};
    const struct rows rows = {scene->count, LONGEST, circle_put, &square, 0, 1};
    char fill[LONGEST];
    fprintf(output->file,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
        "viewBox=\"%.9g %.9g %d %d\">\n"
        "<rect x=\"%.9g\" y=\"%.9g\" width=\"%d\" height=\"%d",
        width, height, left, top, width, height, left, top, width, height);
    const char *end = fill_put(fill, scene->background, 1 - scene->transmittance);
    output_write(output, fill, (size_t)(end - fill));
    if (!rows_write(output, &rows))
        fputs("</svg>\n", output->file);
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
    int is_whole = !scene->soft && are_shares(scene->background);
    for (int i = 0; i < 3; i++)
        is_whole &= scene->rise[i] == 0;
    for (size_t i = 0; is_whole && i < scene->count; i++) {
        const struct circle *c = &scene->circles[i];
        is_whole = c->r > 0 && are_shares((float[]){c->red, c->green, c->blue});
    }
    return is_whole ? NULL
                    : "SVG holds no soft circles, no background that rises, no colors below 0 or "
                      "above 1 and no circles of radius 0; use .json";
}
