#include "scenes/svg.h"

#include <string.h>

/* Behind blanks; a carriage return is one only before a newline. */
static const char *blanks_skip(const char *at, size_t *lines)
{
    for (; *at == ' ' || *at == '\n' || *at == '\t' || (*at == '\r' && at[1] == '\n'); at++)
        *lines += *at == '\n';
    return at;
}

static int is_name_start(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static int is_name(char c)
{
    return is_name_start(c) || (c >= '0' && c <= '9') || c == '-' || c == '.';
}

/* Copies the attribute that begins there, its name and its value each ended by a zero. Moves *to
 * behind them. Returns the place behind it, or NULL. */
static const char *attribute_copy(const char *at, char **to, const char *end, const char **value)
{
    char *out = *to;
    if (!is_name_start(*at))
        return NULL;
    while (out < end && is_name(*at))
        *out++ = *at++;
    const char quote = *at == '=' ? at[1] : 0;
    if (quote != '"' && quote != '\'')
        return NULL;
    *out++ = 0;
    *value = out;
    for (at += 2; out < end && *at != quote; at++) {
        if (*at < ' ' || *at > '~' || *at == '<' || *at == '&')
            return NULL;
        *out++ = *at;
    }
    *out++ = 0;
    *to = out;
    return *at == quote ? at + 1 : NULL;
}

/* Whether one is said again, or is none but for the parser. */
static int is_odd(const struct plain_circle *circle, int count)
{
    const char *name = circle->attributes[2 * count];
    int is = *name == 'x' && strcmp(name, "xmlns") == 0;
    for (int i = 0; i < count; i++) {
        const char *other = circle->attributes[2 * i];
        is |= other[0] == name[0] && other[1] == name[1] && strcmp(other, name) == 0;
    }
    return is;
}

/* The attributes, and the blanks before and behind them. Returns the place behind, or NULL. */
static const char *attributes_read(const char *at, struct plain_circle *circle, size_t *lines)
{
    char *to = circle->text;
    int count = 0;
    for (;;) {
        const char *begin = at;
        at = blanks_skip(at, lines);
        circle->attributes[2 * count] = NULL;
        if (*at == '/' || *at == '>')
            return at;
        if (at == begin || count == PLAIN_COUNT)
            return NULL;
        circle->attributes[2 * count] = to;
        at = attribute_copy(at, &to, circle->text + PLAIN_SIZE, &circle->attributes[2 * count + 1]);
        if (!at || is_odd(circle, count++))
            return NULL;
    }
}

const char *plain_circle_read(const char *at, struct plain_circle *circle, size_t *lines)
{
    static const char NAME[] = "circle", END[] = "></circle>";
    if (strncmp(at, NAME, sizeof(NAME) - 1) != 0)
        return NULL;
    at = attributes_read(at + sizeof(NAME) - 1, circle, lines);
    if (!at)
        return NULL;
    if (at[0] == '/' && at[1] == '>')
        at += 2;
    else if (strncmp(at, END, sizeof(END) - 1) == 0)
        at += sizeof(END) - 1;
    else
        return NULL;
    at = blanks_skip(at, lines);
    return *at == '<' ? at + 1 : NULL;
}
