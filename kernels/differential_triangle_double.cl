/* See differential_triangle.h. */
#define DIFFERENTIAL_TRIANGLE differential_triangle_double
#define REAL double
#define FLAT 1e-9 /* error of a derivative, over the size and the degree of the patch */
#include "kernels/differential_triangle.h"
