/* PNG files that are written in blocks, compared with libpng's reader, and rows of all filters, and
 * damaged ones, as libpng and zlib write them. */
#include <omp.h>
#include <png.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "cli/tap.h"
#include "images/image.h"
#include "tests/test_random.h"

#define BLOCK 1048576 /* bytes of pixels that the writer compresses at a time */

static char path[] = "/tmp/test_png.XXXXXX";

static const int COLOR_TYPES[] = {
    0, PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY_ALPHA, PNG_COLOR_TYPE_RGB, PNG_COLOR_TYPE_RGBA};

struct bytes {
    unsigned char *data;
    size_t size, at;
};

static struct bytes read_file(void)
{
    struct stat status;
    struct bytes bytes = {0};
    FILE *file = fopen(path, "rb");
    if (!file || fstat(fileno(file), &status) != 0)
        abort();
    bytes.data = malloc((size_t)status.st_size);
    bytes.size = fread(bytes.data, 1, (size_t)status.st_size, file);
    fclose(file);
    return bytes;
}

/* Noise, which compresses to blocks that are only stored, a slope, one color, and single points. */
static unsigned texture(size_t i, size_t count, size_t sample)
{
    switch (4 * i / count) {
    case 0:
        return next_random() >> 8;
    case 1:
        return (unsigned)(i / 50 + 90 * sample);
    case 2:
        return 1000;
    default:
        return next_random() % 1000 ? 0 : next_random() >> 8;
    }
}

static struct image make_image(int width, int height, int channels, int depth)
{
    const size_t count = (size_t)width * (size_t)height;
    struct error error;
    struct image image;
    if (image_new(width, height, channels, depth, &image, &error))
        abort();
    for (size_t i = 0; i < count; i++)
        for (size_t s = 0; s < 4; s++) {
            unsigned value = texture(i, count, s);
            if (s == 3 && channels % 2)
                value = 0xffff; /* opaque */
            if (depth == 16)
                ((uint16_t *)image.pixels)[4 * i + s] = channels <= 2 && (s == 1 || s == 2)
                                                            ? ((uint16_t *)image.pixels)[4 * i]
                                                            : (uint16_t)value;
            else
                ((uint8_t *)image.pixels)[4 * i + s] = channels <= 2 && (s == 1 || s == 2)
                                                           ? ((uint8_t *)image.pixels)[4 * i]
                                                           : (uint8_t)value;
        }
    return image;
}

/* The samples that a row of the image has in a file. */
static void file_row(const struct image *image, size_t y, unsigned char *row)
{
    static const size_t SOURCES[5][4] = {{0}, {0}, {0, 3}, {0, 1, 2}, {0, 1, 2, 3}};
    for (size_t x = 0; x < (size_t)image->width; x++)
        for (size_t c = 0; c < (size_t)image->channels; c++) {
            const size_t at = 4 * (y * (size_t)image->width + x) + SOURCES[image->channels][c];
            if (image->depth == 16) {
                *row++ = (unsigned char)(((uint16_t *)image->pixels)[at] >> 8);
                *row++ = (unsigned char)((uint16_t *)image->pixels)[at];
            } else {
                *row++ = ((uint8_t *)image->pixels)[at];
            }
        }
}

static size_t row_size(const struct image *image)
{
    return (size_t)(image->width * image->channels * image->depth / 8);
}

static void give(png_structp png, png_bytep to, png_size_t size)
{
    struct bytes *bytes = png_get_io_ptr(png);
    if (bytes->size - bytes->at < size)
        png_error(png, "too short");
    memcpy(to, bytes->data + bytes->at, size);
    bytes->at += size;
}

static void refuse(png_structp png, png_const_charp message)
{
    printf("# libpng: %s\n", message);
    png_longjmp(png, 1);
}

/* Whether libpng, for which warnings are errors, reads the image from a file of it. */
static int libpng_reads(struct bytes bytes, const struct image *image)
{
    png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, refuse, refuse);
    png_infop info = png_create_info_struct(png);
    unsigned char *const row = malloc(row_size(image));
    volatile int is_same = 0;
    if (setjmp(png_jmpbuf(png)) == 0) {
        png_set_read_fn(png, &bytes, give);
        png_set_user_limits(png, INT32_MAX, INT32_MAX);
        png_read_png(png, info, PNG_TRANSFORM_IDENTITY, NULL);
        png_bytepp rows = png_get_rows(png, info);
        is_same = (int)png_get_image_width(png, info) == image->width &&
                  (int)png_get_image_height(png, info) == image->height &&
                  png_get_bit_depth(png, info) == image->depth &&
                  png_get_color_type(png, info) == COLOR_TYPES[image->channels] &&
                  bytes.at == bytes.size;
        for (size_t y = 0; y < (size_t)image->height && is_same; y++) {
            file_row(image, y, row);
            is_same = memcmp(rows[y], row, row_size(image)) == 0;
        }
    }
    png_destroy_read_struct(&png, &info, NULL);
    free(row);
    return is_same;
}

