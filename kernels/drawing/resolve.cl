/* The mean of samples x samples pixels, rounded, as one pixel of the result. An item a pixel.
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
            uint red = area / 2, green = red, blue = red;
            for (uint y = 0; y < side; y++)
                for (uint x = 0; x < side; x++) {
                    const uint sample =
                        samples[(row * side + y) * args.width * side + column * side + x];
                    red += sample & 0xff;
                    green += sample >> 8 & 0xff;
                    blue += sample >> 16 & 0xff;
                }
            pixels[row * args.width + column] =
                red / area | blue / area << 16 | green / area << 8 | 0xff000000u;
        }
    }
}
