/* shade.h: nearest first, small circles. */
#define SHADE shade_nearest_small
#define NEAREST 1
#define SMALL 1
#define SOFT 0
#include "kernels/shade.h"
