#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <stb_image_write.h>

#include "images/image.h"
#include "images/jpeg.h"
#include "images/output.h"
#include "images/pngfile.h"

#define PNM_PART ((size_t)1 << 20) /* bytes that are written between two looks whether to stop */
#define PNG_ROW_FILTER \
    2 /* Up, for all rows: trying five filters a row costs more than compressing */

/* One way to write a picture. The pixels come packed: `channels` samples a pixel, native order. */
struct format {
    const char *name;
    const char *endings; /* blank-separated */
    int channels;        /* bit set of the channel counts that it can hold: 1 << channels */
    int max_depth;
    int max_side; /* pixels; stb counts bytes in an int */
    int (*write)(struct output *, const struct image *, const void *packed);
};

/* stb gives a few bytes at a time, and goes on where writing has failed; so little is done then. */
static void write_bytes(void *context, void *bytes, int size)
{
    struct output *output = context;
    if (output->failure)
        return;
    output_write(output, bytes, (size_t)size);
    if (++output->parts % REPORT_EVERY == 0)
        output_progress(output, 0);
}

static int write_bmp(struct output *output, const struct image *image, const void *packed)
{
    return stbi_write_bmp_to_func(
               write_bytes, output, image->width, image->height, image->channels, packed)
               ? 0
               : -1;
}

static int write_tga(struct output *output, const struct image *image, const void *packed)
{
    return stbi_write_tga_to_func(
               write_bytes, output, image->width, image->height, image->channels, packed)
               ? 0
               : -1;
}

/* stb has neither 16 bits a channel nor more than 2 GiB of pixels. */
static int write_png(struct output *output, const struct image *image, const void *packed)
{
    const uint64_t filtered =
        ((uint64_t)image->width * (uint64_t)image->channels + 1) * (uint64_t)image->height;
    if (image->depth == 16 || filtered > INT_MAX / 2)
        return pngfile_write(output, image, packed);
    stbi_write_force_png_filter = PNG_ROW_FILTER;
    return stbi_write_png_to_func(write_bytes, output, image->width, image->height, image->channels,
               packed, image->width * image->channels)
               ? 0
               : -1;
}

/* Raw PGM and PPM; 16 bits are stored most significant byte first. */
static int write_pnm(struct output *output, const struct image *image, const void *packed)
{
    const size_t samples = (size_t)image->width * (size_t)image->height * (size_t)image->channels;
    fprintf(output->file, "P%c\n%d %d\n%d\n", image->channels == 1 ? '5' : '6', image->width,
        image->height, image->depth == 16 ? 65535 : 255);
    if (image->depth == 8) {
        for (size_t at = 0; at < samples; at += PNM_PART) {
            const size_t left = samples - at;
            output_write(output, (const char *)packed + at, left < PNM_PART ? left : PNM_PART);
            if (output_progress(output, (double)at / (double)samples))
                break;
        }
        return 0;
    }
    const uint16_t *sample = packed;
    unsigned char bytes[8192];
    size_t used = 0;
    for (size_t i = 0; i < samples; i++) {
        bytes[used++] = (unsigned char)(sample[i] >> 8);
        bytes[used++] = (unsigned char)sample[i];
        if (used == sizeof(bytes) || i + 1 == samples) {
            output_write(output, bytes, used);
            used = 0;
            if (output_progress(output, (double)i / (double)samples))
                break;
        }
    }
    return 0;
}

enum { GRAY = 1 << 1, GRAY_ALPHA = 1 << 2, RGB = 1 << 3, RGBA = 1 << 4 };

static const struct format FORMATS[] = {
    {"png", "png", GRAY | GRAY_ALPHA | RGB | RGBA, 16, INT_MAX, write_png},
    {"jpeg", "jpg jpeg", GRAY | RGB, 8, 1 << 14, jpeg_write},
    {"bmp", "bmp", GRAY | RGB | RGBA, 8, 1 << 14, write_bmp},
    {"tga", "tga", GRAY | GRAY_ALPHA | RGB | RGBA, 8, 1 << 14, write_tga},
    {"pgm", "pgm", GRAY, 16, INT_MAX, write_pnm},
    {"ppm", "ppm", RGB, 16, INT_MAX, write_pnm},
    {"pnm", "pnm", GRAY | RGB, 16, INT_MAX, write_pnm},
};
static const size_t FORMAT_COUNT = sizeof(FORMATS) / sizeof(FORMATS[0]);

static int can_hold(const struct format *format, const struct image *image)
{
    return (format->channels >> image->channels & 1) && image->depth <= format->max_depth &&
           image->width <= format->max_side && image->height <= format->max_side;
}

