/* Charts, measured in the image: a bar's colors, that its ticks stand at round numbers and its
 * labels say which, the cells of heat maps. */
#include "images/chart.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/tap.h"
#include "images/text.h"

enum { MAX_ROWS = 600 };
static const struct color BLACK = {0, 0, 0}, WHITE = {255, 255, 255};

/* No two values share a color, and none has one of text in black on white. */
static struct color blue_to_yellow(double share)
{
    const uint8_t red = (uint8_t)(255 * fmin(fmax(share, 0), 1) + 0.5);
    return (struct color){red, red, (uint8_t)(255 - red)};
}

static struct color pixel_at(const struct image *image, int x, int y)
{
    const uint8_t *p = (const uint8_t *)image->pixels + 4 * (y * image->width + x);
    return (struct color){p[0], p[1], p[2]};
}

static int is_map(struct color color)
{
    return color.red == color.green && color.blue == 255 - color.red;
}

static int is_black(struct color color)
{
    return color.red + color.green + color.blue == 0;
}

/* The bar: its rightmost column of colors, where they begin, and how many rows there are. */
struct bar {
    int x, top, height;
};

static struct bar find_bar(const struct image *image)
{
    struct bar bar = {0};
    for (int x = image->width - 1; x >= 0; x--) {
        bar = (struct bar){.x = x};
        for (int y = 0; y < image->height; y++)
            if (is_map(pixel_at(image, x, y))) {
                bar.top = bar.height ? bar.top : y;
                bar.height++;
            }
        if (bar.height > 9)
            break;
    }
    return bar;
}

static struct image draw_bar(const struct chart_scale *scale, int width, int height)
{
    struct error error;
    struct image image;
    if (image_new(width, height, 3, 8, &image, &error))
        abort();
    draw_rectangle(&image, 0, 0, width, height, WHITE);
    draw_chart_bar(&image, scale, chart_text_size(width, height), BLACK);
    return image;
}

/* The rows, up from the bar's lower end, at which black ticks stand beside it. */
static int find_ticks(const struct image *image, struct bar bar, double rows[MAX_ROWS])
{
    int count = 0;
    for (int y = bar.top + bar.height + 1; y >= bar.top - 2; y--) {
        int length = 0;
        while (is_black(pixel_at(image, bar.x + 2, y - length)))
            length++;
        if (length == 0)
            continue;
        rows[count++] = bar.top + bar.height - (y + 1 - length / 2.0);
        y -= length;
    }
    return count;
}

/* Whether a number is 1, 2 or 5 times a power of ten, to 3 percent. */
static int is_round(double number)
{
    const double digits = number / pow(10, floor(log10(number * 1.03)));
    return fabs(digits - 1) < 0.03 || fabs(digits - 2) < 0.06 || fabs(digits - 5) < 0.15;
}

static void check_ticks(double low, double high, int is_whole)
{
    const struct chart_scale scale = {"what, unit", blue_to_yellow, low, high, is_whole, 0};
    struct image image = draw_bar(&scale, 640, MAX_ROWS);
    const struct bar bar = find_bar(&image);
    double rows[MAX_ROWS], worst = 0, colors = 0;
    const int count = find_ticks(&image, bar, rows);
    for (int i = 0; i < bar.height; i++) {
        const struct color wanted = blue_to_yellow(1 - (i + 0.5) / bar.height);
        colors = fmax(colors, abs(wanted.red - pixel_at(&image, bar.x, bar.top + i).red));
    }
    tap_check(bar.height > 350 && colors == 0, "%g to %g: the bar has the map's colors", low, high);
    const double unit = (high - low) / bar.height; /* a row */
    const double step = count > 1 ? (rows[count - 1] - rows[0]) / (count - 1) * unit : 0;
    for (int i = 0; count > 1 && i < count; i++) {
        const double value = low + rows[i] * unit;
        worst = fmax(worst, fabs(value - step * floor(value / step + 0.5)) / unit);
    }
    tap_check(count >= 2 && is_round(step) && (!is_whole || step > 0.97),
        "%g to %g: %d ticks, in steps of 1, 2 or 5: %g", low, high, count, step);
    tap_check(
        worst < 2 + 0.03 * count, "%g to %g: at multiples of it, %.2g rows off", low, high, worst);
    image_free(&image);
}

/* How dark an area is, which for letters does not depend on where they stand. */
static double darkness(const struct image *image, int left, int top, int right, int bottom)
{
    double sum = 0;
    for (int y = top; y < bottom; y++)
        for (int x = left; x < right; x++)
            sum += 255 - pixel_at(image, x, y).red;
    return sum;
}

