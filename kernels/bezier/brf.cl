/* brf_float, brf_double: brute force (Palomar et al. 2017): factorials and powers for each
 * point and control point anew. Factorials leave the range of a float above degree 34. */
#include "kernels/bezier/point.h"

DEVICE REAL factorial(uint n)
{
    REAL product = 1;
    for (uint i = 2; i <= n; i++)
        product *= (REAL)i;
    return product;
}

DEVICE REAL power(REAL base, uint exponent)
{
    REAL product = 1;
    for (uint i = 0; i < exponent; i++)
        product *= base;
    return product;
}

DEVICE REAL bernstein(uint degree, uint i, REAL t)
{
    return factorial(degree) / (factorial(i) * factorial(degree - i)) * power(t, i) *
           power(1 - t, degree - i);
}

KERNEL3(KERNEL_NAME, GLOBAL const REAL *RESTRICT, controls, GLOBAL REAL *RESTRICT, points,
    struct point_args, a)
{
    ITEMS
    {
        const uint number = GROUP_X * GROUP + ITEM;
        if (number < a.patches * a.rows * a.columns) {
            GLOBAL const REAL *const net = point_net(controls, number, a);
            const REAL u = point_u(number, a), v = point_v(number, a);
            REAL x = 0, y = 0, z = 0, w = 0;
            for (uint k = 0; k < a.order_u; k++)
                for (uint l = 0; l < a.order_v; l++)
                    POINT_ADD(net + (k * a.order_v + l) * a.coordinates,
                        bernstein(a.order_u - 1, k, u) * bernstein(a.order_v - 1, l, v));
            point_write(points + (ulong)number * 3, x, y, z, w, a.coordinates);
        }
    }
}
