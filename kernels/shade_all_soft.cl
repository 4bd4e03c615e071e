/* shade.h: all circles, soft ones. */
#define SHADE shade_all_soft
#define NEAREST 0
#define SMALL 0
#define SOFT 1
#include "kernels/shade.h"
