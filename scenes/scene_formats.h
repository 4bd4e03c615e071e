/* What the readers and writers of scene files share; for scenes/ alone. */
#ifndef SCENE_FORMATS_H
#define SCENE_FORMATS_H

#include <stdio.h>

#include "scenes/scene.h"

/* The numbers of a circle, in the order of struct circle, with their names in files. */
enum {
    FIELD_X,
    FIELD_Y,
    FIELD_Z,
    FIELD_R,
    FIELD_RED,
    FIELD_GREEN,
    FIELD_BLUE,
    FIELD_ALPHA,
    FIELDS
};
extern const char *const FIELD_NAMES[FIELDS];
extern const float FIELD_DEFAULTS[FIELDS];

/* A piece of text, not ended by a zero. */
struct span {
    const char *begin, *end;
};

struct span span_of(const char *text);

/* Without the blanks around it. */
struct span span_trim(struct span span);

/* Cuts the first piece, up to the separator, off the rest; rest->begin is NULL after the last. */
struct span span_next(struct span *rest, char separator);

/* Equal but for upper and lower case. */
int span_is(struct span span, const char *text);

/* A decimal number that fills the span; NAN for any other text. What follows the span must be
 * readable and no part of a number. */
double span_number(struct span span);

/* For messages: cut short where it is long, `?` for what is not printable ASCII. */
struct quote {
    char text[80];
};
struct quote span_quote(struct span span);

/* Gives the FIELD_ of that name, or -1; `is_needed` tells whether a file must have it. */
int field_find(struct span name);
int field_is_needed(int field);

/* A scene that is being read. */
struct builder {
    const char *name; /* for messages */
    struct scene *scene;
    size_t capacity; /* of scene->circles */
    struct error *error;
};

/* Writes the message with the line, unless that is 0; returns ERROR_INPUT. */
__attribute__((format(printf, 3, 4))) int builder_fail(
    struct builder *builder, size_t line, const char *format, ...);

/* Checks a circle and adds it. Returns 0 or ERROR_INPUT. */
int builder_add(struct builder *builder, size_t line, const float values[FIELDS]);

/* Refuses a colour component that is not finite or too large. Returns 0 or ERROR_INPUT. */
int builder_check_colour(struct builder *builder, size_t line, const char *what, float value);

/* Sorts farthest first, equal depths as they are. Returns 0, or ERROR_INPUT without a message where
 * memory is short. */
int scene_sort(struct scene *scene);

/* The readers. Each returns 0 or ERROR_INPUT. */
int csv_read(struct builder *builder, FILE *file);
int json_parse(struct builder *builder, const char *text, size_t size);
int svg_parse(struct builder *builder, const char *text, size_t size, size_t *ignored);

void csv_write(FILE *file, const struct scene *scene);
void json_write(FILE *file, const struct scene *scene);

#endif
