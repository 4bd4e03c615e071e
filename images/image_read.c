#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include <stb_image.h>

#include "images/bmp.h"
#include "images/image.h"
#include "images/input.h"
#include "images/jpeg.h"
#include "images/pngfile.h"
#include "images/pnm.h"

#define MAX_PIXEL_BYTES 32        /* of a file that stb reads, more than any format takes */
#define MAX_OTHER_BYTES (1 << 24) /* what else such a file may hold */

/* Memory as stb reads it. stb takes missing bytes for zeros; so what it asks for in vain is noted. Its
 * HDR reader would wait for ever for a run that is not empty, so it gets ones. */
struct source {
    const unsigned char *bytes;
    size_t left;
    char *ahead; /* stb's buffer for reading ahead, which need not be filled */
    int is_hdr;
    int starved;
};

static int source_read(void *user, char *data, int size)
{
    struct source *source = user;
    const size_t wanted = (size_t)size;
    const size_t got = wanted < source->left ? wanted : source->left;
    if (!source->ahead)
        source->ahead = data;
    memcpy(data, source->bytes, got);
    source->bytes += got;
    source->left -= got;
    if (got == wanted || (got > 0 && data == source->ahead))
        return (int)got;
    source->starved = 1;
    if (!source->is_hdr)
        return (int)got;
    memset(data + got, 1, wanted - got);
    return size;
}

static void source_skip(void *user, int size)
{
    struct source *source = user;
    const size_t skipped = (size_t)size < source->left ? (size_t)size : source->left;
    source->bytes += skipped;
    source->left -= skipped;
}

static int source_is_at_end(void *user)
{
    return ((struct source *)user)->left == 0;
}

static uint32_t big_endian(const unsigned char *bytes, int size)
{
    uint32_t value = 0;
    for (int i = 0; i < size; i++)
        value = value << 8 | bytes[i];
    return value;
}

/* What stb gets wrong of a PSD, or NULL: it decodes run-length encoded 16-bit channels as bytes, and
 * takes the matte out of those with alpha without keeping colours in range. The compression stands
 * behind the header and three parts that tell their length. */
static const char *psd_fault(const unsigned char *bytes, size_t size)
{
    size_t at = 26;
    if (size < at || memcmp(bytes, "8BPS", 4) != 0)
        return NULL;
    if (big_endian(bytes + 12, 2) > 3)
        return "a PSD with alpha; save it as PNG";
    if (big_endian(bytes + 22, 2) != 16)
        return NULL;
    for (int part = 0; part < 3 && size - at >= 4; part++) {
        const uint32_t length = big_endian(bytes + at, 4);
        at += 4;
        at += length < size - at ? length : size - at;
    }
    return size - at >= 2 && big_endian(bytes + at, 2) == 1
               ? "a compressed PSD of 16 bits; save it without compression"
               : NULL;
}

/* What stb reads, by how it begins; TGA has no mark. A byte of a file makes at most so many pixels, since
 * runs are that long (0: any number, since a frame of a GIF may be smaller than its picture). Files with
 * more than a picture, further frames or layers, may be longer than it asks for. */
static const struct kind {
    const char *mark;
    unsigned pixels_a_byte;
    int has_more;
} KINDS[] = {{"GIF8", 0, 1}, {"8BPS", 128, 1}, {"#?", 64, 0}, {"\x53\x80\xf6\x34", 1 << 14, 0},
    {"", 128, 0}};

static const struct kind *kind_of(const unsigned char *bytes)
{
    const struct kind *kind = KINDS;
    while (memcmp(bytes, kind->mark, strlen(kind->mark)) != 0)
        kind++;
    return kind;
}

/* Bit 4 of a TGA's descriptor says that it begins at the right, which stb takes for the left. */
static int begins_right(const unsigned char *bytes, size_t size)
{
    return !*kind_of(bytes)->mark && size > 17 && bytes[17] & 1 << 4;
}

static void mirror(struct image *image)
{
    const size_t pixel = image_pixel_size(image), width = (size_t)image->width;
    for (size_t y = 0; y < (size_t)image->height; y++) {
        unsigned char *row = (unsigned char *)image->pixels + y * width * pixel;
        for (size_t x = 0; x < width / 2; x++) {
            unsigned char *left = row + x * pixel, *right = row + (width - 1 - x) * pixel, other[8];
            memcpy(other, left, pixel);
            memcpy(left, right, pixel);
            memcpy(right, other, pixel);
        }
    }
}

