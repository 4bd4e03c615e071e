/* See boundary.h. */
#define BOUNDARY boundary_float
#define REAL float
#define EPSILON 1.1920929e-7f
#include "kernels/boundary.h"
