#include "images/png_chunks.h"

#include <libdeflate.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_NAME 79 /* letters of the name of a text or profile */
#define LEVEL 9     /* of libdeflate, for profiles */
#define INCH 0.0254 /* meters */

static const char XMP_NAME[] = "XML:com.adobe.xmp";

/* Those that tell of colors first. */
const unsigned char CHUNK_METADATA[] = "iCCP\0cICP\0sRGB\0gAMA\0cHRM\0eXIf\0pHYs\0tEXt\0zTXt\0iTXt";

/* What PNG tells of colors besides a profile. */
static const struct {
    const char *type;
    size_t size; /* bytes */
} COLORS[COLOR_KINDS] = {[COLOR_CODES] = {"cICP", 4},
    [COLOR_SRGB] = {"sRGB", 1},
    [COLOR_GAMMA] = {"gAMA", 4},
    [COLOR_PRIMARIES] = {"cHRM", 32}};

int chunk_is_metadata_behind(const unsigned char type[4])
{
    for (int i = 1 + COLOR_KINDS; i < CHUNK_METADATA_TYPES; i++)
        if (memcmp(CHUNK_METADATA + 5 * i, type, 4) == 0)
            return 1;
    return 0;
}

void chunk_put_number(unsigned char *to, uint32_t number)
{
    for (int i = 0; i < 4; i++)
        to[i] = (unsigned char)(number >> (24 - 8 * i));
}

