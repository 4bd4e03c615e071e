/* Portable anymaps: PBM, PGM and PPM, plain and raw (netpbm's pbm(5), pgm(5), ppm(5)). */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "images/formats.h"

#define BLOCK ((size_t)1 << 20)   /* pixels that are read or written at a time, by all threads */
#define PART ((size_t)1 << 14)    /* of these, by one of them */
#define WRITTEN ((size_t)1 << 15) /* bytes that are written between two reports */
#define MOST_RAW 6                /* bytes of a pixel in a file, at most */

static int is_space(int byte)
{
    return byte == ' ' || (byte >= '\t' && byte <= '\r');
}

/* The next byte, which stays; -1 at the end. */
static int look(struct input *input)
{
    return input_peek(input, 1) > 0 ? *input->at : -1;
}

static void skip_space(struct input *input)
{
    int byte = look(input);
    while (is_space(byte) || byte == '#') {
        if (byte == '#')
            while (byte >= 0 && byte != '\n')
                byte = input_byte(input);
        else
            input->at++;
        byte = look(input);
    }
}

/* Reads a decimal number of at most `digits` digits up to 2^31 - 1; -1 where there is none. */
static int64_t read_number(struct input *input, int digits)
{
    int64_t number = -1;
    skip_space(input);
    for (int byte; digits-- > 0 && (byte = look(input)) >= '0' && byte <= '9'; input->at++) {
        number = (number < 0 ? 0 : number) * 10 + (byte - '0');
        if (number > INT32_MAX)
            return -1;
    }
    return number;
}

static void put_pixel(struct image *image, size_t pixel, const uint16_t rgb[3])
{
    if (image->depth == 16) {
        uint16_t *out = (uint16_t *)image->pixels + 4 * pixel;
        for (int c = 0; c < 3; c++)
            out[c] = rgb[c];
        out[3] = 65535;
    } else {
        uint8_t *out = (uint8_t *)image->pixels + 4 * pixel;
        for (int c = 0; c < 3; c++)
            out[c] = (uint8_t)rgb[c];
        out[3] = 255;
    }
}

/* A bitmap's rows start on a byte; a set bit is black. */
static int read_bitmap(struct input *input, struct image *image)
{
    for (int y = 0; y < image->height; y++)
        for (int x = 0, byte = 0; x < image->width; x++) {
            if (x % 8 == 0 && (byte = input_byte(input)) < 0)
                return -1;
            const uint16_t gray = byte >> (7 - x % 8) & 1 ? 0 : 255;
            put_pixel(image, (size_t)y * (size_t)image->width + (size_t)x,
                (const uint16_t[3]){gray, gray, gray});
        }
    return 0;
}

/* Samples that are written as numbers. */
static int read_plain(struct input *input, char kind, int maximum, struct image *image)
{
    const int full = image->depth == 16 ? 65535 : 255;
    const size_t count = (size_t)image->width * (size_t)image->height;
    for (size_t i = 0; i < count; i++) {
        uint16_t rgb[3] = {0};
        for (int c = 0; c < image->channels; c++) {
            int64_t sample = read_number(input, kind == '1' ? 1 : 10);
            if (sample < 0 || sample > maximum)
                return -1;
            if (kind == '1')
                sample = 1 - sample;
            rgb[c] = (uint16_t)((sample * full + maximum / 2) / maximum);
        }
        if (image->channels == 1)
            rgb[1] = rgb[2] = rgb[0];
        put_pixel(image, i, rgb);
    }
    return 0;
}

/* Makes pixels of raw samples of one or two bytes, the high one first. Returns the highest sample.
 * Inlined for the usual kinds, so that the compiler makes vectors of it. */
