/* good.h with blocks of 8 x 8 pixels. */
#define BLOCK 8
#define GOOD good8
#include "kernels/good.h"
