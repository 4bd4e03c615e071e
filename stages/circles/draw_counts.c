/* The heat maps of BIN and SHADE. */
#include <stdio.h>
#include <stdlib.h>

#include "images/chart.h"
#include "stages/circles/circles.h"

#define CHART_SIDE 1024 /* pixels that the longer side of a chart has, if cells are that large */

int circles_draw_counts(struct run *run, const uint32_t *counts, uint32_t columns, uint32_t rows,
    const char *title, const char *cells, struct image *snapshot)
{
    const size_t count = (size_t)columns * rows;
    const uint32_t side = columns > rows ? columns : rows;
    float *const values = malloc(count * sizeof(*values));
    char column_label[64], row_label[64];
    uint32_t most = 1;
    if (!values)
        return error_set(&run->error, ERROR_INPUT, "not enough memory for the image of a stage");
    for (size_t i = 0; i < count; i++) {
        values[i] = (float)counts[i];
        most = counts[i] > most ? counts[i] : most;
    }
    snprintf(column_label, sizeof(column_label), "column of %s", cells);
    snprintf(row_label, sizeof(row_label), "row of %s", cells);
    const struct heat_panel panel = {title, values};
    const int cell_side = side < CHART_SIDE ? (int)(CHART_SIDE / side) : 1;
    const struct heat_chart chart = {.columns = (int)columns,
        .rows = (int)rows,
        .cell_width = cell_side,
        .cell_height = cell_side,
        .panel_count = 1,
        .panels = &panel,
        .column_label = column_label,
        .row_label = row_label,
        .scale = {"circles", draw_heat, 0, most, 1, 0}};
    const int rc = draw_heat_chart(&chart, snapshot, &run->error);
    free(values);
    return rc;
}
