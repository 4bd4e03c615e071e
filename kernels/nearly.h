/* A part of the dialect: functions of floats that may be wrong by so much of what they give, for
 * kernels that can tell whether that matters.
 *
 *   - SQRT_NEARLY(x), x not below 0: 2^-22; below the least normal float it may give 0.
 *   - EXP2_NEARLY(x) is 2 to the power of x, x from -6 to 0: 2^-19.
 *
 * NVIDIA's instructions: the PTX manual gives their errors, 2^-23 and 2^-22. Elsewhere the
 * exponential is the eighth power of the polynomial of degree 5 that is nearest to its eighth
 * root. */
#ifndef NEARLY_H
#define NEARLY_H

#include "kernels/dialect.h"

#if HAS_PTX

#define SQRT_NEARLY(x) sqrt_nearly_(x)
#define EXP2_NEARLY(x) exp2_nearly_(x)
DEVICE float sqrt_nearly_(float x)
{
    float root;
    __asm("sqrt.approx.ftz.f32 %0, %1;" : "=f"(root) : "f"(x));
    return root;
}
DEVICE float exp2_nearly_(float x)
{
    float power;
    __asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(power) : "f"(x));
    return power;
}

#else

#define SQRT_NEARLY(x) SQRT(x)
#define EXP2_NEARLY(x) exp2_nearly_(x)
DEVICE float exp2_nearly_(float x)
{
    float root = MULTIPLY_ADD(x, 3.13012585e-08f, 2.28630597e-06f);
    root = MULTIPLY_ADD(x, root, 0.000108212815f);
    root = MULTIPLY_ADD(x, root, 0.00375326001f);
    root = MULTIPLY_ADD(x, root, 0.0866432488f);
    root = MULTIPLY_ADD(x, root, 1.0f);
    root = root * root;
    root = root * root;
    return root * root;
}

#endif

#endif
