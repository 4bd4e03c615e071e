#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <stb_image.h>

#include "images/image.h"
#include "images/jpeg.h"
#include "images/pngfile.h"
#include "images/pnm.h"

#define MAX_PIXEL_BYTES 32     /* of a file: plain PPM takes up to 18 a pixel */
#define HEADER_BYTES (1 << 24) /* and what else a file holds */

/* Reads a stream to its end, of at most `limit` bytes, into memory that grows by doubling. */
static int read_stream(FILE *file, const char *name, uint64_t limit, unsigned char **bytes,
    size_t *size, struct error *error)
{
    size_t capacity = 0;
    *bytes = NULL;
    *size = 0;
    for (;;) {
        if (*size == capacity) {
            capacity = capacity ? 2 * capacity : 1 << 16;
            unsigned char *larger = realloc(*bytes, capacity);
            if (!larger)
                break;
            *bytes = larger;
        }
        const size_t got = fread(*bytes + *size, 1, capacity - *size, file);
        *size += got;
        if (got == 0 || *size > limit)
            break;
    }
    if (*size > limit) {
        free(*bytes);
        return error_set(error, ERROR_INPUT,
            "cannot read '%s': it is longer than pictures of --max-pixels are", name);
    }
    if (!ferror(file) && feof(file))
        return 0;
    free(*bytes);
    return error_set(error, ERROR_INPUT, "cannot read '%s': %s", name, strerror(errno));
}

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

static int decode_stb(const unsigned char *bytes, size_t size, const char *name,
    uint64_t max_pixels, struct image *image, struct error *error)
{
    static const stbi_io_callbacks CALLBACKS = {source_read, source_skip, source_is_at_end};
    struct source source = {.bytes = bytes, .left = size, .is_hdr = bytes[0] == '#'};
    int width, height, channels;
    if (!stbi_info_from_memory(bytes, (int)size, &width, &height, &channels))
        goto fail;
    const int rc = image_check_size(width, height, name, max_pixels, error);
    if (rc)
        return rc;
    const char *fault = psd_fault(bytes, size);
    if (fault)
        return error_set(error, ERROR_INPUT, "cannot read '%s': %s", name, fault);
    const int depth = stbi_is_16_bit_from_memory(bytes, (int)size) ? 16 : 8;
    void *pixels = depth == 16 ? (void *)stbi_load_16_from_callbacks(
                                     &CALLBACKS, &source, &width, &height, &channels, 4)
                               : (void *)stbi_load_from_callbacks(
                                     &CALLBACKS, &source, &width, &height, &channels, 4);
    if (!pixels)
        goto fail;
    *image = (struct image){width, height, channels, depth, pixels};
    if (!source.starved)
        return 0;
    image_free(image);
    return error_set(error, ERROR_INPUT, "cannot read '%s': the file is cut short", name);
fail:
    return error_set(error, ERROR_INPUT,
        "cannot read '%s': %s (PNG, JPEG, BMP, TGA, GIF, PSD, HDR, PIC and PNM are known)", name,
        stbi_failure_reason());
}

int image_decode(const void *bytes, size_t size, const char *name, uint64_t max_pixels,
    struct image *image, struct error *error)
{
    *image = (struct image){0};
    if (size == 0)
        return error_set(error, ERROR_INPUT, "cannot read '%s': the file is empty", name);
    if (pnm_recognise(bytes, size))
        return pnm_decode(bytes, size, name, max_pixels, image, error);
    if (pngfile_recognise(bytes, size))
        return pngfile_decode(bytes, size, name, max_pixels, image, error);
    if (jpeg_recognise(bytes, size))
        return jpeg_decode(bytes, size, name, max_pixels, image, error);
    if (size > INT_MAX)
        return error_set(error, ERROR_INPUT,
            "cannot read '%s': files of 2 GiB and more are read as PNG, JPEG and PNM only", name);
    return decode_stb(bytes, size, name, max_pixels, image, error);
}

int image_read(const char *path, uint64_t max_pixels, struct image *image, struct error *error)
{
    unsigned char *bytes = NULL;
    size_t size = 0;
    struct stat status;
    const int standard = strcmp(path, "-") == 0;
    FILE *file = standard ? stdin : fopen(path, "rb");
    *image = (struct image){0};
    if (!file)
        return error_set(error, ERROR_INPUT, "cannot open '%s': %s", path, strerror(errno));
    int rc;
    if (fstat(fileno(file), &status) == 0 && S_ISDIR(status.st_mode))
        rc = error_set(error, ERROR_INPUT, "cannot read '%s': it is a folder", path);
    else
        rc = read_stream(
            file, path, max_pixels * MAX_PIXEL_BYTES + HEADER_BYTES, &bytes, &size, error);
    if (!standard)
        fclose(file);
    if (rc)
        return rc;
    rc = image_decode(bytes, size, path, max_pixels, image, error);
    free(bytes);
    return rc;
}
