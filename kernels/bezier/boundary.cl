/* boundary_float, boundary_double: the points on one side of each patch, all in one order of its
 * control points: so two patches that share the control points of a side have the same points
 * there, bit for bit, whichever way each of them runs. The order starts with the end that is
 * smaller, number by number. A side whose control points are all one point, up to rounding, is that
 * of its first end.
 *
 * basis: [control point][point] of the side. */
#include "kernels/bezier/point.h"

/* Whether the side is to be taken from its last control point on. */
DEVICE uint is_backwards(GLOBAL const REAL *net, GLOBAL const uint *path, struct boundary_args a)
{
    for (uint k = 0; k < a.order; k++)
        for (uint i = 0; i < a.coordinates; i++) {
            const REAL one = net[path[k] * a.coordinates + i];
            const REAL other = net[path[a.order - 1 - k] * a.coordinates + i];
            if (one != other)
                return other < one;
        }
    return 0;
}

/* Whether the k-th control point lies where the first does. */
DEVICE uint is_first(GLOBAL const REAL *first, GLOBAL const REAL *other, uint coordinates)
{
    const REAL w = coordinates == 4 ? first[3] : 1, other_w = coordinates == 4 ? other[3] : 1;
    uint is = 1;
    for (uint i = 0; i < 3; i++) {
        const REAL one = first[i] / w, two = other[i] / other_w;
        const REAL size = one < 0 ? -one : one, gap = one < two ? two - one : one - two;
        is &= gap <= 4 * EPSILON * size;
    }
    return is;
}

KERNEL5(KERNEL_NAME, GLOBAL const REAL *RESTRICT, controls, GLOBAL const REAL *RESTRICT, basis,
    GLOBAL const uint *RESTRICT, paths, GLOBAL REAL *RESTRICT, points, struct boundary_args, a)
{
    ITEMS
    {
        const uint number = GROUP_X * GROUP + ITEM;
        if (number < a.patches * a.points) {
            GLOBAL const uint *const path = paths + a.path;
            const uint patch = number / a.points, point = number % a.points;
            GLOBAL const REAL *const net =
                controls + (ulong)patch * a.patch_controls * a.coordinates;
            const uint backwards = is_backwards(net, path, a);
            GLOBAL const REAL *const first =
                net + path[backwards ? a.order - 1 : 0] * a.coordinates;
            REAL x = 0, y = 0, z = 0, w = 0;
            uint is_point = 1;
            for (uint k = 0; k < a.order; k++) {
                GLOBAL const REAL *const p =
                    net + path[backwards ? a.order - 1 - k : k] * a.coordinates;
                is_point &= is_first(first, p, a.coordinates);
                POINT_ADD(p, basis[k * a.points + (backwards ? a.points - 1 - point : point)]);
            }
            if (is_point) {
                x = first[0];
                y = first[1];
                z = first[2];
                w = a.coordinates == 4 ? first[3] : 1;
            }
            point_write(points + ((ulong)patch * a.patch_points + path[a.order + point]) * 3, x, y,
                z, w, a.coordinates);
        }
    }
}
