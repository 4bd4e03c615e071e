/* See boundary.h. */
#define BOUNDARY boundary_double
#define REAL double
#define EPSILON 2.220446049250313e-16
#include "kernels/boundary.h"
