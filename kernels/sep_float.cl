/* See sep.h. */
#define SEP sep_float
#define REAL float
#define GROUP SEP_GROUP_FLOAT
#define SEP_PAIRS SEP_PAIRS_FLOAT
#define SEP_GROUPS 5
#include "kernels/sep.h"
