/* Paints the tiles of a band, a group a tile of 16 x 16 samples, an item a sample: each finds the
 * nearest of the triangles in the tile's list, of equally near ones the first, and shades its
 * surface.
 *
 * Must move: 64 bytes a triangle of the list in, 4 a sample out. Must do: about 30 operations for
 * each triangle and sample in the tile's rows of its box. */
#include "kernels/drawing/raster.h"
#include "kernels/drawing/surface.h"

#define FARTHEST (-3e38f)

/* The value of an edge function that is not negative, rounded once: both parts and the first
 * product are exact. Processors have no vectors of such conversions. */
DEVICE float weight(LONG e)
{
    return (float)(int)((ulong)e >> 24) * 16777216.0f + (float)(int)((ulong)e & 0xffffff);
}

DEVICE struct vector xyz(float4 v)
{
    return vector_make(v.x, v.y, v.z);
}

/* How far, in parts, a sample is from the side of edge function i. */
DEVICE float side_distance(struct setup t, uint i)
{
    const float a = (float)t.a[i], b = (float)t.b[i];
    return weight(t.e[i]) / SQRT(a * a + b * b);
}

/* Whether a sample lies on one of the lines: bit i is of the side from corner i, opposite to i +
 * 2. */
DEVICE uint is_on_line(struct setup t, uint lines, float half_line)
{
    uint is_on = 0;
    UNROLL(3)
    for (uint i = 0; i < 3; i++)
        is_on |= lines >> i & (uint)(side_distance(t, (i + 2) % 3) < half_line);
    return is_on & 1;
}

/* A byte of each channel from sRGB, and from linear light, whose root comes close to sRGB. */
DEVICE uint to_byte(float value)
{
    return (uint)(CLAMP(value, 0.0f, 1.0f) * 255.0f + 0.5f);
}
DEVICE uint to_word(float red, float green, float blue)
{
    return to_byte(red) | to_byte(green) << 8 | to_byte(blue) << 16 | 0xff000000u;
}
DEVICE uint light_to_word(struct vector light)
{
    return to_word(SQRT(light.x), SQRT(light.y), SQRT(light.z));
}

DEVICE uint background_word(struct raster_args args)
{
    return args.background[3] == 0.0f
               ? 0u
               : to_word(args.background[0], args.background[1], args.background[2]);
}

/* A normal of the side of the face that is seen. Where the surface bends away behind the face, at
 * an outline, it is the nearest one that is still seen: the one of the far side would be dark. */
DEVICE struct vector turn_to_viewer(struct vector n, struct vector face, struct vector v)
{
    const uint is_behind = (uint)(vector_dot(face, v) < 0.0f);
    if (is_behind != (uint)(vector_dot(face, n) < 0.0f))
        n = vector_make(-n.x, -n.y, -n.z);
    const float straight = vector_dot(n, v);
    return straight < 0.0f ? vector_unit(vector_add(n, -straight, v)) : n;
}

/* The sample that `t` is set up at. */
DEVICE uint shade(GLOBAL const float4 *screen, GLOBAL const float4 *surface,
    GLOBAL const uint *triangles, GLOBAL const float4 *palette, struct raster_args args,
    struct setup t)
{
    GLOBAL const uint *const triangle = triangles + (ulong)t.number * TRIANGLE_WORDS;
    const uint lines = triangle[4];
    if (lines & TRIANGLE_IS_FLAT)
        return light_to_word(xyz(palette[triangle[3]]));
    if (is_on_line(t, lines, args.half_line))
        return light_to_word(xyz(palette[args.line_color]));
    if (args.shading == SHADING_NONE)
        return background_word(args);

