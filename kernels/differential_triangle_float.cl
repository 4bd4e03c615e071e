/* See differential_triangle.h. */
#define DIFFERENTIAL_TRIANGLE differential_triangle_float
#define REAL float
#define FLAT 1e-6f /* error of a derivative, over the size and the degree of the patch */
#include "kernels/differential_triangle.h"
