/* See differential_triangle.h. */
#define DIFFERENTIAL_TRIANGLE differential_triangle_float
#define REAL float
#define FLAT 1e-4f /* of Su and Sv: up to which they have no normal */
#include "kernels/differential_triangle.h"
