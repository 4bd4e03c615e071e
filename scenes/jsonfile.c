/* Scenes as JSON: a list of circles, or an object with the list and what goes with it.
 *
 * Circles that are written plainly, as programs write them, are read in pieces by all threads. Each
 * other one is parsed by jansson, as is all else, which knows what is wrong with it. */
#include <ctype.h>
#include <jansson.h>
#include <math.h>
#include <string.h>

#include "scenes/pieces.h"
#include "scenes/rows.h"
#include "scenes/scene_formats.h"

struct json {
    struct builder *builder;
    const char *text, *at, *end;
    size_t size, line;
};

static void skip_blanks(struct json *json)
{
    for (; json->at < json->end && isspace((unsigned char)*json->at); json->at++)
        json->line += *json->at == '\n';
}

static int take(struct json *json, char wanted)
{
    skip_blanks(json);
    if (json->at == json->end || *json->at != wanted)
        return 0;
    json->at++;
    return 1;
}

static int fail_expected(struct json *json, const char *what)
{
    return builder_fail(json->builder, json->line, "expected %s%s", what,
        json->at == json->end ? ", but the file ends" : "");
}

/* The next value, and the line it starts in; the caller releases it. NULL with the reason. Integers
 * are read as real numbers, since they have no -0. */
static json_t *value_parse(struct json *json, size_t *line)
{
    json_error_t problem;
    skip_blanks(json);
    *line = json->line;
    json_t *value = json_loadb(json->at, (size_t)(json->end - json->at),
        JSON_DECODE_ANY | JSON_DISABLE_EOF_CHECK | JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL,
        &problem);
    if (!value) {
        const size_t below = problem.line > 1 ? (size_t)problem.line - 1 : 0;
        builder_fail(json->builder, *line + below, "%s", span_quote(span_of(problem.text)).text);
        return NULL;
    }
    for (const char *end = json->at + problem.position; json->at < end; json->at++)
        json->line += *json->at == '\n';
    return value;
}

static int circle_check(struct builder *builder, size_t line, json_t *circle, float values[FIELDS])
{
    const char *key;
    json_t *value;
    unsigned seen = 0;
    json_object_foreach(circle, key, value)
    {
        const int field = field_find(span_of(key));
        if (field < 0)
            return builder_fail(builder, line,
                "a circle has no '%s'; it has x, y, z, r, red, "
                "green, blue, alpha",
                span_quote(span_of(key)).text);
        if (!json_is_number(value))
            return builder_fail(builder, line, "%s is not a number", FIELD_NAMES[field]);
        if (seen & 1u << field)
            return builder_fail(builder, line, "%s occurs twice", FIELD_NAMES[field]);
        seen |= 1u << field;
        values[field] = (float)json_number_value(value);
    }
    for (int field = 0; field < FIELDS; field++)
        if (field_is_needed(field) && !(seen & 1u << field))
            return builder_fail(builder, line, "%s is missing", FIELD_NAMES[field]);
    return builder_add(builder, line, values);
}

static const char *blanks_skip(const char *at, size_t *lines)
{
    for (; *at == ' ' || *at == '\n' || *at == '\r' || *at == '\t'; at++)
        *lines += *at == '\n';
    return at;
}

/* The name that begins at *at, which moves behind its colon: a FIELD_, or -1 for what is not
 * plain. Mostly it is the one that is looked at first. */
static int plain_name_parse(const char **at, int first, size_t *lines)
{
    for (int i = 0; **at == '"' && i < FIELDS; i++) {
        const int field = (first + i) % FIELDS;
        const char *end = *at + 1, *name = FIELD_NAMES[field];
        for (; *name && *end == *name; name++)
            end++;
        if (*name == 0 && *end == '"') {
            *at = blanks_skip(end + 1, lines);
            return *(*at)++ == ':' ? field : -1;
        }
    }
    return -1;
}

/* What is behind the { of a circle: each field at most once, by its name without escapes. Returns
 * the place behind its }, or NULL for any other. */
static const char *plain_circle_parse(
    const char *at, const char *end, float values[FIELDS], size_t *lines)
{
    unsigned seen = 0;
    int field = -1;
    memcpy(values, FIELD_DEFAULTS, FIELDS * sizeof(*values));
    do {
        at = blanks_skip(at, lines);
        field = plain_name_parse(&at, field + 1, lines);
        if (field < 0 || seen & 1u << field)
            return NULL;
        seen |= 1u << field;
        at = blanks_skip(at, lines);
        if (!number_scan(&at, end, &values[field]) || !isfinite(values[field]))
            return NULL;
        at = blanks_skip(at, lines);
    } while (*at++ == ',');
    for (int i = 0; i < FIELDS; i++)
        if (field_is_needed(i) && !(seen & 1u << i))
            return NULL;
    return at[-1] == '}' ? at : NULL;
}

