/* Text that is read from files: pieces of it, messages about it; for scenes/ alone. */
#ifndef TEXT_H
#define TEXT_H

#include <stdio.h>

#include "error.h"
#include "images/input.h"

#define TEXT_MAX_SIZE ((size_t)1 << 30) /* bytes of a file that is held in memory whole */

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

/* Whether it is one of these, the last of which is followed by NULL. */
int span_is_one_of(struct span span, const char *const *texts);

/* A decimal number that fills the span; NAN for any other text. What follows the span must be
 * readable and no part of a number. */
double span_number(struct span span);

/* The same for numbers as JSON writes them that have few digits, as most have. Returns whether it
 * is one. */
int span_plain_number(struct span span, double *number);

/* Reads the number that begins at *at as (float)strtod() does, and moves *at behind it. Returns
 * whether there is one, written as in JSON: -12.5e-3 is, +1, 01, .5 and 1. are not. The number ends
 * before a zero; up to text_end, which may be before that, the text can be read anyhow. */
int number_scan(const char **at, const char *text_end, float *number);

/* For messages: cut short where it is long, `?` for what is not printable ASCII. */
struct quote {
    char text[80];
};
struct quote span_quote(struct span span);

/* What is read, for messages. */
struct origin {
    const char *what; /* "scene" */
    const char *name; /* of the file */
    const char *unit; /* that is numbered; NULL: "line" */
    struct error *error;
    const struct progress *progress; /* NULL: nobody watches */
};

/* Writes the message with the line, or what else the unit is, unless that is 0; returns
 * ERROR_INPUT. */
__attribute__((format(printf, 3, 4))) int origin_fail(
    const struct origin *origin, size_t line, const char *format, ...);

/* Reports how much of the text has been parsed. Returns 0, or ERROR_STOPPED with the message. */
int origin_progress(const struct origin *origin, size_t done, size_t size);

/* Refuses what has a zero byte at its beginning, and so is no text, before more is read. Returns 0
 * or ERROR_INPUT. */
int text_check(struct input *input, struct error *error);

/* Reads the rest of a text and puts a zero after it; the caller frees. `too_large` is the reason to
 * refuse TEXT_MAX_SIZE bytes. Returns 0, ERROR_INPUT or ERROR_STOPPED. */
int text_read(
    struct input *input, const char *too_large, char **text, size_t *size, struct error *error);

#endif
