#include "scenes/patches.h"

#include <math.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "scenes/patch_formats.h"

#define TOO_LARGE "it has 1 GiB or more"

struct group_name {
    const char *name; /* that of the group */
    int number;
};

int patch_is_triangle(const struct patch *patch)
{
    return patch->kind == KIND_TRIANGLE || patch->kind == KIND_PN_TRIANGLE ||
           patch->kind == KIND_RATIONAL_TRIANGLE;
}

int patch_is_rational(const struct patch *patch)
{
    return patch->kind == KIND_RATIONAL || patch->kind == KIND_RATIONAL_TRIANGLE;
}

const char *patch_kind_name(enum patch_kind kind)
{
    static const char *const NAMES[] = {
        [KIND_POLYHEDRON] = "polyhedron",
        [KIND_TRIANGLE] = "triangle",
        [KIND_SQUARE] = "tensor product of one degree",
        [KIND_TENSOR] = "tensor product",
        [KIND_RATIONAL] = "rational tensor product",
        [KIND_PN_TRIANGLE] = "PN triangle",
        [KIND_PN_TENSOR] = "PN tensor product",
        [KIND_RATIONAL_TRIANGLE] = "rational triangle",
    };
    return NAMES[kind];
}

static int is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

struct span reader_word(struct patch_reader *reader)
{
    size_t line = reader->line;
    const char *at = reader->at;
    for (; is_blank(*at); at++)
        line += *at == '\n';
    struct span word = {at, at};
    while (word.end < reader->end && !is_blank(*word.end))
        word.end++;
    reader->at = word.end;
    if (word.begin < word.end)
        reader->line = line;
    return word;
}

/* The bytes of a blank within a line, which may be a backslash and the end of a line, or 0. */
static int blank_size(const char *at)
{
    if (at[0] == '\\' && at[1] == '\n')
        return 2;
    if (at[0] == '\\' && at[1] == '\r' && at[2] == '\n')
        return 3;
    return is_blank(at[0]) && at[0] != '\n';
}

static const char *line_end(const struct patch_reader *reader, const char *at)
{
    const char *end = memchr(at, '\n', (size_t)(reader->end - at));
    return end ? end : reader->end;
}

struct span reader_word_in_line(struct patch_reader *reader)
{
    const char *at = reader->at;
    for (int size; (size = blank_size(at)) > 0; at += size)
        reader->line += size > 1;
    if (*at == '#')
        at = line_end(reader, at);
    struct span word = {at, at};
    while (word.end < reader->end && *word.end != '\n' && !blank_size(word.end))
        word.end++;
    reader->at = word.end;
    return word;
}

struct span reader_rest(struct patch_reader *reader)
{
    const struct span rest = {reader->at, line_end(reader, reader->at)};
    reader->at = rest.end;
    return span_trim(rest);
}

int reader_progress(struct patch_reader *reader)
{
    if (reader->reports++ % REPORT_EVERY != 0)
        return 0;
    return origin_progress(
        &reader->origin, (size_t)(reader->at - reader->text), (size_t)(reader->end - reader->text));
}

int reader_whole(struct patch_reader *reader, struct span word, const char *what, int least,
    int most, int *value)
{
    int64_t number = 0;
    const char *c = word.begin;
    for (; c < word.end && *c >= '0' && *c <= '9' && number <= most; c++)
        number = 10 * number + *c - '0';
    *value = (int)number;
    if (word.begin < word.end && c == word.end && number >= least && number <= most)
        return 0;
    return reader_fail(reader, "%s '%s' is not a whole number from %d to %d", what,
        span_quote(word).text, least, most);
}

int reader_coordinate(struct patch_reader *reader, struct span word, double *value)
{
    if (word.begin == word.end)
        return reader_fail(reader, "a number is missing");
    *value = span_number(word);
    if (isnan(*value))
        return reader_fail(reader, "'%s' is no number", span_quote(word).text);
    if (fabs(*value) > PATCHES_MAX_COORDINATE)
        return reader_fail(reader, "%s is not from %g to %g", span_quote(word).text,
            -PATCHES_MAX_COORDINATE, PATCHES_MAX_COORDINATE);
    return 0;
}

int control_check(const double control[4], struct error *error)
{
    const double w = control[3], most = PATCHES_MAX_COORDINATE;
    if (!(w >= 1 / most && w <= most))
        return error_set(error, ERROR_INPUT, "weight %g is not from %g to %g", w, 1 / most, most);
    for (int i = 0; i < 3; i++)
        if (!(fabs(control[i]) <= most * fmin(w, 1)))
            return w == 1 ? error_set(error, ERROR_INPUT, "coordinate %g is not from %g to %g",
                                control[i], -most, most)
                          : error_set(error, ERROR_INPUT, "%g with weight %g is not from %g to %g",
                                control[i] / w, w, -most, most);
    return 0;
}