static int fail_stb(const char *name, struct error *error)
{
    return error_set(error, ERROR_INPUT,
        "cannot read '%s': %s (PNG, JPEG, BMP, TGA, GIF, PSD, HDR, PIC and PNM are known)", name,
        stbi_failure_reason());
}

/* Decodes a whole file in memory. */
static int decode_whole(const unsigned char *bytes, size_t size, const char *name,
    struct image *image, struct error *error)
{
    static const stbi_io_callbacks CALLBACKS = {source_read, source_skip, source_is_at_end};
    struct source source = {.bytes = bytes, .left = size, .is_hdr = bytes[0] == '#'};
    int width, height, channels;
    const char *fault = psd_fault(bytes, size);
    if (fault)
        return error_set(error, ERROR_INPUT, "cannot read '%s': %s", name, fault);
    const int depth = stbi_is_16_bit_from_memory(bytes, (int)size) ? 16 : 8;
    void *pixels = depth == 16 ? (void *)stbi_load_16_from_callbacks(
                                     &CALLBACKS, &source, &width, &height, &channels, 4)
                               : (void *)stbi_load_from_callbacks(
                                     &CALLBACKS, &source, &width, &height, &channels, 4);
    if (!pixels)
        return fail_stb(name, error);
    *image = (struct image){width, height, channels, depth, pixels};
    if (begins_right(bytes, size))
        mirror(image);
    if (!source.starved)
        return 0;
    image_free(image);
    return error_set(error, ERROR_INPUT, "cannot read '%s': the file is cut short", name);
}

/* What stb reads: the beginning tells what it is and how large, which bounds what is read of it. */
static int decode_stb(
    struct input *input, uint64_t max_pixels, struct image *image, struct error *error)
{
    const size_t begun = input_peek(input, INPUT_PEEK);
    int width, height, channels;
    unsigned char *bytes;
    size_t size;
    if (!stbi_info_from_memory(
            input->at, (int)(begun < INT_MAX ? begun : INT_MAX), &width, &height, &channels))
        return fail_stb(input->name, error);
    int rc = image_check_size(width, height, input->name, max_pixels, error);
    if (rc)
        return rc;
    const struct kind *kind = kind_of(input->at);
    const uint64_t pixels = (uint64_t)width * (uint64_t)height;
    const uint64_t most =
        (kind->has_more ? max_pixels : pixels) * MAX_PIXEL_BYTES + MAX_OTHER_BYTES;
    rc = input_rest(input, most < INT_MAX ? most : INT_MAX,
        "it is longer than its picture can be, or than 2 GiB", &bytes, &size, error);
    if (rc)
        return rc;
    if (kind->pixels_a_byte && pixels / kind->pixels_a_byte > size)
        rc = error_set(error, ERROR_INPUT, "cannot read '%s': the file is cut short", input->name);
    else
        rc = decode_whole(bytes, size, input->name, image, error);
    free(bytes);
    return rc;
}

/* The readers; the first bytes decide, and stb takes what is left. */
static const struct reader {
    int (*recognise)(struct input *input);
    int (*decode)(
        struct input *input, uint64_t max_pixels, struct image *image, struct error *error);
} READERS[] = {
    {pnm_recognise, pnm_decode},
    {pngfile_recognise, pngfile_decode},
    {jpeg_recognise, jpeg_decode},
    {bmp_recognise, bmp_decode},
    {NULL, decode_stb},
};

static int decode(
    struct input *input, uint64_t max_pixels, struct image *image, struct error *error)
{
    struct error failure;
    const struct reader *reader = READERS;
    *image = (struct image){0};
    int rc = 0;
    if (input_peek(input, 1) == 0 && !input->failure)
        return error_set(error, ERROR_INPUT, "cannot read '%s': the file is empty", input->name);
    while (reader->recognise && !reader->recognise(input))
        reader++;
    rc = reader->decode(input, max_pixels, image, error);
    const int failed = input_check(input, &failure); /* is what made the decoder fail */
    if (failed) {
        image_free(image);
        *error = failure;
    }
    return failed ? failed : rc;
}

int image_decode(const void *bytes, size_t size, const char *name, uint64_t max_pixels,
    struct image *image, struct error *error)
{
    struct input input;
    input_from_memory(bytes, size, name, &input);
    return decode(&input, max_pixels, image, error);
}

int image_read(const char *path, uint64_t max_pixels, const struct progress *progress,
    struct image *image, struct error *error)
{
    struct input input;
    *image = (struct image){0};
    int rc = input_open(path, progress, &input, error);
    if (rc)
        return rc;
    rc = decode(&input, max_pixels, image, error);
    input_close(&input);
    return rc;
}
