/* Charts on 8-bit RGB images: a bar that says what colors stand for, and heat maps with axes. */
#ifndef CHART_H
#define CHART_H

#include "images/draw.h"

/* What the colors of a chart stand for. */
struct chart_scale {
    const char *title; /* what the values are, and their unit */
    struct color (*map)(double share);
    double low, high; /* the values at the shares 0 and 1, low < high */
    int is_whole;     /* the values are whole numbers */
    int is_open;      /* there are values beyond the ends, with the colors of these */
};

/* The size of a chart's text for a plot of so many pixels, as draw_text takes it. */
double chart_text_size(int width, int height);

/* How many pixels a bar with text of that size takes, where its labels have four characters. */
int chart_bar_width(double size);

/* Draws a bar at the right border: the colors, ticks at round numbers, and the title where the
 * image is high enough for it. A power of ten that all labels share stands above it. */
void draw_chart_bar(
    struct image *image, const struct chart_scale *scale, double size, struct color ink);

/* One of the maps of a chart: `columns` x `rows` values by rows, NAN where there is none. */
struct heat_panel {
    const char *title;
    const float *values;
};

/* Panels of equal sizes beside each other, with one scale. Columns and rows are numbered from 0. */
struct heat_chart {
    int columns, rows;           /* of a panel, at least 1 */
    int cell_width, cell_height; /* pixels */
    int panel_count;
    const struct heat_panel *panels;
    const char *column_label, *row_label; /* what is numbered */
    struct chart_scale scale;
};

/* Draws a chart into a new 8-bit RGB image, which the caller frees. Returns 0 or ERROR_INPUT. */
int draw_heat_chart(const struct heat_chart *chart, struct image *image, struct error *error);

#endif
