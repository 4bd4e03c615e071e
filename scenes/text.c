#include "scenes/text.h"

#include <math.h>
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
