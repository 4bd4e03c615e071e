/* The kernels of circles; kernels/kernels.h says what a row is. */
#ifndef CIRCLES_KERNELS_H
#define CIRCLES_KERNELS_H

#define CIRCLES_KERNELS(KERNEL) \
    KERNEL(pack, 256, pack) \
    KERNEL(bin, BIN_GROUP, bin) \
    KERNEL(list_count, LIST_GROUP, list_count) \
    KERNEL(list_start, LIST_GROUP, list_start) \
    KERNEL(list_fill, LIST_GROUP, list_fill) \
    KERNEL(shade_few, FEW_GROUP, shade_few, SOFT = 0) \
    KERNEL(shade_few_soft, FEW_GROUP, shade_few, SOFT = 1) \
    KERNEL(shade_nearest, 64, shade, NEAREST = 1, SMALL = 0, SOFT = 0) \
    KERNEL(shade_nearest_small, 64, shade, NEAREST = 1, SMALL = 1, SOFT = 0) \
    KERNEL(shade_nearest_soft, 64, shade, NEAREST = 1, SMALL = 0, SOFT = 1) \
    KERNEL(shade_all, 64, shade, NEAREST = 0, SMALL = 0, SOFT = 0) \
    KERNEL(shade_all_small, 64, shade, NEAREST = 0, SMALL = 1, SOFT = 0) \
    KERNEL(shade_all_soft, 64, shade, NEAREST = 0, SMALL = 0, SOFT = 1) \
    KERNEL(good8, 8 * 8, good, BLOCK = 8) \
    KERNEL(good16, 16 * 16, good, BLOCK = 16) \
    KERNEL(good32, 32 * 32, good, BLOCK = 32) \
    KERNEL(race, 256, race)

/* The pixels of a side of good's blocks, one of which --block takes; good8 and so on above. */
#define GOOD_BLOCKS(BLOCK) BLOCK(8) BLOCK(16) BLOCK(32)

#endif
