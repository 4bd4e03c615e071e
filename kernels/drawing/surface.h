/* The color of a point of a surface: light, highlight lines, reflection lines. Linear light, the
 * square of what is written into the image. */
#ifndef SURFACE_H
#define SURFACE_H

#include "kernels/dialect.h"
#include "kernels/drawing/drawing_args.h"

struct vector {
    float x, y, z;
};

DEVICE struct vector vector_make(float x, float y, float z)
{
    struct vector v;
    v.x = x;
    v.y = y;
    v.z = z;
    return v;
}

/* a + t b */
DEVICE struct vector vector_add(struct vector a, float t, struct vector b)
{
    return vector_make(a.x + t * b.x, a.y + t * b.y, a.z + t * b.z);
}

DEVICE float vector_dot(struct vector a, struct vector b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

DEVICE struct vector vector_cross(struct vector a, struct vector b)
{
    return vector_make(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

/* Of length 1; zeros stay zeros. */
DEVICE struct vector vector_unit(struct vector a)
{
    const float length = SQRT(vector_dot(a, a));
    return length > 0.0f ? vector_make(a.x / length, a.y / length, a.z / length) : a;
}

/* A lamp from the upper left, one at the viewer's head, and a brighter sky than ground. The lamp's
 * light falls off smoothly to 0 at the point away from it, by the third power of half Lambert
 * (whose second power Mitchell, McTaggart and Green take, 2006): were there none from right angles
 * on, that would look like a crease. */
DEVICE struct vector surface_light(struct vector color, struct vector n, struct vector v)
{
    const struct vector lamp = vector_make(-0.48f, -0.64f, 0.6f);
    const float half_facing = 0.5f + 0.5f * vector_dot(n, lamp), straight = vector_dot(n, v);
    const float wrapped = half_facing * half_facing * half_facing;
    const float diffuse = 0.03f + 0.05f * (1.0f + n.z) + 0.2f * straight + 0.78f * wrapped;
    float gloss = vector_dot(n, vector_unit(vector_add(lamp, 1.0f, v)));
    for (uint i = 0; i < 5; i++)
        gloss = gloss * gloss; /* to the 32nd power */
    gloss = 0.15f * gloss;
    return vector_make(
        color.x * diffuse + gloss, color.y * diffuse + gloss, color.z * diffuse + gloss);
}

/* How much of a highlight line's light a point shows. The lamps are parallel lines of direction H
 * in a plane before and above the model; D is how far the normal's line passes by one of them. */
#define LAMPS 6            /* to each side of the middle one */
#define LAMP_DISTANCE 0.5f /* from one to the next */
#define LAMP_RADIUS 0.08f
DEVICE float surface_highlight(struct vector p, struct vector n)
{
    const struct vector h = vector_make(1.0f, 0.0f, 0.0f);
    const struct vector middle = vector_make(0.0f, -2.4f, 1.0f); /* of the lamps */
    const struct vector across = vector_unit(vector_cross(h, n));
    const float d = vector_dot(across, vector_add(middle, -1.0f, p));
    const float step =
        LAMP_DISTANCE * vector_dot(across, vector_make(0.0f, 0.384615385f, 0.923076923f));
    float least = LAMP_RADIUS;
    for (int i = -LAMPS; i <= LAMPS; i++) {
        const float distance = ABS(d + (float)i * step);
        least = distance < least ? distance : least;
    }
    return CLAMP((LAMP_RADIUS - least) * (4.0f / LAMP_RADIUS), 0.0f, 1.0f);
}

/* The same for the line of sight, mirrored, that meets stripes of light on one of two planes,
 * before and behind the model; grazing ones meet so many that they see a mean. */
#define PLANE_DISTANCE 2.5f
#define STRIPES 64 /* to each side of the middle, each 1 wide and 1 from the next */
DEVICE float surface_reflection(struct vector p, struct vector n, struct vector v)
{
    const struct vector plane = vector_make(0.0f, -0.8f, 0.6f);
    const struct vector mirrored =
        vector_add(vector_make(-v.x, -v.y, -v.z), 2.0f * vector_dot(n, v), n);
    const float side = vector_dot(plane, mirrored) < 0.0f ? -1.0f : 1.0f;
    const float rise = side * vector_dot(plane, mirrored);
    const float clear = CLAMP(rise * 2.5f - 0.4f, 0.0f, 1.0f);
    const float way = (PLANE_DISTANCE - side * vector_dot(plane, p)) / (rise > 0.1f ? rise : 0.1f);
    const float place = (p.x + way * mirrored.x) * 0.5f + (float)STRIPES;
    const float stripe = CLAMP(place, 0.0f, (float)(2 * STRIPES));
    const float beside = ABS(stripe - (float)(uint)stripe - 0.5f); /* of a stripe's middle */
    const float light = CLAMP((0.25f - beside) * 10.0f + 0.5f, 0.0f, 1.0f);
    return clear * light + (1.0f - clear) * 0.3f;
}

DEVICE struct vector surface_paint(
    uint shading, struct vector color, struct vector p, struct vector n, struct vector v)
{
    const struct vector lit = surface_light(color, n, v);
    const struct vector white = vector_make(1.0f, 1.0f, 1.0f),
                        black = vector_make(0.0f, 0.0f, 0.0f);
    if (shading == SHADING_HIGHLIGHT) {
        const float share = surface_highlight(p, n);
        return vector_add(vector_add(black, 0.45f * (1.0f - share), lit), 0.95f * share, white);
    }
    if (shading == SHADING_REFLECTION) {
        const float share = surface_reflection(p, n, v);
        return vector_add(vector_add(black, 0.35f, lit), 0.65f * share, white);
    }
    return lit;
}

#endif
