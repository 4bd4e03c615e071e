/* Pictures written and read back, by this program and by libpng; files cut short; size limits. */
#include <png.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "images/image.h"
#include "tests/tap.h"

static const int SIZES[][2] = {{1, 1}, {1, 7}, {7, 1}, {63, 65}, {101, 103}, {2, 127}};
enum { SIZE_COUNT = sizeof(SIZES) / sizeof(SIZES[0]) };

static char folder[] = "/tmp/test_image.XXXXXX";

static uint32_t next_random(void)
{
    static uint32_t state = 2463534242u;
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
}

static unsigned get_sample(const struct image *image, size_t i)
{
    return image->depth == 16 ? ((const uint16_t *)image->pixels)[i]
                              : ((const uint8_t *)image->pixels)[i];
}

static void set_sample(struct image *image, size_t i, unsigned value)
{
    if (image->depth == 16)
        ((uint16_t *)image->pixels)[i] = (uint16_t)value;
    else
        ((uint8_t *)image->pixels)[i] = (uint8_t)value;
}

/* Noise as a reader would give it: gray has R = G = B, what has no alpha is opaque. No alpha is 0,
 * because stb takes a BMP whose alpha is 0 everywhere for an opaque one. */
static struct image make_noise(int width, int height, int channels, int depth)
{
    struct error error;
    struct image image;
    const unsigned full = depth == 16 ? 65535 : 255;
    if (image_new(width, height, channels, depth, &image, &error))
        abort();
    for (size_t i = 0; i < (size_t)width * (size_t)height; i++) {
        for (size_t c = 0; c < 3; c++)
            set_sample(&image, 4 * i + c,
                channels <= 2 && c ? get_sample(&image, 4 * i) : next_random() >> 9 & full);
        set_sample(&image, 4 * i + 3, channels % 2 ? full : (next_random() >> 9 & full) | 1);
    }
    return image;
}

static int same_pixels(const struct image *a, const struct image *b)
{
    return a->width == b->width && a->height == b->height && a->depth == b->depth &&
           memcmp(a->pixels, b->pixels,
               (size_t)a->width * (size_t)a->height * image_pixel_size(a)) == 0;
}

static const char *path_of(const char *name)
{
    static char path[256];
    snprintf(path, sizeof(path), "%s/%s", folder, name);
    return path;
}

/* The whole file in memory of exactly its size. */
static unsigned char *read_file(const char *path, size_t *size)
{
    struct stat status;
    FILE *file = fopen(path, "rb");
    if (!file || fstat(fileno(file), &status) != 0)
        abort();
    unsigned char *bytes = malloc((size_t)status.st_size);
    *size = fread(bytes, 1, (size_t)status.st_size, file);
    fclose(file);
    return bytes;
}

/* Decodes a copy of the first bytes, of exactly their size, so that sanitizers see any overrun. */
static int decode_prefix(const unsigned char *bytes, size_t size, uint64_t max_pixels,
    struct image *image, struct error *error)
{
    unsigned char *prefix = malloc(size ? size : 1);
    memcpy(prefix, bytes, size);
    const int rc = image_decode(prefix, size, "prefix", max_pixels, image, error);
    free(prefix);
    return rc;
}

/* Writes and reads pictures of all sizes; what is read may have other channels (BMP). */
static void check_round_trip(const char *format, int channels, int depth, int file_channels)
{
    int passed = 1;
    for (int i = 0; i < SIZE_COUNT && passed; i++) {
        struct error error = {""};
        struct image read = {0}, image = make_noise(SIZES[i][0], SIZES[i][1], channels, depth);
        const char *path = path_of("picture");
        passed = image_write(path, format, &image, &error) == 0 &&
                 image_read(path, IMAGE_MAX_PIXELS, &read, &error) == 0 &&
                 same_pixels(&image, &read) && read.channels == file_channels;
        if (!passed)
            printf("# %d x %d: %s\n", SIZES[i][0], SIZES[i][1], error.text);
        image_free(&image);
        image_free(&read);
    }
    tap_check(passed, "%s, %d channels of %d bits: the same pixels again", format, channels, depth);
}

