/* good.h with blocks of 32 x 32 pixels. */
#define BLOCK 32
#define GOOD good32
#include "kernels/good.h"