/* Plain circles, up to one behind which there is no other. */
static void piece_parse(const void *format, struct piece *piece)
{
    float values[FIELDS];
    (void)format;
    while (piece->at < piece->end) {
        size_t lines = 0;
        const char *at = plain_circle_parse(piece->at, piece->end, values, &lines);
        if (!at)
            return;
        at = blanks_skip(at, &lines);
        if (*at++ != ',')
            return;
        at = blanks_skip(at, &lines);
        if (*at++ != '{' || builder_add(&piece->builder, 0, values) != 0)
            return;
        piece->at = at;
        piece->lines += lines;
    }
}

static int circle_parse(struct json *json)
{
    float values[FIELDS];
    size_t line = json->line, lines = 0;
    const char *plain_end =
        *json->at == '{' ? plain_circle_parse(json->at + 1, json->end, values, &lines) : NULL;
    if (plain_end) {
        json->at = plain_end;
        json->line += lines;
        return builder_add(json->builder, line, values);
    }
    json_t *circle = value_parse(json, &line);
    if (!circle)
        return ERROR_INPUT;
    memcpy(values, FIELD_DEFAULTS, sizeof(values));
    const int rc = json_is_object(circle)
                       ? circle_check(json->builder, line, circle, values)
                       : builder_fail(json->builder, line, "a circle is not an object");
    json_decref(circle);
    return rc;
}

/* Moves on to a circle, over those that can be read in pieces. Where that ends before the text that
 * was looked at does, no more are read so until there. Returns 0 or ERROR_STOPPED. */
static int pieces_parse(struct json *json, struct pieces *pieces, const char **looked_at)
{
    const size_t left = (size_t)(json->end - json->at);
    skip_blanks(json);
    if (json->at < *looked_at)
        return 0;
    *looked_at = left > PIECES_TEXT ? json->at + PIECES_TEXT : json->end;
    if (*json->at == '{')
        json->at = pieces_read(pieces, json->builder, json->at + 1, *looked_at, &json->line) - 1;
    return origin_progress(&json->builder->origin, (size_t)(json->at - json->text), json->size);
}

static int circles_parse(struct json *json)
{
    struct pieces pieces = {.border = '{', .read = piece_parse};
    const char *looked_at = json->at;
    int rc = 0;
    if (!take(json, '['))
        return fail_expected(json, "[ and circles");
    if (take(json, ']'))
        return 0;
    do {
        rc = pieces_parse(json, &pieces, &looked_at);
        if (rc == 0)
            rc = circle_parse(json);
    } while (rc == 0 && take(json, ','));
    pieces_free(&pieces);
    return rc == 0 && !take(json, ']') ? fail_expected(json, ", or ] after a circle") : rc;
}

/* The components of a color, and behind them alpha where a place for it is given. */
static int color_parse(struct json *json, const char *name, float color[3], float *alpha)
{
    size_t line;
    int rc = 0;
    json_t *list = value_parse(json, &line);
    if (!list)
        return ERROR_INPUT;
    const size_t count = json_array_size(list);
    const int has_alpha = alpha && count == 4;
    for (size_t i = 0; rc == 0 && i < 3; i++) {
        const json_t *component = json_array_get(list, i);
        if ((count != 3 && !has_alpha) || !json_is_number(component)) {
            rc = builder_fail(json->builder, line, "%s is not a list of three%s numbers", name,
                alpha ? " or four" : "");
        } else {
            color[i] = (float)json_number_value(component);
            rc = builder_check_color(json->builder, line, name, color[i]);
        }
    }
    if (rc == 0 && has_alpha) {
        const json_t *component = json_array_get(list, 3);
        *alpha = (float)json_number_value(component);
        if (!json_is_number(component) || !(*alpha >= 0 && *alpha <= 1))
            rc = builder_fail(json->builder, line, "the alpha of %s is not from 0 to 1", name);
    }
    json_decref(list);
    return rc;
}

static int background_parse(struct json *json)
{
    struct scene *scene = json->builder->scene;
    float alpha = 1;
    const int rc = color_parse(json, "background", scene->background, &alpha);
    scene->transmittance = 1 - alpha;
    return rc;
}

static int soft_parse(struct json *json)
{
    size_t line;
    json_t *value = value_parse(json, &line);
    if (!value)
        return ERROR_INPUT;
    json->builder->scene->soft = json_is_true(value);
    const int rc =
        json_is_boolean(value) ? 0 : builder_fail(json->builder, line, "soft is not true or false");
    json_decref(value);
    return rc;
}

