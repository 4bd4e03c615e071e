/* PNG: reading by libpng; writing by stb, and by libpng what stb cannot. */
#include <limits.h>
#include <png.h>
#include <string.h>

#include <stb_image_write.h>

#include "images/formats.h"

#define COMPRESSION_LEVEL 3
/* Up, for all rows: trying five filters a row costs more than compressing. */
#define ROW_FILTER 2

/* What libpng says when it gives up, where the caller wants to know. */
struct failure {
    char message[256];
};

static void leave(png_structp png, png_const_charp message)
{
    struct failure *failure = png_get_error_ptr(png);
    if (failure)
        snprintf(failure->message, sizeof(failure->message), "%s", message);
    png_longjmp(png, 1);
}

static void ignore_warning(png_structp png, png_const_charp message)
{
    (void)png;
    (void)message;
}

static void read_data(png_structp png, png_bytep bytes, size_t size)
{
    if (input_read(png_get_io_ptr(png), bytes, size) < size)
        png_error(png, "the PNG is cut short");
}

static void write_data(png_structp png, png_bytep bytes, size_t size)
{
    output_write(png_get_io_ptr(png), bytes, size);
}

static void flush_data(png_structp png)
{
    (void)png;
}

static int is_little_endian(void)
{
    const uint16_t one = 1;
    return *(const uint8_t *)&one == 1;
}

static int png_recognize(struct input *input)
{
    return input_peek(input, 8) >= 8 && png_sig_cmp(input->at, 0, 8) == 0;
}

/* Asks for RGBA rows of the file's depth and gives the channels that the file holds. */
static int set_transforms(png_structp png, png_infop info)
{
    const int type = png_get_color_type(png, info);
    const int has_alpha = (type & PNG_COLOR_MASK_ALPHA) || png_get_valid(png, info, PNG_INFO_tRNS);
    png_set_expand(png);
    png_set_gray_to_rgb(png);
    png_set_add_alpha(png, 0xffff, PNG_FILLER_AFTER);
    if (is_little_endian())
        png_set_swap(png);
    return ((type & PNG_COLOR_MASK_COLOR) ? 3 : 1) + has_alpha;
}

/* Checksums are checked, damaged and cut files refused. Fewer than 8 bits become 8, a palette RGB,
 * a transparent color alpha. */
static int png_decode(
    struct input *input, uint64_t max_pixels, struct image *image, struct error *error)
{
    struct failure failure = {"not enough memory"};
    png_structp png =
        png_create_read_struct(PNG_LIBPNG_VER_STRING, &failure, leave, ignore_warning);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    if (!info || setjmp(png_jmpbuf(png))) {
        png_destroy_read_struct(&png, &info, NULL);
        image_free(image);
        return error_set(error, ERROR_INPUT, "cannot read '%s': %s", input->name, failure.message);
    }
    png_set_read_fn(png, input, read_data);
    png_set_user_limits(png, INT_MAX, INT_MAX);
    png_read_info(png, info);
    const uint32_t width = png_get_image_width(png, info);
    const uint32_t height = png_get_image_height(png, info);
    int rc = image_check_size(width, height, input->name, max_pixels, error);
    if (rc == 0)
        rc = image_new((int)width, (int)height, set_transforms(png, info),
            png_get_bit_depth(png, info) == 16 ? 16 : 8, image, error);
    if (rc) {
        png_destroy_read_struct(&png, &info, NULL);
        return rc;
    }
    const size_t row_size = width * image_pixel_size(image);
    const int passes = png_set_interlace_handling(png);
    png_read_update_info(png, info);
    for (int pass = 0; pass < passes; pass++)
        for (uint32_t y = 0; y < height; y++) {
            png_read_row(png, (png_bytep)image->pixels + y * row_size, NULL);
            if (y % 64 == 0 && input_is_stopped(input, (double)y / height))
                png_error(png, "stopped");
        }
    png_read_end(png, NULL);
    png_destroy_read_struct(&png, &info, NULL);
    return 0;
}

/* Writes any channels and depth. */
static int write_by_libpng(struct output *output, const struct image *image, const void *packed)
{
    static const int COLOR_TYPES[] = {
        0, PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY_ALPHA, PNG_COLOR_TYPE_RGB, PNG_COLOR_TYPE_RGBA};
    const size_t row_size = (size_t)image->width * (size_t)(image->channels * image->depth / 8);
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, leave, ignore_warning);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    if (!info || setjmp(png_jmpbuf(png))) {
        png_destroy_write_struct(&png, &info);
        return -1;
    }
    png_set_write_fn(png, output, write_data, flush_data);
    png_set_user_limits(png, INT_MAX, INT_MAX);
    png_set_compression_level(png, COMPRESSION_LEVEL);
    png_set_IHDR(png, info, (png_uint_32)image->width, (png_uint_32)image->height, image->depth,
        COLOR_TYPES[image->channels], PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
        PNG_FILTER_TYPE_DEFAULT);
    png_write_info(png, info);
    if (image->depth == 16 && is_little_endian())
        png_set_swap(png);
    int is_stopped = 0;
    for (int y = 0; y < image->height && !is_stopped; y++) {
        png_write_row(png, (png_const_bytep)packed + (size_t)y * row_size);
        is_stopped = output_progress(output, (double)y / image->height);
    }
    if (!is_stopped)
        png_write_end(png, info);
    png_destroy_write_struct(&png, &info);
    return 0;
}

/* stb has neither 16 bits a channel nor more than 2 GiB of pixels. */
static int png_write(struct output *output, const struct image *image, const void *packed)
{
    const uint64_t filtered =
        ((uint64_t)image->width * (uint64_t)image->channels + 1) * (uint64_t)image->height;
    if (image->depth == 16 || filtered > INT_MAX / 2)
        return write_by_libpng(output, image, packed);
    stbi_write_force_png_filter = ROW_FILTER;
    return stbi_write_png_to_func(stb_write_bytes, output, image->width, image->height,
               image->channels, packed, image->width * image->channels)
               ? 0
               : -1;
}

const struct image_format IMAGE_PNG = {
    .name = "png",
    .extensions = {".png"},
    .recognize = png_recognize,
    .decode = png_decode,
    .channels = HOLDS_GRAY | HOLDS_GRAY_ALPHA | HOLDS_RGB | HOLDS_RGBA,
    .max_depth = 16,
    .max_side = INT_MAX,
    .write = png_write,
};
