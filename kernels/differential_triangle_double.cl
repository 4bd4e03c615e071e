/* See differential_triangle.h. */
#define DIFFERENTIAL_TRIANGLE differential_triangle_double
#define REAL double
#define FLAT 1e-9 /* of Su and Sv: up to which they have no normal */
#include "kernels/differential_triangle.h"
