/* good.h with blocks of 16 x 16 pixels. */
#define BLOCK 16
#define GOOD good16
#include "kernels/good.h"
