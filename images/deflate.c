/* libdeflate compresses best for its time, but only whole streams. A stream (RFC 1951) is a row of
 * blocks, in bits; the first bit of each tells whether it is the last. Here a stream is read, but
 * for what it decodes to, to find where its last block begins, whose bit is cleared, and where it
 * ends, where a block of no bytes follows, which leads to a whole byte. */
#include "images/deflate.h"

#include <libdeflate.h>
#include <stdlib.h>
#include <string.h>

#include "images/formats.h"

#define LEVEL 1       /* docs/bench/png.md */
#define EMPTY_BLOCK 5 /* bytes that a block of none takes at most */
#define AHEAD 8       /* bytes that are looked at at a time */

#define MAX_LENGTH 15 /* bits of a code word */
#define LITERALS 288  /* symbols */
#define DISTANCES 32
#define LENGTHS 19
#define MAX_REPEAT 138

/* What a code word leads to: how many bits it takes with those that belong to it, and a value: the
 * kind of a literal, the symbol of a length, 0 of a distance. */
#define STEP_BITS(step) ((step)&63u)
#define STEP_VALUE(step) ((unsigned)(step) >> 6)
enum { LITERAL, COPY, END };

/* A Huffman code: the step for each of the next bits, as many as its longest word has. */
struct code {
    uint16_t step[1 << MAX_LENGTH];
    unsigned mask;
};

struct reader {
    const unsigned char *bytes;
    size_t at, end;       /* bits */
    struct code codes[2]; /* of literals, of distances */
};

static uint64_t look(const struct reader *r, size_t at)
{
    uint64_t bits;
    memcpy(&bits, r->bytes + at / 8, AHEAD);
    if (!is_little_endian())
        bits = __builtin_bswap64(bits);
    return bits >> at % 8;
}

static unsigned take(struct reader *r, int count)
{
    const unsigned bits = (unsigned)look(r, r->at) & ((1u << count) - 1);
    r->at += (size_t)count;
    return bits;
}

/* A step but for the bits of the word. */
static unsigned step_of(int symbols, int symbol)
{
    if (symbols == LENGTHS)
        return (unsigned)symbol << 6;
    if (symbols == DISTANCES)
        return symbol < 4 ? 0 : (unsigned)symbol / 2 - 1;
    if (symbol <= 256)
        return (symbol < 256 ? LITERAL : END) << 6;
    return COPY << 6 | (symbol < 265 || symbol >= 285 ? 0 : (unsigned)(symbol - 261) / 4);
}

/* Words of a length are numbers that follow each other, from the lowest bit on. */
static void make_code(struct code *code, const uint8_t *lengths, int symbols)
{
    unsigned count[MAX_LENGTH + 1] = {0}, next[MAX_LENGTH + 1] = {0}, most = 0;
    for (int i = 0; i < symbols; i++) {
        count[lengths[i]]++;
        most = lengths[i] > most ? lengths[i] : most;
    }
    count[0] = 0;
    for (unsigned length = 1; length <= most; length++)
        next[length] = (next[length - 1] + count[length - 1]) << 1;
    code->mask = (1u << most) - 1;
    memset(code->step, 0, sizeof(*code->step) << most);
    for (int i = 0; i < symbols; i++) {
        const unsigned length = lengths[i], word = next[length]++;
        unsigned place = 0;
        for (unsigned bit = 0; bit < length; bit++)
            place |= (word >> bit & 1) << (length - 1 - bit);
        for (; length && place <= code->mask; place += 1u << length)
            code->step[place] = (uint16_t)(step_of(symbols, i) + length);
    }
}

