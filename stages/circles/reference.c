#include "stages/circles/reference.h"

#include <math.h>
#include <stdlib.h>

#define CIRCLES_A_REPORT 1024 /* circles */

/* The image in floats; its coordinates. */
struct canvas {
    int width, height;  /* samples */
    float side;         /* the longer of them, which has length 1 */
    float (*values)[3]; /* rows from the top */
    float *x;           /* of each column's center */
};

static float row_y(const struct canvas *canvas, int row)
{
    const float height = (float)canvas->height;
    return ((float)(canvas->height - 1 - row) + 0.5f + (canvas->side - height) / 2) / canvas->side;
}

/* exp(-4 q), 0 <= q <= 1: Taylor's series of exp(-q/2), to the eighth power. */
static float fade(float q)
{
    const float y = -0.5f * q;
    float e = 1;
    for (int n = 7; n >= 1; n--)
        e = n == 1 ? 1 + y * e : 1 + y * (1.0f / (float)n) * e;
    const float e2 = e * e, e4 = e2 * e2;
    return e4 * e4;
}

/* A soft circle's color runs through five stations from its center to its edge, and it fades. */
static void soften(float q, float color[3], float *alpha)
{
    static const float STATIONS[5][3] = {
        {1, 1, 1}, {1, 1, 1}, {0.8f, 0.9f, 1}, {0.8f, 0.9f, 1}, {0.8f, 0.8f, 1}};
    const float place = 4 * sqrtf(q);
    const int i = place < 3 ? (int)place : 3;
    for (int j = 0; j < 3; j++) {
        const float from = STATIONS[i][j], to = STATIONS[i + 1][j];
        color[j] *= from == to ? from : from + (place - (float)i) * (to - from);
    }
    *alpha *= fade(q);
}

static int clamp(double value, int most)
{
    return value < 0 ? 0 : value > most ? most : (int)value;
}

static void paint(const struct canvas *canvas, const struct circle *circle, int soft)
{
    const double side = canvas->side, r = circle->r;
    /* Far and large circles are rounded more coarsely than by a pixel. */
    const double margin = 2 + (fabs(circle->x) + fabs(circle->y) + r) * side / (1 << 20);
    const double left = (circle->x - r) * side - (side - canvas->width) / 2;
    const double right = (circle->x + r) * side - (side - canvas->width) / 2;
    const double above = canvas->height - (circle->y + r) * side + (side - canvas->height) / 2;
    const double below = canvas->height - (circle->y - r) * side + (side - canvas->height) / 2;
    const int first_column = clamp(left - margin, canvas->width);
    const int end_column = clamp(right + margin, canvas->width);
    const int first_row = clamp(above - margin, canvas->height);
    const int end_row = clamp(below + margin, canvas->height);
    const float rr = circle->r * circle->r;
    for (int row = first_row; row < end_row; row++) {
        float(*const values)[3] = canvas->values + (size_t)row * (size_t)canvas->width;
        const float dy = row_y(canvas, row) - circle->y;
        for (int column = first_column; column < end_column; column++) {
            const float dx = canvas->x[column] - circle->x;
            const float dd = dx * dx + dy * dy;
            if (dd <= rr) {
                float color[3] = {circle->red, circle->green, circle->blue};
                float alpha = circle->alpha;
                if (soft)
                    soften(rr > 0 ? dd / rr : 0, color, &alpha);
                for (int j = 0; j < 3; j++)
                    values[column][j] = alpha * color[j] + (1 - alpha) * values[column][j];
            }
        }
    }
}

static unsigned to_byte(float value)
{
    return (unsigned)(255 * (value < 0 ? 0 : value > 1 ? 1 : value));
}

/* A pixel's channel: the rounded mean of the bytes of its samples. */
static uint8_t average(const struct canvas *canvas, int column, int row, int samples, int channel)
{
    unsigned sum = (unsigned)(samples * samples) / 2;
    for (int y = row * samples; y < (row + 1) * samples; y++)
        for (int x = column * samples; x < (column + 1) * samples; x++)
            sum += to_byte(canvas->values[(size_t)y * (size_t)canvas->width + (size_t)x][channel]);
    return (uint8_t)(sum / (unsigned)(samples * samples));
}

