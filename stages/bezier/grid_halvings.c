/* How often the sides of a patch are halved, into cells, for its triangles to lie within
 * GRID_PIXELS of it on the image.
 *
 * A function f of u and v differs from the one that is linear on a triangle, and equal to it at the
 * corners, by at most
 *     (a^2 |f_uu| + 2 a b |f_uv| + b^2 |f_vv|) / 8,
 * a and b being how far the triangle reaches along u and v, and |.| the largest lengths there are:
 * at any point x of it the difference is the mean, with x's shares of the corners, of half the
 * second derivatives on the ways to the corners, and the mean square of how far they are along u is
 * at most a^2 / 4. (Filip, Magedson and Markot 1986 have it for right triangles.) The second
 * derivatives of a polynomial patch are sums of its control points' second differences with shares
 * that add up to 1, so none is longer than the longest of them. */
#include "stages/bezier/grid_halvings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SUBPATCH_CONTROLS 65536 /* of all the subpatches of a patch that are bounded one by one */
#define SUBPATCH_HALVINGS 8     /* along both sides, of a subpatch that is not cut further */
#define QUARTERED_DEGREE 8      /* of triangles: quartering takes time as its fifth power */

/* Bounds of the lengths of a patch's second derivatives, in lengths of the model. */
struct bend {
    double uu, uv, vv;
};

/* The number of the control point in row i and column j. */
static size_t control_at(const struct patch *patch, int i, int j)
{
    const int columns = patch->degree_v + 1;
    return (size_t)(patch_is_triangle(patch) ? i * columns - i * (i - 1) / 2 + j : i * columns + j);
}

/* n (n - 1) ..., k factors. */
static double falling(int n, int k)
{
    double product = 1;
    for (int i = 0; i < k; i++)
        product *= n - i;
    return product;
}

/* Bounds of the derivative of order a along u and b along v, up to 2 in all: of the homogeneous
 * coordinates about a center, and of the weight. */
static void bound_derivative(const struct patch *patch, const double (*controls)[4],
    const double center[3], int a, int b, double bounds[2])
{
    static const double SHARES[3][3] = {{1}, {-1, 1}, {1, -2, 1}};
    const int is_triangle = patch_is_triangle(patch), u = patch->degree_u, v = patch->degree_v;
    double square = 0, weight = 0;
    for (int i = 0; i + a <= u; i++)
        for (int j = 0; is_triangle ? i + j + a + b <= u : j + b <= v; j++) {
            double d[4] = {0, 0, 0, 0}, own = 0;
            for (int s = 0; s <= a; s++)
                for (int t = 0; t <= b; t++)
                    for (int c = 0; c < 4; c++)
                        d[c] += SHARES[a][s] * SHARES[b][t] *
                                controls[control_at(patch, i + s, j + t)][c];
            for (int c = 0; c < 3; c++)
                own += (d[c] - center[c] * d[3]) * (d[c] - center[c] * d[3]);
            square = fmax(square, own);
            weight = fmax(weight, fabs(d[3]));
        }
    const double factor = is_triangle ? falling(u, a + b) : falling(u, a) * falling(v, b);
    bounds[0] = factor * sqrt(square);
    bounds[1] = factor * weight;
}

/* The middle of the control points' bounding box, the distance of the farthest of them from it, and
 * the least weight. */
static void find_middle(const struct patch *patch, const double (*controls)[4], double center[3],
    double *radius, double *least_weight)
{
    *radius = 0;
    *least_weight = INFINITY;
    for (int c = 0; c < 3; c++) {
        double low = INFINITY, high = -INFINITY;
        for (size_t i = 0; i < patch->control_count; i++) {
            low = fmin(low, controls[i][c] / controls[i][3]);
            high = fmax(high, controls[i][c] / controls[i][3]);
        }
        center[c] = (low + high) / 2;
    }
    for (size_t i = 0; i < patch->control_count; i++) {
        double square = 0;
        for (int c = 0; c < 3; c++) {
            const double away = controls[i][c] / controls[i][3] - center[c];
            square += away * away;
        }
        *radius = fmax(*radius, sqrt(square));
        *least_weight = fmin(*least_weight, controls[i][3]);
    }
}

/* Of f = a / w, a being the coordinates about the center times the weight w: a = f w gives
 *     f_u = (a_u - w_u f) / w,  f_uu = (a_uu - 2 w_u f_u - w_uu f) / w,
 *     f_uv = (a_uv - w_u f_v - w_v f_u - w_uv f) / w.
 * Weights are positive, so that f lies in the hull of the control points, at most `radius` from the
 * center, and w is at least the least of them. Without weights, w = 1, these are a's own. */