/* The names of all formats, or of those that can hold the picture, with commas. */
static const char *list_formats(const struct image *image, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < FORMAT_COUNT; i++)
        if (!image || can_hold(&FORMATS[i], image))
            used += (size_t)snprintf(
                text + used, size - used, "%s%s", used ? ", " : "", FORMATS[i].name);
    return text;
}

/* Whether the blank-separated list has the word, in any letter case. */
static int has_word(const char *list, const char *word)
{
    const size_t length = strlen(word);
    while (*list) {
        const size_t end = strcspn(list, " ");
        if (end == length && strncasecmp(list, word, length) == 0)
            return 1;
        list += end + (list[end] == ' ');
    }
    return 0;
}

/* The word that says the format: the name given, or the path's ending. */
static const char *format_word(const char *path, const char *name)
{
    const char *base = strrchr(path, '/');
    const char *dot = strrchr(base ? base : path, '.');
    return name ? name : strcmp(path, "-") == 0 ? "png" : dot ? dot + 1 : "";
}

static const struct format *format_of(const char *word)
{
    for (size_t i = 0; i < FORMAT_COUNT; i++)
        if (has_word(FORMATS[i].endings, word))
            return &FORMATS[i];
    return NULL;
}

int image_is_name(const char *path)
{
    return format_of(format_word(path, NULL)) != NULL;
}

static int find_format(const char *path, const char *name, const struct image *image,
    const struct format **format, struct error *error)
{
    char list[128];
    const char *word = format_word(path, name);
    *format = format_of(word);
    if (*format)
        return 0;
    if (name)
        return error_set(error, ERROR_USAGE, "unknown picture format '%s'; use one of %s", name,
            list_formats(image, list, sizeof(list)));
    return error_set(error, ERROR_INPUT,
        "cannot write '%s': no picture format has the ending '%s'; use one of %s, or --format",
        path, word, list_formats(image, list, sizeof(list)));
}

/* Keeps the samples that the file holds: gray is in R, its alpha in A. */
static void *pack(const struct image *image)
{
    const size_t pixels = (size_t)image->width * (size_t)image->height;
    const int channels = image->channels;
    const int source[4] = {0, channels == 2 ? 3 : 1, 2, 3};
    void *packed = malloc(pixels * (size_t)(channels * image->depth / 8));
    if (!packed)
        return NULL;
    for (size_t i = 0; i < pixels; i++)
        for (int c = 0; c < channels; c++) {
            const size_t to = i * (size_t)channels + (size_t)c, from = 4 * i + (size_t)source[c];
            if (image->depth == 16)
                ((uint16_t *)packed)[to] = ((const uint16_t *)image->pixels)[from];
            else
                ((uint8_t *)packed)[to] = ((const uint8_t *)image->pixels)[from];
        }
    return packed;
}

/* Finds the format of an output and refuses what it cannot hold. */
static int choose_format(const char *path, const char *name, const struct image *image,
    const struct format **format, struct error *error)
{
    char list[128], size[40] = "";
    const int rc = find_format(path, name, image, format, error);
    if (rc || !image || can_hold(*format, image))
        return rc;
    if (image->width)
        snprintf(size, sizeof(size), "%d x %d pixels of ", image->width, image->height);
    return error_set(error, ERROR_INPUT,
        "cannot write '%s': %s cannot hold %s%d-bit %s%s; use one of %s", path, (*format)->name,
        size, image->depth, image->channels <= 2 ? "gray" : "colour",
        image->channels % 2 ? "" : " with alpha", list_formats(image, list, sizeof(list)));
}

int image_check_output(
    const char *path, const char *format_name, const struct image *image, struct error *error)
{
    const struct format *format;
    const int rc = choose_format(path, format_name, image, &format, error);
    return rc ? rc : output_check(path, 1, error);
}

int image_write(const char *path, const char *format_name, const struct image *image,
    const struct progress *progress, struct error *error)
{
    const struct format *format;
    struct output output;
    int rc = choose_format(path, format_name, image, &format, error);
    if (rc == 0)
        rc = output_open(path, 1, progress, &output, error);
    if (rc)
        return rc;
    void *packed = image->channels == 4 ? image->pixels : pack(image);
    if (!packed || format->write(&output, image, packed)) {
        output_abandon(&output);
        rc = error_set(error, ERROR_INPUT,
            "cannot write '%s': its encoder failed, most likely for want of memory", path);
    } else {
        rc = output_commit(&output, error);
    }
    if (packed != image->pixels)
        free(packed);
    return rc;
}