uint32_t chunk_get_number(const unsigned char *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

void chunk_write(struct output *output, const char *type, const unsigned char *bytes, size_t size)
{
    unsigned char head[8], tail[4];
    chunk_put_number(head, (uint32_t)size);
    memcpy(head + 4, type, 4);
    chunk_put_number(tail, libdeflate_crc32(libdeflate_crc32(0, head + 4, 4), bytes, size));
    output_write(output, head, sizeof(head));
    output_write(output, bytes, size);
    output_write(output, tail, sizeof(tail));
}

/* Inflates a compressed part of a chunk. Returns what the caller frees, or NULL where it is damaged
 * or too long, or memory is short, which `is_short` then says. */
static unsigned char *inflate(
    const unsigned char *bytes, size_t size, size_t *inflated, int *is_short)
{
    struct libdeflate_decompressor *decompressor = libdeflate_alloc_decompressor();
    enum libdeflate_result result = LIBDEFLATE_INSUFFICIENT_SPACE;
    unsigned char *to = NULL;
    for (size_t room = 1 << 16;
         result == LIBDEFLATE_INSUFFICIENT_SPACE && room <= METADATA_MAX_BYTES; room *= 4) {
        free(to);
        to = decompressor ? malloc(room) : NULL;
        *is_short |= !to;
        if (!to)
            break;
        result = libdeflate_zlib_decompress(decompressor, bytes, size, to, room, inflated);
    }
    libdeflate_free_decompressor(decompressor);
    if (result == LIBDEFLATE_SUCCESS)
        return to;
    free(to);
    return NULL;
}

static void add_text(
    struct metadata *metadata, const char *name, const unsigned char *value, size_t size)
{
    if (strcmp(name, XMP_NAME) == 0)
        metadata_set(metadata, &metadata->xmp, value, size);
    else if (strncmp(name, "Raw profile type", 16) != 0) /* other metadata in hexadecimal */
        metadata_add_text(metadata, name, value, size);
}

/* Takes a compressed text, or a profile. */
static void take_inflated(struct metadata *metadata, const unsigned char type[4], const char *name,
    const unsigned char *bytes, size_t size)
{
    size_t inflated;
    unsigned char *value = inflate(bytes, size, &inflated, &metadata->is_short);
    if (value && memcmp(type, "iCCP", 4) == 0)
        metadata_set(metadata, &metadata->profile, value, inflated);
    else if (value)
        add_text(metadata, name, value, inflated);
    free(value);
}

/* Resolutions in pixels an inch are stored as pixels a meter, so those that give these again are
 * taken. */
static void take_resolution(struct metadata *metadata, const unsigned char *bytes)
{
    const double x = chunk_get_number(bytes), y = chunk_get_number(bytes + 4);
    const double across = round(x * INCH), down = round(y * INCH);
    if (bytes[8] != 1 || x < 1 || y < 1)
        return;
    metadata->resolution = round(across / INCH) == x && round(down / INCH) == y
                               ? (struct resolution){across, down, 0}
                               : (struct resolution){x / 100, y / 100, 1};
}

/* Takes a chunk that tells of colors, of the size that such have. Returns whether it is one. */
static int take_color(
    struct metadata *metadata, const unsigned char type[4], const unsigned char *bytes, size_t size)
{
    for (int i = 0; i < COLOR_KINDS; i++)
        if (memcmp(type, COLORS[i].type, 4) == 0) {
            if (size == COLORS[i].size)
                metadata_set(metadata, &metadata->colors[i], bytes, size);
            return 1;
        }
    return 0;
}

void chunk_take_metadata(
    struct metadata *metadata, const unsigned char type[4], const unsigned char *bytes, size_t size)
{
    if (size == 0 || take_color(metadata, type, bytes, size))
        return;
    const char *name = (const char *)bytes;
    const size_t length = strnlen(name, size < MAX_NAME + 1 ? size : MAX_NAME + 1);
    const unsigned char *at = bytes + length + 1; /* behind the name */
    size_t left = length < size ? size - length - 1 : 0;
    if (memcmp(type, "eXIf", 4) == 0) {
        metadata_set(metadata, &metadata->exif, bytes, size);
    } else if (memcmp(type, "pHYs", 4) == 0) {
        if (size == 9)
            take_resolution(metadata, bytes);
    } else if (length == 0 || length > MAX_NAME || left < 2) {
        return;
    } else if (memcmp(type, "tEXt", 4) == 0) {
        add_text(metadata, name, at, left);
    } else if (memcmp(type, "iTXt", 4) == 0) {
        const int is_compressed = at[0];
        at += 2; /* two flags, the language, and the name translated */
        left -= 2;
        for (int i = 0; i < 2; i++) {
            const size_t skipped = strnlen((const char *)at, left);
            if (skipped >= left)
                return;
            at += skipped + 1;
            left -= skipped + 1;
        }
        if (is_compressed)
            take_inflated(metadata, type, name, at, left);
        else
            add_text(metadata, name, at, left);
    } else if (at[0] == 0) { /* the one way to compress */
        take_inflated(metadata, type, name, at + 1, left - 1);
    }
}

static int write_profile(struct output *output, const struct blob *profile)
{
    static const char HEAD[] = "ICC profile\0"; /* and the way to compress */
    struct libdeflate_compressor *compressor = libdeflate_alloc_compressor(LEVEL);
    const size_t most = compressor ? libdeflate_zlib_compress_bound(compressor, profile->size) : 0;
    unsigned char *chunk = compressor ? malloc(sizeof(HEAD) + most) : NULL;
    size_t size = 0;
    if (chunk) {
        memcpy(chunk, HEAD, sizeof(HEAD));
        size = libdeflate_zlib_compress(
            compressor, profile->bytes, profile->size, chunk + sizeof(HEAD), most);
    }
    if (size)
        chunk_write(output, "iCCP", chunk, sizeof(HEAD) + size);
    free(chunk);
    libdeflate_free_compressor(compressor);
    return size ? 0 : -1;
}

/* A profile and the chunk that says sRGB exclude each other. */
static void write_colors(struct output *output, const struct metadata *metadata)
{
    for (int i = 0; i < COLOR_KINDS; i++)
        if (metadata->colors[i].bytes && !(i == COLOR_SRGB && metadata->profile.bytes))
            chunk_write(
                output, COLORS[i].type, metadata->colors[i].bytes, metadata->colors[i].size);
}

static void write_resolution(struct output *output, struct resolution resolution)
{
    const double meter = resolution.is_metric ? 0.01 : INCH;
    const double x = round(resolution.x / meter), y = round(resolution.y / meter);
    unsigned char bytes[9];
    if (x < 1 || y < 1 || x > INT32_MAX || y > INT32_MAX)
        return;
    chunk_put_number(bytes, (uint32_t)x);
    chunk_put_number(bytes + 4, (uint32_t)y);
    bytes[8] = 1;
    chunk_write(output, "pHYs", bytes, sizeof(bytes));
}

static int is_ascii(const char *text, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if ((unsigned char)text[i] >= 0x80)
            return 0;
    return 1;
}

/* Writes a text, which is Latin-1, or with flags and two names that are empty UTF-8. */
static int write_text(struct output *output, const char *name, const void *value, size_t size)
{
    static const unsigned char FLAGS[4];
    const size_t length = strlen(name) + 1;
    const int is_latin = strcmp(name, XMP_NAME) != 0 && is_ascii(value, size);
    const size_t used = is_latin ? 0 : sizeof(FLAGS);
    if (length > MAX_NAME + 1 || !is_ascii(name, length))
        return 0;
    unsigned char *chunk = malloc(length + used + size);
    if (!chunk)
        return -1;
    memcpy(chunk, name, length);
    memcpy(chunk + length, FLAGS, used);
    memcpy(chunk + length + used, value, size);
    chunk_write(output, used ? "iTXt" : "tEXt", chunk, length + used + size);
    free(chunk);
    return 0;
}

int chunk_write_metadata(struct output *output, const struct metadata *metadata)
{
    write_colors(output, metadata);
    int rc = metadata->profile.bytes ? write_profile(output, &metadata->profile) : 0;
    write_resolution(output, metadata->resolution);
    if (metadata->exif.bytes)
        chunk_write(output, "eXIf", metadata->exif.bytes, metadata->exif.size);
    if (rc == 0 && metadata->xmp.bytes)
        rc = write_text(output, XMP_NAME, metadata->xmp.bytes, metadata->xmp.size);
    for (int i = 0; rc == 0 && i < metadata->text_count; i++)
        rc = write_text(output, metadata->texts[i].name, metadata->texts[i].value,
            strlen(metadata->texts[i].value));
    return rc;
}
