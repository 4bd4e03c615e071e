/* How not to do it: the circles of a screen tile in parallel, an item a circle, each reading,
 * blending and writing the pixels in local memory without order or barrier. On a GPU updates are
 * lost and blended in the wrong order; where a processor runs the items one after the other, little
 * or nothing shows. */
#include "kernels/circles/circle.h"

KERNEL5(race, GLOBAL const float4 *RESTRICT, geometry, GLOBAL const float4 *RESTRICT, paint,
    GLOBAL const float *RESTRICT, places, GLOBAL uint *RESTRICT, pixels, struct good_args, args)
{
    LOCAL float4 tile[TILE * TILE];
    const struct band band = args.band;
    const uint first_column = GROUP_X * TILE, first_row = GROUP_Y * TILE;
    const struct box box = tile_box(places, band, first_column, first_row, TILE, TILE);
    ITEMS
    {
        GLOBAL const float *behind =
            background(places, band, image_row(band, first_row + ITEM / TILE));
        tile[ITEM].x = behind[0];
        tile[ITEM].y = behind[1];
        tile[ITEM].z = behind[2];
    }
    SYNC;
    for (uint first = 0; first < args.circles; first += GROUP) {
        ITEMS
        {
            const uint circle = args.circles - 1 - (first + ITEM);
            if (first + ITEM < args.circles && box_meets(box, geometry[circle])) {
                const float4 g = geometry[circle], flat = paint[circle];
                for (uint i = 0; i < TILE * TILE; i++) {
                    const uint column = first_column + i % TILE, row = first_row + i / TILE;
                    if (column < band.width && row < band.rows) {
                        const float dx = places[column] - g.x;
                        const float dy = places[band.width + band.first_row + row] - g.y;
                        const float dd = dx * dx + dy * dy;
                        if (dd <= g.z) {
                            const float4 own = args.soft ? soft_paint(flat, dd, g.z) : flat;
                            tile[i].x = own.x + own.w * tile[i].x;
                            tile[i].y = own.y + own.w * tile[i].y;
                            tile[i].z = own.z + own.w * tile[i].z;
                        }
                    }
                }
            }
        }
    }
    SYNC;
    ITEMS
    {
        const uint column = first_column + ITEM % TILE, row = first_row + ITEM / TILE;
        if (column < band.width && row < band.rows)
            pixels[row * band.width + column] = to_pixel(tile[ITEM].x, tile[ITEM].y, tile[ITEM].z);
    }
}
