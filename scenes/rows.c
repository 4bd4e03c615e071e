#include "scenes/rows.h"

#include <errno.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#define MAX_DIGITS 17        /* of a number, which two doubles never share */
#define BLOCK_ROOM (1 << 18) /* bytes for rows that a thread makes at a time: stay in a cache */
#define BATCH 8              /* blocks for each thread in a batch */
#define MAX_BLOCKS 32        /* of a batch */

/* 5^27 is the largest that 64 bits hold. */
enum { POWERS = 28 };
static const uint64_t POWERS_OF_5[POWERS] = {1, 5, 25, 125, 625, 3125, 15625, 78125, 390625,
    1953125, 9765625, 48828125, 244140625, 1220703125, 6103515625, 30517578125, 152587890625,
    762939453125, 3814697265625, 19073486328125, 95367431640625, 476837158203125, 2384185791015625,
    11920928955078125, 59604644775390625, 298023223876953125, 1490116119384765625,
    7450580596923828125};
static const uint64_t POWERS_OF_10[MAX_DIGITS + 1] = {1, 10, 100, 1000, 10000, 100000, 1000000,
    10000000, 100000000, 1000000000, 10000000000, 100000000000, 1000000000000, 10000000000000,
    100000000000000, 1000000000000000, 10000000000000000, 100000000000000000};

/* Eight digits of a number below 10^8, the first in the lowest byte: first four and four are
 * parted, then two and two, then all. */
static uint64_t digits_of(uint32_t number)
{
    uint64_t parts = number / 10000 | (uint64_t)(number % 10000) << 32;
    uint64_t tens = (parts * 10486 >> 20) & 0x0000007f0000007f; /* 10486 / 2^20 is about 1 / 100 */
    parts = tens | (parts - 100 * tens) << 16;
    tens = (parts * 103 >> 10) & 0x000f000f000f000f; /* and this 1 / 10 */
    return tens | (parts - 10 * tens) << 8;
}

static void digits_put(char *at, uint64_t digits)
{
    digits += 0x3030303030303030;
    for (int i = 0; i < 8; i++)
        at[i] = (char)(digits >> 8 * i);
}

/* How many of the eight are zeros before and behind all others. */
static int zeros_before(uint64_t digits)
{
    return digits ? __builtin_ctzll(digits) / 8 : 8;
}

static int zeros_behind(uint64_t digits)
{
    return digits ? __builtin_clzll(digits) / 8 : 8;
}

char *whole_put(char *at, uint32_t number)
{
    if (number >= 100000000) {
        at = whole_put(at, number / 100000000);
        digits_put(at, digits_of(number % 100000000));
        return at + 8;
    }
    const uint64_t digits = digits_of(number);
    const int zeros = number > 0 ? zeros_before(digits) : 7;
    digits_put(at, digits >> 8 * zeros);
    return at + 8 - zeros;
}

/* A number as its first digits, the first of which is not 0, and the power of 10 of that one. */
struct rounded {
    uint64_t digits;
    int order;
};

/* mantissa * 2^power * 10^scale = mantissa * 5^scale * 2^(power + scale), without its fraction, and
 * rounded to the nearest, of two such the even one. The product of a mantissa of 53 bits and 5^32
 * has less than 128. */
static uint64_t scaled(uint64_t mantissa, int power, int scale, uint64_t *nearest)
{
    const int most = POWERS - 1, shift = -(power + scale);
    unsigned __int128 product =
        (unsigned __int128)mantissa * POWERS_OF_5[scale < most ? scale : most];
    if (scale > most)
        product *= POWERS_OF_5[scale - most];
    if (shift <= 0)
        return *nearest = (uint64_t)product << -shift;
    const uint64_t whole = (uint64_t)(product >> shift);
    const unsigned __int128 half = (unsigned __int128)1 << (shift - 1);
    const unsigned __int128 rest = product & (2 * half - 1);
    *nearest = whole + (rest > half || (rest == half && whole % 2 == 1));
    return whole;
}

/* Of a positive number, exactly. Returns whether it is one of those for which 128 bits do.
 *
 * bits / 2^52 - 1023 is its binary logarithm, or up to 0.0861 less, so the power of 10 that follows
 * is right or, seldom, one too small. Adding 512 keeps what is shifted positive. */
static int number_round(uint64_t bits, int count, struct rounded *rounded)
{
    enum { BITS = 52, BIAS = 1023, MAX_SCALE = 32, LOG_2 = 315652 }; /* log10(2), times 2^20 */
    const int power = (int)(bits >> BITS) - BIAS - BITS;
    const uint64_t mantissa = (bits & (((uint64_t)1 << BITS) - 1)) | (uint64_t)1 << BITS;
    const int64_t above = ((int64_t)512 << 40) - ((int64_t)1 << 30) - ((int64_t)BIAS << 20) * LOG_2;
    int order = (int)(((int64_t)(bits >> 32) * LOG_2 + above) >> 40) - 512;
    int scale = count - 1 - order;
    if (scale < 0 || scale > MAX_SCALE) /* as of those that are infinite or denormal */
        return 0;
    if (scaled(mantissa, power, scale, &rounded->digits) >= POWERS_OF_10[count]) {
        order++;
        if (scale-- == 0)
            return 0;
        scaled(mantissa, power, scale, &rounded->digits);
    }
    if (rounded->digits == POWERS_OF_10[count]) {
        order++;
        rounded->digits /= 10;
    }
    rounded->order = order;
    return 1;
}

/* Puts the digits of a number below 10^9, or 10^17 where `is_long`, with zeros before. Gives how
 * many there are without zeros behind. */
