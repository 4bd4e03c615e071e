#include "scenes/css.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define MAX_NESTED 64 /* brackets in a declaration */

static int char_at(struct span text, size_t i)
{
    return i < (size_t)(text.end - text.begin) ? (unsigned char)text.begin[i] : 0;
}

static int is_newline(int c)
{
    return c == '\n' || c == '\r' || c == '\f';
}

static int is_blank(int c)
{
    return c == ' ' || c == '\t' || is_newline(c);
}

static int is_digit(int c)
{
    return c >= '0' && c <= '9';
}

static int is_name_start(int c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c >= 0x80;
}

static int is_name(int c)
{
    return is_name_start(c) || is_digit(c) || c == '-';
}

/* The size of the escape that begins there, or 0: up to six digits and a blank, or any character
 * but a line break. */
static size_t escape_size(struct span text, size_t i)
{
    const size_t begin = i;
    if (char_at(text, i) != '\\' || is_newline(char_at(text, i + 1)))
        return 0;
    i++;
    while (i <= begin + 6 && char_at(text, i) && strchr("0123456789abcdefABCDEF", char_at(text, i)))
        i++;
    if (i == begin + 1)
        return char_at(text, i) ? 2 : 1;
    return i + (is_blank(char_at(text, i)) != 0) - begin;
}

static size_t name_size(struct span text, size_t i)
{
    const size_t begin = i;
    while (is_name(char_at(text, i)) || escape_size(text, i))
        i += is_name(char_at(text, i)) ? 1 : escape_size(text, i);
    return i - begin;
}

static int starts_name(struct span text, size_t i)
{
    const size_t first = i + (char_at(text, i) == '-');
    return is_name_start(char_at(text, first)) || escape_size(text, first) ||
           (first > i && char_at(text, first) == '-');
}

static size_t digits_size(struct span text, size_t i)
{
    const size_t begin = i;
    while (is_digit(char_at(text, i)))
        i++;
    return i - begin;
}

static int is_sign(int c)
{
    return c == '+' || c == '-';
}

/* The size of the number that the text begins with, or 0. A point has digits behind it. */
static size_t number_size(struct span text)
{
    const size_t sign = is_sign(char_at(text, 0));
    size_t i = sign + digits_size(text, sign);
    if (char_at(text, i) == '.' && digits_size(text, i + 1))
        i += 1 + digits_size(text, i + 1);
    if (i == sign)
        return 0;
    if (char_at(text, i) == 'e' || char_at(text, i) == 'E') {
        const size_t power = i + 1 + (size_t)is_sign(char_at(text, i + 1));
        if (digits_size(text, power))
            i = power + digits_size(text, power);
    }
    return i;
}

/* Up to the quote; a line break ends it too, which leaves it without one. */
static size_t string_size(struct span text)
{
    const int quote = char_at(text, 0);
    size_t i = 1;
    while (char_at(text, i) && char_at(text, i) != quote && !is_newline(char_at(text, i)))
        i += char_at(text, i) == '\\' && char_at(text, i + 1) ? 2 : 1;
    return i + (char_at(text, i) == quote);
}

/* Behind the parenthesis of url(: up to the closing one, or 0 where a quote makes it a function. */
static size_t url_size(struct span text, size_t i)
{
    const size_t begin = i;
    while (is_blank(char_at(text, i)))
        i++;
    if (char_at(text, i) == '"' || char_at(text, i) == '\'')
        return 0;
    while (char_at(text, i) && char_at(text, i) != ')')
        i += char_at(text, i) == '\\' && char_at(text, i + 1) ? 2 : 1;
    return i + (char_at(text, i) == ')') - begin;
}

static void skip_blanks(struct span *rest)
{
    for (;;) {
        if (is_blank(char_at(*rest, 0))) {
            rest->begin++;
        } else if (char_at(*rest, 0) == '/' && char_at(*rest, 1) == '*') {
            rest->begin += 2;
            while (char_at(*rest, 0) && !(char_at(*rest, 0) == '*' && char_at(*rest, 1) == '/'))
                rest->begin++;
            if (rest->begin < rest->end)
                rest->begin += 2;
        } else {
            return;
        }
    }
}