int reader_check_weight(struct patch_reader *reader, const double control[4])
{
    struct error error;
    return control_check(control, &error) ? reader_fail(reader, "%s", error.text) : 0;
}

void *reader_grow(
    struct patch_reader *reader, void *array, size_t count, size_t *capacity, size_t size)
{
    if (count < *capacity)
        return array;
    const size_t more = *capacity ? 2 * *capacity : 64;
    void *larger = realloc(array, more * size);
    if (larger)
        *capacity = more;
    else
        reader_fail(reader, "no memory for %zu bytes", more * size);
    return larger;
}

struct patch *reader_add_patch(struct patch_reader *reader, enum patch_kind kind)
{
    struct patches *patches = reader->patches;
    if (patches->count == PATCHES_MAX_COUNT) {
        reader_fail(reader, "more than %d patches", PATCHES_MAX_COUNT);
        return NULL;
    }
    struct patch *all = reader_grow(
        reader, patches->patches, patches->count, &reader->patch_capacity, sizeof(*all));
    if (!all)
        return NULL;
    patches->patches = all;
    all[patches->count] = (struct patch){.kind = kind,
        .group = reader->group,
        .control = patches->control_count,
        .face = patches->face_count};
    return &all[patches->count++];
}

int reader_add_control(struct patch_reader *reader, const double control[4])
{
    struct patches *patches = reader->patches;
    double(*all)[4] = reader_grow(
        reader, patches->controls, patches->control_count, &reader->control_capacity, sizeof(*all));
    if (!all)
        return ERROR_INPUT;
    patches->controls = all;
    memcpy(all[patches->control_count++], control, sizeof(*all));
    return 0;
}

int reader_add_face_number(struct patch_reader *reader, uint32_t number)
{
    struct patches *patches = reader->patches;
    uint32_t *all = reader_grow(
        reader, patches->faces, patches->face_count, &reader->face_capacity, sizeof(*all));
    if (!all)
        return ERROR_INPUT;
    patches->faces = all;
    all[patches->face_count++] = number;
    return 0;
}

void reader_trim(struct patch_reader *reader)
{
    reader->patches->trimmed_count += reader->trimmed < reader->begun;
    reader->trimmed = reader->begun;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(((const struct group_name *)a)->name, ((const struct group_name *)b)->name);
}

/* Takes the name over, also where it fails. */
static int add_group(struct patch_reader *reader, char *name)
{
    struct patches *patches = reader->patches;
    struct patch_group *all = reader_grow(reader, patches->groups, (size_t)patches->group_count,
        &reader->group_capacity, sizeof(*all));
    if (all)
        patches->groups = all;
    struct group_name *key = malloc(sizeof(*key));
    if (key)
        *key = (struct group_name){name, patches->group_count};
    if (!all || !key || !tsearch(key, &reader->names, compare_names)) {
        free(key);
        free(name);
        return reader_fail(reader, "no memory for more than %d groups", patches->group_count);
    }
    reader->group = patches->group_count;
    all[patches->group_count++] = (struct patch_group){.name = name};
    return 0;
}

int reader_open_group(struct patch_reader *reader, struct span name)
{
    char *copy = strndup(name.begin, (size_t)(name.end - name.begin));
    if (!copy)
        return reader_fail(reader, "no memory for the name of a group");
    const struct group_name wanted = {.name = copy};
    struct group_name *const *found = tfind(&wanted, &reader->names, compare_names);
    if (!found)
        return add_group(reader, copy);
    reader->group = (*found)->number;
    free(copy);
    return 0;
}

static const struct patch_format *const FORMATS[] = {
#define FORMAT_ROW(format) &(format),
    PATCH_FORMATS(FORMAT_ROW)};
enum { FORMAT_COUNT = sizeof(FORMATS) / sizeof(FORMATS[0]) };

/* NULL where no format has the extension. */
static const struct patch_format *format_of(const char *path)
{
    const char *extension = strcmp(path, "-") == 0 ? FORMATS[0]->extension : strrchr(path, '.');
    for (int i = 0; extension && i < FORMAT_COUNT; i++)
        if (strcasecmp(extension, FORMATS[i]->extension) == 0)
            return FORMATS[i];
    return NULL;
}

struct words patch_extensions(void)
{
    struct words extensions = {0};
    for (int i = 0; i < FORMAT_COUNT; i++)
        words_add(&extensions, FORMATS[i]->extension);
    return extensions;
}

static struct patch_reader reader_start(
    const char *name, struct patches *patches, struct error *error)
{
    *patches = (struct patches){0};
    return (struct patch_reader){
        .origin = {.what = "patches", .name = name, .error = error}, .patches = patches};
}