static int all_digits_put(char *at, uint64_t number, int is_long)
{
    const uint64_t behind = is_long ? digits_of((uint32_t)(number % 100000000)) : 0;
    const uint32_t before = (uint32_t)(is_long ? number / 100000000 : number);
    const uint64_t digits = digits_of(before % 100000000);
    *at = (char)('0' + before / 100000000);
    digits_put(at + 1, digits);
    if (is_long)
        digits_put(at + 9, behind);
    return behind ? 17 - zeros_behind(behind) : 9 - zeros_behind(digits);
}

/* Puts the digits with a point behind the first `whole`, all of which stay. */
static char *pointed_put(char *at, uint64_t digits, int is_long, int whole)
{
    char text[2 * MAX_DIGITS] = "";
    const int count = all_digits_put(text, digits, is_long);
    memcpy(at, text, MAX_DIGITS);
    if (count <= whole)
        return at + whole;
    at[whole] = '.';
    memcpy(at + whole + 1, text + whole, MAX_DIGITS);
    return at + count + 1;
}

char *number_put(char *at, double number, int digits)
{
    struct rounded rounded;
    uint64_t bits;
    memcpy(&bits, &number, sizeof(bits));
    const int is_negative = (int)(bits >> 63);
    *at = '-';
    if (number == 0) {
        at[is_negative] = '0';
        return at + is_negative + 1;
    }
    if (!number_round(bits & ~((uint64_t)1 << 63), digits, &rounded))
        return at + snprintf(at, NUMBER_ROOM, "%.*g", digits, number);
    const int is_long = digits > 9, whole = rounded.order + 1;
    const uint64_t all = rounded.digits * POWERS_OF_10[(is_long ? MAX_DIGITS : 9) - digits];
    at += is_negative;
    if (rounded.order < -4 || rounded.order >= digits) {
        at = pointed_put(at, all, is_long, 1);
        *at++ = 'e';
        *at++ = rounded.order < 0 ? '-' : '+';
        *at++ = (char)('0' + abs(rounded.order) / 10);
        *at++ = (char)('0' + abs(rounded.order) % 10);
        return at;
    }
    if (whole > 1)
        return pointed_put(at, all, is_long, whole);
    if (whole == 1) {
        const int count = all_digits_put(at + 1, all, is_long);
        at[0] = at[1];
        at[1] = '.';
        return at + (count == 1 ? 1 : count + 1);
    }
    memset(at, '0', 5);
    at[1] = '.';
    return at + 2 - whole + all_digits_put(at + 2 - whole, all, is_long);
}

/* How rows are cut: of two batches there are texts, of the one that is made and the one before,
 * which is written meanwhile. */
struct blocks {
    const struct rows *rows;
    size_t rows_of_one, count, batch; /* rows of each block but the last, blocks, at most at once */
    char *texts;
    size_t sizes[2 * MAX_BLOCKS];
};

static char *text_of(const struct blocks *blocks, size_t block)
{
    return blocks->texts +
           block % (2 * blocks->batch) * blocks->rows_of_one * blocks->rows->longest;
}

static void block_make(struct blocks *blocks, size_t block)
{
    const struct rows *rows = blocks->rows;
    const size_t first = block * blocks->rows_of_one;
    const size_t left = rows->count - first;
    const size_t last = first + (left < blocks->rows_of_one ? left : blocks->rows_of_one);
    char *text = text_of(blocks, block), *at = text;
    for (size_t row = first; row < last; row++)
        at = rows->put(rows->source, row, at);
    blocks->sizes[block % (2 * blocks->batch)] = (size_t)(at - text);
}

/* Writes blocks from `begin` to `end`: none, at first. Returns as output_progress. */
static int blocks_write(
    struct output *output, const struct blocks *blocks, size_t begin, size_t end)
{
    const struct rows *rows = blocks->rows;
    const double share = (double)begin / (double)blocks->count;
    if (output_progress(output, rows->from + (rows->to - rows->from) * share))
        return 1;
    for (size_t block = begin; block < end; block++)
        output_write(output, text_of(blocks, block), blocks->sizes[block % (2 * blocks->batch)]);
    return 0;
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* While all threads make a batch of blocks, this one writes the batch before. */
int rows_write(struct output *output, const struct rows *rows)
{
    struct blocks blocks = {.rows = rows};
    const size_t fitting = BLOCK_ROOM / rows->longest + 1;
    int is_over = 0;
    if (rows->count == 0)
        return 0;
    blocks.rows_of_one = least(rows->count, fitting);
    blocks.count = (rows->count - 1) / blocks.rows_of_one + 1;
    blocks.batch = least(least(blocks.count, MAX_BLOCKS), BATCH * (size_t)omp_get_max_threads());
    blocks.texts = malloc(2 * blocks.batch * blocks.rows_of_one * rows->longest);
    if (!blocks.texts) {
        output->failure = ENOMEM;
        return 1;
    }
    for (size_t begin = 0; !is_over && begin < blocks.count + blocks.batch; begin += blocks.batch) {
        const size_t end = least(begin + blocks.batch, blocks.count);
#pragma omp parallel if (end > begin + 1)
        {
#pragma omp master
            is_over = blocks_write(
                output, &blocks, begin > 0 ? begin - blocks.batch : 0, least(begin, blocks.count));
#pragma omp for schedule(dynamic)
            for (size_t block = begin; block < end; block++)
                block_make(&blocks, block);
        }
    }
    free(blocks.texts);
    return is_over;
}
