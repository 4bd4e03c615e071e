#include "images/exif.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_FIELDS ((size_t)65535)   /* of a directory, as TIFF counts them; BigTIFF could more */
#define MAX_VALUES ((size_t)1 << 16) /* bytes of an entry, but for profiles, XMP and IPTC */
#define MAX_BYTES METADATA_MAX_BYTES /* of all entries */
#define INCH 2
#define CENTIMETER 3

/* Entries that exif_settle changes. */
enum { SMALL_OFFSET = 513, SMALL_SIZE = 514, PHOTO_WIDTH = 40962, PHOTO_HEIGHT = 40963 };

/* The types of 64 bits, which only BigTIFF has, are not listed, so their entries are left out. */
static const unsigned char TYPE_SIZES[] = {0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4};
static const unsigned char UNIT_SIZES[] = {0, 1, 1, 2, 4, 4, 1, 1, 2, 4, 4, 4, 8, 4};

size_t exif_type_size(int type)
{
    return type > 0 && type < (int)sizeof(TYPE_SIZES) ? TYPE_SIZES[type] : 0;
}

/* Bytes built like a TIFF file: numbers of either order, offsets of 4 bytes or in BigTIFF of 8. */
struct block {
    const unsigned char *bytes; /* NULL: of the input */
    struct input *input;
    size_t size;
    int is_big_endian, is_big;
};

/* An entry of a directory in a block. */
struct field {
    int tag, type;
    uint64_t count;
    size_t at, size; /* where its values are, and how many bytes they have */
};

/* Takes bytes that are there. They are zeros where the file fails, which the input knows, and in a
 * directory beyond the end of a pipe. */
static void take_bytes(const struct block *block, size_t at, void *to, size_t size)
{
    if (block->bytes)
        memcpy(to, block->bytes + at, size);
    else if (input_read_at(block->input, at, to, size) != size)
        memset(to, 0, size);
}

/* A number whose bytes are all there. */
static uint64_t number(const struct block *block, size_t at, size_t size)
{
    unsigned char bytes[8] = {0};
    uint64_t value = 0;
    take_bytes(block, at, bytes, size);
    for (size_t i = 0; i < size; i++)
        value = value << 8 | bytes[block->is_big_endian ? i : size - 1 - i];
    return value;
}

/* Whether the bytes are all there. */
static int fits(const struct block *block, uint64_t at, uint64_t size)
{
    return at <= block->size && size <= block->size - at &&
           (block->bytes || input_has(block->input, at, size));
}

/* Finds out how the bytes are stored. Returns where the first directory is, or 0 where the bytes
 * are no block. */
static uint64_t find_first(struct block *block)
{
    const size_t size = block->size;
    unsigned char mark[2];
    if (size < 8)
        return 0;
    take_bytes(block, 0, mark, sizeof(mark));
    if (memcmp(mark, "II", 2) != 0 && memcmp(mark, "MM", 2) != 0)
        return 0;
    block->is_big_endian = mark[0] == 'M';
    const uint64_t version = number(block, 2, 2);
    block->is_big = version == 43;
    if (version != 42 && !(block->is_big && size >= 16))
        return 0;
    return block->is_big ? number(block, 8, 8) : number(block, 4, 4);
}

static uint64_t open_block(const void *bytes, size_t size, struct block *block)
{
    *block = (struct block){.bytes = bytes, .size = size};
    return find_first(block);
}

static size_t count_size(const struct block *block)
{
    return block->is_big ? 8 : 2;
}

static size_t field_size(const struct block *block)
{
    return block->is_big ? 20 : 12;
}

/* How many entries of a directory are there; 0 where there is no directory. */
static size_t count_fields(const struct block *block, uint64_t directory)
{
    if (directory == 0 || !fits(block, directory, count_size(block)))
        return 0;
    const uint64_t count = number(block, (size_t)directory, count_size(block));
    const size_t room = (block->size - (size_t)directory - count_size(block)) / field_size(block);
    const size_t most = room < MAX_FIELDS ? room : MAX_FIELDS;
    return count < most ? (size_t)count : most;
}

