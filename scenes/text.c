#include "scenes/text.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct span span_of(const char *text)
{
    return (struct span){text, text + strlen(text)};
}

static int is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

struct span span_trim(struct span span)
{
    while (span.begin < span.end && is_blank(span.begin[0]))
        span.begin++;
    while (span.begin < span.end && is_blank(span.end[-1]))
        span.end--;
    return span;
}

struct span span_next(struct span *rest, char separator)
{
    const char *end = memchr(rest->begin, separator, (size_t)(rest->end - rest->begin));
    const struct span piece = {rest->begin, end ? end : rest->end};
    rest->begin = end ? end + 1 : NULL;
    return piece;
}

int span_is(struct span span, const char *text)
{
    const size_t size = (size_t)(span.end - span.begin);
    return size == strlen(text) && strncasecmp(span.begin, text, size) == 0;
}

int span_is_one_of(struct span span, const char *const *texts)
{
    while (*texts && !span_is(span, *texts))
        texts++;
    return *texts != NULL;
}

double span_number(struct span span)
{
    char *end;
    for (const char *c = span.begin; c < span.end; c++)
        if (*c == 0 || !strchr("0123456789+-.eE", *c)) /* no inf, nan, or hexadecimal */
            return NAN;
    if (span.begin == span.end)
        return NAN;
    const double number = strtod(span.begin, &end);
    return end == span.end ? number : NAN;
}

static int is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Moves *at behind the digits, and appends them to those of the number; where they are too many,
 * what comes out means nothing. */
static uint64_t digits_scan(const char **at, uint64_t number)
{
    for (; is_digit(**at); ++*at)
        number = 10 * number + (uint64_t)(**at - '0');
    return number;
}

/* digits * 10^scale as a float: the same as by way of the nearest double, or NAN where that is not
 * sure. The digits become a double and are multiplied or divided by an exact power, which makes two
 * roundings: the result is at most 2 units in the last place (a bit more, where it is just below a
 * power of two) from the number, so less than 4 from the double nearest to it. Both give the same
 * float, unless the middle between two floats is as near: there the 29 bits that a float lacks are a
 * one and zeros. */
static float scaled(uint64_t digits, long scale)
{
    static const double POWERS[] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
        1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    const long most = sizeof(POWERS) / sizeof(POWERS[0]) - 1;
    uint64_t bits;
    if (scale < -most || scale > most)
        return NAN;
    const double number =
        scale < 0 ? (double)digits / POWERS[-scale] : (double)digits * POWERS[scale];
    memcpy(&bits, &number, sizeof(bits));
    const int is_sure = (bits & 0x1fffffff) - 0x0ffffffc > 8;
    return digits == 0 || (is_sure && number >= (double)FLT_MIN) ? (float)number : NAN;
}

int number_scan(const char **at, float *number)
{
    const char *begin = *at, *end = begin + (*begin == '-'), *first = end;
    uint64_t digits = digits_scan(&end, 0);
    long count = end - first, scale = 0;
    if (count == 0 || (*first == '0' && count > 1))
        return 0;
    if (*end == '.') {
        const char *point = end++;
        digits = digits_scan(&end, digits);
        scale = point + 1 - end;
        count -= scale;
        if (scale == 0)
            return 0;
    }
    if (*end == 'e' || *end == 'E') {
        const int is_negative = end[1] == '-';
        end += 1 + (end[1] == '-' || end[1] == '+');
        const char *power = end;
        const long exponent = (long)digits_scan(&end, 0);
        if (end == power)
            return 0;
        if (end - power > 4)
            count = LONG_MAX;
        else
            scale += is_negative ? -exponent : exponent;
    }
    *number = count <= 19 ? scaled(digits, scale) : NAN; /* 19 digits fit in 64 bits */
    if (isnan(*number))
        *number = (float)strtod(begin, NULL);
    else if (begin < first)
        *number = -*number;
    *at = end;
    return 1;
}

struct quote span_quote(struct span span)
{
    struct quote quote = {""};
    for (size_t i = 0; i < sizeof(quote.text) - 1 && span.begin + i < span.end; i++) {
        const char c = span.begin[i];
        quote.text[i] = c >= ' ' && c <= '~' ? c : '?';
    }
    return quote;
}

int origin_fail(const struct origin *origin, size_t line, const char *format, ...)
{
    char where[40] = "", reason[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason, sizeof(reason), format, arguments);
    va_end(arguments);
    if (line > 0)
        snprintf(where, sizeof(where), "%s %zu: ", origin->unit ? origin->unit : "line", line);
    return error_set(origin->error, ERROR_INPUT, "cannot read %s '%s': %s%s", origin->what,
        origin->name, where, reason);
}

int origin_progress(const struct origin *origin, size_t done, size_t size)
{
    return progress_report(origin->progress, size ? (double)done / (double)size : 1)
               ? error_set(origin->error, ERROR_STOPPED, "stopped")
               : 0;
}

int text_check(struct input *input, struct error *error)
{
    const size_t begun = input_peek(input, INPUT_PEEK);
    const unsigned char *zero = begun > 0 ? memchr(input->at, 0, begun) : NULL;
    if (!zero)
        return 0;
    return error_set(error, ERROR_INPUT, "cannot read '%s': byte %zu is zero; this is no text",
        input->name, (size_t)(zero - input->at) + 1);
}

int text_read(
    struct input *input, const char *too_large, char **text, size_t *size, struct error *error)
{
    unsigned char *bytes;
    input_skip_mark(input);
    const int rc = input_rest(input, TEXT_MAX_SIZE - 1, too_large, &bytes, size, error);
    *text = rc ? NULL : (char *)bytes;
    return rc;
}