    struct vector corner[3];
    struct vector p = vector_make(0.0f, 0.0f, 0.0f), n = p;
    float value = 0.0f, sum = 0.0f;
    UNROLL(3)
    for (uint i = 0; i < 3; i++) {
        const uint vertex = triangle[i];
        const float4 place = surface[2 * vertex], normal = surface[2 * vertex + 1];
        const float share = weight(t.e[i]) * screen[vertex].w;
        corner[i] = xyz(place);
        p = vector_add(p, share, corner[i]);
        n = vector_add(n, share, xyz(normal));
        value += share * place.w;
        sum += share;
    }
    p = vector_make(p.x / sum, p.y / sum, p.z / sum);
    if (args.shading == SHADING_CURVATURE) {
        value = CLAMP(value / sum, 0.0f, 1.0f);
        return light_to_word(
            xyz(palette[args.curvature_colors + (uint)(value * (CURVATURE_COLORS - 1) + 0.5f)]));
    }
    const struct vector face = vector_cross(
        vector_add(corner[1], -1.0f, corner[0]), vector_add(corner[2], -1.0f, corner[0]));
    if (args.shading == SHADING_FLAT || vector_dot(n, n) == 0.0f)
        n = face;
    struct vector v = vector_make(0.0f, -1.0f, 0.0f);
    if (args.eye > 0.0f)
        v = vector_unit(vector_make(-p.x, -args.eye - p.y, -p.z));
    n = turn_to_viewer(vector_unit(n), face, v);
    return light_to_word(surface_paint(args.shading, xyz(palette[triangle[3]]), p, n, v));
}

KERNEL8(raster, GLOBAL const float4 *RESTRICT, screen, GLOBAL const float4 *RESTRICT, surface,
    GLOBAL const uint *RESTRICT, triangles, GLOBAL const float4 *RESTRICT, palette,
    GLOBAL const uint *RESTRICT, ends, GLOBAL const uint *RESTRICT, lists, GLOBAL uint *RESTRICT,
    samples, struct raster_args, args)
{
    LOCAL struct setup batch[GROUP];
    PRIVATE(float, depth);
    PRIVATE(uint, nearest);
    const uint tile = GROUP_Y * args.tile_columns + GROUP_X;
    const uint first_column = GROUP_X * TILE, first_row = (args.first_tile_row + GROUP_Y) * TILE;
    const uint end = ends[tile];
    ITEMS
    {
        MINE(depth) = FARTHEST;
        MINE(nearest) = NO_TRIANGLE;
    }
    for (uint first = tile > 0 ? ends[tile - 1] : 0; first < end; first += GROUP) {
        const uint count = end - first < GROUP ? end - first : GROUP;
        ITEMS_TO(count) {
            batch[ITEM] =
                setup_make(screen, triangles, args, lists[first + ITEM], first_column, first_row);
        }
        SYNC;
        for (uint k = 0; k < count; k++) {
            const struct setup t = batch[k];
            const uint top = t.top > first_row ? t.top - first_row : 0;
            const uint bottom = t.bottom - first_row < TILE ? t.bottom - first_row : TILE;
            ITEMS_BETWEEN(top * TILE, bottom * TILE)
            {
                /* In 32 bits as far as they go. */
                const int column = (int)(ITEM % TILE), row = (int)(ITEM / TILE);
                const LONG e0 = t.e[0] + (LONG)(t.a[0] * column + t.b[0] * row) * SAMPLE_PARTS;
                const LONG e1 = t.e[1] + (LONG)(t.a[1] * column + t.b[1] * row) * SAMPLE_PARTS;
                const LONG e2 = t.e[2] + (LONG)(t.a[2] * column + t.b[2] * row) * SAMPLE_PARTS;
                const float near =
                    weight(e0) * t.depth[0] + weight(e1) * t.depth[1] + weight(e2) * t.depth[2];
                const uint is_nearer =
                    (uint)(e0 >= t.least[0]) & (uint)(e1 >= t.least[1]) & (uint)(e2 >= t.least[2]) &
                    ((uint)(near > MINE(depth)) |
                        ((uint)(near == MINE(depth)) & (uint)(t.number < MINE(nearest))));
                MINE(depth) = is_nearer ? near : MINE(depth);
                MINE(nearest) = is_nearer ? t.number : MINE(nearest);
            }
        }
        SYNC;
    }
    ITEMS
    {
        const uint column = first_column + ITEM % TILE, row = first_row + ITEM / TILE;
        if (column < args.columns && row < args.rows) {
            uint word = background_word(args);
            if (MINE(nearest) != NO_TRIANGLE)
                word = shade(screen, surface, triangles, palette, args,
                    setup_make(screen, triangles, args, MINE(nearest), column, row));
            samples[(GROUP_Y * TILE + ITEM / TILE) * args.columns + column] = word;
        }
    }
}
