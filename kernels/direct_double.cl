/* See direct.h. */
#define DIRECT direct_double
#define REAL double
#include "kernels/direct.h"
