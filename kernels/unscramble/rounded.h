/* Floats whose products with the weights of the network are exact. */
#ifndef ROUNDED_H
#define ROUNDED_H

#include "kernels/dialect.h"

/* Rounds to 17 binary digits, by Veltkamp's splitting. Weights have 7 and a float holds 24, so
 * MULTIPLY_ADD of a rounded number and a weight gives the same everywhere. */
DEVICE float rounded(float x)
{
    const float wide = 129 * x;
    return wide - (wide - x);
}

#endif