static inline __attribute__((always_inline)) int put_raw(const unsigned char *restrict from,
    size_t count, int bytes, int channels, int maximum, void *restrict pixels)
{
    const uint32_t full = bytes == 2 ? 65535 : 255, most = (uint32_t)maximum;
    uint8_t *to8 = pixels;
    uint16_t *to16 = pixels;
    uint32_t highest = 0;
    for (size_t i = 0; i < count; i++)
        for (size_t c = 0; c < 4; c++) {
            const size_t at =
                (i * (size_t)channels + (channels == 3 && c < 3 ? c : 0)) * (size_t)bytes;
            const uint32_t sample = c == 3       ? most
                                    : bytes == 2 ? (uint32_t)from[at] << 8 | from[at + 1]
                                                 : from[at];
            const uint32_t scaled = most == full ? sample : (sample * full + most / 2) / most;
            highest = sample > highest ? sample : highest;
            if (bytes == 2)
                to16[4 * i + c] = (uint16_t)scaled;
            else
                to8[4 * i + c] = (uint8_t)scaled;
        }
    return (int)highest;
}

static int put_part(const unsigned char *from, size_t count, int channels, int maximum, void *to)
{
    if (maximum == 255)
        return channels == 3 ? put_raw(from, count, 1, 3, 255, to)
                             : put_raw(from, count, 1, 1, 255, to);
    if (maximum == 65535)
        return channels == 3 ? put_raw(from, count, 2, 3, 65535, to)
                             : put_raw(from, count, 2, 1, 65535, to);
    return put_raw(from, count, maximum > 255 ? 2 : 1, channels, maximum, to);
}

/* Raw samples; `block` has room for those of BLOCK pixels. */
static int read_raw(struct input *input, int maximum, unsigned char *block, struct image *image)
{
    const size_t count = (size_t)image->width * (size_t)image->height;
    const size_t size = image_pixel_size(image);
    const size_t raw = (size_t)image->channels * (maximum > 255 ? 2 : 1);
    int highest = 0;
    for (size_t first = 0; first < count && highest <= maximum; first += BLOCK) {
        const size_t pixels = count - first < BLOCK ? count - first : BLOCK;
        if (input_read(input, block, pixels * raw) != pixels * raw)
            return -1;
        uint8_t *to = (uint8_t *)image->pixels + first * size;
#pragma omp parallel for reduction(max : highest) if (pixels > PART)
        for (size_t at = 0; at < pixels; at += PART) {
            const size_t part = pixels - at < PART ? pixels - at : PART;
            scratch_pass(image->scratch, part * size);
            const int found =
                put_part(block + at * raw, part, image->channels, maximum, to + at * size);
            highest = found > highest ? found : highest;
        }
    }
    return highest > maximum ? -1 : 0;
}

/* Reads what follows the header. Returns 0, or -1 where there is too little or a sample is above
 * the maximum. */
static int read_pixels(
    struct input *input, char kind, int maximum, unsigned char *block, struct image *image)
{
    return kind == '4'  ? read_bitmap(input, image)
           : kind > '4' ? read_raw(input, maximum, block, image)
                        : read_plain(input, kind, maximum, image);
}

static int pnm_recognize(struct input *input)
{
    const unsigned char *text =
        input_peek(input, 3) >= 3 ? input->at : (const unsigned char *)"   ";
    return text[0] == 'P' && text[1] >= '1' && text[1] <= '6' &&
           (is_space(text[2]) || text[2] == '#');
}

/* Reads the first image. Bitmaps become 8-bit gray; a sample range other than 255 or 65535 is
 * scaled to the full 8 or 16 bits, rounded. */
