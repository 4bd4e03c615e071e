/* shade.h: nearest first, soft circles. */
#define SHADE shade_nearest_soft
#define NEAREST 1
#define SMALL 0
#define SOFT 1
#include "kernels/shade.h"
