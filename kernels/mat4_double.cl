/* See mat4.h. */
#define MAT4 mat4_double
#define REAL double
#include "kernels/mat4.h"
