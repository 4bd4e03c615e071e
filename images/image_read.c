/* Reading an image: the first bytes of the file decide which format decodes it. */
#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "images/formats.h"
#include "images/upright.h"

static const struct image_format *const FORMATS[] = {
#define FORMAT_ROW(format) &(format),
    IMAGE_FORMATS(FORMAT_ROW)};
enum {
    MAX_DIGITS = 8 /* of a page's number, and 1 */,
    FORMAT_COUNT = sizeof(FORMATS) / sizeof(FORMATS[0])
};

struct words image_read_formats(void)
{
    struct words names = {0};
    for (int i = 0; i < FORMAT_COUNT; i++)
        if (FORMATS[i]->decode)
            words_add(&names, FORMATS[i]->name);
    return names;
}

/* The format that the file starts like, or else the one that has no mark. */
static const struct image_format *find_reader(struct input *input)
{
    const struct image_format *unmarked = NULL;
    for (int i = 0; i < FORMAT_COUNT; i++) {
        const struct image_format *format = FORMATS[i];
        if (format->decode && !format->recognize)
            unmarked = format;
        else if ((format->decode || format->missing) && format->recognize(input))
            return format;
    }
    return unmarked;
}

static int decode(
    struct input *input, uint64_t max_pixels, struct image *image, struct error *error)
{
    struct error failure;
    *image = (struct image){0};
    int rc = 0;
    if (input_peek(input, 1) == 0 && !input->failure)
        return error_set(error, ERROR_INPUT, "cannot read '%s': the file is empty", input->name);
    const struct image_format *format = find_reader(input);
    if (format->missing)
        return error_set(error, ERROR_INPUT,
            "cannot read '%s': it is a file of the format %s, for which this build lacks %s; "
            "convert it to png",
            input->name, format->name, format->missing);
    if (input->page > 0 && !format->has_pages)
        return error_set(error, ERROR_INPUT,
            "cannot read '%s': files of the format %s are read as one image; leave out [%d]",
            input->name, format->name, input->page);
    if (format->open && format->open(&failure) != 0)
        return error_set(error, ERROR_INPUT,
            "cannot read '%s': %s; install it, or convert the file to png", input->name,
            failure.text);
    rc = format->decode(input, max_pixels, image, error);
    const int failed = input_check(input, &failure); /* is what made the decoder fail */
    if (failed) {
        image_free(image);
        *error = failure;
    }
    return failed ? failed : rc ? rc : image_settle(image, error);
}

int image_decode(const void *bytes, size_t size, const char *name, uint64_t max_pixels,
    struct image *image, struct error *error)
{
    struct input input;
    input_from_memory(bytes, size, name, &input);
    return decode(&input, max_pixels, image, error);
}

int image_page(const char *path, char *file, int *page)
{
    const char *end = path + strlen(path), *bracket = strrchr(path, '[');
    const char *digit = bracket ? bracket + 1 : end;
    while (isdigit((unsigned char)*digit))
        digit++;
    const int is_number = bracket > path && digit > bracket + 1 && digit - bracket <= MAX_DIGITS &&
                          strcmp(digit, "]") == 0;
    const int is_page = is_number && access(path, F_OK) != 0;
    snprintf(file, PATH_MAX, "%.*s", (int)((is_page ? bracket : end) - path), path);
    *page = is_page ? atoi(bracket + 1) : 0;
    return is_page;
}

int image_read(const char *path, uint64_t max_pixels, const struct progress *progress,
    struct image *image, struct error *error)
{
    return image_read_in(NULL, path, max_pixels, progress, image, error);
}

int image_read_in(struct scratch *scratch, const char *path, uint64_t max_pixels,
    const struct progress *progress, struct image *image, struct error *error)
{
    struct input input;
    char file[PATH_MAX];
    int page;
    *image = (struct image){0};
    const int is_named = image_page(path, file, &page);
    int rc = input_open(file, progress, &input, error);
    if (rc)
        return rc;
    input.name = path;
    input.page = page;
    input.scratch = scratch;
    rc = decode(&input, max_pixels, image, error);
    if (is_named)
        image->images = 0;
    input_close(&input);
    return rc;
}