/* Takes an entry. Returns 0, or -1 where its type is unknown or its values are not all there. */
static int take_field(
    const struct block *block, uint64_t directory, size_t index, struct field *field)
{
    const size_t at = (size_t)directory + count_size(block) + index * field_size(block);
    const size_t word = block->is_big ? 8 : 4;
    field->tag = (int)number(block, at, 2);
    field->type = (int)number(block, at + 2, 2);
    field->count = number(block, at + 4, word);
    const size_t one = exif_type_size(field->type);
    if (one == 0 || field->count == 0 || field->count > block->size / one)
        return -1;
    field->size = (size_t)field->count * one;
    const uint64_t place = field->size <= word ? at + 4 + word : number(block, at + 4 + word, word);
    field->at = (size_t)place;
    return fits(block, place, field->size) ? 0 : -1;
}

static int find_field(const struct block *block, uint64_t directory, int tag, struct field *field)
{
    const size_t count = count_fields(block, directory);
    for (size_t i = 0; i < count; i++)
        if (take_field(block, directory, i, field) == 0 && field->tag == tag)
            return 0;
    return -1;
}

/* A whole number that an entry holds, or else 0. */
static uint64_t find_number(const struct block *block, uint64_t directory, int tag)
{
    struct field field;
    if (find_field(block, directory, tag, &field) != 0 || field.count != 1)
        return 0;
    const int is_number = field.type == EXIF_SHORT || field.type == EXIF_LONG || field.type == 13;
    return is_number ? number(block, field.at, exif_type_size(field.type)) : 0;
}

/* Where another directory is that an entry of this one names. BigTIFF has offsets of 8 bytes, whose
 * types are none of the block's. */
static uint64_t find_directory(const struct block *block, uint64_t directory, int tag)
{
    const size_t count = block->is_big ? count_fields(block, directory) : 0;
    for (size_t i = 0; i < count; i++) {
        const size_t at = (size_t)directory + count_size(block) + i * field_size(block);
        const uint64_t type = number(block, at + 2, 2);
        if (number(block, at, 2) == (uint64_t)tag && (type == 16 || type == 18))
            return number(block, at + 12, 8);
    }
    return find_number(block, directory, tag);
}

/* Whether an entry of the first directory is kept; the others tell how pixels are stored. */
static int is_kept(int tag)
{
    static const uint16_t KEPT[] = {EXIF_DOCUMENT_NAME, EXIF_DESCRIPTION, 271, 272,
        EXIF_ORIENTATION, EXIF_X_RESOLUTION, EXIF_Y_RESOLUTION, EXIF_PAGE_NAME,
        EXIF_RESOLUTION_UNIT, 305, 306, 315, 316, EXIF_XMP, 18246, 18249, 33432, EXIF_IPTC,
        EXIF_PROFILE, 40091, 40092, 40093, 40094, 40095};
    for (size_t i = 0; i < sizeof(KEPT) / sizeof(KEPT[0]); i++)
        if (KEPT[i] == tag)
            return 1;
    return 0;
}

struct exif_entry *exif_find(struct exif_list *list, int tag)
{
    for (int i = 0; i < list->count; i++)
        if (list->entries[i].tag == tag)
            return &list->entries[i];
    return NULL;
}

void exif_remove(struct exif_list *list, int tag)
{
    struct exif_entry *entry = exif_find(list, tag);
    if (!entry)
        return;
    free(entry->values);
    list->count--;
    memmove(entry, entry + 1, (size_t)(list->entries + list->count - entry) * sizeof(*entry));
}

