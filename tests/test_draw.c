/* Drawing: clipping, the maps' colors, reduced copies. */
#include "images/draw.h"

#include <stdlib.h>
#include <string.h>

#include "cli/tap.h"

enum { WIDTH = 9, HEIGHT = 7 };
static const struct color INK = {1, 2, 3};

static struct image new_image(int width, int height, int depth)
{
    struct error error;
    struct image image;
    if (image_new(width, height, 3, depth, &image, &error))
        abort();
    return image;
}

/* 1 for a pixel of INK, 0 for one that nobody drew, -1 for anything else. */
static int ink_at(const struct image *image, int x, int y)
{
    const uint8_t *pixel = (const uint8_t *)image->pixels + 4 * (y * image->width + x);
    return memcmp(pixel, "\1\2\3\xff", 4) == 0 ? 1 : memcmp(pixel, "\0\0\0", 4) == 0 ? 0 : -1;
}

static void check_rectangles(void)
{
    int wrong = 0;
    for (int x = -3; x <= WIDTH + 1; x++)
        for (int y = -3; y <= HEIGHT + 1; y++)
            for (int side = 0; side < 15; side++) {
                const int width = side, height = 14 - side;
                struct image image = new_image(WIDTH, HEIGHT, 8);
                draw_rectangle(&image, x, y, width, height, INK);
                for (int i = 0; i < WIDTH * HEIGHT; i++) {
                    const int column = i % WIDTH, row = i / WIDTH;
                    const int inside =
                        column >= x && column - x < width && row >= y && row - y < height;
                    wrong += ink_at(&image, column, row) != inside;
                }
                image_free(&image);
            }
    tap_check(wrong == 0, "a rectangle is drawn where it lies in the image (%d wrong)", wrong);
}

static int is_color(struct color color, int red, int green, int blue)
{
    return color.red == red && color.green == green && color.blue == blue;
}

static void check_heat(void)
{
    int rising = 1;
    double last = 0;
    for (int i = 0; i <= 100; i++) {
        const struct color color = draw_heat(i / 100.0);
        const double luma = 0.2126 * color.red + 0.7152 * color.green + 0.0722 * color.blue;
        rising &= luma > last;
        last = luma;
    }
    tap_check(rising, "the heat map gets brighter all along");
    tap_check(is_color(draw_heat(0), 68, 1, 84), "0 is dark violet");
    tap_check(is_color(draw_heat(1), 253, 231, 37), "1 is yellow");
    tap_check(is_color(draw_heat(0.5), 33, 145, 140), "the middle is viridis's");
    tap_check(is_color(draw_heat(-5), 68, 1, 84) && is_color(draw_heat(7), 253, 231, 37),
        "what is outside takes the nearest end");
}

static void check_diverging(void)
{
    int balanced = 1;
    for (int i = 0; i < 45; i++) {
        const struct color low = draw_diverging(i / 100.0), high = draw_diverging(1 - i / 100.0);
        balanced &= low.blue > low.red && high.red > high.blue;
    }
    tap_check(balanced, "the diverging map is blue below the middle and red above");
    tap_check(is_color(draw_diverging(0.5), 230, 230, 225), "its middle is light gray");
    tap_check(is_color(draw_diverging(-1), 33, 80, 190) && is_color(draw_diverging(2), 185, 20, 45),
        "what is outside takes the nearest end of it");
}

static void check_gray(void)
{
    int exact = 1;
    for (int i = 0; i <= 255; i++)
        exact &= is_color(draw_gray(i / 255.0), i, i, i);
    tap_check(exact, "the gray map has every gray value");
    tap_check(is_color(draw_gray(-1), 0, 0, 0) && is_color(draw_gray(2), 255, 255, 255),
        "and black and white for what is outside");
}

static void check_reduced(
    int width, int height, int depth, int max_side, int step, int new_width, int new_height)
{
    struct error error;
    struct image image = new_image(width, height, depth), copy = {0};
    uint8_t *bytes = image.pixels;
    for (size_t i = 0; i < (size_t)width * (size_t)height * image_pixel_size(&image); i++)
        bytes[i] = (uint8_t)(i * 41 + i / 256);
    int got_step = 0;
    int passed = draw_reduced_copy(&image, max_side, &copy, &got_step, &error) == 0 &&
                 got_step == step && copy.width == new_width && copy.height == new_height &&
                 copy.channels == 3 && copy.depth == 8;
    for (int i = 0; passed && i < new_width * new_height; i++) {
        const uint8_t *to = (const uint8_t *)copy.pixels + 4 * i;
        const int from = 4 * (i / new_width * step * width + i % new_width * step);
        for (int c = 0; c < 3; c++)
            passed &= to[c] == (depth == 16 ? ((const uint16_t *)image.pixels)[from + c] >> 8
                                            : bytes[from + c]);
        passed &= to[3] == 255;
    }
    tap_check(passed, "%d x %d of %d bits in at most %d: %d x %d", width, height, depth, max_side,
        new_width, new_height);
    image_free(&image);
    image_free(&copy);
}

int main(void)
{
    check_rectangles();
    check_heat();
    check_diverging();
    check_gray();
    check_reduced(10, 7, 8, 10, 1, 10, 7);
    check_reduced(11, 7, 8, 10, 2, 6, 4);
    check_reduced(7, 31, 8, 10, 4, 2, 8);
    check_reduced(101, 1, 16, 10, 11, 10, 1);
    check_reduced(20, 20, 16, 10, 2, 10, 10);
    check_reduced(1, 1, 16, 1, 1, 1, 1);
    return tap_finish();
}
