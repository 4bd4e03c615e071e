/* Images written and read back, by this program, libpng and libjpeg; files cut short and damaged;
 * size limits. The working folder is the repository's root. */
#include <png.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

/* jpeglib.h needs stdio.h before it. */
#include <jpeglib.h>

#include "cli/tap.h"
#include "images/image.h"
#include "tests/test_random.h"

static const int SIZES[][2] = {{1, 1}, {1, 7}, {7, 1}, {63, 65}, {101, 103}, {2, 127}};
enum { SIZE_COUNT = sizeof(SIZES) / sizeof(SIZES[0]) };

static char folder[] = "/tmp/test_image.XXXXXX";

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

/* Writes and reads images of all sizes; what is read may have other channels (BMP). */
static void check_round_trip(const char *format, int channels, int depth, int file_channels)
{
    int passed = 1;
    for (int i = 0; i < SIZE_COUNT && passed; i++) {
        struct error error = {""};
        struct image read = {0}, image = make_noise(SIZES[i][0], SIZES[i][1], channels, depth);
        const char *path = path_of("image");
        passed = image_write(path, format, &image, NULL, &error) == 0 &&
                 image_read(path, IMAGE_MAX_PIXELS, NULL, &read, &error) == 0 &&
                 same_pixels(&image, &read) && read.channels == file_channels;
        if (!passed)
            printf("# %d x %d: %s\n", SIZES[i][0], SIZES[i][1], error.text);
        image_free(&image);
        image_free(&read);
    }
    tap_check(passed, "%s, %d channels of %d bits: the same pixels again", format, channels, depth);
}

/* What is encoded into memory is the file. */
static void check_encoded(int channels, int depth)
{
    struct error error = {""};
    struct image image = make_noise(301, 200, channels, depth);
    const char *path = path_of("image");
    char *bytes = NULL;
    size_t size = 0, file_size = 0;
    const int rc = image_encode(&image, "memory", &bytes, &size, &error);
    if (image_write(path, "png", &image, NULL, &error))
        abort();
    unsigned char *file = read_file(path, &file_size);
    tap_check(rc == 0 && size == file_size && memcmp(bytes, file, size) == 0,
        "%d channels of %d bits: in memory as in a file", channels, depth);
    free(file);
    free(bytes);
    image_free(&image);
}

static void check_refused(const char *format, int channels, int depth)
{
    struct error error = {""};
    struct image image = make_noise(3, 2, channels, depth);
    const char *path = path_of("refused");
    char expected[512];
    snprintf(expected, sizeof(expected),
        "cannot write '%s': %s cannot hold 3 x 2 pixels of %d-bit %s%s; use one of ", path, format,
        depth, channels <= 2 ? "gray" : "color", channels % 2 ? "" : " with alpha");
    tap_check(image_write(path, format, &image, NULL, &error) == ERROR_INPUT &&
                  strncmp(error.text, expected, strlen(expected)) == 0 && access(path, F_OK) != 0,
        "%s, %d channels of %d bits: refused, and nothing written", format, channels, depth);
    image_free(&image);
}

