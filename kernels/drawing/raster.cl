/* Paints the screen tiles of a band, a group a tile of 16 x 16 samples, an item a sample: each
 * finds the nearest of the triangles in the list of its tile, of equally near ones the first, and
 * shades its surface.
 *
 * Must move: 64 bytes a triangle of the list in, 4 a sample out. Must do: about 30 operations for
 * each triangle and sample in the tile's rows of its box. */
#include "kernels/drawing/raster.h"
#include "kernels/drawing/surface.h"

#define FARTHEST (-3e38f)

/* The value of an edge function that is not negative, rounded once. Processors have no vectors of
 * conversions of 64 bits: there both parts and the first product are exact. */
DEVICE float weight_short(int e)
{
    return (float)e;
}
DEVICE float weight_long(LONG e)
{
    return (float)(int)((ulong)e >> 24) * 16777216.0f + (float)(int)((ulong)e & 0xffffff);
}

DEVICE struct vector xyz(float4 v)
{
    return vector_make(v.x, v.y, v.z);
}

/* Whether a sample lies on one of the lines: bit i is of the side from corner i, opposite to i +
 * 2. Its distance from a side is the weight over the length, in parts. */
DEVICE uint is_on_line(struct setup t, const float *weights, uint lines, float half_line)
{
    uint is_on = 0;
    UNROLL(3)
    for (uint i = 0; i < 3; i++) {
        const uint side = (i + 2) % 3;
        const float a = (float)t.a[side], b = (float)t.b[side];
        is_on |= lines >> i & (uint)(weights[side] / SQRT(a * a + b * b) < half_line);
    }
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
    const float side = is_behind != (uint)(vector_dot(face, n) < 0.0f) ? -1.0f : 1.0f;
    n = vector_make(side * n.x, side * n.y, side * n.z);
    const float straight = vector_dot(n, v);
    const struct vector seen = vector_unit(vector_add(n, -straight, v));
    return straight < 0.0f ? seen : n;
}

/* What a sample shows: a word, or where `sum` is not 0 a surface on which light falls. All of four
 * floats, of which processors load and add four at once. */
struct fragment {
    uint word;
    float sum;            /* of the corners' shares */
    float4 place, normal; /* the corners' times these shares; place has the curvature too */
    float4 face, color;   /* face: the normal of the triangle, of any length */
};

DEVICE float4 to_float4(struct vector v)
{
    float4 f;
    f.x = v.x;
    f.y = v.y;
    f.z = v.z;
    f.w = 0.0f;
    return f;
}

/* a + t b */
DEVICE float4 add_float4(float4 a, float t, float4 b)
{
    a.x += t * b.x;
    a.y += t * b.y;
    a.z += t * b.z;
    a.w += t * b.w;
    return a;
}

DEVICE struct fragment fragment_of_word(uint word)
{
    const float4 none = to_float4(vector_make(0.0f, 0.0f, 0.0f));
    const struct fragment f = {word, 0.0f, none, none, none, none};
    return f;
}

/* Of a sample in triangle `number` that has these weights of its corners. */
DEVICE struct fragment fragment_make(GLOBAL const float4 *screen, GLOBAL const float4 *surface,
    GLOBAL const uint *triangles, GLOBAL const float4 *palette, struct raster_args args,
    uint number, const float *weights)
{
    GLOBAL const uint *const triangle = triangles + (ulong)number * TRIANGLE_WORDS;
    const uint lines = triangle[4];
    if (lines & TRIANGLE_IS_FLAT)
        return fragment_of_word(light_to_word(xyz(palette[triangle[3]])));
    if (args.half_line > 0.0f && is_on_line(setup_make(screen, triangles, args, number, 0, 0),
                                     weights, lines, args.half_line))
        return fragment_of_word(light_to_word(xyz(palette[args.line_color])));
    if (args.shading == SHADING_NONE)
        return fragment_of_word(background_word(args));

    struct fragment f = fragment_of_word(0);
    struct vector corner[3];
    UNROLL(3)
    for (uint i = 0; i < 3; i++) {
        const uint vertex = triangle[i];
        const float4 place = surface[2 * vertex];
        const float share = weights[i] * screen[vertex].w;
        corner[i] = xyz(place);
        f.place = add_float4(f.place, share, place);
        f.normal = add_float4(f.normal, share, surface[2 * vertex + 1]);
        f.sum += share;
    }
    if (args.shading == SHADING_CURVATURE) {
        const float value = CLAMP(f.place.w / f.sum, 0.0f, 1.0f);
        return fragment_of_word(light_to_word(
            xyz(palette[args.curvature_colors + (uint)(value * (CURVATURE_COLORS - 1) + 0.5f)])));
    }
    f.face = to_float4(vector_cross(
        vector_add(corner[1], -1.0f, corner[0]), vector_add(corner[2], -1.0f, corner[0])));
    if (args.shading == SHADING_FLAT || vector_dot(xyz(f.normal), xyz(f.normal)) == 0.0f)
        f.normal = f.face;
    f.color = palette[triangle[3]];
    return f;
}

DEVICE uint fragment_paint(struct fragment f, uint shading, float eye)
{
    const float sum = f.sum > 0.0f ? f.sum : 1.0f;
    const struct vector p = vector_make(f.place.x / sum, f.place.y / sum, f.place.z / sum);
    const struct vector sight = vector_unit(vector_make(-p.x, -eye - p.y, -p.z));
    const struct vector v = eye > 0.0f ? sight : vector_make(0.0f, -1.0f, 0.0f);
    const struct vector n = turn_to_viewer(vector_unit(xyz(f.normal)), xyz(f.face), v);
    const uint word = light_to_word(surface_paint(shading, xyz(f.color), p, n, v));
    return f.sum > 0.0f ? word : f.word;
}

