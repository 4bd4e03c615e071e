/* Drawing: clipping, the maps' colors, digits and signs, the bar of colors, reduced copies. */
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

/* Pixels of ink, or -1 where one lies outside the number's box. */
static int count_ink(const struct image *image, int x, int y, int width, int height)
{
    int count = 0;
    for (int i = 0; i < image->width * image->height; i++) {
        const int column = i % image->width, row = i / image->width;
        if (ink_at(image, column, row) == 0)
            continue;
        if (column < x || column >= x + width || row < y || row >= y + height)
            return -1;
        count++;
    }
    return count;
}

static int number_ink(unsigned number, int digits, int scale)
{
    const int width = (digits * DRAW_DIGIT_WIDTH - 1) * scale, height = DRAW_DIGIT_HEIGHT * scale;
    struct image image = new_image(width + 4, height + 4, 8);
    draw_number(&image, 2, 2, scale, number, INK);
    const int count = count_ink(&image, 2, 2, width, height);
    image_free(&image);
    return count;
}

static void check_numbers(void)
{
    /* Lit segments' pixels of 0 to 9, counted on paper. */
    static const int INKS[10] = {12, 8, 11, 11, 9, 11, 12, 7, 13, 12};
    int right = 1;
    for (unsigned digit = 0; digit < 10; digit++)
        right &=
            number_ink(digit, 1, 1) == INKS[digit] && number_ink(digit, 1, 3) == 9 * INKS[digit];
    tap_check(right, "each digit has its pixels, inside its box, at both scales");
    tap_check(number_ink(10, 2, 2) == 4 * (8 + 12), "10 is a 1 and a 0 side by side");
    tap_check(number_ink(4294967295u, 10, 1) == 9 + 11 + 12 + 9 + 12 + 12 + 7 + 11 + 12 + 11,
        "the largest number stays inside its box");

    struct image image = new_image(5, 4, 8);
    draw_number(&image, -2, -2, 1, 88, INK); /* the right columns of the first 8, then a gap */
    tap_check(ink_at(&image, 0, 0) == 1 && ink_at(&image, 1, 0) == 0 && ink_at(&image, 2, 0) == 1 &&
                  ink_at(&image, 3, 0) == 1 && ink_at(&image, 4, 0) == 1,
        "a number that begins outside is clipped");
    image_free(&image);
}

static int text_ink(const char *text)
{
    struct image image = new_image(40, 9, 8);
    draw_text(&image, 2, 2, 1, text, INK);
    const int count = count_ink(&image, 2, 2, 36, DRAW_DIGIT_HEIGHT);
    image_free(&image);
    return count;
}

static void check_texts(void)
{
    tap_check(text_ink("-") == 3 && text_ink("+") == 5 && text_ink(".") == 1 && text_ink("e") == 9,
        "signs have their pixels");
    tap_check(text_ink("-1.2e+03") == 3 + 8 + 1 + 11 + 9 + 5 + 12 + 11, "a text is its signs");
    tap_check(text_ink("1 ?") == 8 && text_ink("") == 0, "what has no shape is left out");
}

/* The bar is 8 pixels wide and half as high as the image, 8 from its right border. */
static void check_bar(void)
{
    struct image image = new_image(100, 100, 8);
    draw_color_bar(&image, draw_diverging, -1, 3, INK);
    int right = 1;
    for (int row = 0; row < 50; row++) {
        const struct color wanted = draw_diverging(1 - (row + 0.5) / 50);
        for (int column = 84; column < 92; column++) {
            const uint8_t *const pixel =
                (const uint8_t *)image.pixels + 4 * ((25 + row) * 100 + column);
            right &= is_color(wanted, pixel[0], pixel[1], pixel[2]);
        }
    }
    tap_check(right, "the bar has the map's colors, high values above");
    int labels[3] = {0};
    for (int i = 0; i < 3 * 84 * 25; i++)
        labels[i / (84 * 25)] += ink_at(&image, i % 84, 12 + i / 84) == 1;
    tap_check(labels[0] == 11 + 2 && labels[1] == 8 + 2 && labels[2] == 3 + 8 + 2,
        "its ends and its middle have their values: 3, 1, -1");
    image_free(&image);
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
    check_numbers();
    check_texts();
    check_bar();
    check_reduced(10, 7, 8, 10, 1, 10, 7);
    check_reduced(11, 7, 8, 10, 2, 6, 4);
    check_reduced(7, 31, 8, 10, 4, 2, 8);
    check_reduced(101, 1, 16, 10, 11, 10, 1);
    check_reduced(20, 20, 16, 10, 2, 10, 10);
    check_reduced(1, 1, 16, 1, 1, 1, 1);
    return tap_finish();
}