/* A token of that type: its text, the characters before and after that belong to it too. */
static struct css_token cut(
    struct span *rest, enum css_type type, size_t before, size_t size, size_t after)
{
    const struct span text = {rest->begin + before, rest->begin + before + size};
    rest->begin = text.end + after;
    return (struct css_token){type, text, 0};
}

static struct css_token number_next(struct span *rest, size_t size)
{
    const double number = span_number((struct span){rest->begin, rest->begin + size});
    struct css_token token;
    if (char_at(*rest, size) == '%')
        token = cut(rest, CSS_PERCENT, 0, size, 1);
    else if (starts_name(*rest, size))
        token = cut(rest, CSS_DIMENSION, size, name_size(*rest, size), 0);
    else
        token = cut(rest, CSS_NUMBER, 0, size, 0);
    token.number = isinf(number) ? copysign(DBL_MAX, number) : number;
    return token;
}

static struct css_token name_next(struct span *rest)
{
    const size_t size = name_size(*rest, 0);
    if (char_at(*rest, size) != '(')
        return cut(rest, CSS_IDENT, 0, size, 0);
    const struct span name = {rest->begin, rest->begin + size};
    const size_t url = span_is(name, "url") ? url_size(*rest, size + 1) : 0;
    return url ? cut(rest, CSS_URL, size + 1, url, 0) : cut(rest, CSS_FUNCTION, 0, size, 1);
}

struct css_token css_next(struct span *rest)
{
    skip_blanks(rest);
    if (rest->begin == rest->end)
        return cut(rest, CSS_END, 0, 0, 0);
    const int c = char_at(*rest, 0);
    const size_t number = is_digit(c) || is_sign(c) || c == '.' ? number_size(*rest) : 0;
    if (c == '"' || c == '\'')
        return cut(rest, CSS_STRING, 0, string_size(*rest), 0);
    if (number)
        return number_next(rest, number);
    if (starts_name(*rest, 0))
        return name_next(rest);
    if (c == '#' && name_size(*rest, 1))
        return cut(rest, CSS_HASH, 1, name_size(*rest, 1), 0);
    if (c == '@' && starts_name(*rest, 1))
        return cut(rest, CSS_AT, 1, name_size(*rest, 1), 0);
    return cut(rest, CSS_DELIM, 0, 1, 0);
}

int css_delim(const struct css_token *token)
{
    return token->type == CSS_DELIM ? (unsigned char)token->text.begin[0] : 0;
}

/* Moves the rest behind the semicolon, or the braces of a rule, that ends the value. Brackets hold
 * semicolons. Those nested too deep take all that is left and make the declaration invalid. */
static void value_take(struct span *rest, int is_rule, struct css_declaration *declaration)
{
    char closing[MAX_NESTED];
    int depth = 0;
    const char *mark = NULL; /* the ! that only "important" has followed yet */
    declaration->value.begin = rest->begin;
    for (;;) {
        skip_blanks(rest);
        const char *begin = rest->begin;
        const struct css_token token = css_next(rest);
        const int c = token.type == CSS_FUNCTION ? '(' : css_delim(&token);
        declaration->value.end = declaration->whole.end = begin;
        if (token.type == CSS_END || (depth == 0 && c == ';'))
            break;
        if (depth > 0 && c == closing[depth - 1]) {
            depth--;
            if (is_rule && depth == 0 && c == '}') {
                declaration->whole.end = rest->begin;
                break;
            }
        } else if (c == '(' || c == '[' || c == '{') {
            if (depth == MAX_NESTED) {
                declaration->is_valid = 0;
                declaration->whole.end = rest->begin = rest->end;
                return;
            }
            closing[depth++] = c == '(' ? ')' : c == '[' ? ']' : '}';
        }
        declaration->is_important = mark && !declaration->is_important && depth == 0 &&
                                    token.type == CSS_IDENT && span_is(token.text, "important");
        if (!declaration->is_important)
            mark = depth == 0 && c == '!' ? begin : NULL;
    }
    if (declaration->is_important)
        declaration->value.end = mark;
}

