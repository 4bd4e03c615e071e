/* Which pixels of the shading kernels (shade.cl) are proven by their sums.
 *
 * A channel is, in bytes, v = 255 (sum + t * middle), give or take a bound: t * spread and the
 * rounding, where t is the transmittance. The reference cuts off, so that its byte is the whole
 * number nearest to v - 0.5. A quarter of a byte is missing in what sums start with, another is
 * taken away after clamping to 0..1; so clamping moves values from below -0.25 to there, where the
 * byte is 0 as well. A channel is proven where v - 0.5 is nearer to a whole number than the limit,
 * 0.5 less the bound: then all values within the bound have the same byte. Whole numbers are found
 * without conversions, of which a GPU can do few: adding 1.5 * 2^23 rounds to one, and leaves it in
 * the lowest bits. */
#ifndef SHADE_PROVE_H
#define SHADE_PROVE_H

#include "kernels/circles/shade_tile.h"

/* A pixel that has come to this transmittance wants no more circles: what its sums leave open then
 * is nearly always open by their rounding, and a replay can tell. */
#define LEFT_LEAST (1.0f / (1 << 20))
#define SUM_START (-0.25f / 255.0f)
#define ROUNDER 12582912.0f
#define ROUNDER_BITS 0x4b400000u

/* The bytes, before rounding, of a channel with `middle` behind its circles. */
DEVICE float channel_value(float sum, float t, float middle)
{
    const float share = SATURATE(MULTIPLY_ADD(t, middle, sum));
    return MULTIPLY_ADD(255.0f, share, -0.25f);
}

/* How far a value lies from the nearest whole number. */
DEVICE float whole_distance(float value)
{
    const float rounded = value + ROUNDER;
    return ABS(value - (rounded - ROUNDER));
}

/* ROUNDER_BITS and the nearest whole number. */
DEVICE uint whole_bits(float value)
{
    return FLOAT_BITS(value + ROUNDER);
}

/* How near to a whole number the value of pixel p must lie to be proven by its sums of at most so
 * many circles, with nothing unknown behind them. */
DEVICE float limit_of(const struct shade_args *args, const struct shade_own *own, uint item, uint p,
    float circles, float t)
{
    if (SOFT)
        return MULTIPLY_ADD(ITS(own->terms[p], item), -args->slack, args->limit);
    const float twice = 2.0f * circles < args->slack_most ? 2.0f * circles : args->slack_most;
    /* 2^23 + the exponent of t, from the bits of t. */
    const float exponent = BITS_FLOAT(FLOAT_BITS(t) >> 23 | 0x4b000000u);
    const float seen = (8388735.0f - exponent) * args->terms_a_halving;
    const float terms = seen < circles ? seen : circles;
    return MULTIPLY_ADD(terms, -args->slack, args->limit - args->slack * twice);
}

/* Looks which of the pixels that want more circles are proven by their sums of at most so many.
 * With `is_last`, a constant, these were all, and behind them is the background. */
GROUP_FUNCTION void pixels_prove(
    const struct shade_tile *tile, struct shade_own *own, uint circles, uint is_last)
{
    const struct shade_args *args = tile->args;
    const float walked = (float)circles, spread = is_last ? 0.0f : args->spread;
    PRIVATE(uint, looks);
    UNROLL(SHADE_PIXELS)
    for (uint p = 0; p < SHADE_PIXELS; p++) {
        ITEMS
        {
            const uint is_near = is_last || MINE(own->left[p]) < args->check_below;
            MINE(looks) = is_near & MINE(own->wants) >> p & 1;
        }
        if (ITEMS_ARE_THREADS || SOME(looks))
            ITEMS_OF_TILE
            {
                const float t = MINE(own->left[p]);
                /* Read in front of the branch, see the Makefile's flags of kernels. */
                const float red_sum = MINE(own->red[p]), green_sum = MINE(own->green[p]);
                const float blue_sum = MINE(own->blue[p]);
                if (MINE(looks)) {
                    GLOBAL const float *behind = background(tile->places, args->band,
                        image_row(args->band, tile->first_row + OWN_ROW(p)));
                    const float limit =
                        MULTIPLY_ADD(t, -spread, limit_of(args, own, ITEM, p, walked, t));
                    const float red =
                        channel_value(red_sum, t, is_last ? behind[0] : args->middle[0]);
                    const float green =
                        channel_value(green_sum, t, is_last ? behind[1] : args->middle[1]);
                    const float blue =
                        channel_value(blue_sum, t, is_last ? behind[2] : args->middle[2]);
                    const uint is_proven = (uint)(whole_distance(red) < limit) &
                                           (uint)(whole_distance(green) < limit) &
                                           (uint)(whole_distance(blue) < limit);
                    if (is_proven) {
                        MINE(own->pixel[p]) = 0xff000000u - ROUNDER_BITS * 0x10101u +
                                              whole_bits(red) + (whole_bits(green) << 8) +
                                              (whole_bits(blue) << 16);
                        MINE(own->open) &= ~(1u << p);
                    }
                    if (is_proven || t <= LEFT_LEAST)
                        MINE(own->wants) &= ~(1u << p);
                }
            }
    }
}

#endif
