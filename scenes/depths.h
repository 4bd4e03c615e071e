/* Sorting by depth; for scenes/ alone. */
#ifndef DEPTHS_H
#define DEPTHS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Fewer circles are worked on by the thread that asks: others take longer to wake up. */
#define PARALLEL_CIRCLES 65536

/* A depth above a place in the list of circles: orders as depths do, the largest first; both zeros
 * are one. */
static inline uint64_t depth_key(float z, size_t place)
{
    const float number = z + 0.0f; /* -0 + 0 is 0 */
    uint32_t bits;
    memcpy(&bits, &number, sizeof(bits));
    bits ^= bits & 0x80000000 ? 0 : 0x7fffffff;
    return (uint64_t)bits << 32 | (uint32_t)place;
}

/* The depth of a key, and its place. */
static inline float key_depth(uint64_t key)
{
    uint32_t bits = (uint32_t)(key >> 32);
    float z;
    bits ^= bits & 0x80000000 ? 0 : 0x7fffffff;
    memcpy(&z, &bits, sizeof(z));
    return z;
}

static inline size_t key_place(uint64_t key)
{
    return (uint32_t)key;
}

/* Memory for so many keys, and for as many again, which sorting needs. The caller frees; NULL where
 * memory is short. */
uint64_t *keys_new(size_t count);

/* Sorts the keys by depth, equal depths as they are. Gives them, at the beginning or in the middle
 * of that memory, or NULL where memory is short. */
uint64_t *keys_sort(uint64_t *keys, size_t count);

#endif
