/* See triangle.h. */
#define TRIANGLE triangle_float
#define REAL float
#include "kernels/triangle.h"
