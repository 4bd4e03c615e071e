#include <math.h>
#include <stdlib.h>

#include "scenes/svg.h"

/* The shortest number that the reader makes this float of, by dividing by `divisor`: 9 digits tell
 * all floats apart. */
static void number_write(FILE *file, const char *before, float value, double divisor)
{
    char text[32];
    for (int digits = 6; digits <= 9; digits++) {
        snprintf(text, sizeof(text), "%.*g", digits, (double)value * divisor);
        if ((float)(strtod(text, NULL) / divisor) == value)
            break;
    }
    fputs(before, file);
    fputs(text, file);
}

/* As #rrggbb, if the components are bytes, else in percent. */
static void fill_write(FILE *file, const float rgb[3], float opacity)
{
    int bytes[3], are_bytes = 1;
    for (int i = 0; i < 3; i++) {
        bytes[i] = (int)lrintf(255 * rgb[i]);
        are_bytes &= (float)bytes[i] / 255 == rgb[i];
    }
    if (are_bytes) {
        fprintf(file, "\" fill=\"#%02x%02x%02x", (unsigned)bytes[0], (unsigned)bytes[1],
            (unsigned)bytes[2]);
    } else {
        for (int i = 0; i < 3; i++)
            number_write(file, i ? "%," : "\" fill=\"rgb(", rgb[i], 100);
        fputs("%)", file);
    }
    number_write(file, "\" fill-opacity=\"", opacity, 1);
    fputs("\"/>\n", file);
}

/* The image, in pixels, is a part of a square that begins at 0 and lies above the x axis, so that a
 * circle's cx, -cy and r are its x, y and r times the square's side: all floats have such
 * numbers. */
void svg_write(struct output *output, const struct scene *scene)
{
    FILE *file = output->file;
    const int width = scene->width ? scene->width : SCENE_SIDE;
    const int height = scene->width ? scene->height : SCENE_SIDE;
    const double side = fmax(width, height), left = (side - width) / 2, top = -(side + height) / 2;
    fprintf(file,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
        "viewBox=\"%.9g %.9g %d %d\">\n"
        "<rect x=\"%.9g\" y=\"%.9g\" width=\"%d\" height=\"%d",
        width, height, left, top, width, height, left, top, width, height);
    fill_write(file, scene->background, 1 - scene->transmittance);
    for (size_t i = 0; i < scene->count; i++) {
        const struct circle *c = &scene->circles[i];
        if (i % REPORT_EVERY == 0 && output_progress(output, (double)i / (double)scene->count))
            return;
        number_write(file, "<circle cx=\"", c->x, side);
        number_write(file, "\" cy=\"", c->y, -side);
        number_write(file, "\" r=\"", c->r, side);
        fill_write(file, (float[]){c->red, c->green, c->blue}, c->alpha);
    }
    fputs("</svg>\n", file);
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