/* Takes for triangle t the samples of its rows to which it is nearest so far. T: the type of its
 * edge functions. */
#define TAKE(T, weight) \
    ITEMS_BETWEEN(from, to) \
    { \
        /* In 32 bits as far as they go. */ \
        const int column = (int)(ITEM % TILE), row = (int)(ITEM / TILE); \
        const T e0 = (T)t.e[0] + (T)(t.a[0] * column + t.b[0] * row) * SAMPLE_PARTS; \
        const T e1 = (T)t.e[1] + (T)(t.a[1] * column + t.b[1] * row) * SAMPLE_PARTS; \
        const T e2 = (T)t.e[2] + (T)(t.a[2] * column + t.b[2] * row) * SAMPLE_PARTS; \
        const float w0 = weight(e0), w1 = weight(e1), w2 = weight(e2); \
        const float near = w0 * t.depth[0] + w1 * t.depth[1] + w2 * t.depth[2]; \
        const uint is_nearer = \
            (uint)(e0 >= t.least[0]) & (uint)(e1 >= t.least[1]) & (uint)(e2 >= t.least[2]) & \
            ((uint)(near > MINE(depth)) | \
                ((uint)(near == MINE(depth)) & (uint)(t.number < MINE(nearest)))); \
        MINE(depth) = is_nearer ? near : MINE(depth); \
        MINE(nearest) = is_nearer ? t.number : MINE(nearest); \
        MINE(weights[0]) = is_nearer ? w0 : MINE(weights[0]); \
        MINE(weights[1]) = is_nearer ? w1 : MINE(weights[1]); \
        MINE(weights[2]) = is_nearer ? w2 : MINE(weights[2]); \
    }

/* Paints the fragments. On the CPU, where the shading is known, many at once. */
#define PAINT(known_shading) \
    ITEMS \
    { \
        const struct fragment f = { \
            MINE(word), MINE(sum), MINE(place), MINE(normal), MINE(face), MINE(color)}; \
        MINE(word) = fragment_paint(f, known_shading, args.eye); \
    }

KERNEL8(raster, GLOBAL const float4 *RESTRICT, screen, GLOBAL const float4 *RESTRICT, surface,
    GLOBAL const uint *RESTRICT, triangles, GLOBAL const float4 *RESTRICT, palette,
    GLOBAL const uint *RESTRICT, ends, GLOBAL const uint *RESTRICT, lists, GLOBAL uint *RESTRICT,
    samples, struct raster_args, args)
{
    LOCAL struct setup batch[GROUP];
    PRIVATE(float, depth);
    PRIVATE(uint, nearest);
    PRIVATE_ARRAY(float, weights, 3);
    PRIVATE(uint, word);
    PRIVATE(float, sum);
    PRIVATE(float4, place);
    PRIVATE(float4, normal);
    PRIVATE(float4, face);
    PRIVATE(float4, color);
    const uint tile = GROUP_Y * args.tile_columns + GROUP_X;
    const uint first_column = GROUP_X * TILE, first_row = (args.first_tile_row + GROUP_Y) * TILE;
    const uint begin = tile > 0 ? ends[tile - 1] : 0, end = ends[tile];
    ITEMS
    {
        MINE(depth) = FARTHEST;
        MINE(nearest) = NO_TRIANGLE;
        MINE(word) = background_word(args);
    }
    for (uint first = begin; first < end; first += GROUP) {
        const uint count = end - first < GROUP ? end - first : GROUP;
        ITEMS_TO(count) {
            batch[ITEM] =
                setup_make(screen, triangles, args, lists[first + ITEM], first_column, first_row);
        }
        SYNC;
        for (uint k = 0; k < count; k++) {
            const struct setup t = batch[k];
            const uint from = t.top > first_row ? (t.top - first_row) * TILE : 0;
            const uint to = t.bottom - first_row < TILE ? (t.bottom - first_row) * TILE : GROUP;
            if (t.is_short) {
                TAKE(int, weight_short)
            } else {
                TAKE(LONG, weight_long)
            }
        }
        SYNC;
    }
    if (begin < end) {
        ITEMS
        {
            struct fragment f = fragment_of_word(MINE(word));
            if (MINE(nearest) != NO_TRIANGLE) {
                const float own[3] = {MINE(weights[0]), MINE(weights[1]), MINE(weights[2])};
                f = fragment_make(screen, surface, triangles, palette, args, MINE(nearest), own);
            }
            MINE(word) = f.word;
            MINE(sum) = f.sum;
            MINE(place) = f.place;
            MINE(normal) = f.normal;
            MINE(face) = f.face;
            MINE(color) = f.color;
        }
        if (args.shading == SHADING_HIGHLIGHT || args.shading == SHADING_REFLECTION) {
            PAINT(args.shading)
        } else {
            PAINT(SHADING_SMOOTH)
        }
    }
    ITEMS_GRID(TILE, TILE)
    {
        const uint column = first_column + ITEM_COLUMN(TILE), row = ITEM_ROW(TILE);
        if (column < args.columns && first_row + row < args.rows)
            samples[(GROUP_Y * TILE + row) * args.columns + column] = MINE(word);
    }
}
