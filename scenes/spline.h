/* B-splines as Bézier curves and patches: by blossoms, which give what knot insertion gives. The
 * surface stays as it is. */
#ifndef SPLINE_H
#define SPLINE_H

#include <stddef.h>

#include "error.h"

/* One direction of a B-spline surface. The spline is defined from knots[degree] to knots[count],
 * whatever the knots before and after these are; the part from `first` to `last` is wanted. */
struct spline {
    int degree;          /* 1 to PATCHES_MAX_DEGREE */
    size_t count;        /* of control points, more than degree */
    const double *knots; /* count + degree + 1 numbers, which do not decrease */
    double first, last;
};

/* Confines `first` and `last` to where the spline is defined, and checks the knots: inner ones
 * stand at most `degree` times, the first and last ones once more. Returns 0, or ERROR_INPUT with
 * what is wrong. */
int spline_check(struct spline *spline, struct error *error);

/* How many Bézier segments the wanted part of a spline that has been checked falls into. */
size_t spline_segments(const struct spline *spline);

/* The control points of the Bézier patches of a B-spline surface, both directions of which have
 * been checked: (u segments * u degree + 1) rows of (v segments * v degree + 1) points, v fastest,
 * in which neighbors share a row or column. The ends of a surface that is closed but for the
 * rounding of its knots are equal. `controls` are u->count * v->count points (wx, wy, wz, w), u
 * fastest. `is_stopped` (NULL: nobody asks) is called now and then with `context`. Returns the
 * points, which the caller frees, or NULL where memory is short or `is_stopped` returned other than
 * 0. */
double (*spline_surface(const struct spline *u, const struct spline *v, const double (*controls)[4],
    int (*is_stopped)(void *context), void *context))[4];

#endif
