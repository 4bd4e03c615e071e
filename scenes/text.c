#include "scenes/text.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

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
        snprintf(where, sizeof(where), "line %zu: ", line);
    return error_set(origin->error, ERROR_INPUT, "cannot read %s '%s': %s%s", origin->what,
        origin->name, where, reason);
}

char *text_read(const struct origin *origin, FILE *file, const char *too_large, size_t *size)
{
    struct stat status;
    size_t capacity = 0;
    char *text = NULL;
    *size = 0;
    if (fstat(fileno(file), &status) == 0 && status.st_size >= (off_t)TEXT_MAX_SIZE) {
        origin_fail(origin, 0, "%s", too_large);
        return NULL;
    }
    do {
        capacity = capacity ? 2 * capacity : 1 << 16;
        char *larger = capacity <= TEXT_MAX_SIZE ? realloc(text, capacity) : NULL;
        if (!larger) {
            if (capacity > TEXT_MAX_SIZE)
                origin_fail(origin, 0, "%s", too_large);
            else
                origin_fail(origin, 0, "no memory for %zu bytes", capacity);
            free(text);
            return NULL;
        }
        text = larger;
        *size += fread(text + *size, 1, capacity - *size, file);
    } while (*size == capacity);
    text[*size] = 0;
    if (!ferror(file))
        return text;
    origin_fail(origin, 0, "%s", strerror(errno));
    free(text);
    return NULL;
}
