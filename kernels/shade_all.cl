/* shade.h: all circles. */
#define SHADE shade_all
#define NEAREST 0
#define SMALL 0
#define SOFT 0
#include "kernels/shade.h"
