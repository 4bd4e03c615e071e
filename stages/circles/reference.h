/* The sequential renderer of circles, written from the formulas: what every method and device is
 * checked against and compared with in benchmarks. */
#ifndef CIRCLES_REFERENCE_H
#define CIRCLES_REFERENCE_H

#include "images/image.h"
#include "scenes/scene.h"

/* Paints the circles in their order on the background: each pixel whose center lies within a circle
 * becomes alpha color + (1 - alpha) pixel, in float32; a byte is trunc(255 v), v clamped to 0..1.
 * With `samples` above 1 the image is painted that many times larger each way, and a pixel is the
 * rounded mean of its samples' bytes. Where the background is not opaque, colors are painted on its
 * color times its alpha and divided by the pixel's alpha in the end: this is what white circles
 * leave on a gray of the background's alpha. `progress` is told the share that is done and asks to
 * stop by returning anything but 0, which is returned. Else returns 0, or ERROR_INPUT when memory
 * is short. */
int reference_circles(const struct scene *scene, uint32_t samples, struct image *image,
    int (*progress)(void *context, double share), void *context, struct error *error);

#endif
