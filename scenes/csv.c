/* Scenes as CSV: a line with the names of columns, then a circle a line. */
#include <string.h>

#include "scenes/scene_formats.h"

#define MAX_LINE 4095

struct csv {
    struct builder *builder;
    struct input *input;
    size_t number;           /* of the line, from 1 */
    struct span line;        /* without the blanks around it */
    char text[MAX_LINE + 1]; /* where it is */
    int columns[FIELDS], count;
};

/* The next line that is not blank and no comment: 1, 0 at the end, or ERROR_INPUT. */
static int line_read(struct csv *csv)
{
    int c;
    do {
        size_t length = 0;
        csv->number++;
        while ((c = input_byte(csv->input)) >= 0 && c != '\n') {
            if (length == MAX_LINE)
                return builder_fail(
                    csv->builder, csv->number, "longer than %d characters", MAX_LINE);
            if (c == 0)
                return builder_fail(csv->builder, csv->number, "a zero byte; this is no text");
            csv->text[length++] = (char)c;
        }
        csv->text[length] = 0;
        csv->line = span_trim((struct span){csv->text, csv->text + length});
        if (csv->line.begin < csv->line.end && *csv->line.begin != '#')
            return 1;
    } while (c >= 0);
    return 0;
}

static int header_parse(struct csv *csv)
{
    unsigned seen = 0;
    for (struct span rest = csv->line; rest.begin;) {
        const struct span name = span_trim(span_next(&rest, ','));
        const int field = field_find(name);
        if (field < 0)
            return builder_fail(csv->builder, csv->number,
                "unknown column '%s'; the columns are x, y, z, r, red, green, blue, alpha",
                span_quote(name).text);
        if (seen & 1u << field)
            return builder_fail(
                csv->builder, csv->number, "column '%s' occurs twice", FIELD_NAMES[field]);
        seen |= 1u << field;
        csv->columns[csv->count++] = field;
    }
    for (int field = 0; field < FIELDS; field++)
        if (field_is_needed(field) && !(seen & 1u << field))
            return builder_fail(
                csv->builder, csv->number, "column '%s' is missing", FIELD_NAMES[field]);
    return 0;
}

static int circle_parse(struct csv *csv)
{
    float values[FIELDS];
    int count = 0;
    memcpy(values, FIELD_DEFAULTS, sizeof(values));
    for (struct span rest = csv->line; rest.begin; count++) {
        const struct span number = span_trim(span_next(&rest, ','));
        if (count < csv->count)
            values[csv->columns[count]] = (float)span_number(number);
    }
    if (count != csv->count)
        return builder_fail(
            csv->builder, csv->number, "%d fields where the first line has %d", count, csv->count);
    return builder_add(csv->builder, csv->number, values);
}

static int csv_read(struct builder *builder, struct input *input)
{
    struct csv csv = {.builder = builder, .input = input};
    input_skip_mark(input);
    int rc = line_read(&csv);
    if (rc > 0)
        rc = header_parse(&csv);
    while (rc == 0 && csv.count > 0 && (rc = line_read(&csv)) > 0)
        rc = circle_parse(&csv);
    return rc;
}

static void csv_write(struct output *output, const struct scene *scene)
{
    FILE *file = output->file;
    fputs("x,y,z,r,red,green,blue,alpha\n", file);
    for (size_t i = 0; i < scene->count; i++) {
        const struct circle *c = &scene->circles[i];
        if (i % REPORT_EVERY == 0 && output_progress(output, (double)i / (double)scene->count))
            return;
        fprintf(file, "%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g\n", (double)c->x, (double)c->y,
            (double)c->z, (double)c->r, (double)c->red, (double)c->green, (double)c->blue,
            (double)c->alpha);
    }
}

static const char *csv_find_loss(const struct scene *scene)
{
    int is_plain = !scene->soft;
    for (int i = 0; i < 3; i++)
        is_plain &= scene->background[i] == 1 && scene->rise[i] == 0;
    return is_plain ? NULL : "CSV holds no background and no soft circles; use .json";
}

const struct scene_format SCENE_CSV = {
    .extension = ".csv",
    .read = csv_read,
    .write = csv_write,
    .find_loss = csv_find_loss,
};