/* Fills the canvas with the background: its color times its alpha, or for the layer of alpha a gray
 * of its alpha. */
static void fill(const struct canvas *canvas, const struct scene *scene, int is_alpha)
{
    const float alpha = 1 - scene->transmittance;
    for (int row = 0; row < canvas->height; row++) {
        float(*const values)[3] = canvas->values + (size_t)row * (size_t)canvas->width;
        const float up = (float)(canvas->height - row) / (float)canvas->height;
        for (int i = 0; i < canvas->width; i++)
            for (int j = 0; j < 3; j++)
                values[i][j] =
                    is_alpha ? alpha : alpha * (scene->background[j] + scene->rise[j] * up);
    }
}

/* Paints the circles, for the layer of alpha in white. */
static int paint_layer(const struct canvas *canvas, const struct scene *scene, int is_alpha,
    int (*progress)(void *context, double share), void *context)
{
    int rc = 0;
    fill(canvas, scene, is_alpha);
    for (size_t i = 0; rc == 0 && i < scene->count; i++) {
        struct circle circle = scene->circles[i];
        if (is_alpha)
            circle.red = circle.green = circle.blue = 1;
        paint(canvas, &circle, scene->soft);
        if (i % CIRCLES_A_REPORT == 0)
            rc = progress(context, (double)i / (double)scene->count);
    }
    return rc;
}

/* Makes bytes of the colors, which are opaque then. */
static void store_colors(const struct canvas *canvas, int samples, struct image *image)
{
    uint8_t *pixel = image->pixels;
    for (int row = 0; row < image->height; row++)
        for (int column = 0; column < image->width; column++, pixel += 4) {
            for (int j = 0; j < 3; j++)
                pixel[j] = average(canvas, column, row, samples, j);
            pixel[3] = 255;
        }
}

/* Adds the alpha, and divides the colors by it, rounded. Blue is the component in which a soft
 * white circle is white everywhere. */
static void store_alpha(const struct canvas *canvas, int samples, struct image *image)
{
    uint8_t *pixel = image->pixels;
    for (int row = 0; row < image->height; row++)
        for (int column = 0; column < image->width; column++, pixel += 4) {
            const double alpha = pixel[3] = average(canvas, column, row, samples, 2);
            for (int j = 0; j < 3; j++)
                pixel[j] = alpha > 0 ? (uint8_t)fmin(floor(255 * pixel[j] / alpha + .5), 255) : 0;
        }
}

int reference_circles(const struct scene *scene, uint32_t samples, struct image *image,
    int (*progress)(void *context, double share), void *context, struct error *error)
{
    const int side = (int)samples;
    struct canvas canvas = {.width = image->width * side, .height = image->height * side};
    canvas.side = (float)(canvas.width > canvas.height ? canvas.width : canvas.height);
    canvas.values = malloc((size_t)canvas.width * (size_t)canvas.height * sizeof(*canvas.values));
    canvas.x = malloc((size_t)canvas.width * sizeof(*canvas.x));
    int rc = canvas.values && canvas.x
                 ? 0
                 : error_set(error, ERROR_INPUT, "not enough memory for %d x %d samples",
                       canvas.width, canvas.height);
    for (int i = 0; rc == 0 && i < canvas.width; i++)
        canvas.x[i] = ((float)i + 0.5f + (canvas.side - (float)canvas.width) / 2) / canvas.side;
    if (rc == 0)
        rc = paint_layer(&canvas, scene, 0, progress, context);
    if (rc == 0)
        store_colors(&canvas, side, image);
    if (rc == 0 && scene->transmittance > 0) {
        rc = paint_layer(&canvas, scene, 1, progress, context);
        if (rc == 0)
            store_alpha(&canvas, side, image);
    }
    free(canvas.values);
    free(canvas.x);
    return rc;
}
