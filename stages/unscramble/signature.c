#include "stages/unscramble/signature.h"

#include <assert.h>

#include "stages/unscramble/unscramble.h"

static_assert(COLOR_PARTS <= FEATURE_PARTS, "struct edge_parts has room for these");

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

/* The largest byte with which a sum of products less half a sum of squares has 24 bits. */
static int largest_byte(uint32_t rows)
{
    int byte = 127;
    while (4 * (int)rows * byte * byte / 2 * 3 >= WORST_HALF)
        byte--;
    return byte;
}

/* A part of an edge: its pixels from `first` to `last`; these two count by what the part has of
 * them, of `parts` that a pixel has, `last` by nothing where it is the first. */
struct part {
    int first, last, of_first, of_last;
};

static struct part part_of(int length, int parts, int number)
{
    const int64_t begin = (int64_t)number * length, end = begin + length;
    struct part part = {.first = (int)(begin / parts), .last = (int)((end - 1) / parts)};
    const int64_t first_end = ((int64_t)part.first + 1) * parts;
    part.of_first = (int)((first_end < end ? first_end : end) - begin);
    if (part.last > part.first)
        part.of_last = (int)(end - (int64_t)part.last * parts);
    return part;
}

/* The sum of a channel over a part, `length` times its mean. */
static int64_t part_sum(const uint16_t *value, const struct part *part, int parts)
{
    int64_t between = 0;
    for (int k = part->first + 1; k < part->last; k++)
        between += value[k];
    return (int64_t)part->of_first * value[part->first] + parts * between +
           (int64_t)part->of_last * value[part->last];
}

/* What all signatures of edges of a length share. */
struct edge_parts {
    int length, parts, halvings, most;
    struct part part[FEATURE_PARTS];
};

static int part_byte(const struct edge_parts *e, const uint16_t *value, int part)
{
    const uint64_t sum = (uint64_t)part_sum(value, &e->part[part], e->parts) << e->halvings;
    const uint64_t step = (uint64_t)e->length * BYTE_STEP;
    /* Nearly all sums fit 32 bits, which are divided faster. */
    const int mean = sum <= UINT32_MAX ? (int)((uint32_t)sum / (uint32_t)step) : (int)(sum / step);
    const int byte = mean - 128;
    return byte < -e->most ? -e->most : byte > e->most ? e->most : byte;
}

/* Makes a signature; its words follow each other at a distance of COMPARE_TILES. */
static void make_signature(
    const struct terms *terms, const struct edge_parts *e, int edge, uint32_t rows, uint32_t *words)
{
    const uint16_t *value = terms_of(terms, edge, 0), *expected = terms_of(terms, edge, 1);
    uint32_t squares = 0, i = 0;
    for (int channel = 0; channel < terms->channels; channel++) {
        for (int part = 0; part < e->parts; part++, i++) {
            const int is = part_byte(e, value, part);
            const int expects = part_byte(e, expected, e->parts - 1 - part);
            const uint32_t row = i / 4, shift = 8 * (i % 4);
            words[row * COMPARE_TILES] |= (uint32_t)(is & 255) << shift;
            words[(rows - 1 - row) * COMPARE_TILES] |= (uint32_t)(expects & 255) << shift;
            squares += (uint32_t)(is * is + expects * expects);
        }
        value += e->length;
        expected += e->length;
    }
    words[rows * COMPARE_TILES] = (squares + 1) / 2;
}

static struct edge_parts edge_parts_of(const struct terms *terms, uint32_t side)
{
    struct edge_parts e = {.length = terms->length[side & 1],
        .parts = parts_of(terms),
        .halvings = terms->halvings,
        .most = largest_byte(signature_rows(terms))};
    for (int i = 0; i < e.parts; i++)
        e.part[i] = part_of(e.length, e.parts, i);
    return e;
}

void signatures_make(
    const struct terms *terms, const int32_t *tiles, uint32_t count, uint32_t *words)
{
    const uint32_t rows = signature_rows(terms), blocks = blocks_of(count);
    for (uint32_t side = 0; side < SIDES; side++) {
        const struct edge_parts parts = edge_parts_of(terms, side);
#pragma omp parallel for
        for (uint32_t i = 0; i < blocks * COMPARE_TILES; i++) {
            const size_t block = side * blocks + i / COMPARE_TILES;
            uint32_t *to = words + block * (rows + 1) * COMPARE_TILES + i % COMPARE_TILES;
            if (i < count)
                make_signature(terms, &parts, 4 * tiles[i] + (int)side, rows, to);
            else
                to[rows * COMPARE_TILES] = WORST_HALF;
        }
    }
}
