#include "images/draw.h"

struct colour draw_heat(double value)
{
    static const double STOPS[5][3] = {
        {68, 1, 84}, {59, 82, 139}, {33, 145, 140}, {94, 201, 98}, {253, 231, 37}};
    const double place = (value < 0 ? 0 : value > 1 ? 1 : value) * 4;
    const int stop = place >= 4 ? 3 : (int)place;
    double mixed[3];
    for (int c = 0; c < 3; c++)
        mixed[c] = STOPS[stop][c] + (STOPS[stop + 1][c] - STOPS[stop][c]) * (place - stop) + 0.5;
    return (struct colour){(uint8_t)mixed[0], (uint8_t)mixed[1], (uint8_t)mixed[2]};
}

void draw_rectangle(struct image *image, int x, int y, int width, int height, struct colour colour)
{
    const int right = x + width < image->width ? x + width : image->width;
    const int bottom = y + height < image->height ? y + height : image->height;
    for (int row = y < 0 ? 0 : y; row < bottom; row++)
        for (int column = x < 0 ? 0 : x; column < right; column++) {
            uint8_t *pixel = (uint8_t *)image->pixels +
                             4 * ((size_t)row * (size_t)image->width + (size_t)column);
            pixel[0] = colour.red;
            pixel[1] = colour.green;
            pixel[2] = colour.blue;
            pixel[3] = 255;
        }
}

void draw_number(
    struct image *image, int x, int y, int scale, unsigned number, struct colour colour)
{
    /* Rows of 3 bits from the top, the leftmost pixel the highest bit. */
    static const uint16_t DIGITS[10] = {
        075557, 026227, 071747, 071717, 055711, 074717, 074757, 071111, 075757, 075717};
    int digits = 1;
    for (unsigned rest = number; rest > 9; rest /= 10)
        digits++;
    for (int i = digits - 1; i >= 0; i--, number /= 10)
        for (int bit = 0; bit < 15; bit++)
            if (DIGITS[number % 10] >> (14 - bit) & 1)
                draw_rectangle(image, x + (i * DRAW_DIGIT_WIDTH + bit % 3) * scale,
                    y + bit / 3 * scale, scale, scale, colour);
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
