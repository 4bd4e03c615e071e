/* See triangle.h. */
#define TRIANGLE triangle_double
#define REAL double
#include "kernels/triangle.h"