static void check_formats(void)
{
    static const struct {
        const char *name;
        int reads_as[5]; /* channels in the file by the image's; 0 where it is refused */
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
    const char *path = path_of("image.jpg");
    const int read_back = image_write(path, NULL, &image, NULL, &error) == 0 &&
                          image_read(path, IMAGE_MAX_PIXELS, NULL, &read, &error) == 0;
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
        const char *path = path_of("image.png");
        passed = image_write(path, NULL, &image, NULL, &error) == 0;
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

/* What libpng is to write: packed rows, most significant bit and byte first. */
struct png {
    int width, height, depth, color_type, interlaced;
    int colors; /* in the palette */
    png_color palette[16];
    int alphas; /* of the palette's first colors, in `alpha` */
    png_byte alpha[16];
    int has_key; /* the color `key` is transparent: gray, RGB */
    png_color_16 key;
};

struct bytes {
    unsigned char *data;
    size_t size;
};

static void append(png_structp png, png_bytep data, png_size_t size)
{
    struct bytes *bytes = png_get_io_ptr(png);
    bytes->data = realloc(bytes->data, bytes->size + size);
    if (!bytes->data)
        abort();
    memcpy(bytes->data + bytes->size, data, size);
    bytes->size += size;
}

/* libpng aborts where it fails, as no jump is set. */
static struct bytes write_by_libpng(const struct png *shape, unsigned char *rows, size_t row_size)
{
    struct bytes bytes = {0};
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);
    unsigned char **starts = malloc((size_t)shape->height * sizeof(*starts));
    png_set_write_fn(png, &bytes, append, NULL);
    png_set_IHDR(png, info, (png_uint_32)shape->width, (png_uint_32)shape->height, shape->depth,
        shape->color_type, shape->interlaced ? PNG_INTERLACE_ADAM7 : PNG_INTERLACE_NONE,
        PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    if (shape->colors)
        png_set_PLTE(png, info, shape->palette, shape->colors);
    if (shape->alphas || shape->has_key)
        png_set_tRNS(png, info, shape->alphas ? shape->alpha : NULL, shape->alphas,
            shape->has_key ? &shape->key : NULL);
    png_write_info(png, info);
    for (int y = 0; y < shape->height; y++)
        starts[y] = rows + (size_t)y * row_size;
    png_write_image(png, starts);
    png_write_end(png, NULL);
    png_destroy_write_struct(&png, &info);
    free(starts);
    return bytes;
}

/* Writes a PNG of random samples below `limit` and compares what is read with what `expect` makes
 * of the samples of each pixel, which has `samples` of them. */
static void check_png_read(const char *name, const struct png *shape, int samples, unsigned limit,
    int channels, void (*expect)(const struct png *, const unsigned *, unsigned rgba[4]))
{
    const size_t row_size = (size_t)(shape->width * samples * shape->depth + 7) / 8;
    const size_t count = (size_t)shape->width * (size_t)shape->height;
    unsigned char *rows = calloc((size_t)shape->height, row_size);
    unsigned *values = calloc(count * (size_t)samples, sizeof(*values));
    for (size_t i = 0; i < count * (size_t)samples; i++) {
        const size_t row = (size_t)shape->width * (size_t)samples;
        const size_t bit = i % row * (size_t)shape->depth;
        unsigned char *place = rows + i / row * row_size + bit / 8;
        values[i] = (next_random() >> 9) % limit;
        if (i < limit) /* each small value occurs */
            values[i] = (unsigned)i;
        if (shape->depth == 16) {
            place[0] = (unsigned char)(values[i] >> 8);
            place[1] = (unsigned char)values[i];
        } else {
            *place |= (unsigned char)(values[i] << (8 - shape->depth - (int)(bit % 8)));
        }
    }
    struct bytes bytes = write_by_libpng(shape, rows, row_size);
    struct error error = {""};
    struct image image;
    int passed =
        image_decode(bytes.data, bytes.size, "png", IMAGE_MAX_PIXELS, &image, &error) == 0 &&
        image.width == shape->width && image.height == shape->height &&
        image.depth == (shape->depth == 16 ? 16 : 8) && image.channels == channels;
    for (size_t i = 0; i < count && passed; i++) {
        unsigned rgba[4];
        expect(shape, values + i * (size_t)samples, rgba);
        for (size_t c = 0; c < 4; c++)
            passed = passed && get_sample(&image, 4 * i + c) == rgba[c];
    }
    tap_check(passed, "png, %s, %d x %d: the right values%s", name, shape->width, shape->height,
        error.text);
    image_free(&image);
    free(bytes.data);
    free(values);
    free(rows);
}

static void expect_palette(const struct png *shape, const unsigned *samples, unsigned rgba[4])
{
    const png_color *color = &shape->palette[*samples];
    rgba[0] = color->red;
    rgba[1] = color->green;
    rgba[2] = color->blue;
    rgba[3] = (int)*samples < shape->alphas ? shape->alpha[*samples] : 255;
}

static void expect_gray(const struct png *shape, const unsigned *samples, unsigned rgba[4])
{
    const unsigned most = (1u << shape->depth) - 1, full = shape->depth == 16 ? 65535 : 255;
    rgba[0] = rgba[1] = rgba[2] = *samples * (full / most);
    rgba[3] = shape->has_key && *samples == shape->key.gray ? 0 : full;
}

static void expect_rgb(const struct png *shape, const unsigned *samples, unsigned rgba[4])
{
    memcpy(rgba, samples, 3 * sizeof(*rgba));
    rgba[3] = shape->depth == 16 ? 65535 : 255;
    if (shape->has_key && samples[0] == shape->key.red && samples[1] == shape->key.green &&
        samples[2] == shape->key.blue)
        rgba[3] = 0;
}

static void expect_rgba(const struct png *shape, const unsigned *samples, unsigned rgba[4])
{
    (void)shape;
    memcpy(rgba, samples, 4 * sizeof(*rgba));
}

static void check_png_kinds(void)
{
    char name[80];
    for (int depth = 1; depth <= 8; depth *= 2)
        for (int interlaced = 0; interlaced <= 1; interlaced++) {
            struct png shape = {13, 9, depth, PNG_COLOR_TYPE_PALETTE, interlaced, .colors = 0};
            shape.colors = depth < 4 ? 1 << depth : 16;
            for (int i = 0; i < shape.colors; i++) {
                shape.palette[i] =
                    (png_color){(png_byte)(250 - 9 * i), (png_byte)(7 * i), (png_byte)(i * i)};
                shape.alpha[i] = (png_byte)(17 * i);
            }
            snprintf(name, sizeof(name), "palette of %d bits%s", depth,
                interlaced ? ", interlaced" : "");
            check_png_read(name, &shape, 1, (unsigned)shape.colors, 3, expect_palette);
            shape.alphas = shape.colors - 1; /* what tRNS does not name is opaque */
            snprintf(name, sizeof(name), "palette of %d bits with tRNS%s", depth,
                interlaced ? ", interlaced" : "");
            check_png_read(name, &shape, 1, (unsigned)shape.colors, 4, expect_palette);
        }
    for (int depth = 1; depth <= 16; depth *= 2)
        for (int interlaced = 0; interlaced <= 1; interlaced++) {
            struct png shape = {13, 9, depth, PNG_COLOR_TYPE_GRAY, interlaced, .colors = 0};
            snprintf(
                name, sizeof(name), "gray of %d bits%s", depth, interlaced ? ", interlaced" : "");
            check_png_read(name, &shape, 1, 1u << depth, 1, expect_gray);
            shape.has_key = 1;
            shape.key.gray = 1;
            snprintf(name, sizeof(name), "gray of %d bits with tRNS%s", depth,
                interlaced ? ", interlaced" : "");
            check_png_read(name, &shape, 1, 1u << depth, 2, expect_gray);
        }
    /* A transparent color counts in all its 16 bits. */
    struct png shape = {13, 9, 16, PNG_COLOR_TYPE_GRAY, 0, .has_key = 1, .key.gray = 0x102};
    check_png_read("gray of 16 bits with tRNS above 255", &shape, 1, 0x203, 2, expect_gray);
    for (int depth = 8; depth <= 16; depth += 8) {
        shape = (struct png){13, 9, depth, PNG_COLOR_TYPE_RGB, 0, .has_key = 1,
            .key = {.red = 0, .green = 1, .blue = 2}};
        snprintf(name, sizeof(name), "RGB of %d bits with tRNS", depth);
        check_png_read(name, &shape, 3, 1u << depth, 4, expect_rgb);
        for (int i = 0; i < SIZE_COUNT; i++) {
            shape =
                (struct png){SIZES[i][0], SIZES[i][1], depth, PNG_COLOR_TYPE_RGB, 1, .colors = 0};
            snprintf(name, sizeof(name), "RGB of %d bits, interlaced", depth);
            check_png_read(name, &shape, 3, 1u << depth, 3, expect_rgb);
            shape.color_type = PNG_COLOR_TYPE_RGBA;
            snprintf(name, sizeof(name), "RGBA of %d bits, interlaced", depth);
            check_png_read(name, &shape, 4, 1u << depth, 4, expect_rgba);
        }
    }
}

/* Slow changes, so that JPEG loses little: the samples of a CMYK image. */
static unsigned cmyk_sample(unsigned x, unsigned y, unsigned c)
{
    const unsigned values[4] = {20 + 4 * x, 30 + 5 * y, 240 - 3 * x - y, 250 - 2 * x - 2 * y};
    return values[c];
}

static void check_cmyk(const char *name, J_COLOR_SPACE space, int has_marker)
{
    enum { WIDTH = 40, HEIGHT = 30 };
    struct jpeg_compress_struct jpeg;
    struct jpeg_error_mgr manager;
    unsigned char *bytes = NULL;
    unsigned long size = 0;
    jpeg.err = jpeg_std_error(&manager); /* which ends the program on errors */
    jpeg_create_compress(&jpeg);
    jpeg_mem_dest(&jpeg, &bytes, &size);
    jpeg.image_width = WIDTH;
    jpeg.image_height = HEIGHT;
    jpeg.input_components = 4;
    jpeg.in_color_space = JCS_CMYK;
    jpeg_set_defaults(&jpeg);
    jpeg_set_colorspace(&jpeg, space);
    jpeg_set_quality(&jpeg, 100, TRUE);
    jpeg.write_Adobe_marker = has_marker ? TRUE : FALSE;
    jpeg_start_compress(&jpeg, TRUE);
    for (unsigned y = 0; y < HEIGHT; y++) {
        unsigned char samples[4 * WIDTH];
        JSAMPROW row = samples;
        for (unsigned i = 0; i < 4 * WIDTH; i++)
            samples[i] = (unsigned char)cmyk_sample(i / 4, y, i % 4);
        jpeg_write_scanlines(&jpeg, &row, 1);
    }
    jpeg_finish_compress(&jpeg);
    jpeg_destroy_compress(&jpeg);

    struct error error = {""};
    struct image image;
    int worst = 255;
    if (image_decode(bytes, size, "cmyk", IMAGE_MAX_PIXELS, &image, &error) == 0 &&
        image.width == WIDTH && image.height == HEIGHT && image.channels == 3 && image.depth == 8) {
        worst = 0;
        for (unsigned i = 0; i < 4 * WIDTH * HEIGHT; i++) {
            const unsigned x = i / 4 % WIDTH, y = i / 4 / WIDTH, c = i % 4;
            const unsigned sample = cmyk_sample(x, y, c), black = cmyk_sample(x, y, 3);
            const unsigned light =
                has_marker ? sample * black / 255 : (255 - sample) * (255 - black) / 255;
            const int off = abs((int)get_sample(&image, i) - (int)(c == 3 ? 255 : light));
            worst = off > worst ? off : worst;
        }
    }
    tap_check(worst <= 5, "jpeg, %s: at most 5 off (%d)%s", name, worst, error.text);
    image_free(&image);
    free(bytes);
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

/* The whole is accepted. Of its proper prefixes none crashes, and those are refused that lack more
 * than the last `droppable` bytes, which carry no pixels. */
static void check_cut_short(
    const char *name, const unsigned char *bytes, size_t size, size_t droppable)
{
    struct error error = {""};
    struct image image;
    size_t accepted = 0, first = 0;
    int passed = decode_prefix(bytes, size, 1 << 20, &image, &error) == 0;
    image_free(&image);
    for (size_t length = 0; length < size; length++) {
        const int rc = decode_prefix(bytes, length, 1 << 20, &image, &error);
        if (rc != ERROR_INPUT || image.pixels ||
            strncmp(error.text, "cannot read 'prefix': ", 22) != 0) {
            first = accepted++ ? first : length;
            passed = passed && rc == 0 && length + droppable >= size;
        }
        image_free(&image);
    }
    tap_check(passed, "%s cut short: refused below %zu of %zu bytes (accepted %zu, from %zu)", name,
        size - droppable, size, accepted, first);
}

static void check_written_cut_short(
    const char *format, int channels, int depth, size_t droppable, const char *why)
{
    struct error error;
    struct image image = make_noise(9, 8, channels, depth);
    const char *path = path_of("cut");
    char name[160];
    size_t size;
    if (image_write(path, format, &image, NULL, &error))
        abort();
    unsigned char *bytes = read_file(path, &size);
    snprintf(name, sizeof(name), "%s, %d channels of %d bits%s", format, channels, depth, why);
    check_cut_short(name, bytes, size, droppable);
    free(bytes);
    image_free(&image);
}

static const char *seed_path(const char *name)
{
    static char path[256];
    snprintf(path, sizeof(path), "tests/fuzz/seeds/%s", name);
    return path;
}

/* Rows of 8 pixels that are run-length encoded, which the seeds are too narrow or too plain for. */
static void check_runs_cut_short(void)
{
    static const unsigned char HDR[] =
        "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 2 +X 8\n"
        "\2\2\0\10\10abcdefgh\210r\2no\206i\210\200"
        "\2\2\0\10\210r\210g\7ijklmno\201i\4\200\200\200\200\204\200";
    static const unsigned char PSD[] = "8BPS\0\1\0\0\0\0\0\0\0\3\0\0\0\2\0\0\0\10\0\10\0\3"
                                       "\0\0\0\0\0\0\0\0\0\0\0\0\0\1"
                                       "\0\2\0\11\0\4\0\2\0\2\0\5"
                                       "\371r\7abcdefgh\375r\375s\371g\371h\375b\2xyz\0w";
    alarm(60); /* against a loop without end */
    check_cut_short("HDR of runs", HDR, sizeof(HDR) - 1, 0);
    check_cut_short("PSD of runs", PSD, sizeof(PSD) - 1, 0);
    alarm(0);
}

static void check_seeds_cut_short(void)
{
    static const struct {
        const char *name;
        size_t droppable;
        const char *why;
    } SEEDS[] = {
        {"gray8.bmp", 1, ", the last row's padding aside"},
        {"rgb8.bmp", 1, ", the last row's padding aside"},
        {"gray8.tga", 0, ""},
        {"rgb8.tga", 0, ""},
        {"rgb.psd", 0, ""},
        {"rgb.hdr", 0, ""},
        {"rgb.pic", 0, ""},
        {"gray8.png", 0, ""},
        {"gray16.png", 0, ""},
        {"rgb8.png", 0, ""},
        {"rgb16.png", 0, ""},
        {"gray8.jpg", 0, ""},
        {"rgb8.jpg", 0, ""},
        /* The empty block and the trailer. */
        {"pixel.gif", 2, ", its end marks aside"},
    };
    for (size_t i = 0; i < sizeof(SEEDS) / sizeof(SEEDS[0]); i++) {
        char name[160];
        size_t size;
        unsigned char *bytes = read_file(seed_path(SEEDS[i].name), &size);
        snprintf(name, sizeof(name), "%s%s", SEEDS[i].name, SEEDS[i].why);
        check_cut_short(name, bytes, size, SEEDS[i].droppable);
        free(bytes);
    }
}

/* Rows of BMP are padded to 4 bytes: with 9 pixels of 3 bytes the file ends in one of padding. */
static void check_all_cut_short(void)
{
    for (int channels = 1; channels <= 4; channels++)
        for (int depth = 8; depth <= 16; depth += 8)
            check_written_cut_short("png", channels, depth, 0, "");
    check_written_cut_short("jpeg", 1, 8, 0, "");
    check_written_cut_short("jpeg", 3, 8, 0, "");
    check_written_cut_short("pgm", 1, 8, 0, "");
    check_written_cut_short("pgm", 1, 16, 0, "");
    check_written_cut_short("ppm", 3, 8, 0, "");
    check_written_cut_short("ppm", 3, 16, 0, "");
    check_written_cut_short("bmp", 1, 8, 1, ", the last row's padding aside");
    check_written_cut_short("bmp", 3, 8, 1, ", the last row's padding aside");
    check_written_cut_short("bmp", 4, 8, 0, "");
    for (int channels = 1; channels <= 4; channels++)
        check_written_cut_short("tga", channels, 8, 0, "");
    check_seeds_cut_short();
}

/* Every bit of a PNG's chunks is covered by a length, a type or a checksum. */
static void check_flipped_bits(int channels, int depth)
{
    struct error error;
    struct image read, image = make_noise(9, 7, channels, depth);
    const char *path = path_of("flipped");
    size_t size, accepted = 0, first = 0;
    if (image_write(path, "png", &image, NULL, &error))
        abort();
    unsigned char *bytes = read_file(path, &size);
    for (size_t bit = 0; bit < 8 * size; bit++) {
        bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
        if (decode_prefix(bytes, size, 1 << 20, &read, &error) != ERROR_INPUT) {
            first = accepted++ ? first : bit / 8;
            image_free(&read);
        }
        bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
    }
    tap_check(!accepted,
        "png, %d channels of %d bits: any flipped bit is refused (%zu of %zu not, from byte %zu)",
        channels, depth, accepted, 8 * size, first);
    free(bytes);
    image_free(&image);
}

/* A side of 0, written over a good file's; a PNG's header gets its checksum again. */
static void check_empty_sides(void)
{
    static const struct {
        const char *name;
        size_t places[2], size; /* of width and height, in bytes */
    } SEEDS[] = {
        {"rgb8.png", {16, 20}, 4}, {"rgb8.bmp", {18, 22}, 4}, {"rgb8.tga", {12, 14}, 2},
        {"rgb.psd", {18, 14}, 4}, {"rgb.pic", {92, 94}, 2}, {"rgb.hdr", {43, 38}, 1}, /* a digit */
        {"rgb8.ppm", {3, 5}, 1}, {"rgb8.jpg", {0, 0}, 2}, /* found below */
    };
    for (size_t i = 0; i < sizeof(SEEDS) / sizeof(SEEDS[0]); i++)
        for (int side = 0; side < 2; side++) {
            struct error error = {""};
            struct image image;
            size_t size, place = SEEDS[i].places[side];
            unsigned char *bytes = read_file(seed_path(SEEDS[i].name), &size);
            for (size_t j = 0; !place && j + 9 < size; j++) /* SOF0: height, then width */
                if (bytes[j] == 0xff && bytes[j + 1] == 0xc0)
                    place = j + (side ? 5 : 7);
            const int is_digit = SEEDS[i].size == 1;
            const int was_there = is_digit ? bytes[place] >= '1' && bytes[place] <= '9'
                                           : bytes[place] || bytes[place + SEEDS[i].size - 1];
            memset(bytes + place, is_digit ? '0' : 0, SEEDS[i].size);
            if (strstr(SEEDS[i].name, "png")) {
                const uint32_t sum = (uint32_t)crc32(0, bytes + 12, 17);
                for (int j = 0; j < 4; j++)
                    bytes[29 + j] = (unsigned char)(sum >> (24 - 8 * j));
            }
            tap_check(was_there &&
                          decode_prefix(bytes, size, 1 << 20, &image, &error) == ERROR_INPUT &&
                          !image.pixels && strncmp(error.text, "cannot read 'prefix': ", 22) == 0,
                "%s of %s 0 is refused: %s", SEEDS[i].name, side ? "height" : "width", error.text);
            image_free(&image);
            free(bytes);
        }
}

static void check_max_pixels(const char *format)
{
    struct error error = {""}, ignored;
    struct image read = {0}, image = make_noise(7, 13, 3, 8);
    const char *path = path_of("limit");
    char expected[512];
    if (image_write(path, format, &image, NULL, &error))
        abort();
    snprintf(expected, sizeof(expected),
        "cannot read '%s': 7 x 13 pixels are more than 90; raise max-pixels", path);
    const int refused = image_read(path, 7 * 13 - 1, NULL, &read, &error);
    tap_check(refused == ERROR_INPUT && !read.pixels && strcmp(error.text, expected) == 0,
        "%s: a pixel above the limit is refused", format);
    tap_check(
        image_read(path, 7 * 13, NULL, &read, &ignored) == 0, "%s: the limit is allowed", format);
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
        "neither this nor that", 21, "Image not of any known type, or corrupt (png, ");

    snprintf(
        expected, sizeof(expected), "cannot open '%s/none': No such file or directory", folder);
    tap_check(image_read(path_of("none"), 1, NULL, &image, &error) == ERROR_INPUT &&
                  strcmp(error.text, expected) == 0,
        "a missing file is refused");
    snprintf(
        expected, sizeof(expected), "cannot read '%s': it is a folder; name a file in it", folder);
    tap_check(image_read(folder, 1, NULL, &image, &error) == ERROR_INPUT &&
                  strcmp(error.text, expected) == 0,
        "a folder is refused");

    image = make_noise(1, 1, 3, 8);
    tap_check(image_write(path_of("x"), "jp2", &image, NULL, &error) == ERROR_USAGE &&
                  strstr(error.text,
                      "unknown image format 'jp2'; use one of png, jpeg, bmp, tga, ppm, pnm") ==
                      error.text,
        "an unknown format is refused");
    tap_check(image_check_output(path_of("x.gif"), NULL, &image, &error) == ERROR_INPUT &&
                  strstr(error.text, "no image format has the extension 'gif'; use one of png, "),
        "an unknown extension is refused");
    tap_check(image_check_output(path_of("X.PnG"), NULL, &image, &error) == 0,
        "an extension may be in capitals");
    tap_check(image_check_output(path_of("no.png/x"), NULL, &image, &error) == ERROR_INPUT &&
                  strstr(error.text, "its name has no extension"),
        "a folder's extension does not count");
    image_free(&image);
}

int main(void)
{
    static const char *const LIMITED[] = {"png", "jpeg", "bmp", "tga", "ppm"};
    if (!mkdtemp(folder))
        return 1;
    check_formats();
    check_encoded(3, 8);
    check_encoded(2, 16);
    check_jpeg(1);
    check_jpeg(3);
    for (int channels = 1; channels <= 4; channels++)
        for (int depth = 8; depth <= 16; depth += 8)
            check_png_by_libpng(channels, depth);
    check_png_kinds();
    check_cmyk("CMYK with Adobe's marker", JCS_CMYK, 1);
    check_cmyk("CMYK without a marker", JCS_CMYK, 0);
    check_cmyk("YCCK", JCS_YCCK, 1);
    check_gif();
    check_all_cut_short();
    for (int channels = 1; channels <= 4; channels++)
        for (int depth = 8; depth <= 16; depth += 8)
            check_flipped_bits(channels, depth);
    check_empty_sides();
    for (size_t i = 0; i < sizeof(LIMITED) / sizeof(LIMITED[0]); i++)
        check_max_pixels(LIMITED[i]);
    check_refusals();

    static const char *const FILES[] = {
        "image", "image.jpg", "image.png", "cut", "flipped", "limit"};
    for (size_t i = 0; i < sizeof(FILES) / sizeof(FILES[0]); i++)
        unlink(path_of(FILES[i]));
    tap_check(rmdir(folder) == 0, "no other file is left");
    check_runs_cut_short();
    return tap_finish();
}
