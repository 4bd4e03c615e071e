#include "tests/fuzz/mutate.h"

#include <ctype.h>
#include <string.h>
#include <zlib.h>

#include "random.h"

#define MAX_CHANGES 4
#define HEADER 64 /* bytes, in which most of what a binary format says of itself stands */
#define COUNT_OF(table) (sizeof(table) / sizeof((table)[0]))

struct change {
    const struct seeds *seeds;
    struct bad *bad;
    uint64_t state; /* of the random numbers */
};

static size_t below(struct change *change, size_t bound)
{
    return bound ? (size_t)(random_bits(&change->state) >> 16) % bound : 0;
}

/* Mostly short, now and then up to all that is left. */
static size_t draw_length(struct change *change, size_t left)
{
    const size_t most = below(change, 8) ? (left < 16 ? left : 16) : left;
    return most ? 1 + below(change, most) : 0;
}

/* Puts `count` bytes in the place of `old` bytes; what is too long falls off the end. */
static void replace(struct bad *bad, size_t at, size_t old, const void *bytes, size_t count)
{
    size_t rest = bad->size - at - old;
    if (at + count > MUTATE_LARGEST)
        count = MUTATE_LARGEST - at;
    if (rest > MUTATE_LARGEST - at - count)
        rest = MUTATE_LARGEST - at - count;
    memmove(bad->bytes + at + count, bad->bytes + at + old, rest);
    memcpy(bad->bytes + at, bytes, count);
    bad->size = at + count + rest;
}

static void flip_bits(struct change *change)
{
    struct bad *bad = change->bad;
    for (size_t i = 1 + below(change, 8); bad->size && i > 0; i--)
        bad->bytes[below(change, bad->size)] ^= (uint8_t)(1 << below(change, 8));
}

static void set_bytes(struct change *change)
{
    static const uint8_t BYTES[] = {0, 1, 0x7f, 0x80, 0xff, '\n', ' ', '-', '"', '0'};
    struct bad *bad = change->bad;
    for (size_t i = 1 + below(change, 4); bad->size && i > 0; i--)
        bad->bytes[below(change, bad->size)] =
            below(change, 2) ? (uint8_t)below(change, 256) : BYTES[below(change, COUNT_OF(BYTES))];
}

static void cut_end(struct change *change)
{
    change->bad->size = below(change, change->bad->size + 1);
}

static void cut_middle(struct change *change)
{
    const size_t at = below(change, change->bad->size);
    replace(change->bad, at, draw_length(change, change->bad->size - at), "", 0);
}

static void insert(struct change *change)
{
    static const char *const WORDS[] = {"\n", "\r\n", "#", "\"", "{", "[", "]}", "<", "<!--",
        "&#0;", "&amp;", "\xef\xbb\xbf", "\xff\xfe", "\xc3\x28", "picture\n", "puzzle 1x1\n",
        "Group 1 a\n", "v 1 2 3\n", "f 1 2 3\n", "deg 3 3\n", "@90", "-", ",", ":", "e", "%s%n",
        "\\u0000"};
    uint8_t bytes[256];
    const size_t at = below(change, change->bad->size + 1);
    size_t count = 1 + below(change, sizeof(bytes));
    if (below(change, 2)) {
        const char *word = WORDS[below(change, COUNT_OF(WORDS))];
        count = strlen(word);
        memcpy(bytes, word, count);
    } else {
        const int same = below(change, 2) == 0, byte = (int)below(change, 256);
        for (size_t i = 0; i < count; i++)
            bytes[i] = (uint8_t)(same ? byte : (int)below(change, 256));
    }
    replace(change->bad, at, 0, bytes, count);
}

/* A piece up to 300 times. */
static void repeat(struct change *change)
{
    uint8_t piece[4096];
    struct bad *bad = change->bad;
    const size_t at = below(change, bad->size);
    size_t length = draw_length(change, bad->size - at);
    length = length < sizeof(piece) ? length : sizeof(piece);
    memcpy(piece, bad->bytes + at, length);
    for (size_t i = below(change, 4) ? 1 : below(change, 300); length && i > 0; i--)
        replace(bad, at, 0, piece, length);
}

/* The beginning of this, the end of another seed: mostly one for the same reader. */
static void splice(struct change *change)
{
    const struct seeds *seeds = change->seeds;
    const struct seed *other = &seeds->seeds[below(change, seeds->count)];
    for (int i = 0; i < 8 && other->reader != change->bad->seed->reader; i++)
        other = &seeds->seeds[below(change, seeds->count)];
    const size_t at = below(change, change->bad->size + 1), from = below(change, other->size);
    replace(change->bad, at, change->bad->size - at, other->bytes + from, other->size - from);
}

