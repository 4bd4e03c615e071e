/* See mat3.h. */
#define MAT3 mat3_float
#define REAL float
#include "kernels/mat3.h"
