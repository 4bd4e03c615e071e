/* Writing an image: the name given, or the extension of the path, decides which format encodes
 * it. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "images/exif.h"
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
    return format->add && (!image || can_hold(format, image));
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

struct image_libraries image_libraries(void)
{
    char texts[FORMAT_COUNT][LIBRARY_TEXT];
    struct words present = {0}, missing = {0};
    for (int i = 0; i < FORMAT_COUNT; i++) {
        struct error failure;
        if (FORMATS[i]->open && FORMATS[i]->open(&failure) != 0) {
            snprintf(texts[i], LIBRARY_TEXT, "%.*s", LIBRARY_TEXT - 1, failure.text);
            words_add(&missing, texts[i]);
        } else if (FORMATS[i]->tell_library) {
            FORMATS[i]->tell_library(texts[i]);
            words_add(&present, texts[i]);
        }
        if (FORMATS[i]->missing)
            words_add(&missing, FORMATS[i]->missing);
    }
    return (struct image_libraries){words_join(&present, ", "), words_join(&missing, ", ")};
}

/* The word that says the format: the name given, or the path's extension, without its dot. */
static const char *format_word(const char *path, const char *name)
{
    const char *base = strrchr(path, '/');
    const char *dot = strrchr(base ? base : path, '.');
    return name ? name : strcmp(path, "-") == 0 ? FORMATS[0]->name : dot ? dot + 1 : "";
}

static int has_extension(const struct image_format *format, const char *word)
{
    for (int k = 0; k < MAX_EXTENSIONS && format->extensions[k]; k++)
        if (strcasecmp(format->extensions[k] + 1, word) == 0)
            return 1;
    return 0;
}

/* Also one that this build cannot write, since it lacks a library. */
static const struct image_format *format_of(const char *word)
{
    for (int i = 0; i < FORMAT_COUNT; i++)
        if ((FORMATS[i]->add || FORMATS[i]->missing) && has_extension(FORMATS[i], word))
            return FORMATS[i];
    return NULL;
}

int image_is_name(const char *path, const char *format)
{
    return format_of(format_word(path, format)) != NULL;
}

int image_keeps_png_colors(const char *path, const char *name)
{
    const struct image_format *format = format_of(format_word(path, name));
    return format && format->keeps_png_colors;
}

static int find_format(const char *path, const char *name, const struct image *image,
    const struct image_format **format, struct error *error)
{
    const struct words formats = image_formats(image);
    const char *word = format_word(path, name);
    *format = format_of(word);
    if (*format && !(*format)->missing)
        return 0;
    if (*format)
        return error_set(error, ERROR_INPUT,
            "cannot write '%s': this build lacks %s for the format %s; use one of %s", path,
            (*format)->missing, (*format)->name, words_join(&formats, ", ").text);
    if (name)
        return error_set(error, ERROR_USAGE, "unknown image format '%s'; use one of %s%s", name,
            words_join(&formats, ", ").text, words_suggest(&formats, "", name).text);
    if (output_refuse_folder(path, error))
        return ERROR_INPUT;
    const struct words extensions = image_extensions(image);
    if (!*word)
        return error_set(error, ERROR_INPUT,
            "cannot write '%s': its name has no extension that tells the format; use one of %s, or "
            "name the format",
            path, words_join(&formats, ", ").text);
    return error_set(error, ERROR_INPUT,
        "cannot write '%s': no image format has the extension '%s'; use one of %s, or name the "
        "format%s",
        path, word, words_join(&formats, ", ").text,
        words_suggest_extension(&extensions, path).text);
}

int image_check_quality(const char *path, const char *name, struct error *error)
{
    const struct image_format *format;
    struct words names = {0};
    const int rc = find_format(path, name, NULL, &format, error);
    if (rc || format->takes_quality)
        return rc;
    for (int i = 0; i < FORMAT_COUNT; i++)
        if (FORMATS[i]->takes_quality)
            words_add(&names, FORMATS[i]->name);
    return error_set(error, ERROR_USAGE,
        "cannot write '%s': %s has no quality to choose; leave the quality out, or use one of %s",
        path, format->name, words_join(&names, ", ").text);
}

