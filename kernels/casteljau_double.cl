/* See casteljau.h. */
#define CASTELJAU casteljau_double
#define REAL double
#include "kernels/casteljau.h"
