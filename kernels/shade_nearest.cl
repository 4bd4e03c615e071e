/* shade.h: nearest first. */
#define SHADE shade_nearest
#define NEAREST 1
#define SMALL 0
#define SOFT 0
#include "kernels/shade.h"