static double text_darkness(const char *text, double size)
{
    struct error error;
    struct image image;
    if (image_new(300, 100, 3, 8, &image, &error))
        abort();
    draw_rectangle(&image, 0, 0, 300, 100, WHITE);
    draw_text(&image, &(struct text_style){20, 50, 0, size, 0, BLACK}, text);
    const double sum = darkness(&image, 0, 0, 300, 100);
    image_free(&image);
    return sum;
}

/* Labels from below, then what stands above the bar; no title. */
static void check_labels(double low, double high, const char *const labels[], const char *power)
{
    const struct chart_scale scale = {"", blue_to_yellow, low, high, 0, 0};
    struct image image = draw_bar(&scale, 640, MAX_ROWS);
    const struct bar bar = find_bar(&image);
    const double size = chart_text_size(640, MAX_ROWS);
    double rows[MAX_ROWS], worst = 0, above = darkness(&image, 0, 0, 640, bar.top - (int)size / 2);
    const int count = find_ticks(&image, bar, rows);
    int expected = 0;
    while (labels[expected])
        expected++;
    for (int i = 0; i < count && i < expected; i++) {
        const int y = bar.top + bar.height - (int)rows[i];
        const double got = darkness(&image, bar.x + 3 + (int)(0.3 * size), y - (int)size / 2 - 1,
            640, y + (int)size / 2 + 1);
        worst = fmax(worst, fabs(got / text_darkness(labels[i], size) - 1));
    }
    tap_check(count == expected, "%g to %g: %d labels", low, high, expected);
    tap_check(
        worst < 0.02, "%g to %g: which are %s to %s", low, high, labels[0], labels[expected - 1]);
    tap_check(fabs(above - text_darkness(power, size)) <= 0.02 * above, "%g to %g: above them '%s'",
        low, high, power);
    image_free(&image);
}

static void check_open(void)
{
    struct chart_scale scale = {"", blue_to_yellow, 0, 1, 0, 0};
    struct image closed = draw_bar(&scale, 640, MAX_ROWS);
    scale.is_open = 1;
    struct image open = draw_bar(&scale, 640, MAX_ROWS);
    const struct bar bar = find_bar(&closed);
    int tips[2] = {0}, outside[2] = {0};
    for (int y = 0; y < MAX_ROWS; y++)
        for (int x = 0; x < 640; x++) {
            const struct color color = pixel_at(&open, x, y), before = pixel_at(&closed, x, y);
            const int is_below = y >= bar.top + bar.height;
            if ((y < bar.top || is_below) && is_map(color)) {
                tips[is_below] += color.red == (is_below ? 0 : 255);
                outside[is_below]++;
            }
            if (!is_below && y >= bar.top && memcmp(&color, &before, sizeof(color)) != 0)
                outside[0] = -1;
        }
    tap_check(tips[0] > 50 && tips[0] == outside[0] && tips[1] == tips[0] && tips[1] == outside[1],
        "an open bar has tips in the colors of its ends");
    image_free(&closed);
    image_free(&open);
}

static int has_cell(
    const struct image *image, int x, int y, const struct heat_chart *chart, struct color color)
{
    int wrong = 0;
    for (int i = 0; i < chart->cell_width * chart->cell_height; i++) {
        const struct color own =
            pixel_at(image, x + i % chart->cell_width, y + i / chart->cell_width);
        wrong += memcmp(&own, &color, sizeof(own)) != 0;
    }
    return wrong == 0;
}

/* Where the first cell from the left with that color lies; x is the width where there is none. */
static void find_cell(
    const struct image *image, const struct heat_chart *chart, struct color color, int *x, int *y)
{
    for (*x = 0; *x < image->width; ++*x)
        for (*y = 0; *y <= image->height - chart->cell_height; ++*y) {
            const struct color own = pixel_at(image, *x, *y);
            if (memcmp(&own, &color, sizeof(own)) == 0 && has_cell(image, *x, *y, chart, color))
                return;
        }
}

