/* A part of the dialect: sums of products of numbers of 16 bits, which the CPU takes for LANES
 * items at once.
 *
 *   - LANES is 1 where items are threads, and else the ints that an instruction works on; `ints`
 *     are as many, of items that follow one another, and are added as one is.
 *   - ITEMS_GRID_BY_LANES(width, height) is ITEMS_GRID, in which ITEM is the first of LANES items;
 *     width is a multiple of LANES.
 *   - INTS(place) are the int of an item at a place, and those of the further items behind it;
 *     SET_INTS(place, ints) stores them.
 *   - DOT2(a, b, n) is n and the products of the two signed halves of the word a, which all items
 *     share, and of those of each of b; the halves of b are from -128 to 127, and where items
 *     are threads it has gone through DOT2_BYTES, since GPUs take them as bytes. b and n are
 *     ints. */
#ifndef LANES_H
#define LANES_H

#include "kernels/dialect.h"

#if ITEMS_ARE_THREADS

typedef int ints;
#define LANES 1
#define ITEMS_GRID_BY_LANES(width, height) ITEMS_GRID(width, height)
#define INTS(place) (place)
#define SET_INTS(place, value) ((place) = (value))
#if HAS_PTX
#define DOT2_BYTES(b) dot2_bytes_(b)
#define DOT2(a, b, n) dot2_(a, b, n)
DEVICE int dot2_bytes_(int b)
{
    int bytes;
    __asm("prmt.b32 %0, %1, 0, 0x4420;" : "=r"(bytes) : "r"(b));
    return bytes;
}
DEVICE int dot2_(int a, int b, int n)
{
    int sum;
    __asm("dp2a.lo.s32.s32 %0, %1, %2, %3;" : "=r"(sum) : "r"(a), "r"(b), "r"(n));
    return sum;
}
#else
#define DOT2_BYTES(b) (b)
#define DOT2(a, b, n) dot2_(convert_int2(as_short2(a)), convert_int2(as_short2(b)), n)
static inline int dot2_(int2 a, int2 b, int n)
{
    const int2 c = a * b;
    return n + c.x + c.y;
}
#endif

#else

#if defined(__AVX512VNNI__)
#define LANES 16
#elif defined(__AVX2__)
#define LANES 8
#else
#define LANES 4
#endif
typedef int ints __attribute__((vector_size(4 * LANES)));
typedef int ints_anywhere __attribute__((vector_size(4 * LANES), aligned(4), may_alias));
#define ITEMS_GRID_BY_LANES(width, height) \
    for (uint row_ = 0; row_ < (height); row_++) \
        for (uint item_ = row_ * (width); item_ < (row_ + 1) * (width); item_ += LANES)
#define INTS(place) (*(const ints_anywhere *)&(place))
#define SET_INTS(place, value) (*(ints_anywhere *)&(place) = (value))
#define DOT2(a, b, n) dot2_((ints){0} + (a), b, n)
#if defined(__SSE2__)
#include <immintrin.h>
#endif
static inline ints dot2_(ints a, ints b, ints n)
{
#if defined(__AVX512VNNI__)
    return (ints)_mm512_dpwssd_epi32((__m512i)n, (__m512i)a, (__m512i)b);
#elif defined(__AVX2__)
    return n + (ints)_mm256_madd_epi16((__m256i)a, (__m256i)b);
#elif defined(__SSE2__)
    return n + (ints)_mm_madd_epi16((__m128i)a, (__m128i)b);
#else
    return n + (a << 16 >> 16) * (b << 16 >> 16) + (a >> 16) * (b >> 16);
#endif
}

#endif

#endif
