/* See sep_rows.h. */
#define SEP_ROWS sep_rows_float
#define REAL float
#include "kernels/sep_rows.h"