static int same_pixels(const struct image *a, const struct image *b)
{
    return a->width == b->width && a->height == b->height && a->depth == b->depth &&
           a->channels == b->channels &&
           memcmp(a->pixels, b->pixels,
               (size_t)a->width * (size_t)a->height * image_pixel_size(a)) == 0;
}

/* An image of several blocks, by any number of threads. */
static void check_blocks(int width, int height, int channels, int depth)
{
    struct error error = {""};
    struct image read, image = make_image(width, height, channels, depth);
    struct bytes first = {0};
    int is_same = 1;
    for (int threads = 1; threads <= 5; threads += 2) {
        omp_set_num_threads(threads);
        if (image_write(path, "png", &image, NULL, &error) != 0)
            abort();
        struct bytes bytes = read_file();
        if (threads == 1)
            first = bytes;
        else
            is_same &= bytes.size == first.size && memcmp(bytes.data, first.data, first.size) == 0;
        if (threads > 1)
            free(bytes.data);
    }
    tap_check(libpng_reads(first, &image), "%d x %d, %d channels of %d bits: libpng reads the same",
        width, height, channels, depth);
    tap_check(is_same, "%d x %d, %d channels of %d bits: the same bytes by 1, 3 and 5 threads",
        width, height, channels, depth);
    tap_check(
        image_decode(first.data, first.size, "blocks", IMAGE_MAX_PIXELS, &read, &error) == 0 &&
            same_pixels(&image, &read),
        "%d x %d, %d channels of %d bits: the same pixels again%s", width, height, channels, depth,
        error.text);
    image_free(&read);
    image_free(&image);
    free(first.data);
}

static void append(png_structp png, png_bytep data, png_size_t size)
{
    struct bytes *bytes = png_get_io_ptr(png);
    bytes->data = realloc(bytes->data, bytes->size + size);
    if (!bytes->data)
        abort();
    memcpy(bytes->data + bytes->size, data, size);
    bytes->size += size;
}

/* Files by libpng, whose rows all have the same filter. */
static void check_filter(int filter, const char *name, int channels, int depth)
{
    struct error error = {""};
    struct image read, image = make_image(37, 29, channels, depth);
    struct bytes bytes = {0};
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);
    unsigned char row[37 * 8];
    png_set_write_fn(png, &bytes, append, NULL);
    png_set_IHDR(png, info, 37, 29, depth, COLOR_TYPES[channels], PNG_INTERLACE_NONE,
        PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_set_filter(png, PNG_FILTER_TYPE_BASE, filter);
    png_write_info(png, info);
    for (size_t y = 0; y < 29; y++) {
        file_row(&image, y, row);
        png_write_row(png, row);
    }
    png_write_end(png, NULL);
    png_destroy_write_struct(&png, &info);
    tap_check(
        image_decode(bytes.data, bytes.size, "filter", IMAGE_MAX_PIXELS, &read, &error) == 0 &&
            same_pixels(&image, &read),
        "rows of libpng, %s, %d channels of %d bits: the right pixels%s", name, channels, depth,
        error.text);
    image_free(&read);
    image_free(&image);
    free(bytes.data);
}

static void put_number(unsigned char *to, unsigned long number)
{
    for (int i = 0; i < 4; i++)
        to[i] = (unsigned char)(number >> (24 - 8 * i));
}

static size_t put_chunk(unsigned char *to, const char *type, const void *data, size_t size)
{
    put_number(to, size);
    memcpy(to + 4, type, 4);
    memcpy(to + 8, data, size);
    put_number(to + 8 + size, crc32(0, to + 4, (uInt)size + 4));
    return size + 12;
}

/* A file of 3 x 2 gray pixels made of rows as they are inflated, and a chunk behind them. */
struct file {
    const char *name;
    const char *rows;
    size_t size;
    const char *extra;  /* the type of the chunk; NULL: none */
    int dropped;        /* bytes off the end of the compressed data */
    const char *reason; /* NULL: the file is read */
};

