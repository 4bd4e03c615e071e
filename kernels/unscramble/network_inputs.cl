/* Makes what the network sees of edges: of each pixel along an edge NETWORK_INPUTS numbers of 16
 * bits, in steps, as stages/unscramble/features.h lists them. Edge 2 * i + side / 2 is
 * that of a side of tile tiles[i], left or right (axis 0), or top or bottom (1). Group (edge), an
 * item a number.
 *
 * Must move: a byte for each of the first numbers in, mostly from a cache, and 2 bytes a number
 * out. */
#include "kernels/dialect.h"
#include "kernels/unscramble/unscramble_args.h"

#define PIXEL_STEPS (NETWORK_STEPS / 64) /* of a pixel's 255 */
#define PHASES 16                        /* pixels of a block of JPEG with half the colors */
#define ALONG (3 * NETWORK_ROWS)         /* the first number that says where in its block */
#define INWARD (ALONG + PHASES)
#define ORIGIN (INWARD + PHASES) /* the three numbers of the file, and whether there is a gap */

/* How the pixels of an edge follow each other in the image, clockwise around the tile; and where in
 * its block the first one lies, along the edge and inward. */
struct walk {
    ulong first;
    LONG along, inward; /* pixels from one to the next */
    uint rows;          /* inward */
    uint block_along, block_inward;
};

DEVICE uint place_in_block(uint at, uint is_forward)
{
    return is_forward ? at % PHASES : PHASES - 1 - at % PHASES;
}

DEVICE struct walk walk_of(const struct inputs_args *a, uint tile, uint side)
{
    const uint width = a->tile_width - 2 * a->bleed, height = a->tile_height - 2 * a->bleed;
    const uint is_level = side & 1, is_forward = side == SIDE_TOP || side == SIDE_RIGHT;
    const uint is_first = side == SIDE_LEFT || side == SIDE_TOP; /* of two sides */
    const uint left = tile % a->columns * a->tile_width + a->bleed;
    const uint top = tile / a->columns * a->tile_height + a->bleed;
    const uint x = side == SIDE_RIGHT || side == SIDE_BOTTOM ? left + width - 1 : left;
    const uint y = side == SIDE_LEFT || side == SIDE_BOTTOM ? top + height - 1 : top;
    const LONG row = (LONG)a->row_pixels;
    struct walk walk;
    walk.first = (ulong)y * a->row_pixels + x;
    walk.along = (is_forward ? 1 : -1) * (is_level ? 1 : row);
    walk.inward = (is_first ? 1 : -1) * (is_level ? row : 1);
    walk.rows = is_level ? height : width;
    walk.block_along = place_in_block(is_level ? x : y, is_forward);
    walk.block_inward = place_in_block(is_level ? y : x, is_first);
    return walk;
}

/* A number that is the same for all pixels of an edge. */
DEVICE int number_of(const struct inputs_args *a, const struct walk *walk, uint number)
{
    if (number < ORIGIN)
        return a->is_jpeg && number == INWARD + walk->block_inward ? NETWORK_STEPS : 0;
    return number == ORIGIN       ? a->luminance
           : number == ORIGIN + 1 ? a->color
           : number == ORIGIN + 2 ? a->halved
                                  : a->gap;
}

KERNEL4(network_inputs, GLOBAL const uchar *RESTRICT, pixels, GLOBAL const int *RESTRICT, tiles,
    GLOBAL short *RESTRICT, inputs, struct inputs_args, a)
{
    PRIVATE(ulong, from); /* the byte of the first pixel's row and channel */
    PRIVATE(int, number);
    const uint edge = a.first + GROUP_X, side = a.axis + 2 * (edge & 1);
    const struct walk walk = walk_of(&a, (uint)tiles[edge >> 1], side);
    const LONG step = walk.along * (4 << a.deep);
    GLOBAL short *input = inputs + (ulong)GROUP_X * NETWORK_INPUTS * a.length;
    ITEMS_TO(ALONG) {
        const uint row = MIN(ITEM % NETWORK_ROWS, walk.rows - 1), channel = ITEM / NETWORK_ROWS;
        const ulong pixel = walk.first + (ulong)(row * walk.inward);
        MINE(from) = ((4 * pixel + channel) << a.deep) + a.deep; /* of 16 bits the upper ones */
    }
    ITEMS_BETWEEN(INWARD, NETWORK_INPUTS)
    {
        MINE(number) = number_of(&a, &walk, ITEM);
    }
    for (uint p = 0; p < a.length; p++, input += NETWORK_INPUTS) {
        const LONG ahead = p * step;
        const uint at = ALONG + (walk.block_along + p) % PHASES;
        ITEMS_TO(ALONG) {
            input[ITEM] = (short)(((int)pixels[MINE(from) + (ulong)ahead] - 128) * PIXEL_STEPS);
        }
        ITEMS_BETWEEN(ALONG, INWARD)
        {
            input[ITEM] = (short)(a.is_jpeg && ITEM == at ? NETWORK_STEPS : 0);
        }
        ITEMS_BETWEEN(INWARD, NETWORK_INPUTS)
        {
            input[ITEM] = (short)MINE(number);
        }
    }
}