static void check_refused(const char *format, int channels, int depth)
{
    struct error error = {""};
    struct image image = make_noise(3, 2, channels, depth);
    const char *path = path_of("refused");
    char expected[512];
    snprintf(expected, sizeof(expected),
        "cannot write '%s': %s cannot hold 3 x 2 pixels of %d-bit %s%s; use one of ", path, format,
        depth, channels <= 2 ? "gray" : "colour", channels % 2 ? "" : " with alpha");
    tap_check(image_write(path, format, &image, &error) == ERROR_INPUT &&
                  strncmp(error.text, expected, strlen(expected)) == 0 && access(path, F_OK) != 0,
        "%s, %d channels of %d bits: refused, and nothing written", format, channels, depth);
    image_free(&image);
}

static void check_formats(void)
{
    static const struct {
        const char *name;
        int reads_as[5]; /* channels in the file by the picture's; 0 where it is refused */
        int max_depth;
    } FORMATS[] = {
        {"png", {0, 1, 2, 3, 4}, 16},
        {"bmp", {0, 3, 0, 3, 4}, 8},
        {"tga", {0, 1, 2, 3, 4}, 8},
        {"pgm", {0, 1, 0, 0, 0}, 16},
        {"ppm", {0, 0, 0, 3, 0}, 16},
        {"pnm", {0, 1, 0, 3, 0}, 16},
    };
    for (size_t i = 0; i < sizeof(FORMATS) / sizeof(FORMATS[0]); i++)
        for (int channels = 1; channels <= 4; channels++)
            for (int depth = 8; depth <= 16; depth += 8)
                if (FORMATS[i].reads_as[channels] && depth <= FORMATS[i].max_depth)
                    check_round_trip(
                        FORMATS[i].name, channels, depth, FORMATS[i].reads_as[channels]);
                else
                    check_refused(FORMATS[i].name, channels, depth);
    check_refused("jpeg", 2, 8);
    check_refused("jpeg", 4, 8);
    check_refused("jpeg", 1, 16);
    check_refused("jpeg", 3, 16);
}

/* JPEG is lossy: on a gradient with some texture no sample is off by more than 8 at quality 95. */
static void check_jpeg(int channels)
{
    struct error error = {""};
    int worst = 255;
    struct image read = {0}, image = make_noise(63, 65, channels, 8);
    for (size_t i = 0; i < 63 * 65; i++)
        for (size_t c = 0; c < 3; c++)
            set_sample(&image, 4 * i + c,
                (unsigned)(i % 63 + i / 63 + i * i % 23 + (channels == 3 ? 20 * c : 0)));
    const char *path = path_of("picture.jpg");
    const int read_back = image_write(path, NULL, &image, &error) == 0 &&
                          image_read(path, IMAGE_MAX_PIXELS, &read, &error) == 0;
    if (read_back && read.width == 63 && read.height == 65 && read.channels == channels) {
        worst = 0;
        for (size_t i = 0; i < 4 * 63 * 65; i++) {
            const int off = abs((int)get_sample(&image, i) - (int)get_sample(&read, i));
            worst = off > worst ? off : worst;
        }
    }
    tap_check(worst <= 8, "jpeg, %d channels: at most 8 off (%d)%s", channels, worst, error.text);
    image_free(&image);
    image_free(&read);
}

/* The samples of a PNG by libpng's own reader, row by row, in native order; NULL on any error. */
static unsigned char *read_by_libpng(
    const char *path, const struct image *image, size_t row_size, int color_type)
{
    FILE *file = fopen(path, "rb");
    unsigned char *volatile rows = NULL;
    png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);
    if (!file || !info || setjmp(png_jmpbuf(png)))
        goto fail;
    png_init_io(png, file);
    png_read_info(png, info);
    if ((int)png_get_image_width(png, info) != image->width ||
        (int)png_get_image_height(png, info) != image->height ||
        png_get_bit_depth(png, info) != image->depth ||
        png_get_color_type(png, info) != color_type || png_get_rowbytes(png, info) != row_size)
        goto fail;
    rows = calloc((size_t)image->height, row_size);
    for (int y = 0; y < image->height; y++)
        png_read_row(png, rows + (size_t)y * row_size, NULL);
    png_read_end(png, NULL);
    png_destroy_read_struct(&png, &info, NULL);
    fclose(file);
    return rows;
fail:
    png_destroy_read_struct(&png, &info, NULL);
    if (file)
        fclose(file);
    free(rows);
    return NULL;
}