static void check_cells(int columns, int rows, int cell_width, int cell_height)
{
    float values[2][256];
    const int count = columns * rows;
    const struct heat_panel panels[] = {{"one", values[0]}, {"two", values[1]}};
    const struct heat_chart chart = {.columns = columns,
        .rows = rows,
        .cell_width = cell_width,
        .cell_height = cell_height,
        .panel_count = 2,
        .panels = panels,
        .column_label = "column",
        .row_label = "row",
        .scale = {"value", blue_to_yellow, 10, 20, 0, 0}};
    struct error error;
    struct image image;
    for (int i = 0; i < count; i++) {
        values[0][i] = (float)(10 + (i + 0.5) * 10 / count);
        values[1][i] = i == 0 ? NAN : (float)(10 + (count - i + 0.5) * 10 / count);
    }
    if (draw_heat_chart(&chart, &image, &error))
        abort();
    int left, top, second, second_top, right = 0;
    find_cell(&image, &chart, blue_to_yellow(0.5 / count), &left, &top);
    find_cell(&image, &chart, (struct color){224, 224, 224}, &second, &second_top);
    for (int i = 0; i < count; i++) {
        const int x = i % columns * cell_width, y = i / columns * cell_height;
        right += has_cell(&image, left + x, top + y, &chart, blue_to_yellow((i + 0.5) / count));
        right += has_cell(&image, second + x, top + y, &chart,
            i == 0 ? (struct color){224, 224, 224} : blue_to_yellow((count - i + 0.5) / count));
    }
    tap_check(right == 2 * count && second_top == top && second > left + columns * cell_width,
        "%d x %d cells of %d x %d pixels, of two panels: %d are in their places", columns, rows,
        cell_width, cell_height, right);
    const struct bar bar = find_bar(&image);
    tap_check(bar.top == top && bar.height == rows * cell_height, "the bar is as high as they are");
    image_free(&image);
}

/* Cells at which ticks stand below a panel; `labels` says which they should be. */
static void check_axis(int columns, int step)
{
    const float value = 0;
    float *const values = calloc((size_t)columns, sizeof(value));
    const struct heat_panel panel = {"", values};
    const struct heat_chart chart = {.columns = columns,
        .rows = 1,
        .cell_width = 700 / columns,
        .cell_height = 300,
        .panel_count = 1,
        .panels = &panel,
        .column_label = "",
        .row_label = "",
        .scale = {"", blue_to_yellow, 0, 1, 0, 0}};
    struct error error;
    struct image image;
    if (!values || draw_heat_chart(&chart, &image, &error))
        abort();
    int left, top, wrong = 0;
    find_cell(&image, &chart, blue_to_yellow(0), &left, &top);
    for (int x = left; x < left + columns * chart.cell_width; x++) {
        const double cell = (x + 0.5 - left) / chart.cell_width;
        const int is_tick = is_black(pixel_at(&image, x, top + chart.cell_height + 2));
        const double off = fabs(fmod(cell, step) - 0.5) * chart.cell_width;
        wrong += is_tick ? off > 1 : off < 0.4;
    }
    tap_check(
        wrong == 0, "%d columns: a tick below every cell that is a multiple of %d", columns, step);
    image_free(&image);
    free(values);
}

int main(void)
{
    check_ticks(-1, 3, 0);
    check_ticks(0, 1, 0);
    check_ticks(-1.7, 1.7, 0);
    check_ticks(0.93, 0.99, 0);
    check_ticks(-4e-20, 3e-20, 0);
    check_ticks(0, 3, 1);
    check_ticks(0, 1, 1);
    check_ticks(0, 987654321, 1);
    check_ticks(-1e100, 7e99, 0);
    check_ticks(1, 1.0001, 0);
    check_labels(-1.05, 0.7,
        (const char *const[]){
            "−1.0", "−0.8", "−0.6", "−0.4", "−0.2", "0.0", "0.2", "0.4", "0.6", NULL},
        "");
    check_labels(-12, 32,
        (const char *const[]){"−10", "−5", "0", "5", "10", "15", "20", "25", "30", NULL}, "");
    check_labels(-3.6e-54, 3.6e-54,
        (const char *const[]){"−3", "−2", "−1", "0", "1", "2", "3", NULL}, "×10⁻⁵⁴");
    check_labels(0, 47e18,
        (const char *const[]){
            "0.0", "0.5", "1.0", "1.5", "2.0", "2.5", "3.0", "3.5", "4.0", "4.5", NULL},
        "×10¹⁹");
    check_open();
    check_cells(1, 1, 200, 200);
    check_cells(4, 3, 40, 30);
    check_cells(12, 17, 7, 11);
    check_cells(102, 1, 2, 170);
    check_axis(1, 1);
    check_axis(9, 1);
    check_axis(64, 2);
    check_axis(350, 20);
    return tap_finish();
}
