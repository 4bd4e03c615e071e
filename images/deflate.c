/* libdeflate compresses best for its time, but only whole streams. A stream is a row of blocks, in
 * bits; the first bit of each tells whether it is the last. zlib's reader can stop between blocks,
 * so it finds where the last one begins, whose bit is cleared, and where it ends, where a block of
 * no bytes follows, which leads to a whole byte. */
#include "images/deflate.h"

#include <libdeflate.h>
#include <stdlib.h>
#include <zlib.h>

#define LEVEL 1          /* docs/bench/png.md */
#define EMPTY_BLOCK 5    /* bytes that a block of none takes at most */
#define RAW_STREAM (-15) /* without zlib's header, as zlib asks for it */

/* What zlib's reader says of the place where it stops. */
#define UNUSED_BITS 7
#define WAS_LAST 64
#define BEHIND_BLOCK 128

int deflate_open(struct deflate *deflate)
{
    deflate->compressor = libdeflate_alloc_compressor(LEVEL);
    deflate->reader = calloc(1, sizeof(*deflate->reader));
    return deflate->compressor && deflate->reader &&
                   inflateInit2(deflate->reader, RAW_STREAM) == Z_OK
               ? 0
               : -1;
}

void deflate_close(struct deflate *deflate)
{
    if (deflate->reader)
        inflateEnd(deflate->reader);
    free(deflate->reader);
    libdeflate_free_compressor(deflate->compressor);
    *deflate = (struct deflate){0};
}

size_t deflate_bound(const struct deflate *deflate, size_t size)
{
    return libdeflate_deflate_compress_bound(deflate->compressor, size) + EMPTY_BLOCK;
}

/* Makes the last block one that others can follow. The reader decodes into `bytes`, which holds
 * what the stream does. */
static size_t leave_open(
    z_stream *reader, unsigned char *bytes, size_t size, unsigned char *stream, size_t stream_size)
{
    size_t begin = 0, end = 0;
    if (inflateReset(reader) != Z_OK)
        return 0;
    reader->next_in = stream;
    reader->avail_in = (uInt)stream_size;
    reader->next_out = bytes;
    reader->avail_out = (uInt)size;
    do {
        begin = end;
        if (inflate(reader, Z_BLOCK) != Z_OK || !(reader->data_type & BEHIND_BLOCK))
            return 0;
        end = 8 * (size_t)reader->total_in - (size_t)(reader->data_type & UNUSED_BITS);
    } while (!(reader->data_type & WAS_LAST));
    stream[begin / 8] &= (unsigned char)~(1 << begin % 8);
    stream[stream_size] = 0;
    unsigned char *at = stream + (end + 3 + 7) / 8; /* behind the three bits that begin a block */
    *at++ = 0;
    *at++ = 0;
    *at++ = 0xff;
    *at++ = 0xff;
    return (size_t)(at - stream);
}

size_t deflate_part(
    struct deflate *deflate, unsigned char *bytes, size_t size, int is_last, unsigned char *part)
{
    const size_t made = libdeflate_deflate_compress(
        deflate->compressor, bytes, size, part, deflate_bound(deflate, size) - EMPTY_BLOCK);
    return is_last || made == 0 ? made : leave_open(deflate->reader, bytes, size, part, made);
}