static void check_file(const struct file *f)
{
    static const unsigned char SIGNATURE[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    static const unsigned char HEADER[] = {0, 0, 0, 3, 0, 0, 0, 2, 8, 0, 0, 0, 0};
    unsigned char bytes[512], stream[256];
    uLongf size = sizeof(stream);
    struct error error = {""};
    struct image image;
    char expected[256];
    memcpy(bytes, SIGNATURE, sizeof(SIGNATURE));
    if (compress(stream, &size, (const Bytef *)f->rows, f->size) != Z_OK)
        abort();
    size -= (uLongf)f->dropped;
    size_t end = 8 + put_chunk(bytes + 8, "IHDR", HEADER, sizeof(HEADER));
    end += put_chunk(bytes + end, "tEXt", "", 0); /* tells nothing */
    end += put_chunk(bytes + end, "IDAT", stream, size / 2);
    end += put_chunk(bytes + end, "IDAT", stream, 0);
    end += put_chunk(bytes + end, "IDAT", stream + size / 2, size - size / 2);
    if (f->extra)
        end += put_chunk(bytes + end, f->extra, "anything", 8);
    end += put_chunk(bytes + end, "IEND", "", 0);
    const int rc = image_decode(bytes, end, "file", IMAGE_MAX_PIXELS, &image, &error);
    snprintf(expected, sizeof(expected), "cannot read 'file': %s", f->reason);
    if (f->reason)
        tap_check(rc == ERROR_INPUT && strcmp(error.text, expected) == 0 && !image.pixels,
            "%s: refused (%s)", f->name, error.text);
    else
        tap_check(
            rc == 0 && memcmp(image.pixels, "\1\1\1\377\2\2\2\377\4\4\4\377\5\5\5\377", 16) == 0,
            "%s: read%s", f->name, error.text);
    image_free(&image);
}

static void check_files(void)
{
    static const struct file FILES[] = {
        {"data in three parts", "\1\1\1\2\2\4\3\2", 8, NULL, 0, NULL},
        {"a text behind the data", "\1\1\1\2\2\4\3\2", 8, "tEXt", 0, NULL},
        {"an unknown chunk that matters", "\1\1\1\2\2\4\3\2", 8, "ABCD", 0,
            "a chunk that is unknown, or belongs before its data, stands behind them"},
        {"filter 5", "\1\1\1\2\5\4\3\2", 8, NULL, 0, "IDAT: an unknown filter"},
        {"a row too few", "\1\1\1\2", 4, NULL, 0, "IDAT: not enough image data"},
        {"a byte too many", "\1\1\1\2\2\4\3\2\0", 9, NULL, 0, "IDAT: too much image data"},
        {"a stream that is cut", "\1\1\1\2\2\4\3\2", 8, NULL, 6, "IDAT: damaged data"},
        {"no checksum of the stream", "\1\1\1\2\2\4\3\2", 8, NULL, 4, "IDAT: damaged data"},
    };
    for (size_t i = 0; i < sizeof(FILES) / sizeof(FILES[0]); i++)
        check_file(&FILES[i]);
}

static int stop_at(void *context, double share)
{
    double *last = context;
    const int is_late = share >= 0.5;
    if (share > *last)
        *last = share;
    return is_late;
}

static void check_stop(void)
{
    struct error error = {""};
    struct image image = make_image(3000, 1400, 3, 8);
    double last = 0;
    const struct progress progress = {stop_at, &last};
    omp_set_num_threads(3);
    unlink(path);
    tap_check(image_write(path, "png", &image, &progress, &error) == ERROR_STOPPED && last >= 0.5 &&
                  last < 0.6 && access(path, F_OK) != 0,
        "writing stops where it is told to (at %.2f), and leaves no file", last);
    image_free(&image);
}

int main(void)
{
    static const struct {
        int filter;
        const char *name;
    } FILTERS[] = {{PNG_FILTER_NONE, "None"}, {PNG_FILTER_SUB, "Sub"}, {PNG_FILTER_UP, "Up"},
        {PNG_FILTER_AVG, "Average"}, {PNG_FILTER_PAETH, "Paeth"}};
    const int fd = mkstemp(path);
    if (fd < 0)
        return 1;
    close(fd);
    for (int channels = 1; channels <= 4; channels++)
        for (int depth = 8; depth <= 16; depth += 8) {
            check_blocks(1009, 3 * BLOCK / (1009 * channels * depth / 8), channels, depth);
            for (size_t i = 0; i < sizeof(FILTERS) / sizeof(FILTERS[0]); i++)
                check_filter(FILTERS[i].filter, FILTERS[i].name, channels, depth);
        }
    check_blocks(1, BLOCK + 1, 1, 8);
    check_blocks(BLOCK, 2, 1, 8);
    check_blocks(BLOCK, 1, 1, 8);
    check_blocks(1, 1, 3, 8);
    check_files();
    check_stop();
    unlink(path);
    return tap_finish();
}