int css_declaration_next(struct span *rest, struct css_declaration *declaration)
{
    struct css_token token;
    do {
        skip_blanks(rest);
        *declaration = (struct css_declaration){.whole = *rest};
        token = css_next(rest);
    } while (css_delim(&token) == ';');
    if (token.type == CSS_END)
        return 0;
    struct span behind = *rest;
    const struct css_token colon = css_next(&behind);
    declaration->is_valid = token.type == CSS_IDENT && css_delim(&colon) == ':';
    declaration->name = token.text;
    rest->begin = declaration->is_valid ? behind.begin : declaration->whole.begin;
    value_take(rest, token.type == CSS_AT, declaration);
    return 1;
}

struct span css_keyword(struct span value)
{
    const int c = char_at(value, 0);
    if (is_digit(c) || c == '.' || c == '#') /* as mostly: it begins with no name */
        return (struct span){value.end, value.end};
    const struct css_token token = css_next(&value);
    const int is_alone = token.type == CSS_IDENT && css_next(&value).type == CSS_END;
    return is_alone ? token.text : (struct span){value.end, value.end};
}

/* Functions that css_color_parse does not know may be ones that viewers do, and so may a color that
 * is made from another. */
enum css_result css_unread(struct span value)
{
    static const char *const KNOWN[] = {"rgb", "rgba", "hsl", "hsla", NULL};
    for (;;) {
        const struct css_token token = css_next(&value);
        if (token.type == CSS_END)
            return CSS_INVALID;
        if (token.type == CSS_URL || (token.type == CSS_IDENT && span_is(token.text, "from")) ||
            (token.type == CSS_FUNCTION && !span_is_one_of(token.text, KNOWN)))
            return CSS_UNSUPPORTED;
    }
}

/* The only token; CSS_DELIM where there are more, CSS_END where there is none. */
static struct css_token only_token(struct span value)
{
    struct css_token token = {CSS_NUMBER, value, 0};
    if (span_plain_number(value, &token.number))
        return token;
    token = css_next(&value);
    if (css_next(&value).type != CSS_END)
        token.type = CSS_DELIM;
    return token;
}

enum css_result css_opacity_parse(struct span value, double *opacity)
{
    const struct css_token token = only_token(value);
    if (token.type != CSS_NUMBER && token.type != CSS_PERCENT)
        return css_unread(value);
    *opacity = fmin(fmax(token.number / (token.type == CSS_PERCENT ? 100 : 1), 0), 1);
    return CSS_READ;
}

enum css_result css_length_parse(struct span value, int is_attribute, double *pixels)
{
    static const struct {
        const char *name;
        double count, pixels; /* so many of the unit are so many pixels */
    } UNITS[] = {{"px", 1, 1}, {"in", 1, 96}, {"cm", 2.54, 96}, {"mm", 25.4, 96}, {"Q", 101.6, 96},
        {"pt", 72, 96}, {"pc", 6, 96}};
    static const char *const RELATIVE[] = {"em", "ex", "cap", "ch", "ic", "rem", "rex", "rcap",
        "rch", "ric", "lh", "rlh", "vw", "vh", "vi", "vb", "vmin", "vmax", "svw", "svh", "svi",
        "svb", "svmin", "svmax", "lvw", "lvh", "lvi", "lvb", "lvmin", "lvmax", "dvw", "dvh", "dvi",
        "dvb", "dvmin", "dvmax", "cqw", "cqh", "cqi", "cqb", "cqmin", "cqmax", NULL};
    const struct css_token token = only_token(value);
    *pixels = token.number;
    if (token.type == CSS_PERCENT)
        return CSS_UNSUPPORTED;
    if (token.type == CSS_NUMBER)
        return is_attribute || token.number == 0 ? CSS_READ : CSS_INVALID;
    if (token.type != CSS_DIMENSION)
        return css_unread(value);
    for (size_t i = 0; i < sizeof(UNITS) / sizeof(UNITS[0]); i++)
        if (span_is(token.text, UNITS[i].name)) {
            *pixels = token.number * UNITS[i].pixels / UNITS[i].count;
            return CSS_READ;
        }
    return span_is_one_of(token.text, RELATIVE) ? CSS_UNSUPPORTED : CSS_INVALID;
}
