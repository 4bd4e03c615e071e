/* BMP: reading those of Windows and OS/2, of 1 to 32 bits a pixel, run-length encoded too, either
 * way up; writing by stb. The format is that of the Windows headers BITMAPCOREHEADER to
 * BITMAPV5HEADER ("Bitmap Storage", Win32 documentation), which differ in length and begin
 * alike. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include <stb_image_write.h>

#include "images/formats.h"

enum { BI_RGB, BI_RLE8, BI_RLE4, BI_BITFIELDS, BI_ALPHABITFIELDS = 6 };

#define FILE_HEADER 14
#define CORE_HEADER 12 /* of OS/2 1.x: sides of 16 bits, a palette of 3 bytes a color */
#define MAX_HEADER 124
#define COLORS 256
#define MAX_OFFSET (1 << 24) /* of the pixels: what is between may be a color profile */

struct bmp {
    struct input *input;
    struct image *image;
    int width, height, is_top_down;
    int color_bytes; /* of a color of the palette */
    unsigned bits, compression;
    uint64_t at, data;          /* bytes taken so far; where the pixels begin */
    uint32_t masks[4];          /* of red, green, blue, alpha, where there is no palette */
    uint8_t palette[COLORS][4]; /* RGBA */
    const char *fault;
};

static uint32_t little_endian(const unsigned char *bytes, int size)
{
    uint32_t value = 0;
    while (size-- > 0)
        value = value << 8 | bytes[size];
    return value;
}

static void take(struct bmp *bmp, void *bytes, size_t size)
{
    const size_t got = input_read(bmp->input, bytes, size);
    bmp->at += got;
    if (got < size) {
        memset((unsigned char *)bytes + got, 0, size - got);
        bmp->fault = "the BMP is cut short";
    }
}

static unsigned take_byte(struct bmp *bmp)
{
    unsigned char byte;
    take(bmp, &byte, 1);
    return byte;
}

static int bmp_recognize(struct input *input)
{
    return input_peek(input, FILE_HEADER + 4) >= FILE_HEADER + 4 && memcmp(input->at, "BM", 2) == 0;
}

static void set_masks(struct bmp *bmp, uint32_t red, uint32_t green, uint32_t blue, uint32_t alpha)
{
    const uint32_t masks[4] = {red, green, blue, alpha};
    memcpy(bmp->masks, masks, sizeof(masks));
}

/* Reads both headers, and the masks behind the second where it is too short to hold them. */
static void read_header(struct bmp *bmp)
{
    unsigned char file[FILE_HEADER], header[MAX_HEADER] = {0}, masks[16] = {0};
    take(bmp, file, sizeof(file));
    take(bmp, header, 4);
    const uint32_t size = little_endian(header, 4), is_core = size == CORE_HEADER;
    bmp->data = little_endian(file + 10, 4);
    bmp->color_bytes = is_core ? 3 : 4;
    if (!is_core && (size < 16 || size > MAX_HEADER)) {
        bmp->fault = "a BMP with an unknown header";
        return;
    }
    take(bmp, header + 4, size - 4);
    bmp->width = (int)(is_core ? little_endian(header + 4, 2) : little_endian(header + 4, 4));
    const int height = (int)(is_core ? little_endian(header + 6, 2) : little_endian(header + 8, 4));
    bmp->is_top_down = height < 0;
    bmp->height = height < 0 && height > INT_MIN ? -height : height;
    bmp->bits = little_endian(header + (is_core ? 10 : 14), 2);
    bmp->compression = is_core ? BI_RGB : little_endian(header + 16, 4);
    if (size == 64 && bmp->compression >= BI_BITFIELDS) {
        bmp->fault = "a BMP of OS/2 with another compression than RLE4 and RLE8"; /* of its own */
        return;
    }
    if (bmp->compression == BI_BITFIELDS || bmp->compression == BI_ALPHABITFIELDS) {
        const int count = size >= 56 || bmp->compression == BI_ALPHABITFIELDS ? 4 : 3;
        if (size < 52 && bmp->data < bmp->at + (uint64_t)count * 4)
            bmp->fault = "the BMP does not say which bits are which color";
        else if (size < 52)
            take(bmp, masks, (size_t)count * 4);
        else
            memcpy(masks, header + 40, (size_t)count * 4);
        set_masks(bmp, little_endian(masks, 4), little_endian(masks + 4, 4),
            little_endian(masks + 8, 4), little_endian(masks + 12, 4));
    } else if (bmp->bits == 16) {
        set_masks(bmp, 31 << 10, 31 << 5, 31, 0);
    } else {
        set_masks(bmp, 255 << 16, 255 << 8, 255, bmp->bits == 32 ? 255u << 24 : 0);
    }
}

