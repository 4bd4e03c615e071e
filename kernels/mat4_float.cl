/* See mat4.h. */
#define MAT4 mat4_float
#define REAL float
#include "kernels/mat4.h"