/* The next number of a text gets another value. */
static void set_number(struct change *change)
{
    static const char *const NUMBERS[] = {"0", "-0", "-1", "1", "2", "255", "256", "65535", "65536",
        "16777216", "2147483647", "2147483648", "-2147483648", "4294967295", "4294967296",
        "9223372036854775807", "9223372036854775808", "18446744073709551615", "1e38", "-1e38",
        "3.5e38", "1e308", "1e309", "-1e-45", "1e-320", "1e999999999999", "nan", "inf", "-inf",
        "infinity", "0x10", "1e", ".", "1.", ".5", "+1", "--1", "1,5", "00000000000000000000001",
        "99999999999999999999999999999999999999999999999999", "1e18", "1e19", "0.1e-5", "100000",
        "100001", "1000000", "1000001"};
    struct bad *bad = change->bad;
    size_t at = below(change, bad->size);
    while (at < bad->size && !isdigit(bad->bytes[at]))
        at++;
    size_t end = at;
    while (end < bad->size && (isdigit(bad->bytes[end]) || strchr("+-.eE", bad->bytes[end])) &&
           bad->bytes[end])
        end++;
    const char *number = NUMBERS[below(change, COUNT_OF(NUMBERS))];
    replace(bad, at, end - at, number, strlen(number));
}

/* A field of 1, 2, 4 or 8 bytes, in either byte order. */
static void set_field(struct change *change)
{
    static const uint64_t VALUES[] = {0, 1, 2, 0x7f, 0x80, 0xff, 0x100, 0x7fff, 0x8000, 0xffff,
        0x10000, 0xffffff, 0x3fffffff, 0x40000000, 0x7ffffffe, 0x7fffffff, 0x80000000, 0x80000001,
        0xfffffffe, 0xffffffff, 0x100000000, 0x7fffffffffffffff, 0x8000000000000000,
        0xffffffffffffffff};
    struct bad *bad = change->bad;
    const size_t width = (size_t)1 << below(change, 4);
    const size_t range = below(change, 4) && bad->size > HEADER ? HEADER : bad->size;
    const uint64_t value = VALUES[below(change, COUNT_OF(VALUES))];
    const int is_big = below(change, 2) == 0;
    const size_t at = below(change, range);
    for (size_t i = 0; i < width && at + i < bad->size; i++)
        bad->bytes[at + i] = (uint8_t)(value >> 8 * (is_big ? width - 1 - i : i));
}

static void swap_pieces(struct change *change)
{
    struct bad *bad = change->bad;
    const size_t length = draw_length(change, bad->size / 2);
    const size_t one = below(change, bad->size - length + 1),
                 other = below(change, bad->size - length + 1);
    for (size_t i = 0; i < length; i++) {
        const uint8_t byte = bad->bytes[one + i];
        bad->bytes[one + i] = bad->bytes[other + i];
        bad->bytes[other + i] = byte;
    }
}

static void repeat_line(struct change *change)
{
    uint8_t line[4096];
    struct bad *bad = change->bad;
    size_t at = below(change, bad->size), length = 0;
    while (at > 0 && bad->bytes[at - 1] != '\n')
        at--;
    while (at + length < bad->size && length < sizeof(line) &&
           (length == 0 || bad->bytes[at + length - 1] != '\n'))
        length++;
    memcpy(line, bad->bytes + at, length);
    if (below(change, 2))
        replace(bad, at, length, "", 0);
    else
        replace(bad, below(change, bad->size + 1), 0, line, length);
}

/* Makes the checksums of a PNG file's chunks right, as far as it has chunks. */
static void mend_checksums(struct bad *bad)
{
    for (size_t at = 8; at + 12 <= bad->size;) {
        uint8_t *chunk = bad->bytes + at;
        const size_t length = (size_t)chunk[0] << 24 | (size_t)chunk[1] << 16 |
                              (size_t)chunk[2] << 8 | (size_t)chunk[3];
        if (length > bad->size - at - 12)
            return;
        const uint32_t sum = (uint32_t)crc32(0, chunk + 4, (unsigned)length + 4);
        for (int i = 0; i < 4; i++)
            chunk[8 + length + (size_t)i] = (uint8_t)(sum >> (24 - 8 * i));
        at += 12 + length;
    }
}

void mutate(const struct seeds *seeds, uint64_t seed, uint64_t number, struct bad *bad)
{
    static void (*const CHANGES[])(struct change *) = {flip_bits, set_bytes, cut_end, cut_middle,
        insert, repeat, splice, set_number, set_number, set_field, set_field, swap_pieces,
        repeat_line};
    struct change change = {.seeds = seeds, .bad = bad, .state = seed};
    change.state = random_bits(&change.state) ^ number * 0xd1342543de82ef95;
    random_bits(&change.state);
    bad->seed = &seeds->seeds[below(&change, seeds->count)];
    bad->size = bad->seed->size;
    memcpy(bad->bytes, bad->seed->bytes, bad->size);
    if (below(&change, 500) == 0)
        bad->size = 0;
    const size_t changes = below(&change, 2) ? 1 : 1 + below(&change, MAX_CHANGES);
    for (size_t i = 0; i < changes; i++)
        CHANGES[below(&change, COUNT_OF(CHANGES))](&change);
    const char *extension = strrchr(bad->seed->name, '.');
    if (strcmp(extension, ".png") == 0 && below(&change, 3))
        mend_checksums(bad);
}
