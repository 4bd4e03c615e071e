/* The view of a model: where each of its points lies on the image. */
#ifndef CAMERA_H
#define CAMERA_H

#include <stddef.h>

#define CAMERA_EYE 4.0     /* distance of the viewer from the center, in radii of the view */
#define CAMERA_NEAREST 0.5 /* of what is drawn from the viewer, along y */

struct drawing;

/* What turns a point of the model into a place on the image. In the view's directions x is to the
 * right, y away from the viewer and z up. */
struct camera {
    double center[3];        /* the point of the model that is looked at and turned about */
    double radius;           /* of a ball about it that holds the model; 0: there is no view yet */
    double upright[3][3];    /* rows of the rotation that makes the model's upward direction z */
    double yaw[2], pitch[2]; /* cosine, sine */
    double scale; /* parts of a sample in a radius, in perspective at the distance of 1 radius */
    double middle[2]; /* where the center lies on the image, in parts */
    int is_orthographic;
};

/* The view in which the points and the drawing's segments are seen with a margin, at zoom 1. A ball
 * about them fills the image, or with drawing->is_tight they do. */
struct camera camera_fit(const struct drawing *drawing, const double (*points)[3], size_t count);

/* Brings a direction of the model to the view's directions. */
void camera_turn(const struct camera *view, const double from[3], double to[3]);

/* The same of a position: in radii, from the center. */
void camera_look(const struct camera *view, const double position[3], double to[3]);

/* Column and row, in parts of a sample, of what camera_look gives. */
void camera_place(const struct camera *view, const double p[3], double at[2]);

#endif
