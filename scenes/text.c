#include "scenes/text.h"

#include <float.h>
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
    if (size == 0 || (*span.begin | 32) != (*text | 32)) /* as mostly: 32 makes small letters */
        return size == 0 && *text == 0;
    return size == strlen(text) && strncasecmp(span.begin, text, size) == 0;
}

int span_is_one_of(struct span span, const char *const *texts)
{
    while (*texts && !span_is(span, *texts))
        texts++;
    return *texts != NULL;
}

static int is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* A number as JSON writes it: -digits * 10^scale. */
struct decimal {
    int is_negative;
    uint64_t digits;
    int scale;
    int are_known; /* digits and scale: where there are not too many digits of either */
};

/* Moves *at behind digits, and appends them to a number. */
static uint64_t digits_scan(const char **at, uint64_t number)
{
    for (; is_digit(**at); ++*at)
        number = 10 * number + (uint64_t)(**at - '0');
    return number;
}

/* How many of eight characters are digits, before the first that is none: these get their top bit,
 * those behind it may. */
static inline unsigned count_digits(uint64_t text)
{
    const uint64_t others =
        ((text + 0x4646464646464646) | (text - 0x3030303030303030)) & 0x8080808080808080;
    return others ? (unsigned)__builtin_ctzll(others) / 8 : 8;
}

/* The number that the first `count` of eight characters make, all digits. Pairs of digits, and then
 * pairs of these, are made one number each, side by side. */
static inline uint64_t eight_digits(uint64_t text, unsigned count)
{
    const uint64_t pairs = 0x000000ff000000ff;
    text = (text - 0x3030303030303030) << 4 * (8 - count) << 4 * (8 - count);
    text = 10 * text + (text >> 8);
    return ((text & pairs) * 0x000f424000000064 + (text >> 16 & pairs) * 0x0000271000000001) >> 32;
}

/* As digits_scan, of many digits: sixteen characters at once as long as the text has them, without
 * a branch that depends on how many of these are digits. */
static uint64_t many_digits_scan(const char **at, const char *text_end, uint64_t number)
{
    static const uint64_t POWERS[] = {
        1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};
    while (text_end - *at >= 16) {
        uint64_t text[2];
        memcpy(text, *at, sizeof(text));
        const unsigned first = count_digits(text[0]);
        const unsigned second = first < 8 ? 0 : count_digits(text[1]);
        number = number * POWERS[first] + eight_digits(text[0], first);
        number = number * POWERS[second] + eight_digits(text[1], second);
        *at += first + second;
        if (second < 8)
            return number;
    }
    return digits_scan(at, number);
}

/* Reads what begins there. Returns the place behind it, or NULL for any other text. */
static const char *decimal_scan(const char *at, const char *text_end, struct decimal *decimal)
{
    enum { MAX_DIGITS = 19, MAX_POWER = 4 }; /* these fit in 64 and in 32 bits */
    const char *first = at + (*at == '-'), *end = first;
    uint64_t digits = digits_scan(&end, 0);
    long count = end - first, behind_point = 0;
    if (count == 0 || (*first == '0' && count > 1))
        return NULL;
    if (*end == '.') {
        const char *point = end++;
        digits = many_digits_scan(&end, text_end, digits);
        behind_point = end - point - 1;
        if (behind_point == 0)
            return NULL;
    }
    *decimal = (struct decimal){
        first > at, digits, (int)-behind_point, count + behind_point <= MAX_DIGITS};
    if (*end == 'e' || *end == 'E') {
        const int is_negative = end[1] == '-';
        const char *power = end + 1 + (end[1] == '-' || end[1] == '+');
        end = power;
        const uint64_t exponent = digits_scan(&end, 0);
        if (end == power)
            return NULL;
        if (end - power > MAX_POWER)
            decimal->are_known = 0;
        else
            decimal->scale += is_negative ? -(int)exponent : (int)exponent;
    }
    return end;
}

/* digits * 10^scale, by multiplying or dividing by a power that a double has exactly: two
 * roundings, of which the first is none up to 2^53. NAN where there is no such power. */
static double decimal_estimate(const struct decimal *decimal)
{
    static const double POWERS[] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
        1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    const int most = sizeof(POWERS) / sizeof(POWERS[0]) - 1, scale = decimal->scale;
    if (!decimal->are_known || scale < -most || scale > most)
        return NAN;
    const double digits = decimal->is_negative ? -(double)decimal->digits : (double)decimal->digits;
    return scale < 0 ? digits / POWERS[-scale] : digits * POWERS[scale];
}

int span_plain_number(struct span span, double *number)
{
    const uint64_t most_exact = (uint64_t)1 << DBL_MANT_DIG;
    struct decimal decimal;
    if (decimal_scan(span.begin, span.end, &decimal) != span.end || decimal.digits > most_exact)
        return 0;
    *number = decimal_estimate(&decimal);
    return !isnan(*number);
}

double span_number(struct span span)
{
    double number;
    char *end;
    if (span_plain_number(span, &number))
        return number;
    for (const char *c = span.begin; c < span.end; c++)
        if (*c == 0 || !strchr("0123456789+-.eE", *c)) /* no inf, nan, or hexadecimal */
            return NAN;
    if (span.begin == span.end)
        return NAN;
    number = strtod(span.begin, &end);
    return end == span.end ? number : NAN;
}

/* The estimate is less than 3 units in the last place from the double that is nearest to the
 * number. Both give the same float, unless the middle between two floats is as near: then the 29
 * bits that a float lacks are about a one and zeros. Floats below FLT_MIN lack more. */
int number_scan(const char **at, const char *text_end, float *number)
{
    struct decimal decimal;
    uint64_t bits;
    const char *end = decimal_scan(*at, text_end, &decimal);
    if (!end)
        return 0;
    const double estimate = decimal_estimate(&decimal);
    memcpy(&bits, &estimate, sizeof(bits));
    const int is_sure = (bits & 0x1fffffff) - 0x0ffffffc > 8 && fabs(estimate) >= (double)FLT_MIN;
    *number = is_sure || estimate == 0 ? (float)estimate : (float)strtod(*at, NULL);
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