/* Reads the lengths of the words of both codes, which are in a code of their own. */
static void read_codes(struct reader *r)
{
    static const uint8_t ORDER[LENGTHS] = {
        16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
    uint8_t own[LENGTHS] = {0}, lengths[LITERALS + DISTANCES + MAX_REPEAT] = {0};
    const int literals = 257 + (int)take(r, 5), distances = 1 + (int)take(r, 5);
    const int count = 4 + (int)take(r, 4);
    for (int i = 0; i < count; i++)
        own[ORDER[i]] = (uint8_t)take(r, 3);
    make_code(&r->codes[0], own, LENGTHS);
    for (int i = 0; i < literals + distances;) {
        const unsigned step = r->codes[0].step[look(r, r->at) & r->codes[0].mask];
        const unsigned symbol = STEP_VALUE(step);
        r->at += STEP_BITS(step);
        const int times = symbol < 16    ? 1
                          : symbol == 16 ? 3 + (int)take(r, 2)
                          : symbol == 17 ? 3 + (int)take(r, 3)
                                         : 11 + (int)take(r, 7);
        if (symbol <= 16)
            memset(lengths + i, symbol < 16 ? (int)symbol : i ? lengths[i - 1] : 0, (size_t)times);
        i += times;
    }
    memmove(lengths + LITERALS, lengths + literals, (size_t)distances);
    memset(lengths + literals, 0, (size_t)(LITERALS - literals));
    make_code(&r->codes[0], lengths, LITERALS);
    make_code(&r->codes[1], lengths + LITERALS, DISTANCES);
}

/* The codes of a block that brings none. */
static void set_fixed_codes(struct reader *r)
{
    uint8_t lengths[LITERALS], distances[DISTANCES];
    for (int i = 0; i < LITERALS; i++)
        lengths[i] = i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8;
    memset(distances, 5, sizeof(distances));
    make_code(&r->codes[0], lengths, LITERALS);
    make_code(&r->codes[1], distances, DISTANCES);
}

/* A length leads to the code of distances, and all else to that of literals; this is no branch,
 * which processors could not foresee. Two steps, of 20 and 28 bits at most, fit into what is looked
 * at. */
static void skip_symbols(struct reader *r)
{
    const uint16_t *const literals = r->codes[0].step, *const distances = r->codes[1].step;
    const uint16_t *steps = literals;
    const uint64_t masks[2] = {r->codes[0].mask, r->codes[1].mask};
    uint64_t mask = masks[0];
    size_t at = r->at;
    while (at < r->end) {
        const uint64_t bits = look(r, at);
        unsigned step = steps[bits & mask];
        const unsigned first = STEP_BITS(step);
        at += first;
        if (step == 0 || STEP_VALUE(step) == END)
            break;
        steps = STEP_VALUE(step) == COPY ? distances : literals;
        mask = STEP_VALUE(step) == COPY ? masks[1] : masks[0];
        step = steps[bits >> first & mask];
        at += STEP_BITS(step);
        if (step == 0 || STEP_VALUE(step) == END)
            break;
        steps = STEP_VALUE(step) == COPY ? distances : literals;
        mask = STEP_VALUE(step) == COPY ? masks[1] : masks[0];
    }
    r->at = at;
}

static void skip_block(struct reader *r)
{
    enum { STORED, FIXED, OWN };
    r->at++;
    switch (take(r, 2)) {
    case STORED:
        r->at = (r->at + 7) / 8 * 8;
        r->at += 16 + 8 * (size_t)(look(r, r->at) & 0xffff) + 16;
        break;
    case FIXED:
        set_fixed_codes(r);
        skip_symbols(r);
        break;
    default:
        read_codes(r);
        skip_symbols(r);
    }
}

/* Makes the last block one that others can follow, and the end a whole byte. */
static size_t leave_open(struct reader *r, unsigned char *stream, size_t size)
{
    static const unsigned char NO_BYTES[] = {0, 0, 0xff, 0xff}; /* their number, and its opposite */
    size_t begin = 0;
    int is_last = 0;
    memset(stream + size, 0, EMPTY_BLOCK + AHEAD);
    r->bytes = stream;
    r->at = 0;
    r->end = 8 * size;
    while (!is_last && r->at < r->end) {
        begin = r->at;
        is_last = stream[begin / 8] >> begin % 8 & 1;
        skip_block(r);
    }
    if (!is_last || (r->at + 7) / 8 != size)
        return 0;
    stream[begin / 8] &= (unsigned char)~(1 << begin % 8);
    unsigned char *at = stream + (r->at + 3 + 7) / 8; /* behind the three bits that begin a block */
    memcpy(at, NO_BYTES, sizeof(NO_BYTES));
    return (size_t)(at + sizeof(NO_BYTES) - stream);
}

int deflate_open(struct deflate *deflate)
{
    deflate->compressor = libdeflate_alloc_compressor(LEVEL);
    deflate->reader = malloc(sizeof(*deflate->reader));
    return deflate->compressor && deflate->reader ? 0 : -1;
}

void deflate_close(struct deflate *deflate)
{
    libdeflate_free_compressor(deflate->compressor);
    free(deflate->reader);
    *deflate = (struct deflate){0};
}

size_t deflate_bound(const struct deflate *deflate, size_t size)
{
    return libdeflate_deflate_compress_bound(deflate->compressor, size) + EMPTY_BLOCK + AHEAD;
}

size_t deflate_part(
    struct deflate *deflate, const void *bytes, size_t size, int is_last, unsigned char *part)
{
    const size_t made = libdeflate_deflate_compress(
        deflate->compressor, bytes, size, part, deflate_bound(deflate, size) - EMPTY_BLOCK - AHEAD);
    return is_last || made == 0 ? made : leave_open(deflate->reader, part, made);
}
