/* The random numbers that the project's own inputs are made from: the same on every platform. */
#ifndef RANDOM_H
#define RANDOM_H

#include <stdint.h>

#define RANDOM_STEP 0x9e3779b97f4a7c15 /* from one state to the next */

/* The next 64 random bits: the generator SplitMix64 (Steele, Lea and Flood 2014). Any state is a
 * seed. */
static inline uint64_t random_bits(uint64_t *state)
{
    uint64_t z = *state += RANDOM_STEP;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

/* Uniform from 0 to n - 1. */
static inline int random_index(uint64_t *state, int n)
{
    return (int)((random_bits(state) >> 32) * (uint64_t)n >> 32);
}

/* Uniform in [0, 1): the highest 24 bits, each value exact as a float. */
static inline float random_unit(uint64_t *state)
{
    return (float)(random_bits(state) >> 40) * 0x1p-24f;
}

/* The state after so many numbers. */
static inline uint64_t random_after(uint64_t state, uint64_t count)
{
    return state + count * RANDOM_STEP;
}

#endif