static int fail_extension(struct patch_reader *reader)
{
    static const char *const CONVERTED[] = {".step", ".stp", ".iges", ".igs"};
    const struct words extensions = patch_extensions();
    const char *extension = strrchr(reader->origin.name, '.');
    for (size_t i = 0; extension && i < sizeof(CONVERTED) / sizeof(CONVERTED[0]); i++)
        if (strcasecmp(extension, CONVERTED[i]) == 0)
            return origin_fail(
                &reader->origin, 0, "tessera-convert makes a .bv file of it; name that");
    return origin_fail(
        &reader->origin, 0, "name a file that ends in %s", words_join(&extensions, " or ").text);
}

/* Reads the text, after which a zero stands. */
static int parse(
    struct patch_reader *reader, const struct patch_format *format, const char *text, size_t size)
{
    reader->text = reader->at = text;
    reader->end = text + size;
    reader->line = 1;
    int rc = reader_open_group(reader, span_of(""));
    if (rc == 0)
        rc = format->parse(reader);
    if (rc == 0 && reader->patches->count == 0)
        rc = origin_fail(&reader->origin, 0, "it has no patches");
    if (rc)
        patches_free(reader->patches);
    tdestroy(reader->names, free);
    return rc;
}

static int read_input(struct patch_reader *reader, struct input *input,
    const struct patch_format *format, struct error *error)
{
    char *text;
    size_t size;
    int rc = text_check(input, error);
    if (rc == 0)
        rc = text_read(input, TOO_LARGE, &text, &size, error);
    if (rc)
        return rc;
    rc = parse(reader, format, text, size);
    free(text);
    return rc;
}

int patches_read(
    const char *path, const struct progress *progress, struct patches *patches, struct error *error)
{
    struct patch_reader reader = reader_start(path, patches, error);
    const struct patch_format *format = format_of(path);
    struct input input;
    if (!format)
        return fail_extension(&reader);
    int rc = input_open(path, progress, &input, error);
    if (rc)
        return rc;
    reader.origin.progress = progress;
    rc = read_input(&reader, &input, format, error);
    input_close(&input);
    return rc;
}

int patches_parse(
    const void *bytes, size_t size, const char *name, struct patches *patches, struct error *error)
{
    struct patch_reader reader = reader_start(name, patches, error);
    const struct patch_format *format = format_of(name);
    struct input input;
    if (!format)
        return fail_extension(&reader);
    input_from_memory(bytes, size, name, &input);
    return read_input(&reader, &input, format, error);
}

void patches_box(const struct patches *patches, double low[3], double high[3])
{
    for (int i = 0; i < 3; i++) {
        low[i] = INFINITY;
        high[i] = -INFINITY;
    }
    for (size_t n = 0; n < patches->count; n++)
        for (size_t k = 0; k < patches->patches[n].control_count; k++) {
            const double *p = patches->controls[patches->patches[n].control + k];
            for (int i = 0; i < 3; i++) {
                low[i] = fmin(low[i], p[i] / p[3]);
                high[i] = fmax(high[i], p[i] / p[3]);
            }
        }
}

/* NULL where there is nothing to copy, or no memory. */
static void *copy_bytes(const void *from, size_t size)
{
    void *to = size ? malloc(size) : NULL;
    return to ? memcpy(to, from, size) : NULL;
}

static int copy_groups(const struct patches *from, struct patches *to)
{
    const size_t count = (size_t)from->group_count;
    to->groups = calloc(count, sizeof(*to->groups));
    if (!to->groups)
        return count == 0;
    for (; to->group_count < from->group_count; to->group_count++) {
        const struct patch_group *group = &from->groups[to->group_count];
        char *const name = strdup(group->name ? group->name : "");
        if (!name)
            return 0;
        to->groups[to->group_count] = (struct patch_group){name, group->color};
    }
    return 1;
}

int patches_copy(const struct patches *from, struct patches *to, struct error *error)
{
    if (from->count == 0)
        return error_set(error, ERROR_INPUT, "there are no patches");
    *to = (struct patches){.count = from->count,
        .patches = copy_bytes(from->patches, from->count * sizeof(*from->patches)),
        .control_count = from->control_count,
        .controls = copy_bytes(from->controls, from->control_count * sizeof(*from->controls)),
        .face_count = from->face_count,
        .faces = copy_bytes(from->faces, from->face_count * sizeof(*from->faces))};
    if (to->patches && to->controls && (to->faces || !from->face_count) && copy_groups(from, to))
        return 0;
    patches_free(to);
    return error_set(error, ERROR_INPUT, "not enough memory for %zu patches", from->count);
}

void patches_free(struct patches *patches)
{
    for (int i = 0; i < patches->group_count; i++)
        free(patches->groups[i].name);
    free(patches->patches);
    free(patches->controls);
    free(patches->faces);
    free(patches->groups);
    *patches = (struct patches){0};
}