int exif_add(struct exif_list *list, int tag, int type, uint32_t count, const void *values)
{
    const size_t size = count * exif_type_size(type);
    exif_remove(list, tag);
    unsigned char *copy = list->count < EXIF_MAX ? malloc(size) : NULL;
    if (!copy)
        return -1;
    memcpy(copy, values, size);
    int place = list->count++;
    for (; place > 0 && list->entries[place - 1].tag > tag; place--)
        list->entries[place] = list->entries[place - 1];
    list->entries[place] = (struct exif_entry){(uint16_t)tag, (uint16_t)type, count, copy};
    return 0;
}

static int is_native(const struct block *block)
{
    const uint16_t one = 1;
    return block->is_big_endian != *(const unsigned char *)&one;
}

/* Adds an entry with its values in native order. IPTC is told to be of any type, often of numbers
 * of four bytes, but its bytes are always in their own order. */
static int take_values(const struct block *block, const struct field *field, struct exif_list *list)
{
    const int is_iptc = field->tag == EXIF_IPTC;
    const size_t unit = is_iptc ? 1 : UNIT_SIZES[field->type];
    unsigned char *values = malloc(field->size);
    if (!values)
        return -1;
    take_bytes(block, field->at, values, field->size);
    for (size_t i = 0; !is_native(block) && i < field->size; i += unit)
        for (size_t k = 0; k < unit / 2; k++) {
            const unsigned char byte = values[i + k];
            values[i + k] = values[i + unit - 1 - k];
            values[i + unit - 1 - k] = byte;
        }
    const int rc = exif_add(list, field->tag, is_iptc ? EXIF_UNDEFINED : field->type,
        (uint32_t)(is_iptc ? field->size : field->count), values);
    free(values);
    return rc;
}

/* Whether values may be longer than those of others. */
static int is_long(int tag)
{
    return tag == EXIF_PROFILE || tag == EXIF_XMP || tag == EXIF_IPTC;
}

/* Reads a directory. `left` is how many bytes all entries together may still have. */
static int read_list(const struct block *block, uint64_t directory, int is_image, size_t *left,
    struct exif_list *list)
{
    const size_t count = count_fields(block, directory);
    struct field field;
    for (size_t i = 0; i < count && list->count < EXIF_MAX; i++) {
        if (take_field(block, directory, i, &field) != 0 || field.size > *left ||
            (is_image && !is_kept(field.tag)) || exif_find(list, field.tag) ||
            field.tag == EXIF_RULES_DIRECTORY || (field.size > MAX_VALUES && !is_long(field.tag)))
            continue;
        *left -= field.size;
        if (take_values(block, &field, list) != 0)
            return -1;
    }
    return 0;
}

static int read_lists(struct block *block, uint64_t directory, struct exif *exif)
{
    size_t left = MAX_BYTES;
    const uint64_t first = find_first(block);
    const uint64_t image = first && directory ? directory : first;
    const uint64_t photo = find_directory(block, image, EXIF_PHOTO_DIRECTORY);
    const uint64_t directories[EXIF_DIRECTORIES] = {image, photo,
        find_directory(block, image, EXIF_PLACE_DIRECTORY),
        find_directory(block, photo, EXIF_RULES_DIRECTORY)};
    int rc = 0;
    memset(exif, 0, sizeof(*exif));
    for (int i = 0; rc == 0 && i < EXIF_DIRECTORIES; i++)
        rc = read_list(block, directories[i], i == EXIF_IMAGE, &left, &exif->lists[i]);
    return rc;
}

int exif_read(const void *bytes, size_t size, struct exif *exif)
{
    return read_lists(&(struct block){.bytes = bytes, .size = size}, 0, exif);
}

int exif_read_file(struct input *input, uint64_t size, uint64_t directory, struct exif *exif)
{
    return read_lists(&(struct block){.input = input, .size = (size_t)size}, directory, exif);
}

void exif_free(struct exif *exif)
{
    for (int i = 0; i < EXIF_DIRECTORIES; i++) {
        for (int k = 0; k < exif->lists[i].count; k++)
            free(exif->lists[i].entries[k].values);
        exif->lists[i].count = 0;
    }
}

