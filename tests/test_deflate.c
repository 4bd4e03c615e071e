/* Parts of a deflate stream, of all sizes and kinds, joined and read by zlib. */
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "cli/tap.h"
#include "images/deflate.h"
#include "tests/test_random.h"

#define PARTS 40
#define MAX 300000

/* Few different bytes compress to blocks with the fixed codes where they are short, and with their
 * own where they are long; noise to blocks that are only stored. */
static void fill(unsigned char *bytes, size_t size, unsigned kinds)
{
    for (size_t i = 0; i < size; i++) {
        const uint32_t random = next_random();
        bytes[i] = (unsigned char)(random >> 8 & random >> 16 & (kinds - 1));
    }
}

static size_t random_below(size_t most)
{
    return 1 + (next_random() >> 4) % most;
}

/* A stream of parts of 1 to `most` bytes. */
static void check_parts(size_t most, unsigned kinds)
{
    struct deflate deflate = {0};
    z_stream reader = {0};
    unsigned char *bytes = malloc(PARTS * most), *again = malloc(PARTS * most + 1);
    size_t size = 0, stream_size = 0;
    if (deflate_open(&deflate) || inflateInit2(&reader, -15) != Z_OK || !bytes || !again)
        abort();
    unsigned char *stream = malloc(PARTS * deflate_bound(&deflate, most));
    int is_made = stream != NULL;
    fill(bytes, PARTS * most, kinds);
    for (int i = 0; i < PARTS && is_made; i++) {
        const size_t part = random_below(most);
        const size_t made =
            deflate_part(&deflate, bytes + size, part, i + 1 == PARTS, stream + stream_size);
        is_made = made > 0 && made <= deflate_bound(&deflate, part);
        size += part;
        stream_size += made;
    }
    reader.next_in = stream;
    reader.avail_in = (uInt)stream_size;
    reader.next_out = again;
    reader.avail_out = (uInt)(PARTS * most + 1);
    tap_check(is_made && inflate(&reader, Z_FINISH) == Z_STREAM_END && reader.avail_in == 0 &&
                  reader.total_out == size && memcmp(bytes, again, size) == 0,
        "%d parts of up to %zu bytes of %u kinds: zlib reads %zu bytes again", PARTS, most, kinds,
        size);
    inflateEnd(&reader);
    deflate_close(&deflate);
    free(bytes);
    free(again);
    free(stream);
}

int main(void)
{
    for (unsigned kinds = 1; kinds <= 256; kinds *= 4)
        for (size_t most = 1; most <= MAX; most = most * 7 + 3)
            check_parts(most, kinds);
    return tap_finish();
}
