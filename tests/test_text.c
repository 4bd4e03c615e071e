/* Text: the shapes of rectangular letters by their coordinates in the font, widths, places, the
 * characters that there are. */
#include "images/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/tap.h"

enum { SIDE = 60 };
static const struct color BLACK = {0, 0, 0}, INK = {200, 10, 30};

/* Letters that are rectangles: what the font says of them, in 2048ths of an em. */
struct bar {
    const char *text;
    int advance, left, bottom, right, top;
};
static const struct bar BARS[] = {{"−", 1716, 217, 557, 1499, 727}, {"l", 569, 193, 0, 377, 1556},
    {".", 651, 219, 0, 430, 254}, {"I", 604, 201, 0, 403, 1493}, {"·", 651, 219, 584, 430, 838}};
enum { BAR_COUNT = sizeof(BARS) / sizeof(BARS[0]), CAPITALS = 1493 };

static struct image new_image(int width, int height)
{
    struct error error;
    struct image image;
    if (image_new(width, height, 3, 8, &image, &error))
        abort();
    draw_rectangle(&image, 0, 0, width, height, (struct color){255, 255, 255});
    return image;
}

static const uint8_t *pixel_at(const struct image *image, int x, int y)
{
    return (const uint8_t *)image->pixels + 4 * (y * image->width + x);
}

/* How much of the pixel lies between the two numbers. */
static double overlap(int pixel, double from, double to)
{
    return fmax(0, fmin(pixel + 1, to) - fmax(pixel, from));
}

/* The largest difference from the rectangle that the letter is; the baseline is on whole pixels. */
static double bar_error(const struct bar *bar, double size, double x, double before, int is_upward)
{
    struct image image = new_image(SIDE, SIDE);
    const double unit = size / 2048, middle = 30, reading = is_upward ? SIDE - x : x;
    const double baseline = floor(middle + CAPITALS * unit / 2 + 0.5);
    const double start = reading - before * bar->advance * unit;
    double worst = 0;
    draw_text(&image,
        &(struct text_style){
            is_upward ? middle : x, is_upward ? x : middle, before, size, is_upward, BLACK},
        bar->text);
    for (int i = 0; i < SIDE * SIDE; i++) {
        const int row = i / SIDE, column = i % SIDE;
        const int along = is_upward ? SIDE - 1 - row : column, across = is_upward ? column : row;
        const double share =
            overlap(along, start + bar->left * unit, start + bar->right * unit) *
            overlap(across, baseline - bar->top * unit, baseline - bar->bottom * unit);
        worst = fmax(worst, fabs(pixel_at(&image, column, row)[0] - 255 * (1 - share)));
    }
    image_free(&image);
    return worst;
}

static void check_bars(void)
{
    static const double BEFORE[] = {0, 0.5, 1};
    for (int i = 0; i < BAR_COUNT; i++) {
        double worst = 0;
        for (int j = 0; j < 60; j++)
            worst = fmax(
                worst, bar_error(&BARS[i], 7 + 0.61 * j, 30 + 0.13 * j, BEFORE[j % 3], j / 3 % 2));
        tap_check(worst <= 3, "'%s' covers its pixels, in all sizes and places: %.2g of 255 off",
            BARS[i].text, worst);
    }
}

static void check_width(void)
{
    double sum = 0;
    char text[64] = "";
    for (int i = 0; i < BAR_COUNT; i++) {
        sum += BARS[i].advance;
        strcat(text, BARS[i].text);
    }
    tap_check(fabs(text_width(text, 20.48) - sum / 100) < 1e-4, "a line is as long as its letters");
    tap_check(text_width("", 20) == 0, "an empty line is 0 long");
    tap_check(fabs(text_width("0", 10) - text_width("7", 10)) < 1e-9, "digits are of one width");
}

/* Whether both lines of one character look alike. */
static int looks_alike(const char *one, const char *other)
{
    struct image images[2] = {new_image(SIDE, SIDE), new_image(SIDE, SIDE)};
    const struct text_style style = {10, 30, 0, 30, 0, BLACK};
    draw_text(&images[0], &style, one);
    draw_text(&images[1], &style, other);
    const int is_same = memcmp(images[0].pixels, images[1].pixels, 4 * SIDE * SIDE) == 0;
    image_free(&images[0]);
    image_free(&images[1]);
    return is_same;
}

static void check_characters(void)
{
    static const char *const MORE[] = {"°", "·", "×", "−", /* signs, then what stands raised */
        "⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹", "⁻"};
    int missing = 0;
    char letter[2] = "!";
    for (; letter[0] <= '~'; letter[0]++)
        missing += looks_alike(letter, "☃") || looks_alike(letter, " ");
    for (size_t i = 0; i < sizeof(MORE) / sizeof(MORE[0]); i++)
        missing += looks_alike(MORE[i], "☃") || looks_alike(MORE[i], " ");
    tap_check(missing == 0, "all of ASCII and the signs of charts are there: %d are not", missing);
    tap_check(!looks_alike("☃", " ") && looks_alike("☃", "☂"), "others are a box");
    tap_check(!looks_alike("−", "-"), "a minus is no hyphen");
}

static void check_colors(void)
{
    struct image image = new_image(SIDE, SIDE);
    int is_between = 1, is_full = 0;
    draw_text(&image, &(struct text_style){5, 30, 0, 40, 0, INK}, "Hm");
    for (int i = 0; i < SIDE * SIDE; i++) {
        const uint8_t *const pixel = pixel_at(&image, i % SIDE, i / SIDE);
        /* From white to ink in all channels alike: 55 : 245 : 225. */
        const double share = (255 - pixel[1]) / 245.0;
        is_between &= fabs(255 - 55 * share - pixel[0]) <= 1 && pixel[3] == 255 &&
                      fabs(255 - 225 * share - pixel[2]) <= 1;
        is_full |= pixel[1] == 10;
    }
    tap_check(is_between && is_full, "letters mix their color with what is below");
    image_free(&image);
}

/* A line that begins and ends outside is the middle of one on a larger image. */
static void check_clipping(void)
{
    for (int is_upward = 0; is_upward < 2; is_upward++) {
        struct image large = new_image(3 * SIDE, 3 * SIDE), small = new_image(SIDE, SIDE);
        int wrong = 0;
        struct text_style style = {90.25, 90.25, 0.5, 70, is_upward, BLACK};
        draw_text(&large, &style, "clip");
        style.x -= SIDE;
        style.y -= SIDE;
        draw_text(&small, &style, "clip");
        for (int i = 0; i < SIDE * SIDE; i++)
            wrong += memcmp(pixel_at(&small, i % SIDE, i / SIDE),
                         pixel_at(&large, i % SIDE + SIDE, i / SIDE + SIDE), 4) != 0;
        tap_check(wrong == 0, "what lies outside is left out, %s: %d pixels differ",
            is_upward ? "upward" : "across", wrong);
        image_free(&large);
        image_free(&small);
    }
}

int main(void)
{
    check_bars();
    check_width();
    check_characters();
    check_colors();
    check_clipping();
    return tap_finish();
}
