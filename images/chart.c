#include "images/chart.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "images/text.h"

#define LEAST_SIZE 10 /* pixels of an em in which letters can be read */
#define TEXT_SHARE 40 /* ems in the side of a square of the size of a plot */
#define MAX_TICKS 64
#define BAR_SHARE 0.7 /* of the height of an image, that a bar beside it takes */
#define LARGE 1e4     /* numbers from which on, and below which, labels share a power of ten */
#define SMALL 1e-2

/* In ems. */
#define BORDER 0.7  /* around the chart */
#define GAP 0.5     /* between text and what it belongs to */
#define TICK 0.3    /* length of a tick */
#define LINE 1.0    /* height of a line of text */
#define BAR 1.2     /* width of a bar */
#define TIP 0.8     /* height of its ends, where they are pointed */
#define BETWEEN 1.5 /* from panel to panel */
#define LABEL 2.6   /* width of four characters */

static const struct color BLACK = {0, 0, 0}, WHITE = {255, 255, 255}, NO_VALUE = {224, 224, 224};

/* Numbers (first + i) x step, which is 1, 2 or 5 times a power of ten, to be written as multiples
 * of 10^exponent. */
struct ticks {
    double first, step;
    int count, decimals, exponent;
};

static struct ticks make_ticks(double low, double high, int is_whole, double most)
{
    const double rough = fmax((high - low) / fmin(most, MAX_TICKS - 1), is_whole ? 1 : 0);
    double power = floor(log10(rough));
    const double units = rough / pow(10, power) - 1e-6; /* 1 to 10, but for rounding */
    const int factor = units <= 1 ? 1 : units <= 2 ? 2 : units <= 5 ? 5 : 10;
    struct ticks ticks = {.step = factor * pow(10, power)};
    if (factor == 10)
        power++;
    ticks.first = ceil(low / ticks.step - 1e-9);
    const double count = floor(high / ticks.step + 1e-9) - ticks.first + 1;
    const double largest = fmax(fabs(low), fabs(high));
    ticks.count = (int)fmin(fmax(count, 0), MAX_TICKS);
    if (largest >= LARGE || largest < SMALL)
        ticks.exponent = (int)floor(log10(largest));
    ticks.decimals = (int)fmax(ticks.exponent - power, 0);
    return ticks;
}

static void write_tick(const struct ticks *ticks, int i, char text[64])
{
    const double value = (ticks->first + i) * ticks->step / pow(10, ticks->exponent);
    char digits[32];
    snprintf(digits, sizeof(digits), "%.*f", ticks->decimals, fabs(value));
    snprintf(text, 64, "%s%s", ticks->first + i < 0 ? "−" : "", digits);
}

