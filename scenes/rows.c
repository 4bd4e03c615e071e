#include "scenes/rows.h"

#include <errno.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#define MOST_DIGITS 17       /* of a number, which two doubles never share */
#define BLOCK_ROOM (1 << 18) /* bytes for rows that a thread makes at a time: stay in a cache */
#define BATCH 8              /* blocks a thread between two times when all have to be made */
#define MOST_BLOCKS 32       /* of a batch */

/* 5^27 is the largest that 64 bits hold. */
enum { POWERS = 28 };
static const uint64_t POWERS_OF_5[POWERS] = {1, 5, 25, 125, 625, 3125, 15625, 78125, 390625,
    1953125, 9765625, 48828125, 244140625, 1220703125, 6103515625, 30517578125, 152587890625,
    762939453125, 3814697265625, 19073486328125, 95367431640625, 476837158203125, 2384185791015625,
    11920928955078125, 59604644775390625, 298023223876953125, 1490116119384765625,
    7450580596923828125};
static const uint64_t POWERS_OF_10[MOST_DIGITS + 1] = {1, 10, 100, 1000, 10000, 100000, 1000000,
    10000000, 100000000, 1000000000, 10000000000, 100000000000, 1000000000000, 10000000000000,
    100000000000000, 1000000000000000, 10000000000000000, 100000000000000000};

static const char PAIRS[] = "0001020304050607080910111213141516171819202122232425262728293031323334"
                            "3536373839404142434445464748495051525354555657585960616263646566676869"
                            "707172737475767778798081828384858687888990919293949596979899";

/* Puts the last `count` digits of a number. */
static void digits_put(char *at, uint64_t number, int count)
{
    for (; count > 1; count -= 2, number /= 100)
        memcpy(at + count - 2, PAIRS + 2 * (number % 100), 2);
    if (count > 0)
        *at = (char)('0' + number % 10);
}

char *whole_put(char *at, uint32_t number)
{
    int count = 1;
    while (count < 10 && number >= POWERS_OF_10[count])
        count++;
    digits_put(at, number, count);
    return at + count;
}

char *text_put(char *at, const char *text)
{
    const size_t size = strlen(text);
    memcpy(at, text, size);
    return at + size;
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

/* Of a positive number, exactly. Returns whether it is one of those for which 128 bits do. */
static int number_round(uint64_t bits, int count, struct rounded *rounded)
{
    enum { BITS = 52, BIAS = 1023, MOST_SCALE = 32 };
    const int exponent = (int)(bits >> BITS), power = exponent - BIAS - BITS;
    const uint64_t mantissa = (bits & (((uint64_t)1 << BITS) - 1)) | (uint64_t)1 << BITS;
    int order = ((exponent - BIAS) * 78913 + (512 << 18)) / (1 << 18) - 512; /* 2^18 * log10(2) */
    int scale = count - 1 - order;
    if (scale < 0 || scale > MOST_SCALE) /* as of those that are infinite or denormal */
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

/* One digit before the point, and the power of 10 behind. */
static char *scientific_put(char *at, const char *digits, int count, int order)
{
    *at++ = digits[0];
    if (count > 1) {
        *at++ = '.';
        memcpy(at, digits + 1, MOST_DIGITS);
        at += count - 1;
    }
    *at++ = 'e';
    *at++ = order < 0 ? '-' : '+';
    digits_put(at, (uint64_t)abs(order), 2);
    return at + 2;
}

/* All copies are as long as they can be, which takes less time than to find how long they are. */
char *number_put(char *at, double number, int digits)
{
    char text[2 * MOST_DIGITS + 1] = "";
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
    at += is_negative;
    digits_put(text, rounded.digits, digits);
    int count = digits;
    while (text[count - 1] == '0')
        count--;
    if (rounded.order < -4 || rounded.order >= digits)
        return scientific_put(at, text, count, rounded.order);
    if (rounded.order < 0) {
        memcpy(at, "0.000", 5);
        memcpy(at + 1 - rounded.order, text, MOST_DIGITS);
        return at + 1 - rounded.order + count;
    }
    const int whole = rounded.order + 1;
    memcpy(at, text, MOST_DIGITS);
    if (count <= whole)
        return at + whole;
    at[whole] = '.';
    memcpy(at + whole + 1, text + whole, MOST_DIGITS);
    return at + count + 1;
}

/* How rows are cut: of two batches there are texts, of the one that is made and the one before,
 * which is written meanwhile. */
struct blocks {
    const struct rows *rows;
    size_t rows_of_one, count, batch; /* rows of each block but the last, blocks, at most at once */
    char *texts;
    size_t sizes[2 * MOST_BLOCKS];
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
    blocks.batch = least(least(blocks.count, MOST_BLOCKS), BATCH * (size_t)omp_get_max_threads());
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
