/* See sep.h. */
#define SEP sep_double
#define REAL double
#define GROUP SEP_GROUP_DOUBLE
#define SEP_PAIRS SEP_PAIRS_DOUBLE
#define SEP_GROUPS 4
#include "kernels/sep.h"
