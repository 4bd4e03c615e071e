/* See mat3.h. */
#define MAT3 mat3_double
#define REAL double
#include "kernels/mat3.h"
