/* shade.h: all circles, small ones. */
#define SHADE shade_all_small
#define NEAREST 0
#define SMALL 1
#define SOFT 0
#include "kernels/shade.h"
