/* The kernels of drawing, which tools share; kernels/kernels.h says what a row is. */
#ifndef DRAWING_KERNELS_H
#define DRAWING_KERNELS_H

#define DRAWING_KERNELS(KERNEL) \
    KERNEL(raster_count, RASTER_GROUP, raster_count) \
    KERNEL(raster_fill, RASTER_GROUP, raster_fill) \
    KERNEL(raster, RASTER_GROUP, raster) \
    KERNEL(resolve, RESOLVE_GROUP, resolve)

#endif
