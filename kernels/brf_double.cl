/* See brf.h. */
#define BRF brf_double
#define REAL double
#include "kernels/brf.h"
