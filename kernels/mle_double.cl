/* See mle.h. */
#define MLE mle_double
#define REAL double
#include "kernels/mle.h"