static void check_header(struct bmp *bmp)
{
    const unsigned bits = bmp->bits, compression = bmp->compression;
    const int is_known =
        compression == BI_RGB
            ? bits == 1 || bits == 4 || bits == 8 || bits == 16 || bits == 24 || bits == 32
        : compression == BI_RLE8                                          ? bits == 8
        : compression == BI_RLE4                                          ? bits == 4
        : compression == BI_BITFIELDS || compression == BI_ALPHABITFIELDS ? bits == 16 || bits == 32
                                                                          : 0;
    if (bmp->fault)
        return;
    const uint64_t colors = bmp->bits <= 8 ? (uint64_t)bmp->color_bytes : 0; /* one at least */
    if (bmp->data > MAX_OFFSET || bmp->data < bmp->at + colors)
        bmp->fault = "the BMP has no pixels where its header says";
    else if (!is_known)
        bmp->fault = compression == 4 || compression == 5
                         ? "a BMP that holds a JPEG or PNG; save it as such"
                         : "a BMP of an unknown kind; save it as PNG";
    else if (bmp->is_top_down && (compression == BI_RLE8 || compression == BI_RLE4))
        bmp->fault = "a compressed BMP cannot begin at the top";
}

/* The palette fills what is left up to the pixels, or less. */
static void read_palette(struct bmp *bmp)
{
    const size_t entry = (size_t)bmp->color_bytes;
    const uint64_t room = bmp->data > bmp->at ? (bmp->data - bmp->at) / entry : 0;
    const unsigned most = 1u << bmp->bits;
    for (unsigned i = 0; i < COLORS; i++) {
        unsigned char color[4] = {0};
        if (i < most && i < room)
            take(bmp, color, entry);
        const uint8_t rgba[4] = {color[2], color[1], color[0], 255};
        memcpy(bmp->palette[i], rgba, sizeof(rgba));
    }
}

static uint8_t *pixel_at(const struct bmp *bmp, int x, int y)
{
    const int row = bmp->is_top_down ? y : bmp->height - 1 - y;
    return (uint8_t *)bmp->image->pixels + 4 * ((size_t)row * (size_t)bmp->width + (size_t)x);
}

/* The bits under the mask, scaled to 0 to 255 and rounded; `none` where there is no mask. */
static uint8_t take_mask(uint32_t pixel, uint32_t mask, uint8_t none)
{
    if (!mask)
        return none;
    if (mask == 0xff || mask == 0xff00 || mask == 0xff0000 || mask == 0xff000000)
        return (uint8_t)((pixel & mask) / (mask / 0xff));
    const uint32_t low = mask & -mask;
    const uint64_t most = mask / low, value = (pixel & mask) / low;
    return (uint8_t)((value * 255 + most / 2) / most);
}

static void put_row(const struct bmp *bmp, int y, const unsigned char *row)
{
    const unsigned bits = bmp->bits, bytes = bits / 8;
    for (int x = 0; x < bmp->width; x++) {
        uint8_t *to = pixel_at(bmp, x, y);
        if (bits <= 8) {
            const size_t bit = (size_t)x * bits;
            const unsigned shift = 8 - bits - (unsigned)(bit % 8);
            memcpy(to, bmp->palette[row[bit / 8] >> shift & ((1u << bits) - 1)], 4);
        } else {
            const uint32_t pixel = little_endian(row + (size_t)x * bytes, (int)bytes);
            for (int c = 0; c < 4; c++)
                to[c] = take_mask(pixel, bmp->masks[c], 255);
        }
    }
}

/* Rows of pixels, each padded to whole words of 4 bytes. */
static void read_rows(struct bmp *bmp)
{
    const size_t size = ((size_t)bmp->width * bmp->bits + 31) / 32 * 4;
    unsigned char *row = malloc(size);
    if (!row)
        bmp->fault = "not enough memory for a row";
    for (int y = 0; y < bmp->height && !bmp->fault; y++) {
        take(bmp, row, size);
        if (!bmp->fault)
            put_row(bmp, y, row);
    }
    free(row);
}

static void put_index(const struct bmp *bmp, int x, int y, unsigned index)
{
    if (x < bmp->width && y < bmp->height)
        memcpy(pixel_at(bmp, x, y), bmp->palette[index], 4);
}

/* `count` pixels from x on: of BI_RLE4 those of the two halves of `value` in turn. Returns the next
 * x. */
static int put_run(const struct bmp *bmp, int x, int y, unsigned count, unsigned value)
{
    const int is_half = bmp->bits == 4;
    for (unsigned i = 0; i < count && x < bmp->width; i++, x++)
        put_index(bmp, x, y, !is_half ? value : i % 2 ? value & 15 : value >> 4);
    return x;
}

