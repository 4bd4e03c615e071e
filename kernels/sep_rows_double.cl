/* See sep_rows.h. */
#define SEP_ROWS sep_rows_double
#define REAL double
#include "kernels/sep_rows.h"
