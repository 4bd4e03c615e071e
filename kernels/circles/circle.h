/* What the kernels of circles share: the tests, the blending and the byte of what is blended in
 * order (that of sums is in shade_prove.h). All but soft_paint_nearly is in float32 without
 * contraction, in the order of operations of the sequential reference, so that every byte agrees.
 *
 * geometry[i] = {x, y, r * r, r}; paint[i] = {alpha * red, alpha * green, alpha * blue, 1 - alpha},
 * or where circles are soft {red, green, blue, alpha}. Circles are stored nearest first. */
#ifndef CIRCLE_H
#define CIRCLE_H

#include "kernels/circles/circles_args.h"
#include "kernels/dialect.h"
#include "kernels/nearly.h"

/* Pixel centers in the unit square. */
struct box {
    float left, right, bottom, top;
};

/* The least squared distance, in y alone, of a circle's center from a pixel's of the box, or
 * less. */
DEVICE float box_rise(struct box box, float4 g)
{
    const float dy = g.y < box.bottom ? box.bottom - g.y : g.y > box.top ? g.y - box.top : 0.0f;
    return dy * dy;
}

/* Whether a circle holds a pixel center of the box, or could: no center in the box is nearer to the
 * circle's than the box's nearest point, and float subtraction, squaring and addition keep
 * order. */
DEVICE uint box_meets(struct box box, float4 g)
{
    const float dx = g.x < box.left ? box.left - g.x : g.x > box.right ? g.x - box.right : 0.0f;
    return dx * dx + box_rise(box, g) <= g.z;
}

/* Whether a circle holds every pixel center of the box; by the same argument for its farthest
 * corner. */
DEVICE uint box_is_inside(struct box box, float4 g)
{
    const float left = ABS(box.left - g.x), right = ABS(box.right - g.x);
    const float bottom = ABS(box.bottom - g.y), top = ABS(box.top - g.y);
    const float dx = left > right ? left : right, dy = bottom > top ? bottom : top;
    return dx * dx + dy * dy <= g.z;
}

/* Pixels by which a box around a circle is widened on each side, so that rounding leaves no pixel
 * out that the test takes in. In pixels, with u = scale 2^-24: a pixel's center is off by less than
 * 2 u, the test by 4 u (r + distance), and a side of the box, three operations, by less than
 * 4 u (1 + |x| + r). */
DEVICE float box_margin(float4 g, float scale)
{
    return 1.0f / 32 + (ABS(g.x) + ABS(g.y) + g.w + 0.375f) * scale * (1.0f / (1 << 20));
}

/* exp(-4 q) for q from 0 to 1, as exp(-q/2)^8 by Taylor's series to the seventh power. */
DEVICE float soft_fade(float q)
{
    const float y = -0.5f * q;
    float e = 1.0f + y * (1.0f / 7.0f);
    e = 1.0f + y * (1.0f / 6.0f) * e;
    e = 1.0f + y * (1.0f / 5.0f) * e;
    e = 1.0f + y * (1.0f / 4.0f) * e;
    e = 1.0f + y * (1.0f / 3.0f) * e;
    e = 1.0f + y * (1.0f / 2.0f) * e;
    e = 1.0f + y * e;
    e = e * e;
    e = e * e;
    return e * e;
}

/* A soft circle's {alpha * red, ..., 1 - alpha} at the squared distance dd from its center: the
 * color runs over d = distance / radius through (1,1,1) (1,1,1) (.8,.9,1) (.8,.9,1) (.8,.8,1). */
DEVICE float4 soft_paint(float4 p, float dd, float rr)
{
    const float q = rr > 0.0f ? dd / rr : 0.0f;
    const float place = 4.0f * SQRT(q);
    const float step = place < 1.0f ? 0.0f : place < 2.0f ? 1.0f : place < 3.0f ? 2.0f : 3.0f;
    const float weight = place - step;
    const float red = step < 1.0f ? 1.0f : step < 2.0f ? 1.0f + weight * (0.8f - 1.0f) : 0.8f;
    const float green = step < 1.0f   ? 1.0f
                        : step < 2.0f ? 1.0f + weight * (0.9f - 1.0f)
                        : step < 3.0f ? 0.9f
                                      : 0.9f + weight * (0.8f - 0.9f);
    const float alpha = p.w * soft_fade(q);
    float4 result;
    result.x = alpha * (p.x * red);
    result.y = alpha * (p.y * green);
    result.z = alpha * p.z;
    result.w = 1.0f - alpha;
    return result;
}

/* By what dd becomes the exponent of soft_paint_nearly, with exp(-4 dd / rr) = 2^exponent; 0 where
 * that is no float. A center of a circle that is nearer than such an r to a pixel's is the same
 * float: these are 2^-23 or more, so that differences are 2^-47, and squares 2^-94. */
DEVICE float soft_rate(float rr)
{
    return rr > SOFT_LEAST ? -5.77078016f / rr : 0.0f;
}

/* Nearly soft_paint's color and opacity {red, green, blue, alpha}, in a fourth of the operations.
 * With the exponent as it is rounded, alpha is wrong by a share of less than SOFT_ERROR, and the
 * color by less than an eighth of that. */
DEVICE float4 soft_paint_nearly(float4 p, float exponent)
{
    const float scale = 1.66510922f, root = SQRT_NEARLY(-exponent); /* product: 4 distance / r */
    const float first = SATURATE(MULTIPLY_ADD(scale, root, -1.0f));
    const float last = SATURATE(MULTIPLY_ADD(scale, root, -3.0f));
    float4 result;
    result.x = p.x * MULTIPLY_ADD(first, -0.2f, 1.0f);
    result.y = p.y * MULTIPLY_ADD(last, -0.1f, MULTIPLY_ADD(first, -0.1f, 1.0f));
    result.z = p.z;
    result.w = p.w * EXP2_NEARLY(exponent);
    return result;
}

/* The bytes trunc(255 * v) of red, green and blue, clamped to 0..1, and 255 for alpha. */
DEVICE uint to_pixel(float red, float green, float blue)
{
    return PACK_BYTES(255.0f * SATURATE(red), 255.0f * SATURATE(green), 255.0f * SATURATE(blue)) +
           0xff000000u;
}

/* The image's row of a band's, its last one for those below. */
DEVICE uint image_row(struct band band, uint row)
{
    return band.first_row + (row < band.rows ? row : band.rows - 1);
}

/* The background of a row of the image: three floats. `places` as tile_box has it. */
DEVICE GLOBAL const float *background(GLOBAL const float *places, struct band band, uint row)
{
    return places + band.width + band.height + 3 * row;
}

/* The centers of a band's rectangle of pixels. `places` holds the x of every column, then the y
 * of every row, then the background of every row. */
DEVICE struct box tile_box(
    GLOBAL const float *places, struct band band, uint column, uint row, uint width, uint height)
{
    const uint last_column = column + width < band.width ? column + width - 1 : band.width - 1;
    const uint end = row + height < band.rows ? row + height : band.rows;
    struct box box;
    box.left = places[column];
    box.right = places[last_column];
    box.top = places[band.width + band.first_row + row];
    box.bottom = places[band.width + band.first_row + end - 1];
    return box;
}

#endif