static void write_exponent(int exponent, char text[64])
{
    const char *const high[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    char digits[16];
    snprintf(digits, sizeof(digits), "%d", abs(exponent));
    snprintf(text, 64, "×10%s", exponent < 0 ? "⁻" : "");
    for (const char *digit = digits; *digit; digit++)
        strcat(text, high[*digit - '0']);
}

double chart_text_size(int width, int height)
{
    return fmax(LEAST_SIZE, sqrt((double)width * height) / TEXT_SHARE);
}

int chart_bar_width(double size)
{
    return (int)ceil((GAP + BAR + TICK + GAP + LABEL + GAP + LINE + BORDER) * size);
}

static int whole(double value)
{
    return (int)floor(value + 0.5);
}

static int tick_width(double size)
{
    return (int)fmax(1, floor(size / 12));
}

/* Beside the bar, from the right border to the left; gives where the bar ends. */
static double draw_bar_labels(struct image *image, const struct chart_scale *scale, double size,
    struct color ink, int top, int height)
{
    const struct ticks ticks =
        make_ticks(scale->low, scale->high, scale->is_whole, fmax(height / (2.5 * size), 2));
    struct text_style style = {.size = size, .before = 1, .color = ink};
    double right = image->width - BORDER * size, widest = 0;
    char label[64];
    if (text_width(scale->title, size) <= image->height) {
        draw_text(image,
            &(struct text_style){right - LINE / 2 * size, top + height / 2.0, 0.5, size, 1, ink},
            scale->title);
        right -= (LINE + GAP) * size;
    }
    for (int i = 0; i < ticks.count; i++) {
        write_tick(&ticks, i, label);
        widest = fmax(widest, text_width(label, size));
    }
    const double end = right - widest - (GAP / 2 + TICK) * size;
    for (int i = 0; i < ticks.count; i++) {
        const double value = (ticks.first + i) * ticks.step;
        const double share = (value - scale->low) / (scale->high - scale->low);
        const int width = tick_width(size);
        style.x = right;
        style.y = top + height * (1 - share);
        write_tick(&ticks, i, label);
        draw_text(image, &style, label);
        draw_rectangle(
            image, whole(end), whole(style.y - width / 2.0), whole(TICK * size), width, ink);
    }
    if (ticks.exponent != 0) {
        style.y = top - (LINE + (scale->is_open ? TIP : 0)) * size;
        write_exponent(ticks.exponent, label);
        draw_text(image, &style, label);
    }
    return end;
}

/* A row of the bar with a pixel of ink at either side. */
static void draw_bar_row(
    struct image *image, int x, int y, int width, struct color color, struct color ink)
{
    draw_rectangle(image, x - 1, y, width + 2, 1, ink);
    draw_rectangle(image, x, y, width, 1, color);
}

/* Draws the bar with its top and height at the image's right border. */
static void draw_bar(struct image *image, const struct chart_scale *scale, double size,
    struct color ink, int top, int height)
{
    const int end = whole(draw_bar_labels(image, scale, size, ink, top, height));
    const int width = whole(BAR * size), left = end - width, tip = whole(TIP * size);
    draw_rectangle(image, left - 1, top - 1, width + 2, height + 2, ink);
    for (int row = 0; row < height; row++)
        draw_bar_row(image, left, top + row, width, scale->map(1 - (row + 0.5) / height), ink);
    for (int row = 0; scale->is_open && row < tip; row++) {
        const int inset = (width * (row + 1) + 2 * tip - 1) / (2 * tip);
        draw_bar_row(image, left + inset, top - 1 - row, width - 2 * inset, scale->map(1), ink);
        draw_bar_row(
            image, left + inset, top + height + row, width - 2 * inset, scale->map(0), ink);
    }
}

void draw_chart_bar(
    struct image *image, const struct chart_scale *scale, double size, struct color ink)
{
    const int height = (int)fmax(image->height * BAR_SHARE, 1);
    draw_bar(image, scale, size, ink, (image->height - height) / 2, height);
}

/* Where the first panel lies on the image, and the rest. */
struct plan {
    double size;
    int left, top, width, height; /* of a panel */
    int step;                     /* from one panel to the next */
};

static struct ticks cell_ticks(int cells, double most)
{
    return make_ticks(0, cells - 1, 1, fmax(most, 1));
}

static double number_width(int number, double size)
{
    char text[32];
    snprintf(text, sizeof(text), "%d", number);
    return text_width(text, size);
}

static void draw_columns(
    struct image *image, const struct heat_chart *chart, const struct plan *plan, int left)
{
    const double size = plan->size, bottom = plan->top + plan->height;
    const struct ticks ticks =
        cell_ticks(chart->columns, plan->width / (number_width(chart->columns, size) + GAP * size));
    struct text_style style = {.y = bottom + (TICK + GAP) * size, .before = 0.5, .size = size};
    for (int i = 0; i < ticks.count; i++) {
        const int column = (int)(ticks.step * i);
        char label[32];
        style.x = left + (column + 0.5) * chart->cell_width;
        snprintf(label, sizeof(label), "%d", column);
        draw_text(image, &style, label);
        draw_rectangle(image, whole(style.x - tick_width(size) / 2.0), (int)bottom,
            tick_width(size), whole(TICK * size), BLACK);
    }
    style.x = left + plan->width / 2.0;
    style.y += (LINE + GAP) * size;
    draw_text(image, &style, chart->column_label);
}

static void draw_rows(struct image *image, const struct heat_chart *chart, const struct plan *plan)
{
    const double size = plan->size, right = plan->left - TICK * size;
    const struct ticks ticks = cell_ticks(chart->rows, plan->height / ((LINE + GAP) * size));
    struct text_style style = {.x = right - GAP / 2 * size, .before = 1, .size = size};
    for (int i = 0; i < ticks.count; i++) {
        const int row = (int)(ticks.step * i);
        char label[32];
        style.y = plan->top + (row + 0.5) * chart->cell_height;
        snprintf(label, sizeof(label), "%d", row);
        draw_text(image, &style, label);
        draw_rectangle(image, whole(right), whole(style.y - tick_width(size) / 2.0),
            whole(TICK * size), tick_width(size), BLACK);
    }
    draw_text(image,
        &(struct text_style){
            (BORDER + LINE / 2) * size, plan->top + plan->height / 2.0, 0.5, size, 1, BLACK},
        chart->row_label);
}

static void draw_panel(
    struct image *image, const struct heat_chart *chart, const struct plan *plan, int number)
{
    const struct chart_scale *const scale = &chart->scale;
    const struct heat_panel *const panel = &chart->panels[number];
    const int left = plan->left + number * plan->step;
    draw_rectangle(image, left - 1, plan->top - 1, plan->width + 2, plan->height + 2, BLACK);
    for (int row = 0; row < chart->rows; row++)
        for (int column = 0; column < chart->columns; column++) {
            const double value =
                (double)panel->values[(size_t)row * (size_t)chart->columns + (size_t)column];
            const double share = (value - scale->low) / (scale->high - scale->low);
            draw_rectangle(image, left + column * chart->cell_width,
                plan->top + row * chart->cell_height, chart->cell_width, chart->cell_height,
                isnan(value) ? NO_VALUE : scale->map(share));
        }
    draw_text(image,
        &(struct text_style){left + plan->width / 2.0, plan->top - (GAP + LINE / 2) * plan->size,
            0.5, plan->size, 0, BLACK},
        panel->title);
    draw_columns(image, chart, plan, left);
}

int draw_heat_chart(const struct heat_chart *chart, struct image *image, struct error *error)
{
    struct plan plan = {
        .width = chart->columns * chart->cell_width, .height = chart->rows * chart->cell_height};
    const int panels = chart->panel_count;
    const double size = chart_text_size(panels * plan.width, plan.height);
    plan.size = size;
    plan.left = whole((BORDER + LINE + GAP + GAP + TICK) * size + number_width(chart->rows, size));
    plan.top = whole((BORDER + LINE + GAP) * size);
    plan.step = plan.width + whole(BETWEEN * size);
    const int rc =
        image_new(plan.left + (panels - 1) * plan.step + plan.width + chart_bar_width(size),
            plan.top + plan.height + whole((TICK + 2 * (GAP + LINE) + BORDER) * size), 3, 8, image,
            error);
    if (rc)
        return rc;
    draw_rectangle(image, 0, 0, image->width, image->height, WHITE);
    draw_rows(image, chart, &plan);
    for (int i = 0; i < panels; i++)
        draw_panel(image, chart, &plan, i);
    draw_bar(image, &chart->scale, size, BLACK, plan.top, plan.height);
    return 0;
}
