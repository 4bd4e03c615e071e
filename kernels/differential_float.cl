/* See differential.h. */
#define DIFFERENTIAL differential_float
#define REAL float
#define FLAT 1e-6f /* error of a derivative, over the size and the degree of the patch */
#include "kernels/differential.h"
