/* See differential.h. */
#define DIFFERENTIAL differential_double
#define REAL double
#define FLAT 1e-9 /* of Su and Sv: up to which they have no normal */
#include "kernels/differential.h"