/* Refuses what the format cannot hold. */
static int check_image(const char *path, const struct image_format *format,
    const struct image *image, struct error *error)
{
    const struct words formats = image_formats(image);
    char size[40] = "";
    if (can_hold(format, image))
        return 0;
    if (image->width)
        snprintf(size, sizeof(size), "%d x %d pixels of ", image->width, image->height);
    return error_set(error, ERROR_INPUT,
        "cannot write '%s': %s cannot hold %s%d-bit %s%s; use one of %s", path, format->name, size,
        image->depth, image->channels <= 2 ? "gray" : "color",
        image->channels % 2 ? "" : " with alpha", words_join(&formats, ", ").text);
}

/* Finds the format of an output and refuses what it cannot hold, and where it cannot be written. */
static int choose_format(const char *path, const char *name, const struct image *image,
    const struct image_format **format, struct error *error)
{
    struct error failure;
    int rc = find_format(path, name, image, format, error);
    if (rc == 0 && image)
        rc = check_image(path, *format, image, error);
    if (rc == 0)
        rc = output_check(path, 1, error);
    if (rc == 0 && (*format)->open && (*format)->open(&failure) != 0)
        rc = error_set(error, ERROR_INPUT,
            "cannot write '%s': %s; install it, or write another format", path, failure.text);
    return rc == 0 && (*format)->check ? (*format)->check(path, error) : rc;
}

int image_check_output(
    const char *path, const char *format_name, const struct image *image, struct error *error)
{
    const struct image_format *format;
    return choose_format(path, format_name, image, &format, error);
}

int image_encoder_failed(const struct image_writer *writer, struct error *error)
{
    return error_set(error, ERROR_INPUT,
        "cannot write '%s': its encoder failed, most likely for want of memory",
        writer->output.name);
}

/* Refuses a format that is written from the whole image, and names those that hold it and are
 * not. */
static int refuse_strips(const char *path, const struct image_format *format,
    const struct image *whole, struct error *error)
{
    struct words names = {0};
    for (int i = 0; i < FORMAT_COUNT; i++)
        if (is_listed(FORMATS[i], whole) && !FORMATS[i]->is_whole)
            words_add(&names, FORMATS[i]->name);
    return error_set(error, ERROR_INPUT,
        "cannot write '%s': %s takes an image only as a whole, not as one larger than memory; use "
        "one of %s",
        path, format->name, words_join(&names, ", ").text);
}

/* The format of an image that is written in strips of so many rows. */
static int choose_for_rows(const char *path, const char *format_name, const struct image *whole,
    int most_rows, const struct image_format **format, struct error *error)
{
    const int rc = choose_format(path, format_name, whole, format, error);
    return rc || !(*format)->is_whole || most_rows >= whole->height
               ? rc
               : refuse_strips(path, *format, whole, error);
}

int image_check_rows(const char *path, const char *format_name, const struct image *image,
    int most_rows, struct error *error)
{
    const struct image_format *format;
    return choose_for_rows(path, format_name, image, most_rows, &format, error);
}

static void writer_prepare(struct image_writer *writer, const struct image_format *format,
    const struct image *whole, int most_rows)
{
    writer->format = format;
    writer->whole = *whole;
    writer->whole.pixels = NULL;
    writer->most_rows = most_rows < whole->height ? most_rows : whole->height;
    if (writer->whole.metadata.exif.bytes)
        exif_settle(&writer->whole.metadata.exif, whole->width, whole->height);
}

/* Opens the output of a writer. */
static int open_writer(const char *path, const struct image_format *format,
    const struct image *whole, int most_rows, const struct progress *progress,
    struct image_writer **writer, struct error *error)
{
    struct image_writer *made = calloc(1, sizeof(*made));
    if (!made)
        return error_set(error, ERROR_INPUT, "cannot write '%s': no memory", path);
    const int rc = output_open(path, 1, progress, &made->output, error);
    if (rc) {
        free(made);
        return rc;
    }
    writer_prepare(made, format, whole, most_rows);
    *writer = made;
    return 0;
}

