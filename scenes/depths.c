#include "scenes/depths.h"

#include <omp.h>
#include <stdlib.h>

uint64_t *keys_new(size_t count)
{
    return malloc(2 * count * sizeof(uint64_t));
}

enum { DIGIT = 11, VALUES = 1 << DIGIT };

/* How many keys of a piece have each value of the digit; then where the first of them goes. */
typedef uint32_t places[VALUES];

/* Of each value first the keys of the first piece. */
static void find_places(places *pieces, int count)
{
    uint32_t first = 0;
    for (int value = 0; value < VALUES; value++)
        for (int piece = 0; piece < count; piece++) {
            const uint32_t size = pieces[piece][value];
            pieces[piece][value] = first;
            first += size;
        }
}

/* Radix sort. Each thread has a piece of the keys, of which it knows where they go before any is
 * moved: so the order does not depend on how many pieces there are. */
uint64_t *keys_sort(uint64_t *keys, size_t count)
{
    const int most = (int)(count / (PARALLEL_CIRCLES / 2)), threads = omp_get_max_threads();
    const int pieces = most < 2 ? 1 : most < threads ? most : threads;
    places *of = malloc((size_t)pieces * sizeof(*of));
    uint64_t *other = keys + count;
    if (!of)
        return NULL;
    for (int shift = 32; shift < 64; shift += DIGIT) {
#pragma omp parallel for if (pieces > 1)
        for (size_t piece = 0; piece < (size_t)pieces; piece++) {
            const size_t end = count * (piece + 1) / (size_t)pieces;
            memset(of[piece], 0, sizeof(of[piece]));
            for (size_t i = count * piece / (size_t)pieces; i < end; i++)
                of[piece][keys[i] >> shift & (VALUES - 1)]++;
        }
        find_places(of, pieces);
#pragma omp parallel for if (pieces > 1)
        for (size_t piece = 0; piece < (size_t)pieces; piece++) {
            const size_t end = count * (piece + 1) / (size_t)pieces;
            for (size_t i = count * piece / (size_t)pieces; i < end; i++)
                other[of[piece][keys[i] >> shift & (VALUES - 1)]++] = keys[i];
        }
        uint64_t *sorted = other;
        other = keys;
        keys = sorted;
    }
    free(of);
    return keys;
}