/* Width and height of the image. */
static int size_parse(struct json *json)
{
    size_t line;
    json_t *list = value_parse(json, &line);
    if (!list)
        return ERROR_INPUT;
    int sides[2] = {0};
    for (size_t i = 0; json_array_size(list) == 2 && i < 2; i++) {
        const double side = json_number_value(json_array_get(list, i)); /* 0 if it is none */
        sides[i] = side >= 1 && side <= SCENE_MAX_SIDE && side == floor(side) ? (int)side : 0;
    }
    json_decref(list);
    json->builder->scene->width = sides[0];
    json->builder->scene->height = sides[1];
    if (sides[0] && sides[1])
        return 0;
    return builder_fail(json->builder, line, "size is not a list of two whole numbers from 1 to %d",
        SCENE_MAX_SIDE);
}

/* One member of the object; `seen` has a bit for each that was there. */
static int member_parse(struct json *json, unsigned *seen)
{
    static const char *const NAMES[] = {"background", "rise", "soft", "size", "circles"};
    enum { BACKGROUND, RISE, SOFT, SIZE, CIRCLES, COUNT };
    size_t line;
    int member = 0;
    skip_blanks(json);
    if (json->at == json->end || *json->at != '"')
        return fail_expected(json, "the name of a member");
    json_t *name = value_parse(json, &line);
    if (!name)
        return ERROR_INPUT;
    const struct span word = span_of(json_string_value(name));
    const struct quote quote = span_quote(word);
    while (member < COUNT && !span_is(word, NAMES[member]))
        member++;
    json_decref(name);
    if (member == COUNT)
        return builder_fail(json->builder, line,
            "a scene has no '%s'; it has background, rise, soft, size, circles", quote.text);
    if (*seen & 1u << member)
        return builder_fail(json->builder, line, "%s occurs twice", NAMES[member]);
    *seen |= 1u << member;
    if (!take(json, ':'))
        return fail_expected(json, ": after the name of a member");
    if (member == SOFT)
        return soft_parse(json);
    if (member == SIZE)
        return size_parse(json);
    if (member == CIRCLES)
        return circles_parse(json);
    if (member == BACKGROUND)
        return background_parse(json);
    return color_parse(json, NAMES[member], json->builder->scene->rise, NULL);
}

static int object_parse(struct json *json)
{
    unsigned seen = 0;
    int rc = 0;
    if (take(json, '}'))
        return 0;
    do
        rc = member_parse(json, &seen);
    while (rc == 0 && take(json, ','));
    return rc == 0 && !take(json, '}') ? fail_expected(json, ", or } after a member") : rc;
}

static int json_parse(struct builder *builder, const char *text, size_t size)
{
    struct json json = {
        .builder = builder, .text = text, .at = text, .end = text + size, .size = size, .line = 1};
    const int rc = take(&json, '{') ? object_parse(&json) : circles_parse(&json);
    skip_blanks(&json);
    return rc == 0 && json.at < json.end ? fail_expected(&json, "nothing after the scene") : rc;
}

static int json_read(struct builder *builder, struct input *input)
{
    const int rc = text_check(input, builder->origin.error);
    return rc ? rc : builder_read_text(builder, input, json_parse);
}

/* Without alpha where that is 1. */
static void color_write(FILE *file, const char *name, const float color[3], float alpha)
{
    fprintf(file, "\"%s\": [%.9g, %.9g, %.9g", name, (double)color[0], (double)color[1],
        (double)color[2]);
    if (alpha < 1)
        fprintf(file, ", %.9g", (double)alpha);
    fputs("],\n", file);
}

static char *circle_put(const void *source, size_t number, char *at)
{
    static const char *const BEFORE[FIELDS] = {"{\"x\": ", ", \"y\": ", ", \"z\": ", ", \"r\": ",
        ", \"red\": ", ", \"green\": ", ", \"blue\": ", ", \"alpha\": "};
    const struct scene *scene = source;
    const struct circle *c = &scene->circles[number];
    const float values[FIELDS] = {c->x, c->y, c->z, c->r, c->red, c->green, c->blue, c->alpha};
    for (int i = 0; i < FIELDS; i++)
        at = number_put(text_put(at, BEFORE[i]), (double)values[i], 9);
    return text_put(at, number + 1 < scene->count ? "},\n" : "}\n");
}

static void json_write(struct output *output, const struct scene *scene)
{
    const struct rows rows = {
        scene->count, FIELDS * (NUMBER_ROOM + sizeof(", \"alpha\": ")), circle_put, scene, 0, 1};
    FILE *file = output->file;
    fputs("{", file);
    color_write(file, "background", scene->background, 1 - scene->transmittance);
    color_write(file, "rise", scene->rise, 1);
    fprintf(file, "\"soft\": %s,\n", scene->soft ? "true" : "false");
    if (scene->width)
        fprintf(file, "\"size\": [%d, %d],\n", scene->width, scene->height);
    fputs("\"circles\": [\n", file);
    if (!rows_write(output, &rows))
        fputs("]}\n", file);
}

const struct scene_format SCENE_JSON = {
    .extension = ".json",
    .read = json_read,
    .write = json_write,
};