int image_writer_open(const char *path, const char *format_name, const struct image *whole,
    int most_rows, const struct progress *progress, struct image_writer **writer,
    struct error *error)
{
    const struct image_format *format;
    *writer = NULL;
    int rc = choose_for_rows(path, format_name, whole, most_rows, &format, error);
    if (rc == 0)
        rc = open_writer(path, format, whole, most_rows, progress, writer, error);
    if (rc == 0 && format->begin)
        rc = format->begin(*writer, error);
    if (rc) {
        image_writer_abandon(*writer);
        *writer = NULL;
    }
    return rc;
}

int image_writer_open_parts(const char *path, const char *format_name, const struct image *whole,
    uint64_t memory, const struct progress *progress, struct image_writer **writer,
    struct image_parts *parts, struct error *error)
{
    const struct image_format *format;
    *writer = NULL;
    *parts = (struct image_parts){0};
    int rc = choose_format(path, format_name, whole, &format, error);
    if (rc || !format->begin_parts)
        return rc;
    rc = open_writer(path, format, whole, whole->height, progress, writer, error);
    if (rc == 0)
        rc = format->begin_parts(*writer, memory, parts, error);
    if (parts->count) {
        (*writer)->whole = parts->rest;
    } else {
        image_writer_abandon(*writer);
        *writer = NULL;
    }
    return rc;
}

int image_writer_add(struct image_writer *writer, const struct image *strip, struct error *error)
{
    assert(strip->width == writer->whole.width && strip->channels == writer->whole.channels &&
           strip->depth == writer->whole.depth && strip->height <= writer->most_rows &&
           strip->height <= writer->whole.height - writer->rows);
    const int rc = writer->format->add(writer, strip, error);
    writer->rows += strip->height;
    return rc ? rc : output_status(&writer->output, error);
}

static void writer_free(struct image_writer *writer, int is_in_place)
{
    if (writer->format->release)
        writer->format->release(writer, is_in_place);
    free(writer);
}

int image_writer_close(struct image_writer *writer, struct error *error)
{
    assert(writer->rows == writer->whole.height);
    int rc = writer->format->end ? writer->format->end(writer, error) : 0;
    if (rc)
        output_abandon(&writer->output);
    else
        rc = output_commit(&writer->output, error);
    writer_free(writer, rc == 0);
    return rc;
}

void image_writer_abandon(struct image_writer *writer)
{
    if (!writer)
        return;
    output_abandon(&writer->output);
    writer_free(writer, 0);
}

/* Writes the whole image, and puts the file in its place. */
static int writer_finish(
    struct image_writer *writer, const struct image *image, struct error *error)
{
    const int rc = image_writer_add(writer, image, error);
    if (rc == 0)
        return image_writer_close(writer, error);
    image_writer_abandon(writer);
    return rc;
}

int image_write(const char *path, const char *format_name, const struct image *image,
    const struct progress *progress, struct error *error)
{
    struct image_writer *writer;
    const int rc =
        image_writer_open(path, format_name, image, image->height, progress, &writer, error);
    return rc ? rc : writer_finish(writer, image, error);
}

int image_encode(
    const struct image *image, const char *name, char **bytes, size_t *size, struct error *error)
{
    struct image_writer *writer = calloc(1, sizeof(*writer));
    *bytes = NULL;
    if (writer)
        writer->output = (struct output){.name = name, .file = open_memstream(bytes, size)};
    if (!writer || !writer->output.file) {
        free(writer);
        return error_set(error, ERROR_INPUT, "cannot write '%s': no memory", name);
    }
    writer_prepare(writer, &IMAGE_PNG, image, image->height);
    int rc = IMAGE_PNG.begin ? IMAGE_PNG.begin(writer, error) : 0;
    if (rc)
        image_writer_abandon(writer);
    else
        rc = writer_finish(writer, image, error);
    if (rc) {
        free(*bytes);
        *bytes = NULL;
    }
    return rc;
}
