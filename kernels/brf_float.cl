/* See brf.h. */
#define BRF brf_float
#define REAL float
#include "kernels/brf.h"
