#include "images/draw.h"

#include <stdio.h>
#include <string.h>

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

void draw_text(struct image *image, int x, int y, int scale, const char *text, struct color color)
{
    /* Rows of 3 bits from the top, the leftmost pixel the highest bit. */
    static const char CHARACTERS[] = "0123456789-+.e";
    static const uint16_t SHAPES[] = {075557, 026227, 071747, 071717, 055711, 074717, 074757,
        071111, 075757, 075717, 000700, 002720, 000002, 025743};
    for (; *text; text++, x += DRAW_DIGIT_WIDTH * scale) {
        const char *const found = strchr(CHARACTERS, *text);
        for (int bit = 0; found && bit < 15; bit++)
            if (SHAPES[found - CHARACTERS] >> (14 - bit) & 1)
                draw_rectangle(
                    image, x + bit % 3 * scale, y + bit / 3 * scale, scale, scale, color);
    }
}

void draw_number(struct image *image, int x, int y, int scale, unsigned number, struct color color)
{
    char text[16];
    snprintf(text, sizeof(text), "%u", number);
    draw_text(image, x, y, scale, text, color);
}

void draw_color_bar(struct image *image, struct color (*map)(double value), double low, double high,
    struct color text)
{
    const int scale = image->height / 360 + 1, height = image->height / 2, width = 8 * scale;
    const int x = image->width - 2 * width, y = (image->height - height) / 2;
    const int rise = DRAW_DIGIT_HEIGHT * scale / 2; /* of a label, to stand beside its value */
    for (int row = 0; row < height; row++)
        draw_rectangle(image, x, y + row, width, 1, map(1 - (row + 0.5) / (double)height));
    for (int i = 0; i <= 2; i++) {
        char label[32];
        const int at = y + height * i / 2;
        const int length = snprintf(label, sizeof(label), "%.3g", high + (low - high) * i / 2);
        draw_rectangle(image, x - 2 * scale, at, 2 * scale, scale, text);
        draw_text(
            image, x - (length * DRAW_DIGIT_WIDTH + 3) * scale, at - rise, scale, label, text);
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
                to[c] = image->depth == 16
                            ? (uint8_t)(((const uint16_t *)image->pixels)[from + c] >> 8)
                            : ((const uint8_t *)image->pixels)[from + c];
            to[3] = 255;
        }
    return 0;
}
