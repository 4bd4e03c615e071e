/* All kernels. Each folder of kernels/ has a table, FOLDER_kernels.h, with a row for each kernel:
 *
 *   KERNEL(name, items of a group, file, macro = value, ...)
 *
 * The file is a .cl of the same folder. It may stand in several rows, its variants; the build then
 * writes for each a source that defines KERNEL_NAME, GROUP and the macros of the row and includes
 * the file (kernels/device/variants.pl). */
#ifndef KERNELS_H
#define KERNELS_H

#include "kernels/bezier/bezier_kernels.h"
#include "kernels/circles/circles_kernels.h"
#include "kernels/drawing/drawing_kernels.h"
#include "kernels/unscramble/unscramble_kernels.h"

#define KERNELS(KERNEL) \
    UNSCRAMBLE_KERNELS(KERNEL) \
    CIRCLES_KERNELS(KERNEL) \
    BEZIER_KERNELS(KERNEL) \
    DRAWING_KERNELS(KERNEL)

/* KERNEL_grayscale, ... */
#define KERNEL_ENUM(name, ...) KERNEL_##name,
enum kernel { KERNELS(KERNEL_ENUM) KERNEL_COUNT };

#endif
