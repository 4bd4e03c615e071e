/* Surfaces of patch files that are one patch or a B-spline, which is cut into patches; for scenes/
 * alone. */
#ifndef SURFACE_H
#define SURFACE_H

#include "scenes/patch_formats.h"

struct surface {
    const char *name;            /* the format's word for it, in messages */
    size_t line;                 /* where it begins */
    int is_rational, degrees[2]; /* of u and v */
    double range[4];             /* the part that is wanted: of u from and to, then of v */
    double (*controls)[4];       /* (wx, wy, wz, w) */
    int is_v_fastest;            /* the order of a B-spline's control points; else u is */
    size_t count, capacity;
    struct surface_knots {
        double *numbers;
        size_t count, capacity;
    } knots[2]; /* of a B-spline, of u and v */
};

/* Empties the control points and knots, whose memory stays. */
void surface_clear(struct surface *surface);

/* Add to what there is. Return 0, or ERROR_INPUT with the reason. */
int surface_add_control(
    struct patch_reader *reader, struct surface *surface, const double control[4]);
int surface_add_knot(
    struct patch_reader *reader, struct surface *surface, int direction, struct span word);

/* Adds a patch of the surface's degrees to the file's patches. Its control points are `step_u`
 * apart in u and `step_v` in v. Returns 0 or ERROR_INPUT. */
int surface_add_patch(struct patch_reader *reader, const struct surface *surface,
    const double (*controls)[4], size_t step_u, size_t step_v);

/* Cuts a B-spline at its knots and adds the patches. Returns 0, or ERROR_INPUT where its knots are
 * wrong or do not go with the number of control points. */
int surface_cut(struct patch_reader *reader, const struct surface *surface);

void surface_free(struct surface *surface);

#endif
