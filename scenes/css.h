/* CSS as it stands in attributes (https://www.w3.org/TR/css-syntax-3/): tokens, declarations and
 * the values that say what a circle looks like; for scenes/ alone. Texts are read in place: what
 * follows them must be readable. */
#ifndef CSS_H
#define CSS_H

#include "scenes/text.h"

enum css_type {
    CSS_END,
    CSS_IDENT,
    CSS_FUNCTION, /* and its parenthesis; text is the name */
    CSS_AT,       /* text is the name behind the @ */
    CSS_HASH,     /* text is what follows the # */
    CSS_STRING,
    CSS_URL, /* url(...) without quotes */
    CSS_NUMBER,
    CSS_PERCENT,
    CSS_DIMENSION, /* text is the unit */
    CSS_DELIM      /* any other character */
};

struct css_token {
    enum css_type type;
    struct span text;
    double number; /* finite; NaN only where an x follows a 0, and no unit begins with x */
};

/* Cuts the first token off the rest, and the blanks and comments before it. Escapes stay as they
 * are written, so a name that has one equals no other. */
struct css_token css_next(struct span *rest);

/* The character of a CSS_DELIM, or 0. */
int css_delim(const struct css_token *token);

/* A piece of a style, up to its semicolon. */
struct css_declaration {
    struct span whole;       /* without the blanks around it */
    struct span name, value; /* empty where it is no declaration */
    int is_important;        /* the value is without it */
    int is_valid;            /* whether it is a declaration at all */
};

/* Cuts the first one off the rest. Gives 0 if there is none. */
int css_declaration_next(struct span *rest, struct css_declaration *declaration);

/* The keyword that the value is; empty if it is anything else. */
struct span css_keyword(struct span value);

/* What a value is. */
enum css_result {
    CSS_READ,
    CSS_INVALID,    /* nothing that CSS knows: viewers ignore it */
    CSS_UNSUPPORTED /* viewers may know it */
};

/* What a value is that could not be read. */
enum css_result css_unread(struct span value);

/* A number or a percentage, brought into 0 to 1. */
enum css_result css_opacity_parse(struct span value, double *opacity);

/* A length in pixels, 96 an inch. A number without a unit is invalid in a style, unless it is 0. */
enum css_result css_length_parse(struct span value, int is_attribute, double *pixels);

/* A color (https://www.w3.org/TR/css-color-4/). */
struct css_color {
    int is_current; /* currentColor: of the element that is painted */
    float rgb[3];   /* 0 to 1 */
    double alpha;   /* 0 to 1 */
};

/* In color.c. */
enum css_result css_color_parse(struct span value, struct css_color *color);

#endif
