/* See casteljau.h. */
#define CASTELJAU casteljau_float
#define REAL float
#include "kernels/casteljau.h"
