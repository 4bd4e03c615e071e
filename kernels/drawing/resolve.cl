/* The mean of samples x samples pixels, rounded, as one pixel of the result: of opacity, and of the
 * color of those that are opaque; samples are opaque or clear. An item a pixel.
 *
 * Must move: 4 bytes a sample in, 4 a pixel out. */
#include "kernels/dialect.h"
#include "kernels/drawing/drawing_args.h"

KERNEL3(resolve, GLOBAL const uint *RESTRICT, samples, GLOBAL uint *RESTRICT, pixels,
    struct resolve_args, args)
{
    ITEMS
    {
        const uint column = GROUP_X * GROUP + ITEM, row = GROUP_Y;
        const uint side = args.samples, area = side * side;
        if (column < args.width) {
            uint red = 0, green = 0, blue = 0, opaque = 0;
            for (uint y = 0; y < side; y++)
                for (uint x = 0; x < side; x++) {
                    const uint sample =
                        samples[(row * side + y) * args.width * side + column * side + x];
                    red += sample & 0xff;
                    green += sample >> 8 & 0xff;
                    blue += sample >> 16 & 0xff;
                    opaque += sample >> 31;
                }
            const uint rounding = opaque / 2, count = opaque > 0 ? opaque : 1;
            pixels[row * args.width + column] =
                (red + rounding) / count | (green + rounding) / count << 8 |
                (blue + rounding) / count << 16 | (255 * opaque + area / 2) / area << 24;
        }
    }
}
