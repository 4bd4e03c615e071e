#include "images/metadata.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "images/exif.h"

#define PROFILE_HEADER 128 /* bytes */
#define PROFILE_SPACE 16   /* where it says which samples it is for */
#define PROFILE_MARK 36

void metadata_set(struct metadata *metadata, struct blob *blob, const void *bytes, size_t size)
{
    if (blob->bytes || size == 0 || size > METADATA_MAX_BYTES)
        return;
    blob->bytes = malloc(size);
    if (!blob->bytes) {
        metadata->is_short = 1;
        return;
    }
    memcpy(blob->bytes, bytes, size);
    blob->size = size;
}

/* How many bytes from the first on are a character of UTF-8, or 0. */
static size_t character(const unsigned char *bytes, size_t size)
{
    const size_t length = bytes[0] < 0x80   ? 1
                          : bytes[0] < 0xc2 ? 0
                          : bytes[0] < 0xe0 ? 2
                          : bytes[0] < 0xf0 ? 3
                          : bytes[0] < 0xf5 ? 4
                                            : 0;
    for (size_t i = 1; i < length; i++)
        if (i >= size || (bytes[i] & 0xc0) != 0x80)
            return 0;
    return length;
}

/* The text in UTF-8, or NULL where memory is short. */
static char *decode(const unsigned char *bytes, size_t size)
{
    size_t at = 0, length = 0;
    unsigned char *text = malloc(2 * size + 1);
    for (size_t step; at < size && (step = character(bytes + at, size - at)) > 0;)
        at += step;
    const int is_utf8 = at == size;
    for (size_t i = 0; text && i < size; i++) {
        if (is_utf8 || bytes[i] < 0x80) {
            text[length++] = bytes[i];
        } else {
            text[length++] = (unsigned char)(0xc0 | bytes[i] >> 6);
            text[length++] = (unsigned char)(0x80 | (bytes[i] & 0x3f));
        }
    }
    if (text)
        text[length] = 0;
    return (char *)text;
}

void metadata_add_text(struct metadata *metadata, const char *name, const void *value, size_t size)
{
    const size_t length = strnlen(value, size);
    if (length == 0 || length > METADATA_MAX_TEXT || metadata->text_count == METADATA_MAX_TEXTS)
        return;
    struct metadata_text *texts =
        realloc(metadata->texts, ((size_t)metadata->text_count + 1) * sizeof(*metadata->texts));
    if (texts)
        metadata->texts = texts;
    const struct metadata_text text = {
        texts ? decode((const unsigned char *)name, strlen(name)) : NULL,
        texts ? decode(value, length) : NULL};
    if (text.name && text.value) {
        metadata->texts[metadata->text_count++] = text;
        return;
    }
    free(text.name);
    free(text.value);
    metadata->is_short = 1;
}

const char *metadata_text(const struct metadata *metadata, const char *name)
{
    for (int i = 0; i < metadata->text_count; i++)
        if (strcmp(metadata->texts[i].name, name) == 0)
            return metadata->texts[i].value;
    return NULL;
}

int metadata_profile_fits(const struct blob *profile, int is_gray)
{
    return profile->size >= PROFILE_HEADER &&
           memcmp(profile->bytes + PROFILE_MARK, "acsp", 4) == 0 &&
           memcmp(profile->bytes + PROFILE_SPACE, is_gray ? "GRAY" : "RGB ", 4) == 0;
}

/* Whether a number of a chunk is within `most` of another. */
static int is_near(const struct blob *chunk, int index, int64_t wanted, int64_t most)
{
    const unsigned char *at = chunk->bytes + 4 * index;
    const int64_t value = (int64_t)at[0] << 24 | at[1] << 16 | at[2] << 8 | at[3];
    return value - wanted <= most && wanted - value <= most;
}

