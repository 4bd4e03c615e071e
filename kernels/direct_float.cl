/* See direct.h. */
#define DIRECT direct_float
#define REAL float
#include "kernels/direct.h"
