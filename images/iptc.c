#include "images/iptc.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define MARK 0x1c      /* the first byte of a data set */
#define SET_HEADER 5   /* bytes: the mark, the record, the number, and the size */
#define LONG_SIZE 0x80 /* of the byte before the last: the size is how many bytes tell the size */

static const unsigned char RESOURCE[] = {'8', 'B', 'I', 'M', 4, 4}; /* IPTC among others */
enum { MARK_SIZE = 4, ID_SIZE = 2 };

static uint64_t get_number(const unsigned char *bytes, size_t count)
{
    uint64_t number = 0;
    for (size_t i = 0; i < count; i++)
        number = number << 8 | bytes[i];
    return number;
}

/* How many bytes the data set takes that bytes begin with; 0 where they are none that is whole. */
static size_t set_size(const unsigned char *bytes, size_t size)
{
    size_t header = SET_HEADER;
    if (size < header || bytes[0] != MARK)
        return 0;
    uint64_t content = get_number(bytes + 3, 2);
    if (bytes[3] & LONG_SIZE) {
        const size_t count = (size_t)content & 0x7fff;
        if (count > sizeof(content) || count > size - header)
            return 0;
        content = get_number(bytes + header, count);
        header += count;
    }
    return content <= size - header ? header + (size_t)content : 0;
}

static size_t all_sets(const unsigned char *bytes, size_t size)
{
    size_t end = 0;
    for (size_t step; (step = set_size(bytes + end, size - end)) > 0;)
        end += step;
    return end;
}

/* The bytes with each four the other way round, or NULL where memory is short. */
static unsigned char *turn_round(const unsigned char *bytes, size_t size)
{
    unsigned char *turned = malloc(size);
    for (size_t i = 0; turned && i < size; i++)
        turned[i] = bytes[i ^ 3];
    return turned;
}

void iptc_take(struct metadata *metadata, const unsigned char *bytes, size_t size)
{
    const size_t fours = size - size % 4;
    const int is_turned = fours > 0 && bytes[0] != MARK && bytes[3] == MARK;
    if (size == 0 || size > METADATA_MAX_BYTES || metadata->iptc.bytes)
        return;
    if (!is_turned) {
        metadata_set(metadata, &metadata->iptc, bytes, all_sets(bytes, size));
        return;
    }
    unsigned char *turned = turn_round(bytes, fours);
    if (turned)
        metadata_set(metadata, &metadata->iptc, turned, all_sets(turned, fours));
    else
        metadata->is_short = 1;
    free(turned);
}

/* A resource has a mark, an id, a name behind its length, and bytes behind their number; the latter
 * two are filled up to an even size. */
void iptc_take_resources(struct metadata *metadata, const unsigned char *bytes, size_t size)
{
    size_t at = 0;
    while (size - at > MARK_SIZE + ID_SIZE && memcmp(bytes + at, RESOURCE, MARK_SIZE) == 0) {
        const unsigned char *id = bytes + at + MARK_SIZE;
        const size_t name = 1 + (size_t)id[ID_SIZE];
        at += MARK_SIZE + ID_SIZE;
        if (size - at < name + name % 2 + 4)
            return;
        at += name + name % 2;
        const size_t content = (size_t)get_number(bytes + at, 4);
        at += 4;
        if (content > size - at)
            return;
        if (memcmp(id, RESOURCE + MARK_SIZE, ID_SIZE) == 0)
            iptc_take(metadata, bytes + at, content);
        at += content;
        at += content % 2 && at < size;
    }
}

void iptc_make_header(size_t size, unsigned char header[IPTC_RESOURCE_HEADER])
{
    memset(header, 0, IPTC_RESOURCE_HEADER);
    memcpy(header, RESOURCE, sizeof(RESOURCE));
    for (int i = 0; i < 4; i++)
        header[IPTC_RESOURCE_HEADER - 1 - i] = (unsigned char)(size >> 8 * i);
}
