/* See differential.h. */
#define DIFFERENTIAL differential_float
#define REAL float
#define FLAT 1e-4f /* of Su and Sv: up to which they have no normal */
#include "kernels/differential.h"