static void check_png_by_libpng(int channels, int depth)
{
    static const int COLOR_TYPES[] = {
        0, PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY_ALPHA, PNG_COLOR_TYPE_RGB, PNG_COLOR_TYPE_RGBA};
    static const size_t SOURCES[5][4] = {{0}, {0}, {0, 3}, {0, 1, 2}, {0, 1, 2, 3}};
    int passed = 1;
    for (int i = 0; i < SIZE_COUNT && passed; i++) {
        struct error error;
        struct image image = make_noise(SIZES[i][0], SIZES[i][1], channels, depth);
        const size_t samples = (size_t)image.width * (size_t)image.height * (size_t)channels;
        const char *path = path_of("picture.png");
        passed = image_write(path, NULL, &image, &error) == 0;
        unsigned char *rows = read_by_libpng(
            path, &image, (size_t)(image.width * channels * depth / 8), COLOR_TYPES[channels]);
        passed = passed && rows;
        for (size_t s = 0; s < samples && passed; s++) {
            const size_t pixel = s / (size_t)channels, c = s % (size_t)channels;
            const unsigned sample =
                depth == 16 ? (unsigned)(rows[2 * s] << 8 | rows[2 * s + 1]) : rows[s];
            passed = sample == get_sample(&image, 4 * pixel + SOURCES[channels][c]);
        }
        free(rows);
        image_free(&image);
    }
    tap_check(passed, "png, %d channels of %d bits: libpng reads the same", channels, depth);
}

/* A white pixel. */
static const unsigned char GIF[] = {'G', 'I', 'F', '8', '9', 'a', 1, 0, 1, 0, 0x80, 0, 0, 255, 255,
    255, 0, 0, 0, ',', 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0, ';'};

static void check_gif(void)
{
    struct error error;
    struct image image;
    const int rc = image_decode(GIF, sizeof(GIF), "gif", 1, &image, &error);
    tap_check(rc == 0 && image.width == 1 && image.height == 1 && image.depth == 8 &&
                  memcmp(image.pixels, "\xff\xff\xff\xff", 4) == 0,
        "gif: one white pixel");
    image_free(&image);
}

/* Every proper prefix: none crashes, and those shorter than `needed` bytes are refused. */
static void check_cut_short(
    const char *name, const unsigned char *bytes, size_t size, size_t needed)
{
    size_t accepted = 0, refused = 0;
    for (size_t length = 0; length < size; length++) {
        struct error error;
        struct image image;
        const int rc = decode_prefix(bytes, length, 1 << 20, &image, &error);
        if (rc == 0 && length < needed)
            accepted = length;
        refused += rc == ERROR_INPUT && strncmp(error.text, "cannot read 'prefix': ", 22) == 0;
        image_free(&image);
    }
    tap_check(!accepted && refused >= needed, "%s cut short: refused up to %zu of %zu bytes (%zu)",
        name, needed, size, accepted);
}

static void check_written_cut_short(
    const char *format, int channels, int depth, int droppable, const char *why)
{
    struct error error;
    struct image image = make_noise(9, 8, channels, depth);
    const char *path = path_of("cut");
    char name[160];
    size_t size;
    if (image_write(path, format, &image, &error))
        abort();
    unsigned char *bytes = read_file(path, &size);
    snprintf(name, sizeof(name), "%s, %d channels of %d bits%s", format, channels, depth, why);
    check_cut_short(name, bytes, size, droppable < 0 ? 1 : size - (size_t)droppable);
    free(bytes);
    image_free(&image);
}

/* stb takes a PNG as whole once it has the type of the last chunk, IEND: its checksum (4 bytes) may
 * be missing. It does not notice missing pixels in BMP, TGA and GIF: there the test is only that
 * nothing is read past the end. */
static void check_all_cut_short(void)
{
    for (int channels = 1; channels <= 4; channels++)
        for (int depth = 8; depth <= 16; depth += 8)
            check_written_cut_short("png", channels, depth, 4, ", its last checksum aside");
    check_written_cut_short("jpeg", 1, 8, 0, "");
    check_written_cut_short("jpeg", 3, 8, 0, "");
    check_written_cut_short("pgm", 1, 8, 0, "");
    check_written_cut_short("pgm", 1, 16, 0, "");
    check_written_cut_short("ppm", 3, 8, 0, "");
    check_written_cut_short("ppm", 3, 16, 0, "");
    check_written_cut_short("bmp", 3, 8, -1, "");
    check_written_cut_short("bmp", 4, 8, -1, "");
    check_written_cut_short("tga", 1, 8, -1, "");
    check_written_cut_short("tga", 4, 8, -1, "");
    check_cut_short("gif", GIF, sizeof(GIF), 1);
}