static double rational(const struct exif_entry *entry)
{
    uint32_t part[2];
    if (!entry || entry->type != EXIF_RATIONAL || entry->count != 1)
        return 0;
    memcpy(part, entry->values, sizeof(part));
    return part[1] ? (double)part[0] / part[1] : 0;
}

struct resolution exif_resolution(struct exif_list *list)
{
    const struct exif_entry *entry = exif_find(list, EXIF_RESOLUTION_UNIT);
    uint16_t unit = INCH;
    if (entry && entry->type == EXIF_SHORT)
        memcpy(&unit, entry->values, sizeof(unit));
    const struct resolution resolution = {rational(exif_find(list, EXIF_X_RESOLUTION)),
        rational(exif_find(list, EXIF_Y_RESOLUTION)), unit == CENTIMETER};
    const int is_known =
        (unit == INCH || unit == CENTIMETER) && resolution.x > 0 && resolution.y > 0;
    return is_known ? resolution : (struct resolution){0};
}

/* Adds a number as a fraction: whole where it is, else in steps small enough. */
static int add_rational(struct exif_list *list, int tag, double value)
{
    const double most = value < UINT32_MAX ? value : UINT32_MAX;
    const uint32_t steps = most != floor(most) && most < 4e5 ? 10000 : 1;
    const uint32_t part[2] = {(uint32_t)round(most * steps), steps};
    return exif_add(list, tag, EXIF_RATIONAL, 1, part);
}

int exif_add_resolution(struct exif_list *list, struct resolution resolution)
{
    const uint16_t unit = resolution.is_metric ? CENTIMETER : INCH;
    if (add_rational(list, EXIF_X_RESOLUTION, resolution.x) != 0 ||
        add_rational(list, EXIF_Y_RESOLUTION, resolution.y) != 0)
        return -1;
    return exif_add(list, EXIF_RESOLUTION_UNIT, EXIF_SHORT, 1, &unit);
}

/* The bytes of a directory and of the values that do not fit into it. */
static size_t list_size(const struct exif_list *list)
{
    size_t size = 2 + 12 * (size_t)list->count + 4;
    for (int i = 0; i < list->count; i++) {
        const size_t values = list->entries[i].count * exif_type_size(list->entries[i].type);
        size += values > 4 ? values + values % 2 : 0;
    }
    return size;
}

/* Puts a directory at its place, and its values behind it. */
static void put_list(const struct exif_list *list, unsigned char *bytes, uint32_t place)
{
    unsigned char *to = bytes + place;
    uint32_t at = place + 2 + 12 * (uint32_t)list->count + 4;
    const uint16_t count = (uint16_t)list->count;
    memcpy(to, &count, 2);
    to += 2;
    for (int i = 0; i < list->count; i++, to += 12) {
        const struct exif_entry *entry = &list->entries[i];
        const uint32_t size = (uint32_t)(entry->count * exif_type_size(entry->type));
        memcpy(to, &entry->tag, 2);
        memcpy(to + 2, &entry->type, 2);
        memcpy(to + 4, &entry->count, 4);
        if (size <= 4) {
            memcpy(to + 8, entry->values, size);
            continue;
        }
        memcpy(to + 8, &at, 4);
        memcpy(bytes + at, entry->values, size);
        at += size + size % 2;
    }
}

/* Adds the entry that names a directory; its value is not a copy. */
static void name_list(struct exif_list *list, int tag, uint32_t *place)
{
    int at = list->count++;
    for (; at > 0 && list->entries[at - 1].tag > tag; at--)
        list->entries[at] = list->entries[at - 1];
    list->entries[at] = (struct exif_entry){(uint16_t)tag, EXIF_LONG, 1, (unsigned char *)place};
}

