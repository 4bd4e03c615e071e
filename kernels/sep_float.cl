/* See sep.h. */
#define SEP sep_float
#define REAL float
#define GROUP SEP_GROUP_FLOAT
#define SEP_PAIRS SEP_PAIRS_FLOAT
#include "kernels/sep.h"
