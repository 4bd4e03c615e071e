/* See sep.h. */
#define SEP sep_double
#define REAL double
#define GROUP SEP_GROUP_DOUBLE
#define SEP_PAIRS SEP_PAIRS_DOUBLE
#include "kernels/sep.h"
