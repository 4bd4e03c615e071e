#include "images/draw.h"

/* A color between five that stand at equal distances from 0 to 1. */
static struct color mix_stops(const double stops[5][3], double value)
{
    const double place = (value < 0 ? 0 : value > 1 ? 1 : value) * 4;
    const int stop = place >= 4 ? 3 : (int)place;
    double mixed[3];
    for (int c = 0; c < 3; c++)
        mixed[c] = stops[stop][c] + (stops[stop + 1][c] - stops[stop][c]) * (place - stop) + 0.5;
    return (struct color){(uint8_t)mixed[0], (uint8_t)mixed[1], (uint8_t)mixed[2]};
}

struct color draw_heat(double value)
{
    static const double STOPS[5][3] = {
        {68, 1, 84}, {59, 82, 139}, {33, 145, 140}, {94, 201, 98}, {253, 231, 37}};
    return mix_stops(STOPS, value);
}

struct color draw_gray(double value)
{
    const uint8_t gray = (uint8_t)((value < 0 ? 0 : value > 1 ? 1 : value) * 255 + 0.5);
    return (struct color){gray, gray, gray};
}

struct color draw_diverging(double value)
{
    static const double STOPS[5][3] = {
        {33, 80, 190}, {110, 170, 230}, {230, 230, 225}, {240, 150, 100}, {185, 20, 45}};
    return mix_stops(STOPS, value);
}

void draw_rectangle(struct image *image, int x, int y, int width, int height, struct color color)
{
    const int right = x + width < image->width ? x + width : image->width;
    const int bottom = y + height < image->height ? y + height : image->height;
    for (int row = y < 0 ? 0 : y; row < bottom; row++)
        for (int column = x < 0 ? 0 : x; column < right; column++) {
            uint8_t *pixel = (uint8_t *)image->pixels +
                             4 * ((size_t)row * (size_t)image->width + (size_t)column);
            pixel[0] = color.red;
            pixel[1] = color.green;
            pixel[2] = color.blue;
            pixel[3] = 255;
        }
}

int draw_reduced_copy(
    const struct image *image, int max_side, struct image *copy, int *step, struct error *error)
{
    const int side = image->width > image->height ? image->width : image->height;
    *step = (side - 1) / max_side + 1;
    const int rc = image_new(
        (image->width + *step - 1) / *step, (image->height + *step - 1) / *step, 3, 8, copy, error);
    if (rc)
        return rc;
    for (int y = 0; y < copy->height; y++)
        for (int x = 0; x < copy->width; x++) {
            const size_t from =
                4 * ((size_t)(y * *step) * (size_t)image->width + (size_t)(x * *step));
            uint8_t *to =
                (uint8_t *)copy->pixels + 4 * ((size_t)y * (size_t)copy->width + (size_t)x);
            for (size_t c = 0; c < 3; c++)
                to[c] = (uint8_t)image_sample_8(image, from + c);
            to[3] = 255;
        }
    return 0;
}