static int pnm_decode(
    struct input *input, uint64_t max_pixels, struct image *image, struct error *error)
{
    const char kind = (char)input->at[1];
    const int bitmap = kind == '1' || kind == '4';
    input->at += 2;
    const int64_t width = read_number(input, 10), height = read_number(input, 10);
    const int64_t maximum = bitmap ? 1 : read_number(input, 10);
    if (width < 1 || height < 1 || maximum < 1 || maximum > 65535)
        return error_set(error, ERROR_INPUT,
            "cannot read '%s': its PNM header has a bad width, height or maximum", input->name);
    int rc = image_check_size(width, height, input->name, max_pixels, error);
    if (rc)
        return rc;
    input_byte(input); /* the one blank behind the header */
    rc = image_new_in(input->scratch, (int)width, (int)height, kind == '3' || kind == '6' ? 3 : 1,
        maximum > 255 ? 16 : 8, image, error);
    if (rc)
        return rc;
    const uint64_t pixels = (uint64_t)width * (uint64_t)height;
    const int is_raw = kind > '4';
    unsigned char *block = is_raw ? malloc((pixels < BLOCK ? pixels : BLOCK) * MOST_RAW) : NULL;
    if (is_raw && !block)
        rc = error_set(error, ERROR_INPUT, "not enough memory to read '%s'", input->name);
    else if (read_pixels(input, kind, (int)maximum, block, image))
        rc = error_set(error, ERROR_INPUT,
            "cannot read '%s': its data is cut short or has a sample above the maximum",
            input->name);
    free(block);
    if (rc)
        image_free(image);
    return rc;
}

static int pnm_begin(struct image_writer *writer, struct error *error)
{
    const struct image *whole = &writer->whole;
    (void)error;
    fprintf(writer->output.file, "P%c\n%d %d\n%d\n", whole->channels == 1 ? '5' : '6', whole->width,
        whole->height, whole->depth == 16 ? 65535 : 255);
    return 0;
}

/* Turns samples of two bytes to the order of the file. */
static void put_high_first(unsigned char *bytes, size_t size)
{
#pragma omp parallel for if (size > PART)
    for (size_t i = 0; i < size; i += 2) {
        uint16_t sample;
        memcpy(&sample, bytes + i, sizeof(sample));
        bytes[i] = (unsigned char)(sample >> 8);
        bytes[i + 1] = (unsigned char)sample;
    }
}

/* Raw PGM and PPM; 16 bits are stored most significant byte first. */
static int pnm_add(struct image_writer *writer, const struct image *strip, struct error *error)
{
    const size_t width = (size_t)strip->width, pixels = width * (size_t)strip->height;
    const double before = (double)width * writer->rows, all = (double)width * writer->whole.height;
    unsigned char *packed = malloc((pixels < BLOCK ? pixels : BLOCK) * MOST_RAW);
    if (!packed)
        return error_set(error, ERROR_INPUT, "not enough memory to write the image");
    for (size_t first = 0; first < pixels; first += BLOCK) {
        const size_t count = pixels - first < BLOCK ? pixels - first : BLOCK;
        const size_t size = count * (size_t)strip->channels * (size_t)strip->depth / 8;
        image_pack(strip, first, count, packed);
        if (strip->depth == 16)
            put_high_first(packed, size);
        const double share = (before + (double)first) / all;
        for (size_t at = 0; at < size && !output_progress(&writer->output, share); at += WRITTEN)
            output_write(&writer->output, packed + at, size - at < WRITTEN ? size - at : WRITTEN);
    }
    free(packed);
    return 0;
}

/* The readers of PGM and PPM are that of PNM. */
const struct image_format IMAGE_PGM = {
    .name = "pgm",
    .extensions = {".pgm"},
    .channels = HOLDS_GRAY,
    .max_depth = 16,
    .max_side = INT_MAX,
    .begin = pnm_begin,
    .add = pnm_add,
};
const struct image_format IMAGE_PPM = {
    .name = "ppm",
    .extensions = {".ppm"},
    .channels = HOLDS_RGB,
    .max_depth = 16,
    .max_side = INT_MAX,
    .begin = pnm_begin,
    .add = pnm_add,
};
const struct image_format IMAGE_PNM = {
    .name = "pnm",
    .extensions = {".pnm"},
    .recognize = pnm_recognize,
    .decode = pnm_decode,
    .channels = HOLDS_GRAY | HOLDS_RGB,
    .max_depth = 16,
    .max_side = INT_MAX,
    .begin = pnm_begin,
    .add = pnm_add,
};
