#include "stages/unscramble/signature.h"

#include "stages/unscramble/unscramble.h"

#define BYTE_STEP 32        /* of terms before halvings, for which TERM_MAX is below 256 */
#define WORST_HALF 0x7fffff /* what makes the worst score of 24 bits */

static int parts_of(const struct terms *terms)
{
    return terms->are_learned ? FEATURE_PARTS : COLOR_PARTS;
}

uint32_t signature_rows(const struct terms *terms)
{
    const uint32_t words = 2 * (((uint32_t)(terms->channels * parts_of(terms)) + 3) / 4);
    return (words + COMPARE_ROWS - 1) / COMPARE_ROWS * COMPARE_ROWS;
}

static uint32_t blocks_of(uint32_t tiles)
{
    return (tiles + COMPARE_TILES - 1) / COMPARE_TILES;
}

size_t signatures_size(uint32_t rows, uint32_t tiles)
{
    return (size_t)SIDES * blocks_of(tiles) * (rows + 1) * COMPARE_TILES * sizeof(uint32_t);
}

/* The largest byte with which a score, a sum of products less half a sum of squares, has 24 bits.
 * */
static int largest_byte(uint32_t rows)
{
    int byte = 127;
    while (4 * (int)rows * byte * byte / 2 * 3 >= WORST_HALF)
        byte--;
    return byte;
}

/* The sum of a channel over a part of an edge, `length` times its mean: pixels at both ends count
 * by what the part has of them. */
static int64_t part_sum(const uint16_t *value, int length, int parts, int part)
{
    const int64_t begin = (int64_t)part * length, end = begin + length;
    int64_t sum = 0;
    for (int64_t k = begin / parts; k * parts < end; k++) {
        const int64_t from = k * parts > begin ? k * parts : begin;
        const int64_t to = (k + 1) * parts < end ? (k + 1) * parts : end;
        sum += (to - from) * value[k];
    }
    return sum;
}

static int part_byte(const struct terms *terms, int edge, int expects, int number, int most)
{
    const int length = terms->length[edge & 1], parts = parts_of(terms);
    const uint16_t *value = terms_of(terms, edge, expects) + number / parts * length;
    const int64_t sum = part_sum(value, length, parts, number % parts);
    const int byte = (int)((sum << terms->halvings) / (length * BYTE_STEP)) - 128;
    return byte < -most ? -most : byte > most ? most : byte;
}

/* Makes a signature; its words follow each other at a distance of COMPARE_TILES. */
static void signature_make(const struct terms *terms, int edge, uint32_t rows, uint32_t *words)
{
    const int parts = parts_of(terms), most = largest_byte(rows);
    uint32_t squares = 0;
    for (int i = 0; i < terms->channels * parts; i++) {
        const int opposite = i / parts * parts + parts - 1 - i % parts;
        const int is = part_byte(terms, edge, 0, i, most);
        const int expected = part_byte(terms, edge, 1, opposite, most);
        const uint32_t row = (uint32_t)i / 4, shift = 8 * ((uint32_t)i % 4);
        words[row * COMPARE_TILES] |= (uint32_t)(is & 255) << shift;
        words[(rows - 1 - row) * COMPARE_TILES] |= (uint32_t)(expected & 255) << shift;
        squares += (uint32_t)(is * is + expected * expected);
    }
    words[rows * COMPARE_TILES] = (squares + 1) / 2;
}

void signatures_make(
    const struct terms *terms, const int32_t *tiles, uint32_t count, uint32_t *words)
{
    const uint32_t rows = signature_rows(terms), blocks = blocks_of(count);
#pragma omp parallel for collapse(2)
    for (uint32_t side = 0; side < SIDES; side++)
        for (uint32_t i = 0; i < blocks * COMPARE_TILES; i++) {
            const size_t block = side * blocks + i / COMPARE_TILES;
            uint32_t *to = words + block * (rows + 1) * COMPARE_TILES + i % COMPARE_TILES;
            if (i < count)
                signature_make(terms, 4 * tiles[i] + (int)side, rows, to);
            else
                to[rows * COMPARE_TILES] = WORST_HALF;
        }
}
