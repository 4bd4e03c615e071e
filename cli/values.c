/* Values of options: numbers, sizes, frames. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "scenes/color.h"

int cli_number(const char *option, const char *text, uint64_t least, uint64_t most,
    uint64_t *number, struct error *error)
{
    char *end;
    errno = 0;
    *number = strtoull(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end || errno || *number < least || *number > most)
        return error_set(error, ERROR_USAGE,
            "bad %s '%s': write a whole number from %" PRIu64 " to %" PRIu64, option, text, least,
            most);
    return 0;
}

/* Digits alone, as far as they go. Returns what follows, or NULL where there are none, or too
 * many. */
static const char *parse_digits(const char *text, uint32_t *number)
{
    const size_t length = strspn(text, "0123456789");
    if (length < 1 || length > 8)
        return NULL;
    *number = (uint32_t)strtoul(text, NULL, 10);
    return text + length;
}

int cli_quality(const char *value, int *quality, struct error *error)
{
    uint64_t number = 0;
    const int rc = cli_number("--quality", value, 1, 100, &number, error);
    *quality = (int)number;
    return rc;
}

int cli_size(const char *option, const char *text, uint32_t most, uint32_t *width, uint32_t *height,
    struct error *error)
{
    const char *rest = parse_digits(text, width);
    if (rest && *rest == 'x')
        rest = parse_digits(rest + 1, height);
    else
        *height = *width;
    if (!rest || *rest || *width < 1 || *height < 1 || *width > most || *height > most)
        return error_set(error, ERROR_USAGE,
            "bad %s '%s': write one number or two, as in 1024 or 1920x1080, from 1 to %u", option,
            text, most);
    return 0;
}

const char *cli_decimal(const char *text, double *number)
{
    char *end;
    *number = strtod(text, &end);
    const size_t length = (size_t)(end - text);
    return length > 0 && strspn(text, "0123456789+-.eE") >= length ? end : NULL;
}

int cli_reals(const char *option, const char *text, double least, double most, double *numbers,
    int count, struct error *error)
{
    static const char *const WORDS[] = {
        "a number", "two numbers with a comma between,", "three numbers with commas between,"};
    const char *rest = text;
    for (int i = 0; i < count; i++) {
        const char *end = cli_decimal(rest, &numbers[i]);
        if (!end || !(numbers[i] >= least && numbers[i] <= most) ||
            *end != (i < count - 1 ? ',' : 0))
            return error_set(error, ERROR_USAGE, "bad %s '%s': write %s from %g to %g", option,
                text, WORDS[count - 1], least, most);
        rest = end + 1;
    }
    return 0;
}

int cli_color(const char *option, const char *text, float rgba[4], struct error *error)
{
    rgba[3] = 1;
    return cli_shares(option, text, rgba, 3, error) == 0 || color_parse(text, rgba) == 0
               ? 0
               : error_set(error, ERROR_USAGE,
                     "bad %s '%s': write a color as CSS does, as in '#fff', navy or "
                     "'rgb(0 0 80)', none, or three numbers from 0 to 1 with commas between",
                     option, text);
}

int cli_real(const char *option, const char *text, double least, double most, double *number,
    struct error *error)
{
    return cli_reals(option, text, least, most, number, 1, error);
}

int cli_shares(const char *option, const char *text, float *shares, int count, struct error *error)
{
    double numbers[3];
    const int rc = cli_reals(option, text, 0, 1, numbers, count, error);
    for (int i = 0; rc == 0 && i < count; i++)
        shares[i] = (float)numbers[i];
    return rc;
}

int cli_frames(const char *text, struct frames *frames, struct error *error)
{
    const char *rest = parse_digits(text, &frames->first);
    rest = rest && *rest == ':' ? parse_digits(rest + 1, &frames->last) : NULL;
    if (!rest || *rest || frames->first > frames->last)
        return error_set(error, ERROR_USAGE,
            "bad --frames '%s': write first:last, as in 0:59, from 0 to 99999999, the first not "
            "after the last",
            text);
    frames->are_asked = 1;
    return 0;
}

struct words cli_words(const struct cli_option *option)
{
    struct words words = {0};
    if (!option->words)
        return words;
    if (option->words->list)
        return option->words->list();
    for (const char *const *word = option->words->array; *word; word++)
        words_add(&words, *word);
    return words;
}

int cli_word(
    const struct cli_option *options, int key, const char *value, int *index, struct error *error)
{
    while (options->key != key)
        options++;
    const struct words words = cli_words(options);
    for (*index = 0; *index < words.count; ++*index)
        if (strcmp(words.word[*index], value) == 0)
            return 0;
    return error_set(error, ERROR_USAGE, "bad --%s '%s': use %s%s", options->name, value,
        words_join(&words, " or ").text, words_suggest(&words, "", value).text);
}

int cli_memory(const char *option, const char *value, uint64_t *memory, struct error *error)
{
    static const char UNITS[] = "KMG";
    char digits[32];
    uint64_t number;
    snprintf(digits, sizeof(digits), "%s", value);
    const size_t length = strlen(digits);
    const char *unit = length ? strchr(UNITS, digits[length - 1]) : NULL;
    if (unit)
        digits[length - 1] = 0;
    const int shift = unit ? 10 * (int)(unit - UNITS + 1) : 0;
    if (cli_number(option, digits, 1, UINT64_MAX >> shift, &number, error))
        return error_set(
            error, ERROR_USAGE, "bad %s '%s': write bytes, as in 268435456 or 256M", option, value);
    *memory = number << shift;
    return 0;
}
