/* The mean of samples x samples pixels, rounded, as one pixel of the result: of opacity, and of the
 * color of those that are opaque; samples are opaque or clear. An item a pixel.
 *
 * Must move: 4 bytes a sample in, 4 a pixel out. */
#include "kernels/dialect.h"
#include "kernels/drawing/drawing_args.h"

/* x / count without its remainder, for x below 2^20: the half keeps what is rounded away from the
 * next whole number. Processors have no vectors of divisions of whole numbers. */
DEVICE uint quotient(uint x, uint count)
{
    return (uint)(int)(((float)(int)x + 0.5f) / (float)(int)count);
}

/* The mean of samples from `from` on, of rows `width` apart. */
DEVICE uint mean_of(GLOBAL const uint *from, uint width, uint side)
{
    const uint area = side * side;
    uint red = 0, green = 0, blue = 0, opaque = 0;
    for (uint y = 0; y < side; y++)
        for (uint x = 0; x < side; x++) {
            const uint sample = from[y * width + x];
            red += sample & 0xff;
            green += sample >> 8 & 0xff;
            blue += sample >> 16 & 0xff;
            opaque += sample >> 31;
        }
    const uint rounding = opaque / 2, count = opaque > 0 ? opaque : 1;
    return quotient(red + rounding, count) | quotient(green + rounding, count) << 8 |
           quotient(blue + rounding, count) << 16 | quotient(255 * opaque + area / 2, area) << 24;
}

/* The means of `count` pixels of a row. */
GROUP_FUNCTION void resolve_row(
    GLOBAL const uint *from, uint width, uint side, uint count, GLOBAL uint *to)
{
    ITEMS_TO(count) {
        to[ITEM] = mean_of(from + side * ITEM, width, side);
    }
}

/* The usual sides are constants here, so that the CPU does many pixels at once. */
KERNEL3(resolve, GLOBAL const uint *RESTRICT, samples, GLOBAL uint *RESTRICT, pixels,
    struct resolve_args, args)
{
    const uint first = GROUP_X * GROUP, count = MIN(args.width - first, GROUP);
    const uint side = args.samples, width = args.width * side;
    GLOBAL const uint *const from = samples + GROUP_Y * side * width + first * side;
    GLOBAL uint *const to = pixels + GROUP_Y * args.width + first;
    if (side == 2)
        resolve_row(from, width, 2, count, to);
    else if (side == 4)
        resolve_row(from, width, 4, count, to);
    else
        resolve_row(from, width, side, count, to);
}