/* The directories follow each other. */
int exif_make(const struct exif *exif, struct blob *block)
{
    static const int NAMES[] = {
        0, EXIF_PHOTO_DIRECTORY, EXIF_PLACE_DIRECTORY, EXIF_RULES_DIRECTORY};
    const uint16_t version = 42;
    uint32_t places[EXIF_DIRECTORIES], size = 8;
    struct exif named = *exif; /* the values are those of `exif` */
    for (int i = EXIF_DIRECTORIES; i-- > 1;)
        if (named.lists[i].count > 0)
            name_list(
                &named.lists[i == EXIF_RULES ? EXIF_PHOTO : EXIF_IMAGE], NAMES[i], &places[i]);
    for (int i = 0; i < EXIF_DIRECTORIES; i++) {
        places[i] = size;
        size += i == 0 || named.lists[i].count > 0 ? (uint32_t)list_size(&named.lists[i]) : 0;
    }
    *block = (struct blob){calloc(size, 1), size};
    if (!block->bytes)
        return -1;
    memcpy(block->bytes, is_native(&(struct block){.is_big_endian = 0}) ? "II" : "MM", 2);
    memcpy(block->bytes + 2, &version, 2);
    memcpy(block->bytes + 4, &places[EXIF_IMAGE], 4);
    for (int i = 0; i < EXIF_DIRECTORIES; i++)
        if (i == 0 || named.lists[i].count > 0)
            put_list(&named.lists[i], block->bytes, places[i]);
    return 0;
}

int exif_is_block(const struct blob *block)
{
    struct block read;
    return block->bytes && open_block(block->bytes, block->size, &read) && !read.is_big;
}

int exif_orientation(const struct blob *block)
{
    struct block read;
    const uint64_t image = block->bytes ? open_block(block->bytes, block->size, &read) : 0;
    const uint64_t orientation = image ? find_number(&read, image, EXIF_ORIENTATION) : 0;
    return orientation >= 1 && orientation <= 8 ? (int)orientation : 1;
}

static void put_number(const struct block *block, unsigned char *to, size_t size, uint64_t value)
{
    for (size_t i = 0; i < size; i++)
        to[i] = (unsigned char)(value >> 8 * (block->is_big_endian ? size - 1 - i : i));
}

/* Changes a whole number, where there is one. */
static void set_number(
    const struct block *block, unsigned char *bytes, uint64_t directory, int tag, uint64_t value)
{
    struct field field;
    if (find_field(block, directory, tag, &field) == 0 && field.count == 1 &&
        (field.type == EXIF_SHORT || field.type == EXIF_LONG))
        put_number(block, bytes + field.at, exif_type_size(field.type), value);
}

/* The small picture is named by the second directory, which the first one names behind its
 * entries. */
static void drop_small(const struct block *block, uint64_t image, struct blob *blob)
{
    const uint64_t end = image + 2 + 12 * number(block, (size_t)image, 2);
    if (!fits(block, end, 4))
        return;
    const uint64_t small = number(block, (size_t)end, 4);
    const uint64_t at = find_number(block, small, SMALL_OFFSET);
    const uint64_t size = find_number(block, small, SMALL_SIZE);
    put_number(block, blob->bytes + end, 4, 0);
    if (at == 0 || !fits(block, at, size))
        return;
    memset(blob->bytes + at, 0, (size_t)size);
    if (at + size == blob->size)
        blob->size = (size_t)at;
}

void exif_settle(struct blob *blob, int width, int height)
{
    struct block block;
    const uint64_t image = open_block(blob->bytes, blob->size, &block);
    const uint64_t photo = find_number(&block, image, EXIF_PHOTO_DIRECTORY);
    if (!fits(&block, image, 2))
        return;
    set_number(&block, blob->bytes, image, EXIF_ORIENTATION, 1);
    set_number(&block, blob->bytes, photo, PHOTO_WIDTH, (uint64_t)width);
    set_number(&block, blob->bytes, photo, PHOTO_HEIGHT, (uint64_t)height);
    drop_small(&block, image, blob);
}
