/* Scenes as CSV: a line with the names of columns, then a circle a line. */
#include <stdlib.h>
#include <string.h>

#include "scenes/pieces.h"
#include "scenes/rows.h"
#include "scenes/scene_formats.h"

#define MAX_LINE 4095

struct csv {
    struct builder *builder;
    struct input *input;
    size_t number;                /* of lines that were read */
    char *text;                   /* PIECES_TEXT bytes, and a zero */
    const char *at, *lines, *end; /* what is not read yet: whole lines, and what begins behind */
    int columns[FIELDS], count;
};

/* Reads on, at first only until there is a line: a pipe whose first line is wrong is not waited
 * for. At the end of the file, and of a text without an end of a line, what is left is a line. */
static void text_fill(struct csv *csv)
{
    const int is_first = !csv->at;
    const size_t left = (size_t)(csv->end - csv->at);
    char *end = csv->text + left;
    const char *last = NULL;
    size_t room = PIECES_TEXT - left, ready;
    if (left > 0)
        memmove(csv->text, csv->at, left);
    while (!last && room > 0 && (ready = input_peek(csv->input, 1)) > 0) {
        const size_t got = input_read(csv->input, end, is_first && ready < room ? ready : room);
        end += got;
        room -= got;
        last = end;
        while (last > csv->text && last[-1] != '\n')
            last--;
        last = last > csv->text ? last : NULL;
    }
    *end = 0;
    csv->at = csv->text;
    csv->lines = last ? last : end;
    csv->end = end;
}

/* Whether there is one more. */
static int has_line(struct csv *csv)
{
    if (csv->at == csv->lines)
        text_fill(csv);
    return csv->at < csv->lines;
}

/* The trimmed line at *at, which moves behind it: empty where it says nothing. Returns 0, or
 * ERROR_INPUT with the reason. */
static int line_cut(
    struct builder *builder, size_t number, const char **at, const char *end, struct span *line)
{
    const char *next = memchr(*at, '\n', (size_t)(end - *at));
    *line = (struct span){*at, next ? next : end};
    *at = next ? next + 1 : end;
    const size_t length = (size_t)(line->end - line->begin);
    if (memchr(line->begin, 0, length < MAX_LINE ? length : MAX_LINE))
        return builder_fail(builder, number, "a zero byte; this is no text");
    if (length > MAX_LINE)
        return builder_fail(builder, number, "longer than %d characters", MAX_LINE);
    *line = span_trim(*line);
    if (line->begin < line->end && *line->begin == '#')
        line->end = line->begin;
    return 0;
}

static int header_parse(struct csv *csv, struct span line)
{
    unsigned seen = 0;
    for (struct span rest = line; rest.begin;) {
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

/* Numbers as number_scan knows them, with no more than spaces around. Returns the line's end, or
 * NULL for any other line. */
static const char *plain_line_parse(
    const struct csv *csv, const char *at, const char *end, float values[FIELDS])
{
    const char *begin = at;
    for (int i = 0; i < csv->count; i++) {
        if (i > 0 && *at++ != ',')
            return NULL;
        while (*at == ' ')
            at++;
        if (!number_scan(&at, end, &values[csv->columns[i]]))
            return NULL;
        while (*at == ' ' || *at == '\r')
            at++;
    }
    return *at == '\n' && at - begin <= MAX_LINE ? at : NULL;
}

static int fields_parse(const struct csv *csv, struct builder *builder, size_t number,
    struct span line, float values[FIELDS])
{
    int count = 0;
    for (struct span rest = line; rest.begin; count++) {
        const struct span field = span_trim(span_next(&rest, ','));
        if (count < csv->count)
            values[csv->columns[count]] = (float)span_number(field);
    }
    return count == csv->count ? 0
                               : builder_fail(builder, number,
                                     "%d fields where the first line has %d", count, csv->count);
}

/* Reads a line and moves *at behind it. */
static int line_parse(
    const struct csv *csv, struct builder *builder, size_t number, const char **at, const char *end)
{
    float values[FIELDS];
    struct span line;
    memcpy(values, FIELD_DEFAULTS, sizeof(values));
    const char *plain_end = plain_line_parse(csv, *at, end, values);
    if (plain_end) {
        *at = plain_end + 1;
    } else {
        if (line_cut(builder, number, at, end, &line) != 0)
            return ERROR_INPUT;
        if (line.begin == line.end)
            return 0;
        if (fields_parse(csv, builder, number, line, values) != 0)
            return ERROR_INPUT;
    }
    return builder_add(builder, number, values);
}

static void piece_parse(const void *format, struct piece *piece)
{
    for (const char *at = piece->at; at < piece->end; piece->at = at, piece->lines++)
        if (line_parse(format, &piece->builder, 0, &at, piece->end) != 0)
            return;
}

/* The first line that says something. Returns 0, also where there is none, or ERROR_INPUT. */
static int header_read(struct csv *csv)
{
    struct span line = {NULL, NULL};
    int rc = 0;
    while (rc == 0 && line.begin == line.end && has_line(csv))
        rc = line_cut(csv->builder, ++csv->number, &csv->at, csv->lines, &line);
    return rc == 0 && line.begin < line.end ? header_parse(csv, line) : rc;
}

static int circles_read(struct csv *csv)
{
    struct pieces pieces = {.border = '\n', .read = piece_parse, .format = csv};
    int rc = 0;
    while (rc == 0 && has_line(csv)) {
        csv->at = pieces_read(&pieces, csv->builder, csv->at, csv->lines, &csv->number);
        if (csv->at < csv->lines)
            rc = line_parse(csv, csv->builder, ++csv->number, &csv->at, csv->lines);
    }
    pieces_free(&pieces);
    return rc;
}

static int csv_read(struct builder *builder, struct input *input)
{
    struct csv csv = {.builder = builder, .input = input, .text = malloc(PIECES_TEXT + 1)};
    if (!csv.text)
        return builder_fail(builder, 0, "no memory for its text");
    input_skip_mark(input);
    int rc = header_read(&csv);
    if (rc == 0)
        rc = circles_read(&csv);
    free(csv.text);
    return rc;
}

static char *circle_put(const void *source, size_t number, char *at)
{
    const struct circle *c = (const struct circle *)source + number;
    const float values[FIELDS] = {c->x, c->y, c->z, c->r, c->red, c->green, c->blue, c->alpha};
    for (int i = 0; i < FIELDS; i++) {
        at = number_put(at, (double)values[i], 9);
        *at++ = i + 1 < FIELDS ? ',' : '\n';
    }
    return at;
}

static void csv_write(struct output *output, const struct scene *scene)
{
    const struct rows rows = {scene->count, FIELDS * NUMBER_ROOM, circle_put, scene->circles, 0, 1};
    fputs("x,y,z,r,red,green,blue,alpha\n", output->file);
    rows_write(output, &rows);
}

static const char *csv_find_loss(const struct scene *scene)
{
    int is_plain = !scene->soft && scene->transmittance == 0;
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