int metadata_has_png_colors(const struct metadata *metadata)
{
    static const unsigned char SRGB_CODES[] = {1, 13, 0, 1};
    /* In parts of 100000: a gamma, and x and y of white, red, green and blue. */
    static const int SRGB_GAMMA = 45455, GAMMA_STEP = 2000, PRIMARY_STEP = 1000;
    static const int SRGB_PRIMARIES[] = {31270, 32900, 64000, 33000, 30000, 60000, 15000, 6000};
    const struct blob *colors = metadata->colors;
    if (colors[COLOR_CODES].bytes)
        return memcmp(colors[COLOR_CODES].bytes, SRGB_CODES, sizeof(SRGB_CODES)) != 0;
    if (metadata->profile.bytes || colors[COLOR_SRGB].bytes)
        return 0;
    if (colors[COLOR_GAMMA].bytes && !is_near(&colors[COLOR_GAMMA], 0, SRGB_GAMMA, GAMMA_STEP))
        return 1;
    for (int i = 0; colors[COLOR_PRIMARIES].bytes && i < 8; i++)
        if (!is_near(&colors[COLOR_PRIMARIES], i, SRGB_PRIMARIES[i], PRIMARY_STEP))
            return 1;
    return 0;
}

/* What makers of cameras keep in a block would not be found in one that is made anew. */
int metadata_make_exif(const struct metadata *metadata, struct blob *block)
{
    const struct blob *own = &metadata->exif;
    struct exif exif;
    int rc = exif_read(own->bytes, own->size, &exif);
    struct exif_list *list = &exif.lists[EXIF_IMAGE];
    const int is_complete = metadata->resolution.x <= 0 || exif_find(list, EXIF_X_RESOLUTION) ||
                            exif_find(&exif.lists[EXIF_PHOTO], EXIF_MAKER_NOTE);
    *block = (struct blob){0};
    if (rc == 0 && !is_complete)
        rc = exif_add_resolution(list, metadata->resolution);
    if (rc == 0 && !is_complete)
        rc = exif_make(&exif, block);
    exif_free(&exif);
    if (rc == 0 && is_complete && own->bytes) {
        *block = (struct blob){malloc(own->size), own->size};
        if (block->bytes)
            memcpy(block->bytes, own->bytes, own->size);
        rc = block->bytes ? 0 : -1;
    }
    return rc;
}

void blob_free(struct blob *blob)
{
    free(blob->bytes);
    *blob = (struct blob){0};
}

static void free_text(struct metadata_text *text)
{
    free(text->name);
    free(text->value);
}

/* Keeps a blob only where the other is equal. */
static void blob_intersect(struct blob *blob, const struct blob *other)
{
    if (blob->size != other->size ||
        (blob->size && memcmp(blob->bytes, other->bytes, blob->size) != 0))
        blob_free(blob);
}

static int has_text(const struct metadata *metadata, const struct metadata_text *text)
{
    for (int i = 0; i < metadata->text_count; i++)
        if (strcmp(metadata->texts[i].name, text->name) == 0 &&
            strcmp(metadata->texts[i].value, text->value) == 0)
            return 1;
    return 0;
}

void metadata_intersect(struct metadata *metadata, const struct metadata *other)
{
    const struct resolution *a = &metadata->resolution, *b = &other->resolution;
    int kept = 0;
    blob_intersect(&metadata->profile, &other->profile);
    blob_intersect(&metadata->exif, &other->exif);
    blob_intersect(&metadata->xmp, &other->xmp);
    blob_intersect(&metadata->iptc, &other->iptc);
    for (int i = 0; i < COLOR_KINDS; i++)
        blob_intersect(&metadata->colors[i], &other->colors[i]);
    if (a->x != b->x || a->y != b->y || a->is_metric != b->is_metric)
        metadata->resolution = (struct resolution){0};
    for (int i = 0; i < metadata->text_count; i++)
        if (has_text(other, &metadata->texts[i]))
            metadata->texts[kept++] = metadata->texts[i];
        else
            free_text(&metadata->texts[i]);
    metadata->text_count = kept;
}

void metadata_free(struct metadata *metadata)
{
    blob_free(&metadata->profile);
    blob_free(&metadata->exif);
    blob_free(&metadata->xmp);
    blob_free(&metadata->iptc);
    for (int i = 0; i < COLOR_KINDS; i++)
        blob_free(&metadata->colors[i]);
    for (int i = 0; i < metadata->text_count; i++)
        free_text(&metadata->texts[i]);
    free(metadata->texts);
    *metadata = (struct metadata){0};
}