static struct bend find_bend(const struct patch *patch, const double (*controls)[4])
{
    double center[3], radius, weight, u[2], v[2], uu[2], uv[2], vv[2];
    find_middle(patch, controls, center, &radius, &weight);
    bound_derivative(patch, controls, center, 1, 0, u);
    bound_derivative(patch, controls, center, 0, 1, v);
    bound_derivative(patch, controls, center, 2, 0, uu);
    bound_derivative(patch, controls, center, 1, 1, uv);
    bound_derivative(patch, controls, center, 0, 2, vv);
    const double by_u = (u[0] + u[1] * radius) / weight, by_v = (v[0] + v[1] * radius) / weight;
    return (struct bend){(uu[0] + 2 * u[1] * by_u + uu[1] * radius) / weight,
        (uv[0] + u[1] * by_v + v[1] * by_u + uv[1] * radius) / weight,
        (vv[0] + 2 * v[1] * by_v + vv[1] * radius) / weight};
}

/* How many pixels a length of the model can be at most on the image, where it shows the patch; 0
 * where the patch lies beyond one of its borders. In perspective a step e at (x, y, z), y being the
 * distance, moves the place (x, z) scale / y by at most |e| sqrt(1 + r^2) scale / y, r = |(x, z)| /
 * y, which at the farthest corner of the image is `widest`. */
static double find_pixels(const struct camera *view, const double size[2], double widest,
    const struct patch *patch, const double (*controls)[4])
{
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY}, nearest = INFINITY;
    for (size_t i = 0; i < patch->control_count; i++) {
        double position[3], p[3], at[2];
        for (int c = 0; c < 3; c++)
            position[c] = controls[i][c] / controls[i][3];
        camera_look(view, position, p);
        camera_place(view, p, at);
        nearest = fmin(nearest, CAMERA_EYE + p[1]);
        for (int c = 0; c < 2; c++) {
            low[c] = fmin(low[c], at[c]);
            high[c] = fmax(high[c], at[c]);
        }
    }
    const int is_whole = view->is_orthographic || nearest >= CAMERA_NEAREST;
    if (is_whole && (high[0] < 0 || high[1] < 0 || low[0] > size[0] || low[1] > size[1]))
        return 0;
    const double scale = view->scale / view->radius;
    return view->is_orthographic
               ? scale
               : scale * sqrt(1 + widest * widest) / fmax(nearest, CAMERA_NEAREST);
}

/* Halves the cells until the bound holds: along the side that has more of it, and where the twist
 * f_uv has most of it, along the one that is halved less often. */
static void choose(
    const struct bend *bend, double pixels, int is_triangle, unsigned most, unsigned halvings[2])
{
    halvings[0] = halvings[1] = 0;
    while (halvings[0] < most || halvings[1] < most) {
        const double uu = ldexp(bend->uu, -2 * (int)halvings[0]);
        const double vv = ldexp(bend->vv, -2 * (int)halvings[1]);
        const double uv = ldexp(bend->uv, -(int)halvings[0] - (int)halvings[1]);
        if (pixels == 0 || pixels * (uu + 2 * uv + vv) / 8 <= GRID_PIXELS)
            return;
        int along_v = uu < vv;
        if (uv > uu && uv > vv)
            along_v = halvings[1] < halvings[0];
        if (halvings[along_v] == most)
            along_v = !along_v;
        halvings[along_v]++;
        if (is_triangle)
            halvings[1] = halvings[0] = halvings[along_v];
    }
}

/* What all patches of a frame are looked at with. */
struct sight {
    const struct camera *view;
    double size[2]; /* of the image, in parts of a sample */
    double pixel;   /* a side of one, likewise */
    double widest;  /* see find_pixels */
    unsigned most;  /* halvings of a side */
};

/* Splits each of the curves along a direction in the middle, by de Casteljau's scheme, and keeps
 * the first or the second half. */
static void halve(const struct patch *patch, int along_v, int second, double (*controls)[4])
{
    const int degree = along_v ? patch->degree_v : patch->degree_u;
    const int curves = along_v ? patch->degree_u + 1 : patch->degree_v + 1;
    const int step = along_v ? 1 : patch->degree_v + 1;
    for (int k = 0; k < curves; k++) {
        double(*const p)[4] = controls + k * (along_v ? patch->degree_v + 1 : 1);
        for (int round = 1; round <= degree; round++)
            for (int i = 0; i + round <= degree; i++) {
                const int at = second ? i : degree - i;
                double *const to = p[at * step], *const from = p[(second ? at + 1 : at - 1) * step];
                for (int c = 0; c < 4; c++)
                    to[c] = (to[c] + from[c]) / 2;
            }
    }
}

