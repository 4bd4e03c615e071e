/* See mle.h. */
#define MLE mle_float
#define REAL float
#include "kernels/mle.h"