static void check_max_pixels(const char *format)
{
    struct error error = {""}, ignored;
    struct image read = {0}, image = make_noise(7, 13, 3, 8);
    const char *path = path_of("limit");
    char expected[512];
    if (image_write(path, format, &image, &error))
        abort();
    snprintf(expected, sizeof(expected),
        "cannot read '%s': 7 x 13 pixels are more than 90; allow more with --max-pixels", path);
    const int refused = image_read(path, 7 * 13 - 1, &read, &error);
    tap_check(refused == ERROR_INPUT && !read.pixels && strcmp(error.text, expected) == 0,
        "%s: a pixel above the limit is refused", format);
    tap_check(image_read(path, 7 * 13, &read, &ignored) == 0, "%s: the limit is allowed", format);
    image_free(&image);
    image_free(&read);
}

/* A refusal's message after "cannot read 'x': ". */
static void check_decode_refusal(const char *bytes, size_t size, const char *message)
{
    struct error error = {""};
    struct image image;
    tap_check(image_decode(bytes, size, "x", 1 << 20, &image, &error) == ERROR_INPUT &&
                  !image.pixels && strncmp(error.text, "cannot read 'x': ", 17) == 0 &&
                  strncmp(error.text + 17, message, strlen(message)) == 0,
        "refused: %s", message);
}

static void check_refusals(void)
{
    struct error error = {""};
    char expected[512];
    struct image image;
    check_decode_refusal("", 0, "the file is empty");
    check_decode_refusal(
        "neither this nor that", 21, "Image not of any known type, or corrupt (PNG, ");

    snprintf(
        expected, sizeof(expected), "cannot open '%s/none': No such file or directory", folder);
    tap_check(image_read(path_of("none"), 1, &image, &error) == ERROR_INPUT &&
                  strcmp(error.text, expected) == 0,
        "a missing file is refused");
    snprintf(expected, sizeof(expected), "cannot read '%s': it is a folder", folder);
    tap_check(
        image_read(folder, 1, &image, &error) == ERROR_INPUT && strcmp(error.text, expected) == 0,
        "a folder is refused");

    image = make_noise(1, 1, 3, 8);
    tap_check(image_write(path_of("x"), "webp", &image, &error) == ERROR_USAGE &&
                  strcmp(error.text,
                      "unknown format 'webp'; known are png, jpeg, bmp, tga, pgm, ppm, pnm") == 0,
        "an unknown format is refused");
    tap_check(image_check_output(path_of("x.gif"), NULL, &image, &error) == ERROR_INPUT &&
                  strstr(error.text, "no picture format has the ending 'gif'; use one of png, "),
        "an unknown ending is refused");
    tap_check(image_check_output(path_of("X.PnG"), NULL, &image, &error) == 0,
        "an ending may be in capitals");
    tap_check(image_check_output(path_of("no.png/x"), NULL, &image, &error) == ERROR_INPUT &&
                  strstr(error.text, "no picture format has the ending ''"),
        "a folder's ending does not count");
    image_free(&image);
}

int main(void)
{
    static const char *const LIMITED[] = {"png", "jpeg", "bmp", "tga", "ppm"};
    if (!mkdtemp(folder))
        return 1;
    check_formats();
    check_jpeg(1);
    check_jpeg(3);
    for (int channels = 1; channels <= 4; channels++)
        for (int depth = 8; depth <= 16; depth += 8)
            check_png_by_libpng(channels, depth);
    check_gif();
    check_all_cut_short();
    for (size_t i = 0; i < sizeof(LIMITED) / sizeof(LIMITED[0]); i++)
        check_max_pixels(LIMITED[i]);
    check_refusals();

    static const char *const FILES[] = {"picture", "picture.jpg", "picture.png", "cut", "limit"};
    for (size_t i = 0; i < sizeof(FILES) / sizeof(FILES[0]); i++)
        unlink(path_of(FILES[i]));
    tap_check(rmdir(folder) == 0, "no other file is left");
    return tap_finish();
}
