/* Writing an image: the name given, or the extension of the path, decides which format encodes
 * it. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "images/formats.h"

static const struct image_format *const FORMATS[] = {
#define FORMAT_ROW(format) &(format),
    IMAGE_FORMATS(FORMAT_ROW)};
enum { FORMAT_COUNT = sizeof(FORMATS) / sizeof(FORMATS[0]) };

static int can_hold(const struct image_format *format, const struct image *image)
{
    return (format->channels >> image->channels & 1) && image->depth <= format->max_depth &&
           image->width <= format->max_side && image->height <= format->max_side;
}

static int is_listed(const struct image_format *format, const struct image *image)
{
    return format->write && (!image || can_hold(format, image));
}

struct words image_formats(const struct image *image)
{
    struct words names = {0};
    for (int i = 0; i < FORMAT_COUNT; i++)
        if (is_listed(FORMATS[i], image))
            words_add(&names, FORMATS[i]->name);
    return names;
}

struct words image_extensions(const struct image *image)
{
    struct words extensions = {0};
    for (int i = 0; i < FORMAT_COUNT; i++)
        if (is_listed(FORMATS[i], image))
            words_add(&extensions, FORMATS[i]->extensions[0]);
    return extensions;
}

/* The word that says the format: the name given, or the path's extension, without its dot. */
static const char *format_word(const char *path, const char *name)
{
    const char *base = strrchr(path, '/');
    const char *dot = strrchr(base ? base : path, '.');
    return name ? name : strcmp(path, "-") == 0 ? FORMATS[0]->name : dot ? dot + 1 : "";
}

static const struct image_format *format_of(const char *word)
{
    for (int i = 0; i < FORMAT_COUNT; i++)
        for (int k = 0; FORMATS[i]->write && k < MAX_EXTENSIONS && FORMATS[i]->extensions[k]; k++)
            if (strcasecmp(FORMATS[i]->extensions[k] + 1, word) == 0)
                return FORMATS[i];
    return NULL;
}

int image_is_name(const char *path)
{
    return format_of(format_word(path, NULL)) != NULL;
}

static int find_format(const char *path, const char *name, const struct image *image,
    const struct image_format **format, struct error *error)
{
    const struct words formats = image_formats(image);
    const char *word = format_word(path, name);
    *format = format_of(word);
    if (*format)
        return 0;
    if (name)
        return error_set(error, ERROR_USAGE, "unknown image format '%s'; use one of %s", name,
            words_join(&formats, ", ").text);
    return error_set(error, ERROR_INPUT,
        "cannot write '%s': no image format has the extension '%s'; use one of %s, or name the "
        "format",
        path, word, words_join(&formats, ", ").text);
}

/* Finds the format of an output and refuses what it cannot hold. */
static int choose_format(const char *path, const char *name, const struct image *image,
    const struct image_format **format, struct error *error)
{
    const struct words formats = image_formats(image);
    char size[40] = "";
    const int rc = find_format(path, name, image, format, error);
    if (rc || !image || can_hold(*format, image))
        return rc;
    if (image->width)
        snprintf(size, sizeof(size), "%d x %d pixels of ", image->width, image->height);
    return error_set(error, ERROR_INPUT,
        "cannot write '%s': %s cannot hold %s%d-bit %s%s; use one of %s", path, (*format)->name,
        size, image->depth, image->channels <= 2 ? "gray" : "color",
        image->channels % 2 ? "" : " with alpha", words_join(&formats, ", ").text);
}

int image_check_output(
    const char *path, const char *format_name, const struct image *image, struct error *error)
{
    const struct image_format *format;
    const int rc = choose_format(path, format_name, image, &format, error);
    return rc ? rc : output_check(path, 1, error);
}

int image_write(const char *path, const char *format_name, const struct image *image,
    const struct progress *progress, struct error *error)
{
    const struct image_format *format;
    struct output output;
    int rc = choose_format(path, format_name, image, &format, error);
    if (rc == 0)
        rc = output_open(path, 1, progress, &output, error);
    if (rc)
        return rc;
    if (format->write(&output, image) == 0)
        return output_commit(&output, error);
    output_abandon(&output);
    return error_set(error, ERROR_INPUT,
        "cannot write '%s': its encoder failed, most likely for want of memory", path);
}