/* Pixels as they are, padded to whole words of 2 bytes. Returns the next x. */
static int read_literals(struct bmp *bmp, int x, int y, unsigned count)
{
    const unsigned in_byte = 8 / bmp->bits, bytes = (count + in_byte - 1) / in_byte;
    for (unsigned i = 0; i < bytes; i++) {
        const unsigned value = take_byte(bmp), left = count - i * in_byte;
        x = put_run(bmp, x, y, left < in_byte ? left : in_byte, value);
    }
    if (bytes % 2)
        take_byte(bmp);
    return x;
}

/* Pairs of bytes: a count and a value, or 0 and what to do: 0 end of row, 1 end of image, 2 move
 * right and up, from 3 on so many literal pixels. */
static void read_runs(struct bmp *bmp)
{
    const uint64_t most = bmp->at + 8 * ((uint64_t)bmp->width + 2) * (uint64_t)bmp->height;
    int cleared = 0; /* rows, when they are begun, so that a short file takes little memory */
    for (int x = 0, y = 0; y < bmp->height && !bmp->fault;) {
        for (; cleared <= y; cleared++) {
            put_run(bmp, 0, cleared, (unsigned)bmp->width, 0);
            if (cleared % 64 == 0 && input_is_stopped(bmp->input, (double)y / bmp->height))
                bmp->fault = "stopped";
        }
        const unsigned count = take_byte(bmp), value = take_byte(bmp);
        if (count > 0) {
            x = put_run(bmp, x, y, count, value);
        } else if (value == 0) {
            x = 0;
            y++;
        } else if (value == 1) {
            break;
        } else if (value == 2) {
            const unsigned right = take_byte(bmp), up = take_byte(bmp);
            x = (int)right < bmp->width - x ? x + (int)right : bmp->width;
            y += (int)up;
        } else {
            x = read_literals(bmp, x, y, value);
        }
        if (bmp->at > most)
            bmp->fault = "the BMP is longer than its image";
    }
    for (; cleared < bmp->height && !bmp->fault; cleared++)
        put_run(bmp, 0, cleared, (unsigned)bmp->width, 0);
}

/* A fourth byte that is 0 everywhere is no alpha. */
static void settle_alpha(const struct bmp *bmp)
{
    uint8_t *pixels = bmp->image->pixels;
    const size_t count = (size_t)bmp->width * (size_t)bmp->height;
    size_t clear = 0;
    bmp->image->channels = bmp->bits > 8 && bmp->masks[3] ? 4 : 3;
    if (bmp->image->channels == 3 || bmp->compression != BI_RGB)
        return;
    while (clear < count && pixels[4 * clear + 3] == 0)
        clear++;
    if (clear < count)
        return;
    bmp->image->channels = 3;
    for (size_t i = 0; i < count; i++)
        pixels[4 * i + 3] = 255;
}

/* Reads it as 8-bit RGB, or RGBA where it has alpha: a mask for it, or 32 bits a pixel of which the
 * fourth byte is not 0 everywhere. Pixels that a run-length encoded file leaves out have color
 * 0. */
static int bmp_decode(
    struct input *input, uint64_t max_pixels, struct image *image, struct error *error)
{
    struct bmp bmp = {.input = input, .image = image};
    int rc = 0;
    read_header(&bmp);
    check_header(&bmp);
    if (!bmp.fault)
        rc = image_check_size(bmp.width, bmp.height, input->name, max_pixels, error);
    if (rc == 0 && !bmp.fault)
        rc = image_new_in(input->scratch, bmp.width, bmp.height, 3, 8, image, error);
    if (rc)
        return rc;
    if (!bmp.fault && bmp.bits <= 8)
        read_palette(&bmp);
    while (!bmp.fault && bmp.at < bmp.data)
        take_byte(&bmp);
    if (!bmp.fault && (bmp.compression == BI_RLE8 || bmp.compression == BI_RLE4))
        read_runs(&bmp);
    else if (!bmp.fault)
        read_rows(&bmp);
    if (!bmp.fault) {
        settle_alpha(&bmp);
        return 0;
    }
    image_free(image);
    return error_set(error, ERROR_INPUT, "cannot read '%s': %s", input->name, bmp.fault);
}

/* Gray is stored as equal red, green and blue. */
static int bmp_add(struct image_writer *writer, const struct image *strip, struct error *error)
{
    return stb_write(stbi_write_bmp_to_func, writer, strip, error);
}

const struct image_format IMAGE_BMP = {
    .name = "bmp",
    .extensions = {".bmp"},
    .recognize = bmp_recognize,
    .decode = bmp_decode,
    .channels = HOLDS_GRAY | HOLDS_RGB | HOLDS_RGBA,
    .max_depth = 8,
    .max_side = STB_MAX_SIDE,
    .is_whole = 1,
    .add = bmp_add,
};
