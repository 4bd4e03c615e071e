/* Shades few circles: every pixel tests all of them, farthest first. An item FEW_ROWS rows of
 * FEW_COLUMNS pixels, GROUP apart.
 *
 * Must move: 4 bytes a pixel out. Must do: 12 operations a pixel and circle. */
#include "kernels/circles/circle.h"

#define FEW_PIXELS (FEW_ROWS * FEW_COLUMNS)

/* What an item keeps of its pixels. */
struct few_own {
    PRIVATE_ARRAY(float, x, FEW_COLUMNS);
    PRIVATE_ARRAY(float, y, FEW_ROWS);
    PRIVATE_ARRAY(float, red, FEW_PIXELS);
    PRIVATE_ARRAY(float, green, FEW_PIXELS);
    PRIVATE_ARRAY(float, blue, FEW_PIXELS);
    PRIVATE_ARRAY(uint, hits, FEW_PIXELS);
};

/* Paints a circle over all pixels that it holds; with `is_soft`, a constant, it fades toward its
 * edge. */
GROUP_FUNCTION void few_paint(struct few_own *own, float4 circle, float4 flat, uint is_soft)
{
    UNROLL(FEW_PIXELS)
    for (uint p = 0; p < FEW_PIXELS; p++)
        ITEMS
        {
            const float dx = MINE(own->x[p % FEW_COLUMNS]) - circle.x;
            const float dy = MINE(own->y[p / FEW_COLUMNS]) - circle.y;
            const float dd = dx * dx + dy * dy;
            if (dd <= circle.z) {
                const float4 front = is_soft ? soft_paint(flat, dd, circle.z) : flat;
                MINE(own->red[p]) = front.x + front.w * MINE(own->red[p]);
                MINE(own->green[p]) = front.y + front.w * MINE(own->green[p]);
                MINE(own->blue[p]) = front.z + front.w * MINE(own->blue[p]);
                MINE(own->hits[p])++;
            }
        }
}

KERNEL6(shade_few, GLOBAL const float4 *RESTRICT, geometry, GLOBAL const float4 *RESTRICT, paint,
    GLOBAL const float *RESTRICT, places, GLOBAL uint *RESTRICT, pixels, GLOBAL uint *RESTRICT,
    hits, struct shade_args, args)
{
    const struct band band = args.band;
    const uint first_column = GROUP_X * GROUP * FEW_COLUMNS, first_row = GROUP_Y * FEW_ROWS;
    struct few_own own;
    UNROLL(FEW_COLUMNS)
    for (uint i = 0; i < FEW_COLUMNS; i++)
        ITEMS
        {
            const uint column = first_column + i * GROUP + ITEM;
            MINE(own.x[i]) = places[column < band.width ? column : band.width - 1];
        }
    UNROLL(FEW_PIXELS)
    for (uint p = 0; p < FEW_PIXELS; p++) {
        const uint at_row = image_row(band, first_row + p / FEW_COLUMNS);
        GLOBAL const float *behind = background(places, band, at_row);
        ITEMS
        {
            MINE(own.y[p / FEW_COLUMNS]) = places[band.width + at_row];
            MINE(own.red[p]) = behind[0];
            MINE(own.green[p]) = behind[1];
            MINE(own.blue[p]) = behind[2];
            MINE(own.hits[p]) = 0;
        }
    }
    for (uint next = args.circles; next-- > 0;)
        if (args.soft)
            few_paint(&own, geometry[next], paint[next], 1);
        else
            few_paint(&own, geometry[next], paint[next], 0);
    UNROLL(FEW_PIXELS)
    for (uint p = 0; p < FEW_PIXELS; p++) {
        const uint row = first_row + p / FEW_COLUMNS;
        const uint column = first_column + p % FEW_COLUMNS * GROUP;
        const uint left = column < band.width ? band.width - column : 0;
        const uint here = row < band.rows ? (left < GROUP ? left : GROUP) : 0;
        GLOBAL uint *const to = pixels + row * band.width + column;
        GLOBAL uint *const count = hits + row * band.width + column;
        ITEMS_TO(here)
            to[ITEM] = to_pixel(MINE(own.red[p]), MINE(own.green[p]), MINE(own.blue[p]));
        if (args.wants_hits)
            ITEMS_TO(here)
                count[ITEM] = MINE(own.hits[p]);
    }
}