/* The corners u = 1, v = 1 and w = 1 of the quarters of a triangle: its u, v and w there. */
static const double QUARTERS[4][3][3] = {{{1, 0, 0}, {.5, .5, 0}, {.5, 0, .5}},
    {{.5, .5, 0}, {0, 1, 0}, {0, .5, .5}}, {{.5, 0, .5}, {0, .5, .5}, {0, 0, 1}},
    {{0, .5, .5}, {.5, 0, .5}, {.5, .5, 0}}};

/* Gives a quarter's control points: the value of the blossom with i, j and k times its corners is
 * that of u^i v^j w^k (G. Farin, Curves and Surfaces for CAGD, 5th edition, 17.3). `work` has room
 * for as many. */
static void quarter(const struct patch *patch, const double (*from)[4], const double corners[3][3],
    double (*work)[4], double (*to)[4])
{
    const int degree = patch->degree_u;
    for (int i = 0; i <= degree; i++)
        for (int j = 0; i + j <= degree; j++, to++) {
            memcpy(work, from, patch->control_count * sizeof(*work));
            for (int round = 0; round < degree; round++) {
                const double *const corner = corners[round < i ? 0 : round < i + j ? 1 : 2];
                const int left = degree - round; /* the degree of what is in `work` */
                double(*row)[4] = work, (*next)[4] = work;
                for (int k = 0; k < left; k++) {
                    double(*const above)[4] = row + left + 1 - k; /* row k + 1 */
                    for (int l = 0; k + l < left; l++, next++)
                        for (int c = 0; c < 4; c++)
                            (*next)[c] = corner[0] * above[l][c] + corner[1] * row[l + 1][c] +
                                         corner[2] * row[l][c];
                    row = above;
                }
            }
            memcpy(*to, *work, sizeof(*work));
        }
}

/* The halvings of a patch or of a subpatch. A bound over all of it is too large where one half is
 * bent more than the other, where degrees are high, and of rational patches; so subpatches are
 * bounded one by one. Two halves that need n halvings are a whole that needs n + 1, where this is
 * less. Without memory for subpatches the bound of the whole stays. `budget`: how many subpatches
 * there may be. */
static void find_halvings(const struct sight *sight, const struct patch *patch,
    const double (*controls)[4], size_t budget, unsigned halvings[2])
{
    const int is_triangle = patch_is_triangle(patch);
    const double pixels =
        find_pixels(sight->view, sight->size, sight->widest, patch, controls) / sight->pixel;
    const struct bend bend = find_bend(patch, controls);
    choose(&bend, pixels, is_triangle, sight->most, halvings);
    const int along_v = halvings[1] > halvings[0], subpatches = is_triangle ? 4 : 2;
    if (budget < (size_t)subpatches || halvings[0] + halvings[1] <= SUBPATCH_HALVINGS ||
        (is_triangle && patch->degree_u > QUARTERED_DEGREE))
        return;
    double(*const subpatch)[4] = malloc(2 * patch->control_count * sizeof(*subpatch));
    unsigned most[2] = {0, 0};
    for (int k = 0; subpatch && k < subpatches; k++) {
        unsigned own[2];
        if (is_triangle) {
            quarter(patch, controls, QUARTERS[k], subpatch + patch->control_count, subpatch);
        } else {
            memcpy(subpatch, controls, patch->control_count * sizeof(*subpatch));
            halve(patch, along_v, k, subpatch);
        }
        find_halvings(sight, patch, (const double(*)[4])subpatch, budget / (size_t)subpatches, own);
        for (int c = 0; c < 2; c++)
            most[c] = own[c] > most[c] ? own[c] : most[c];
    }
    most[along_v] += 1;
    if (is_triangle)
        most[!along_v] += 1;
    if (subpatch && most[0] <= sight->most && most[1] <= sight->most &&
        most[0] + most[1] < halvings[0] + halvings[1])
        memcpy(halvings, most, sizeof(most));
    free(subpatch);
}

void patch_halvings(
    const struct bezier *b, const struct patch *patch, unsigned most, unsigned halvings[2])
{
    const struct camera *const view = &b->raster.view;
    const struct drawing drawing = drawing_with_defaults(&b->options.drawing);
    const double pixel = (double)SAMPLE_PARTS * drawing.samples;
    struct sight sight = {.view = view,
        .size = {pixel * drawing.width, pixel * drawing.height},
        .pixel = pixel,
        .most = most};
    double corner[2];
    for (int c = 0; c < 2; c++)
        corner[c] = fmax(fabs(view->middle[c]), fabs(sight.size[c] - view->middle[c]));
    /* A pixel more, for what lies just beyond the border where its mesh is seen. */
    sight.widest = (hypot(corner[0], corner[1]) + pixel) / view->scale;
    find_halvings(&sight, patch, (const double(*)[4])b->controls + patch->control,
        SUBPATCH_CONTROLS / patch->control_count, halvings);
}
