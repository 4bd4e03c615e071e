/* See differential.h. */
#define DIFFERENTIAL differential_double
#define REAL double
#define FLAT 1e-9 /* error of a derivative, over the size and the degree of the patch */
#include "kernels/differential.h"
